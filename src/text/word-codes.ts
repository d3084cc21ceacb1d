import { stopWords } from './stop-words.js';

const codeBits = 12;
const codes = 2 ** codeBits;
// What stop words leave of them.
const firstShared = stopWords.size + 1;
const sharedCodes = codes - firstShared;

/** What a code is below: 0 is none. */
export const wordCodesEnd = codes;

/** The code of a word that is no stop word, by its number as a term: one of 3,949 that it shares with others. */
export function sharedCode(term: number): number {
  return firstShared + (term % sharedCodes);
}

/** Whether a code is that of a stop word, and of no other. */
export function isStopWordCode(code: number): boolean {
  return code < firstShared;
}

/** Codes as they are kept: two in three bytes, an odd last one in two. */
export function packCodes(wordCodes: readonly number[]): Uint8Array {
  const bytes = new Uint8Array(Math.ceil((wordCodes.length * codeBits) / 8));
  for (let at = 0, to = 0; at < wordCodes.length; at += 2, to += 3) {
    const [one = 0, other = 0] = [wordCodes[at], wordCodes[at + 1]];
    bytes[to] = one >> 4;
    bytes[to + 1] = ((one & 15) << 4) | (other >> 8);
    // Beyond the end, of an odd last one, nothing is written.
    bytes[to + 2] = other & 255;
  }
  return bytes;
}

/** Packed codes as a string of a character for each byte, which threads hand over faster than bytes. */
export function codeString(packed: Uint8Array): string {
  return Buffer.from(packed.buffer, packed.byteOffset, packed.byteLength).toString('latin1');
}

/** Codes in hexadecimal, three digits each: a row of words is a part of what is kept, written so. */
export function hexCodes(wordCodes: readonly number[]): string {
  return wordCodes.map((code) => code.toString(16).padStart(codeBits / 4, '0')).join('');
}

/** The codes in a codeString. */
export function unpackCodes(packed: string): Uint16Array {
  const wordCodes = new Uint16Array(Math.floor((packed.length * 8) / codeBits));
  for (let at = 0, from = 0; at < wordCodes.length; at += 2, from += 3) {
    const middle = packed.charCodeAt(from + 1);
    wordCodes[at] = (packed.charCodeAt(from) << 4) | (middle >> 4);
    // Beyond the end as well.
    wordCodes[at + 1] = ((middle & 15) << 8) | packed.charCodeAt(from + 2);
  }
  return wordCodes;
}
