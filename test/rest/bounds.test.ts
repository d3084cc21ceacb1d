import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { exampleRequestId } from '../support/requests.js';
import { TestServer } from '../support/server.js';
import type { Answer } from '../support/server.js';

/** A number that a request holds, and between which numbers the interface says that it may lie. */
interface Bound {
  readonly of: string;
  readonly min?: number;
  readonly max: number;
  readonly ask: (amount: number) => Promise<Answer>;
}

let server: TestServer;
let database: string;
beforeAll(async () => {
  server = await TestServer.start();
  database = await server.database();
});
afterAll(async () => server.stop());

const text = (characters: number) => 'x'.repeat(characters);
const names = (count: number) => Array.from({ length: count }, (_, n) => `n${n}`);

const post = (path: string, json: Record<string, unknown>) =>
  server.rest('POST', path, { json: { database, ...json } });
const get = (path: string, parameters: Record<string, unknown> = {}) => {
  const query = new URLSearchParams({ database });
  for (const [name, value] of Object.entries(parameters)) query.set(name, String(value));
  return server.rest('GET', `${path}?${query.toString()}`);
};
const query = (json: Record<string, unknown>) => post('/query', { query: 'x', ...json });
const list = (json: Record<string, unknown>) => post('/context/list', json);
const feedback = (json: Record<string, unknown>) =>
  post('/feedback', { request_id: exampleRequestId, ...json });
const memory = (item: Record<string, unknown>, more: Record<string, unknown> = {}) =>
  post('/context/ingest', { type: 'memory', memories: [{ text: 'x', ...item }], ...more });
const edit = (json: Record<string, unknown>) =>
  server.rest('PATCH', '/context/nobody/metadata', { json: { database, collection: 'default', ...json } });
const schema = (fields: readonly Record<string, unknown>[]) =>
  server.rest('POST', '/databases', {
    json: { database: `of-${fields.length}-fields`, database_metadata_schema: fields },
  });
const levels = (count: number): unknown => (count === 0 ? 1 : { k: levels(count - 1) });

const bounds: readonly Bound[] = [
  { of: 'characters of a query', min: 1, max: 32_768, ask: (n) => query({ query: text(n) }) },
  { of: 'max_results', min: 1, max: 250, ask: (n) => query({ max_results: n }) },
  { of: 'alpha', min: 0, max: 1, ask: (n) => query({ alpha: n }) },
  { of: 'recency_bias', min: 0, max: 1, ask: (n) => query({ recency_bias: n }) },
  { of: 'num_related_chunks', min: 0, max: 20, ask: (n) => query({ num_related_chunks: n }) },
  { of: 'collections of a query', min: 1, max: 100, ask: (n) => query({ collections: names(n) }) },
  { of: 'ids of a query', max: 1000, ask: (n) => query({ ids: names(n) }) },
  { of: 'principals of a caller', max: 1000, ask: (n) => query({ acl: names(n) }) },
  { of: 'additional_context', max: 32_768, ask: (n) => query({ additional_context: text(n) }) },
  { of: 'ids of a list', max: 100, ask: (n) => list({ ids: names(n) }) },
  { of: 'page_size of a list', min: 1, max: 100, ask: (n) => list({ page_size: n }) },
  { of: 'ids of a status', min: 1, max: 1000, ask: (n) => get('/context/status', { ids: names(n) }) },
  {
    of: 'ids of a delete',
    min: 1,
    max: 1000,
    ask: (n) => server.rest('DELETE', '/context', { json: { database, ids: names(n) } }),
  },
  { of: 'limit of relations', min: 1, max: 10_000, ask: (n) => get('/context/relations', { limit: n }) },
  { of: 'depth', min: 1, max: 10, ask: (n) => get('/context/a/subgraph', { depth: n }) },
  { of: 'max_sources', min: 1, max: 1000, ask: (n) => get('/context/a/subgraph', { max_sources: n }) },
  { of: 'limit of chunks', min: 1, max: 1000, ask: (n) => get('/context/chunks', { id: 'a', limit: n }) },
  {
    of: 'expiry_seconds',
    min: 60,
    max: 604_800,
    ask: (n) => get('/context/inspect', { id: 'a', mode: 'url', expiry_seconds: n }),
  },
  { of: 'characters of feedback', min: 1, max: 8000, ask: (n) => feedback({ feedback: text(n) }) },
  {
    of: 'source_ids of feedback',
    max: 100,
    ask: (n) => feedback({ ground_truth: { source_ids: names(n) } }),
  },
  {
    of: 'metadata of feedback',
    max: 20,
    ask: (n) => feedback({ feedback: 'x', metadata: Object.fromEntries(names(n).map((name) => [name, ''])) }),
  },
  { of: 'items of a request', min: 1, max: 1000, ask: (n) => memories(n) },
  { of: 'files of a request', min: 1, max: 200, ask: files },
  { of: 'bytes of an id', max: 512, ask: (n) => memory({ id: text(n) }) },
  { of: 'principals of an item', max: 1000, ask: (n) => memory({ acl: names(n) }) },
  { of: 'characters of a principal', min: 1, max: 256, ask: (n) => memory({ acl: [text(n)] }) },
  { of: 'custom_instructions', max: 4000, ask: (n) => memory({ infer: true, custom_instructions: text(n) }) },
  { of: 'expiry_time', min: 1, max: 315_360_000, ask: (n) => memory({ expiry_time: n }) },
  { of: 'characters of a collection', max: 255, ask: (n) => memory({}, { collection: text(n) }) },
  { of: 'levels of edited metadata', max: 8, ask: (n) => edit({ additional_metadata: levels(n) }) },
  { of: 'fields of a schema', max: 32, ask: (n) => schema(names(n).map((name) => ({ name }))) },
  {
    of: 'vector fields of a schema',
    max: 6,
    ask: (n) => schema(names(n).map((name) => ({ name, enable_dense_embedding: true }))),
  },
  { of: 'max_length', min: 1, max: 65_535, ask: (n) => schema([{ name: 'a', max_length: n }]) },
];

function files(count: number): Promise<Answer> {
  return server.upload(database, Object.fromEntries(names(count).map((name) => [`${name}.txt`, name])));
}

function memories(count: number): Promise<Answer> {
  return post('/context/ingest', { type: 'memory', memories: names(count).map((id) => ({ id, text: id })) });
}

test.each(bounds)('$of: at most $max', async ({ min, max, ask }) => {
  // What it is about need not exist.
  for (const amount of [max, ...(min === undefined ? [] : [min])])
    expect([200, 202, 404, 409]).toContain((await ask(amount)).status);
  for (const amount of [max + 1, ...(min === undefined ? [] : [min - 1])]) {
    const { status, body } = await ask(amount);
    expect([status, body.error?.code]).toEqual([400, 'INVALID_INPUT']);
  }
  expect((await ask(max + 1)).body.error.message).toMatch(new RegExp(String.raw`\b${max}\b`));
});
