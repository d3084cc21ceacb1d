import { stopWords } from './stop-words.js';

// Of a byte what stop words leave.
const firstShared = stopWords.size + 1;
const sharedCodes = 256 - firstShared;

/**
 * The code of a word that is no stop word, by its number as a term: one of 109 that it shares with others. Two words in a row have the
 * codes of two others once in 12,000 times, so of texts of 250 words one in fifty has a pair by chance.
 */
export function sharedCode(term: number): number {
  return firstShared + (term % sharedCodes);
}

/** Whether a code is that of a stop word, and of no other. */
export function isStopWordCode(code: number): boolean {
  return code < firstShared;
}

/** The codes of a text as a string of one character each, which is searched as fast as memory is read. */
export function codeString(codes: Uint8Array): string {
  return Buffer.from(codes.buffer, codes.byteOffset, codes.byteLength).toString('latin1');
}
