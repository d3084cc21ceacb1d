import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { createBuiltInEmbedder } from '../../src/inference/embedders/built-in.js';

const wordVectorsFile = join(process.cwd(), 'dist', 'word-vectors.bin');
const embedder = createBuiltInEmbedder({ wordVectorsFile });
const similarity = (a: Float32Array, b: Float32Array): number =>
  a.reduce((sum, value, index) => sum + value * (b[index] ?? 0), 0);
const compare = async (one: string, other: string): Promise<number> =>
  similarity(await embedder.embedQuery(one), await embedder.embedQuery(other));

afterAll(() => embedder.close());

describe('built-in embedder', () => {
  test('tells what it stores and what may be shown', () => {
    expect(embedder.model).toBe('contexture-lexical-3');
    expect(embedder.dimensions).toBe(192);
    expect(embedder.dimensionsShown).toEqual({ default: 1536, min: 192, max: 4000 });
  });

  test('every text with terms gets a unit vector, always the same', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string(), async (text) => {
        const padded = `${text} anchor`;
        const vector = await embedder.embedQuery(padded);
        expect(vector).toHaveLength(embedder.dimensions);
        expect(similarity(vector, vector)).toBeCloseTo(1, 5);
        expect(await embedder.embedQuery(padded)).toEqual(vector);
      }),
    );
  });

  test('what its name stands for stays as it is: vectors that are stored are compared with those of today', async () => {
    const vector = await embedder.embedQuery('The committee approved a budget for new laboratories');
    const largest = [...vector.entries()].sort(([, a], [, b]) => Math.abs(b) - Math.abs(a)).slice(0, 5);
    expect(largest.map(([dimension, value]) => [dimension, Number(value.toFixed(2))])).toEqual([
      [68, -0.28],
      [64, -0.24],
      [8, 0.21],
      [70, 0.2],
      [150, 0.19],
    ]);
  });

  test('an emoji leaves the vector as it is', async () => {
    expect(await embedder.embedQuery('We shipped it 🎉')).toEqual(await embedder.embedQuery('We shipped it'));
  });

  test('a text without terms gets zeros', async () => {
    expect((await embedder.embedQuery(' .,')).every((value) => value === 0)).toBe(true);
    expect((await embedder.embedDocuments([''])).map((vector) => vector.length)).toEqual([192]);
  });

  test('the worker makes the same vectors as a query, in order, over several batches', async () => {
    const texts = Array.from(
      { length: 150 },
      (_, index) => `document number ${index} about vessel ${index % 7}`,
    );
    const vectors = await embedder.embedDocuments(texts);
    expect(vectors).toHaveLength(texts.length);
    for (const index of [0, 63, 64, 149]) {
      expect(vectors[index]).toEqual(await embedder.embedQuery(texts[index] ?? ''));
    }
    expect(await embedder.embedDocuments([])).toEqual([]);
  });

  test.each([
    ['doctor', 'physician', 'ocean'],
    ['purchase an automobile', 'buy a car', 'cook a meal'],
    ['a lawsuit over the merger', 'litigation about an acquisition', 'the weather in the mountains'],
    ['the children went home', 'a child goes home', 'the engine needs repair'],
    ['databse', 'database', 'village'],
    ['enviroment', 'environment', 'village'],
    ['recieve', 'receive', 'village'],
  ])('%s is nearer to %s than to %s', async (text, near, far) => {
    expect(await compare(text, near)).toBeGreaterThan((await compare(text, far)) + 0.1);
  });

  test('stops between batches when asked to, and works again after it was closed', async () => {
    await expect(embedder.embedDocuments(['a vessel'], AbortSignal.abort())).rejects.toThrow(/abort/i);
    await embedder.close();
    expect(await embedder.embedDocuments(['a vessel'])).toHaveLength(1);
  });

  test('refuses a file that is missing, or has no word vectors, or is cut short', () => {
    const folder = mkdtempSync(join(tmpdir(), 'word-vectors-'));
    try {
      expect(() => createBuiltInEmbedder({ wordVectorsFile: join(folder, 'none.bin') })).toThrow(/ENOENT/);
      for (const bytes of [
        new Uint8Array(0),
        new Uint8Array(64),
        Uint32Array.of(0x56575843, 1, 1000, 64),
        Uint32Array.of(0x56575843, 2, 0, 64),
      ]) {
        writeFileSync(join(folder, 'bad.bin'), bytes);
        expect(() => createBuiltInEmbedder({ wordVectorsFile: join(folder, 'bad.bin') })).toThrow(
          /build again/,
        );
      }
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
