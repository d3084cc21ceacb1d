import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { readConfig } from '../../src/config.js';
import { AppError } from '../../src/errors.js';
import { RefusedTextError } from '../../src/inference/embedder.js';
import type { Embedder } from '../../src/inference/embedder.js';
import { createEmbedder } from '../../src/inference/embedders.js';
import { createOpenAiEmbedder } from '../../src/inference/embedders/openai.js';
import { EmbeddingProvider } from '../support/embedding-provider.js';

// The vector of a text points to its number.
const provider = new EmbeddingProvider(2, (text) => [1, Number.parseInt(text, 10) || 0]);
let embedder: Embedder;
beforeAll(async () => provider.listen());
afterAll(async () => provider.close());
beforeEach(async () => {
  provider.refuses = () => undefined;
  embedder = await createOpenAiEmbedder({ url: provider.url, model: 'toy', apiKey: undefined });
  provider.requests.length = 0;
});

const texts = (count: number, ending = '') => Array.from({ length: count }, (_, n) => `${n}${ending}`);
const numbersOf = (vectors: readonly Float32Array[]) =>
  vectors.map(([one = 0, number = 0]) => Math.round(number / one));
const inOrder = (count: number) => Array.from({ length: count }, (_, n) => n);
const sizes = () => provider.requests.map(({ length }) => length);

test.each([
  [400, 'batch size is invalid, it should not be larger than 10', 10, 8],
  [413, 'batch size 64 > maximum allowed batch size 32', 32, 32],
  [422, 'too many inputs', 1, 1],
])('a provider that takes few texts at once (%d, %s)', async (status, words, max, taken) => {
  provider.refuses = (input) => (input.length > max ? [status, words] : undefined);
  expect(numbersOf(await embedder.embedDocuments(texts(64)))).toEqual(inOrder(64));
  provider.requests.length = 0;
  expect(numbersOf(await embedder.embedDocuments(texts(64)))).toEqual(inOrder(64));
  expect(new Set(sizes())).toEqual(new Set([taken]));
});

test.each([
  [413, 'inputs must have less than 512 tokens. Given: 600'],
  [400, "This model's maximum context length is 512 tokens"],
  [500, 'input is too large to process. increase the physical batch size'],
  [500, 'the input length exceeds the context length'],
])('a text that is too long for the model is embedded by its beginning (%d, %s)', async (status, words) => {
  const tooLong = (text: string) => text.length > 600;
  provider.refuses = (input) => (input.some(tooLong) ? [status, words] : undefined);
  const long = ` ${'word '.repeat(200)}`;
  const given = ['0', `1${long}`, '2', '3'];
  expect(numbersOf(await embedder.embedDocuments(given))).toEqual([0, 1, 2, 3]);
  const cut = provider.requests.flat().find((text) => text.startsWith('1 ') && !tooLong(text)) ?? '';
  expect(given[1]?.startsWith(cut)).toBe(true);
  expect(cut.length).toBeGreaterThan(400);
  // Others are still asked for together.
  provider.requests.length = 0;
  await embedder.embedDocuments(texts(64));
  expect(sizes()).toEqual([64]);
  const [, number = 0] = await embedder.embedQuery(`7${long.repeat(30)}`);
  expect(number).toBeGreaterThan(0.9);
});

test('a text that is refused for what it says is refused, whatever stands beside it and however long it is', async () => {
  provider.refuses = (input) => (input.some((text) => text.includes('poison')) ? [400, 'no'] : undefined);
  for (const poison of ['5 poison', `5 poison${' and more'.repeat(300)}`]) {
    const given = texts(64).with(5, poison);
    await expect(embedder.embedDocuments(given)).rejects.toBeInstanceOf(RefusedTextError);
    await expect(embedder.embedQuery(poison)).rejects.toMatchObject({ kind: 'INVALID_INPUT' });
  }
  provider.requests.length = 0;
  await embedder.embedDocuments(texts(64));
  expect(sizes()).toEqual([64]);
});

test('what fails while parts are asked for is no refusal', async () => {
  provider.refuses = (input) => (input.length > 1 ? [413, 'too many'] : [500, 'out of memory']);
  const error = await embedder.embedDocuments(texts(2)).catch((caught: unknown) => caught);
  expect(error).toBeInstanceOf(AppError);
  expect(error).toMatchObject({ kind: 'SERVICE_UNAVAILABLE' });
});

test('prompts stand before queries and documents; that of documents makes another model of it', async () => {
  const variables = { EMBEDDINGS_URL: provider.url, EMBEDDINGS_MODEL: 'toy' };
  const read = async (more: object) => createEmbedder(readConfig({ ...variables, ...more }));
  const prompted = await read({
    EMBEDDINGS_QUERY_PROMPT: 'search_query: ',
    EMBEDDINGS_DOCUMENT_PROMPT: 'search_document: ',
  });
  provider.requests.length = 0;
  await prompted.embedDocuments(['otters', '']);
  await prompted.embedQuery('seals');
  expect(provider.requests).toEqual([['search_document: otters', ''], ['search_query: seals']]);
  expect(prompted.model).toBe('toy with "search_document: "');
  expect((await read({ EMBEDDINGS_QUERY_PROMPT: 'query: ' })).model).toBe('toy');
  expect((await read({})).model).toBe('toy');
  expect(() => readConfig({ ...variables, EMBEDDINGS_QUERY_PROMPT: 'x'.repeat(501) })).toThrow(
    /EMBEDDINGS_QUERY_PROMPT.*at most 500/,
  );
});

test.each(['/v1', '/v1/', '/v1/embeddings', '/v1/embeddings?api-version=1', '', '/'])(
  'the provider is found by its address with %j behind the host',
  async (path) => {
    const url = new URL(provider.url).origin + path;
    const [vector] = await createOpenAiEmbedder({ url, model: 'toy', apiKey: undefined }).then((found) =>
      found.embedDocuments(['3']),
    );
    expect(numbersOf(vector ? [vector] : [])).toEqual([3]);
    expect(provider.paths.at(-1)).toBe(`/v1/embeddings${new URL(url).search}`);
  },
);

test('an address where there is no provider is named', async () => {
  const url = `${new URL(provider.url).origin}/v2`;
  const opened = createOpenAiEmbedder({ url, model: 'toy', apiKey: undefined });
  await expect(opened).rejects.toThrow(/EMBEDDINGS_URL 127.0.0.1:\d+\) does not answer: 404/);
});

test('a provider that knows no encoding "float" is asked for base64', async () => {
  provider.encodings = ['base64'];
  try {
    const own = await createOpenAiEmbedder({ url: provider.url, model: 'toy', apiKey: undefined });
    expect(numbersOf(await own.embedDocuments(texts(3)))).toEqual(inOrder(3));
  } finally {
    provider.encodings = ['float', 'base64'];
  }
});
