import { open } from 'node:fs/promises';

/**
 * dist/wordnet.bin, little-endian, written by scripts/compile-wordnet.mjs:
 *   uint32 ×4     magic, format version, W words, F features
 *   uint32 ×W     hashes of the word stems, ascending
 *   uint32 ×(W+1) where each word's features start
 *   uint32 ×F     hashes of features: synsets near the word and stems of words in their glosses
 *   uint8  ×F     weights of these features, in units of 1/weightUnit
 *   uint8  ×W     inverse document frequencies of the words over all glosses, in units of 1/idfUnit
 */
export const wordnetFormat = {
  magic: 0x4e575843,
  version: 1,
  headerBytes: 16,
  weightUnit: 127,
  idfUnit: 25,
} as const;

/** The inverse document frequency of a word that no gloss has; all others are below. */
export const idfMax = 9;

/** What WordNet says about the words of English, by stem; reads from memory that threads share. */
export interface Wordnet {
  readonly memory: SharedArrayBuffer;
  /** The row of the word with this hash, or -1. */
  find(hash: number): number;
  /** How rare the word of a row is, 0 to idfMax. */
  idf(row: number): number;
  /** Calls back with the hash and the weight of each feature of a row. */
  eachFeature(row: number, visit: (hash: number, weight: number) => void): void;
}

const seeds = { word: 0x811c9dc5, synset: 0x2f0b4c47, grams: 0x6b43a9b5 } as const;

/** FNV-1a with a final mix; equal texts of two kinds have unrelated hashes. */
export function featureHash(kind: keyof typeof seeds, text: string): number {
  let hash: number = seeds[kind];
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  return mix(hash);
}

/** Spreads a 32-bit number: each bit of the result depends on all bits given. */
export function mix(value: number): number {
  let mixed = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}

/** Reads the compiled file into memory that worker threads can share. */
export async function loadWordnet(file: string): Promise<Wordnet> {
  const handle = await open(file);
  try {
    const { size } = await handle.stat();
    const memory = new SharedArrayBuffer(size);
    const bytes = new Uint8Array(memory);
    let filled = 0;
    while (filled < size) {
      const { bytesRead } = await handle.read(bytes, filled, size - filled, filled);
      if (bytesRead === 0) break;
      filled += bytesRead;
    }
    return openWordnet(memory);
  } finally {
    await handle.close();
  }
}

/** The lookup over memory that loadWordnet has filled, in this or in another thread. */
export function openWordnet(memory: SharedArrayBuffer): Wordnet {
  const { magic, version, headerBytes, weightUnit, idfUnit } = wordnetFormat;
  const header = memory.byteLength < headerBytes ? new Uint32Array(4) : new Uint32Array(memory, 0, 4);
  const [foundMagic, foundVersion, wordCount = 0, featureCount = 0] = header;
  const startsAt = headerBytes + 4 * wordCount;
  const featuresAt = startsAt + 4 * (wordCount + 1);
  const weightsAt = featuresAt + 4 * featureCount;
  const end = weightsAt + featureCount + wordCount;
  if (foundMagic !== magic || foundVersion !== version || end !== memory.byteLength) {
    throw new Error('wordnet.bin is not of this version; build it anew');
  }
  const words = new Uint32Array(memory, headerBytes, wordCount);
  const starts = new Uint32Array(memory, startsAt, wordCount + 1);
  const features = new Uint32Array(memory, featuresAt, featureCount);
  const weights = new Uint8Array(memory, weightsAt, featureCount);
  const idfs = new Uint8Array(memory, weightsAt + featureCount, wordCount);
  return {
    memory,
    find: (hash) => binarySearch(words, hash),
    idf: (row) => (idfs[row] ?? 0) / idfUnit,
    eachFeature: (row, visit) => {
      const end = starts[row + 1] ?? 0;
      for (let index = starts[row] ?? 0; index < end; index += 1) {
        visit(features[index] ?? 0, (weights[index] ?? 0) / weightUnit);
      }
    },
  };
}

function binarySearch(sorted: Uint32Array, wanted: number): number {
  let low = 0;
  let high = sorted.length - 1;
  while (low <= high) {
    const middle = (low + high) >>> 1;
    const found = sorted[middle] ?? 0;
    if (found === wanted) return middle;
    if (found < wanted) low = middle + 1;
    else high = middle - 1;
  }
  return -1;
}
