import { EventEmitter, once } from 'node:events';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { v7 as uuidv7 } from 'uuid';
import { runCancellable } from '../../src/lib/cancellation.js';
import { QueryLog } from '../../src/retrieval/query-log.js';
import { until } from '../support/api-client.js';
import { TestServer, adminKey } from '../support/server.js';
import { ToyEmbedder } from '../support/toy-embedder.js';

interface Line {
  readonly level: number;
  readonly msg: string;
  readonly path?: string;
}

/** Keeps the query "wait" waiting until it is told to stop. */
class HeldEmbedder extends ToyEmbedder {
  private readonly events = new EventEmitter();
  readonly asked = once(this.events, 'asked');
  override async embedQuery(text: string, signal?: AbortSignal): Promise<Float32Array> {
    if (text !== 'wait' || !signal) return super.embedQuery(text);
    this.events.emit('asked');
    await once(signal, 'abort');
    throw new Error('stopped');
  }
}

const embedder = new HeldEmbedder();
const lines: Line[] = [];
let server: TestServer;
let database: string;
beforeAll(async () => {
  server = await TestServer.start({ embedder, log: (line) => lines.push(JSON.parse(line) as Line) });
  database = await server.database();
});
afterAll(async () => server.stop());
beforeEach(() => void lines.splice(0));

/** The line of the only request to a path; it comes after the answer. */
async function lineOf(path: string): Promise<Line> {
  await until(async () => lines.some((line) => line.path === path));
  return lines.find((line) => line.path === path) as Line;
}

test('says what was asked of which database, and how it ended', async () => {
  await server.rest('POST', '/query', { json: { database, query: 'x' } });
  expect(await lineOf('/query')).toMatchObject({
    level: 30,
    msg: 'request',
    method: 'POST',
    operation: 'search',
    database,
    status: 200,
    latencyMs: expect.any(Number),
    keyPrefix: 'test',
  });
});

test('says why a request was refused, by its code and without its values', async () => {
  await server.rest('DELETE', '/context', { json: { database: 'nowhere', type: 'memory', ids: ['x'] } });
  expect(await lineOf('/context')).toMatchObject({
    operation: 'deleteSources',
    database: 'nowhere',
    status: 404,
    failure: 'DATABASE_NOT_FOUND',
  });
  await server.rest('GET', '/databases', { key: 'test.wrong' });
  expect(await lineOf('/databases')).toMatchObject({
    operation: 'databases',
    status: 401,
    failure: 'UNAUTHORIZED',
  });
});

test('names the fields and failures of GraphQL, which answers 200', async () => {
  await server.graphql(
    `query ($database: String!) { sources(database: $database) { totalCount } database(database: "nowhere") { status } }`,
    { database },
  );
  expect(await lineOf('/graphql')).toMatchObject({
    operation: 'sources,database',
    database: `${database},nowhere`,
    status: 200,
    failure: 'DATABASE_NOT_FOUND',
  });
});

test('has no token of a feed in the path', async () => {
  const resource = encodeURIComponent('https://example.com/feed?token=mellon');
  await server.rest('DELETE', `/connectors/unknown/resources/${resource}`);
  const line = await lineOf('/connectors/unknown/resources/https%3A%2F%2Fexample.com%2Ffeed');
  expect(JSON.stringify(line)).not.toContain('mellon');
});

test('leaves health checks to the level debug', async () => {
  await server.rest('GET', '/healthz', { key: null });
  expect((await lineOf('/healthz')).level).toBe(20);
});

test('a client that has gone is a line, and no fault', async () => {
  await server.remember(database, [{ text: 'a fact' }]);
  lines.splice(0);
  const leaving = new AbortController();
  const asked = fetch(`${server.url}/query`, {
    method: 'POST',
    headers: { authorization: `Bearer ${adminKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ database, query: 'wait', type: 'memory' }),
    signal: leaving.signal,
  });
  await embedder.asked;
  leaving.abort();
  await expect(asked).rejects.toThrow();
  const line = await lineOf('/query');
  expect(line).toMatchObject({ clientGone: true, database });
  expect(line).not.toHaveProperty('status');
  expect(lines.filter(({ level }) => level > 30)).toEqual([]);
});

test('queries are kept when the client whose request writes them has gone', async () => {
  const { postgres, logger } = server.running.app;
  const queries = new QueryLog({ postgres: postgres.dataSource, clock: server.clock, logger });
  const [row] = await server.sql<{ id: number; account: string }>(
    'select id, account_id as account from databases where name = $1',
    [database],
  );
  const requestId = uuidv7();
  const asked = { accountId: row!.account, requestId, databaseId: row!.id, query: 'x', sourceIds: [] };
  queries.add(asked);
  await runCancellable(AbortSignal.abort(), () => queries.flush());
  const json = { request_id: requestId, feedback: 'good' };
  expect((await server.rest('POST', '/feedback', { json })).status).toBe(201);
});
