import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { createBuiltInEmbedder } from '../../src/inference/embedders/built-in.js';

const wordnetFile = join(process.cwd(), 'dist', 'wordnet.bin');
const embedder = createBuiltInEmbedder({ wordnetFile });
afterAll(() => embedder.close());

const dot = (a: Float32Array, b: Float32Array) =>
  a.reduce((sum, value, index) => sum + value * (b[index] ?? 0), 0);
const similarity = async (a: string, b: string) =>
  dot(await embedder.embedQuery(a), await embedder.embedQuery(b));

describe('built-in embedder', () => {
  test('tells its model and dimensions', () => {
    expect(embedder.model).toBe('contexture-lexical-1');
    expect(embedder.dimensionsShown).toEqual({ default: 1536, min: embedder.dimensions, max: 4000 });
  });

  test('gives vectors of unit length', async () => {
    for (const text of [
      'cat',
      'The quick brown fox',
      'ERR-4042',
      '東京に行きます',
      'xqzzy',
      'word '.repeat(500),
    ]) {
      const vector = await embedder.embedQuery(text);
      expect(vector).toHaveLength(embedder.dimensions);
      expect(dot(vector, vector)).toBeCloseTo(1, 5);
    }
  });

  test('gives an empty text a zero vector', async () => {
    const [blank, dashes] = await embedder.embedDocuments(['', ' -- \n']);
    const zero = new Float32Array(embedder.dimensions);
    expect(await embedder.embedQuery('')).toEqual(zero);
    expect(blank).toEqual(zero);
    expect(dashes).toEqual(zero);
  });

  test('gives no texts no vectors', async () => {
    expect(await embedder.embedDocuments([])).toEqual([]);
  });

  test('gives the same text the same vector, in another embedder too', async () => {
    const other = createBuiltInEmbedder({ wordnetFile });
    const text = 'Password reset emails are not arriving.';
    expect(await other.embedQuery(text)).toEqual(await embedder.embedQuery(text));
    await other.close();
  });

  test('embeds documents in the worker as queries inline, in the order given', async () => {
    const texts = Array.from(
      { length: 150 },
      (_, index) => `Order ${index} of bread and ${'much '.repeat(index % 7)}wine`,
    );
    const inline = await Promise.all(texts.map((text) => embedder.embedQuery(text)));
    expect(await embedder.embedDocuments(texts)).toEqual(inline);
  });

  test('stops when it is told to', async () => {
    const signal = AbortSignal.abort();
    await expect(embedder.embedDocuments(['text'], signal)).rejects.toThrow();
  });

  test.each([
    ['databse crash', 'The database crashed', 'The chef cooked a meal'],
    ['vaccinne', 'vaccine', 'machine'],
    ['villages near oceans', 'a small village near the ocean', 'a committee approved the budget'],
  ])('finds %p nearer to %p than to %p', async (query, alike, other) => {
    expect(await similarity(query, alike)).toBeGreaterThan(await similarity(query, other));
  });

  test.each([
    [
      'The physician examined the patient',
      'a doctor checking someone who is ill',
      'a plane leaving the airport at noon',
    ],
    ['He bought a car', 'She purchased an automobile', 'The court found him guilty'],
    ['the kids', 'children', 'engines'],
  ])('takes %p as nearer in meaning to %p than to %p', async (text, alike, other) => {
    expect(await similarity(text, alike)).toBeGreaterThan((await similarity(text, other)) + 0.05);
  });

  test('refuses a file that is no compiled WordNet', async () => {
    const broken = createBuiltInEmbedder({ wordnetFile: join(process.cwd(), 'package.json') });
    await expect(broken.embedQuery('text')).rejects.toThrow('wordnet.bin');
  });
});
