import { stopWords } from './stop-words.js';

const codeBits = 12;
const codes = 2 ** codeBits;
// The codes that stop words leave free.
const firstShared = stopWords.size + 1;
const sharedCodes = codes - firstShared;

/** All codes are below this number; 0 is not a code. */
export const wordCodesEnd = codes;

/**
 * The code of a word that is no stop word, by its term id. About 3,949 such
 * codes exist, so words share them.
 */
export function sharedCode(term: number): number {
  return firstShared + (term % sharedCodes);
}

/** Whether a code is that of a stop word, which it does not share. */
export function isStopWordCode(code: number): boolean {
  return code < firstShared;
}

/** Packs codes for storage: two codes in three bytes, an odd last one in two. */
export function packCodes(wordCodes: readonly number[]): Uint8Array {
  const bytes = new Uint8Array(Math.ceil((wordCodes.length * codeBits) / 8));
  for (let at = 0, to = 0; at < wordCodes.length; at += 2, to += 3) {
    const [one = 0, other = 0] = [wordCodes[at], wordCodes[at + 1]];
    bytes[to] = one >> 4;
    bytes[to + 1] = ((one & 15) << 4) | (other >> 8);
    // Of an odd last code this is beyond the end, where nothing is written.
    bytes[to + 2] = other & 255;
  }
  return bytes;
}

/** Packed codes as a string with one character per byte. Threads exchange strings faster than bytes. */
export function codeString(packed: Uint8Array): string {
  return Buffer.from(packed.buffer, packed.byteOffset, packed.byteLength).toString('latin1');
}

/**
 * Codes in hexadecimal, three digits each. A sequence of words can so be sought in
 * packed codes written in hexadecimal.
 */
export function hexCodes(wordCodes: readonly number[]): string {
  return wordCodes.map((code) => code.toString(16).padStart(codeBits / 4, '0')).join('');
}

/** The codes in a codeString. */
export function unpackCodes(packed: string): Uint16Array {
  const wordCodes = new Uint16Array(Math.floor((packed.length * 8) / codeBits));
  for (let at = 0, from = 0; at < wordCodes.length; at += 2, from += 3) {
    const middle = packed.charCodeAt(from + 1);
    wordCodes[at] = (packed.charCodeAt(from) << 4) | (middle >> 4);
    // Beyond the end, too, for an odd last code.
    wordCodes[at + 1] = ((middle & 15) << 8) | packed.charCodeAt(from + 2);
  }
  return wordCodes;
}
