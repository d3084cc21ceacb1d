import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import { until } from '../support/api-client.js';
import { EmbeddingProvider } from '../support/embedding-provider.js';
import { TestServer } from '../support/server.js';
import type { Answer } from '../support/server.js';
import { storedVectors } from '../support/stored-vectors.js';

/** Runs the jobs until nothing waits for transactions of others: a native Postgres has some of its own. */
async function settle(server: TestServer): Promise<void> {
  for (;;) {
    await server.idle();
    const waiting = await server.sql(
      `select 1 from databases where reembedding ->> 'error' = '' and reembedding ->> 'switchedAt' is null`,
    );
    if (waiting.length === 0) return;
    server.clock.advance(1);
  }
}

const provider = new EmbeddingProvider();
const environment = () => ({ EMBEDDINGS_URL: provider.url, EMBEDDINGS_MODEL: 'remote' });
let server: TestServer;
beforeAll(async () => {
  await provider.listen();
  server = await TestServer.start();
});
afterAll(async () => {
  await server.stop();
  await provider.close();
});

/** The same data, served with another model. */
async function restart(withProvider: boolean, model = 'remote'): Promise<void> {
  await server.stop();
  server = await TestServer.start({
    after: server,
    environment: withProvider ? { ...environment(), EMBEDDINGS_MODEL: model } : {},
  });
}

/** A transaction of another database of the same Postgres, which concerns nobody here; the embedded one has no other. */
async function beginElsewhere(): Promise<pg.Client | undefined> {
  const connectionString = process.env['TEST_DATABASE_URL'];
  if (!connectionString) return undefined;
  const client = new pg.Client({ connectionString });
  await client.connect();
  await client.query('begin');
  await client.query('select pg_current_xact_id()');
  return client;
}

const ask = (database: string, parameters: Record<string, unknown> = {}) =>
  server.rest('POST', '/query', { json: { database, query: 'otters', type: 'all', ...parameters } });
const idsOf = ({ body }: Answer): string[] => body.data.chunks.map((chunk: any) => chunk.id).sort();
const byMeaning = ({ body }: Answer): boolean =>
  body.data.chunks.some(({ lanes }: any) => lanes.dense !== null);
const reembed = (database: string) =>
  server.graphql(
    `mutation { reembedDatabase(database: "${database}") { reembedding { model done total switched error } } }`,
  );
const stateOf = async (database: string) => {
  const shown = `{ database(database: "${database}") { embeddingsDimension reembedding { model done total switched error } } }`;
  return (await server.graphql(shown)).body.data.database;
};
const memories = (count: number, word = 'otters') =>
  Array.from({ length: count }, (_, n) => ({ id: `${word}-${n}`, text: `${word} number ${n}` }));
const statusOf = (database: string, id: string) => server.statusOf(database, id);

describe('a database whose model was the built-in one', () => {
  test('goes on with it, takes new items, is embedded anew and switched at once; nothing is left of the old vectors', async () => {
    const database = await server.database({
      database_metadata_schema: [
        { name: 'topic', data_type: 'VARCHAR', enable_dense_embedding: true, enable_sparse_embedding: true },
      ],
    });
    await server.remember(database, [
      ...memories(70),
      { id: 'lane', text: 'nothing', metadata: { topic: 'swimmers' } },
    ]);
    await server.upload(database, { 'otters.md': '# Otters\n\nThey swim.' });
    await settle(server);
    await restart(true);
    const asked = provider.requests.length;
    const before = await ask(database);
    expect(byMeaning(before)).toBe(true);
    expect(before.body.data).not.toHaveProperty('notices');
    await server.remember(database, [{ id: 'later', text: 'later otters' }]);
    expect(await storedVectors(server, database)).toMatchObject({
      model: 'contexture-lexical-3',
      missing: 0,
    });
    expect(provider.requests.length).toBe(asked);
    expect((await stateOf(database)).reembedding).toBeNull();

    await provider.change('error 500');
    expect((await reembed(database)).body.data.reembedDatabase.reembedding).toMatchObject({
      model: 'remote',
      done: 0,
      switched: false,
    });
    await settle(server);
    const waiting = await stateOf(database);
    expect(waiting.reembedding).toMatchObject({ total: 73, done: 0 });
    expect(waiting.reembedding.error).toMatch(/embedding provider/);
    const meanwhile = await ask(database);
    expect(byMeaning(meanwhile)).toBe(true);
    expect(meanwhile.body.data).not.toHaveProperty('notices');

    await provider.change('works');
    server.clock.advance(20);
    const elsewhere = await beginElsewhere();
    await settle(server);
    await elsewhere?.end();
    expect(await stateOf(database)).toEqual({
      embeddingsDimension: 8,
      reembedding: { model: 'remote', total: 73, done: 73, switched: true, error: '' },
    });
    expect(await storedVectors(server, database)).toMatchObject({
      model: 'remote',
      generation: 1,
      chunks: 73,
      missing: 0,
      orphans: 0,
    });
    // The text is that of indexing: title and headings belong to it.
    expect(provider.requests.flat()).toContain('otters.md\nOtters\nThey swim.');
    const after = await ask(database, { alpha: 1, max_results: 250 });
    expect(after.body.data.chunks).toHaveLength(73);
    expect(provider.requests.at(-1)).toEqual(['otters']);
    const lane = await ask(database, { query: 'swimmers', alpha: 0.9, max_results: 250 });
    expect(lane.body.data.chunks.find(({ id }: any) => id === 'lane').lanes.metadata).not.toBeNull();

    // Who had begun to read the old ones has ended by then.
    expect((await storedVectors(server, database)).leftovers).toBeGreaterThan(0);
    server.clock.advance(61);
    await settle(server);
    expect(await storedVectors(server, database)).toMatchObject({ chunks: 73, missing: 0, leftovers: 0 });
    expect((await stateOf(database)).reembedding).toBeNull();
    const removed = await server.rest('DELETE', '/context', {
      json: { database, type: 'memory', ids: ['otters-3'] },
    });
    expect(removed.status).toBe(200);
    await server.remember(database, [{ id: 'otters-4', text: 'otters again' }]);
    expect(await storedVectors(server, database)).toMatchObject({ chunks: 72, missing: 0, orphans: 0 });
  });
});

test('a database of an earlier version of the built-in model is moved to the new one without being asked', async () => {
  await restart(false);
  const database = await server.database();
  await server.remember(database, memories(3));
  await settle(server);
  await server.sql(
    `update databases set embedding_model = 'contexture-lexical-2', vector_dimensions = 192 where name = '${database}'`,
  );
  expect(byMeaning(await ask(database))).toBe(false);
  await restart(false);
  await settle(server);
  expect(await storedVectors(server, database)).toMatchObject({
    model: 'contexture-lexical-3',
    generation: 1,
    chunks: 3,
    missing: 0,
  });
  const after = await ask(database);
  expect(byMeaning(after)).toBe(true);
  expect(after.body.data).not.toHaveProperty('notices');
});

describe('a database whose model is gone', () => {
  let database: string;
  beforeAll(async () => {
    await restart(true, 'gone');
    database = await server.database();
    await server.remember(database, memories(5));
    await restart(true);
  });

  test('new items wait and say for what; once it is embedded anew they are indexed', async () => {
    await server.remember(database, [{ id: 'new', text: 'new otters' }]);
    expect(await statusOf(database, 'new')).toMatchObject({
      indexing_status: 'processing',
      error_code: 'E4001',
      error_message: expect.stringMatching(/model gone \(8 .* runs remote \(8 .*reembedDatabase/),
    });
    expect(idsOf(await ask(database))).toEqual(memories(5).map(({ id }) => id));
    await provider.change('hangs');
    await reembed(database);
    const work = server.idle();
    await provider.asked();
    // Under way: the items that come get the new vectors, for want of the old ones.
    const found = await ask(database);
    expect(found.body.data.notices).toEqual([expect.stringMatching(/model gone/)]);
    await provider.change('works');
    server.clock.advance(61);
    await work;
    await settle(server);
    expect(await statusOf(database, 'new')).toMatchObject({ indexing_status: 'completed' });
    expect(await storedVectors(server, database)).toMatchObject({ model: 'remote', chunks: 6, missing: 0 });
    const after = await ask(database, { alpha: 1 });
    expect(idsOf(after)).toEqual(['new', ...memories(5).map(({ id }) => id)]);
    expect(after.body.data).not.toHaveProperty('notices');
  });

  test('what is deleted, replaced or added while it is embedded anew is nowhere, once and everywhere', async () => {
    await restart(true, 'other');
    await reembed(database);
    await provider.change('hangs');
    const asked = provider.requests.length;
    const work = server.idle();
    await provider.asked(asked);
    const gone = await server.rest('DELETE', '/context', {
      json: { database, type: 'memory', ids: ['otters-0'] },
    });
    expect(gone.status).toBe(200);
    const add = await server.rest('POST', '/context/ingest', {
      json: {
        database,
        type: 'memory',
        memories: [
          { id: 'otters-1', text: 'otters replaced' },
          { id: 'added', text: 'added otters' },
        ],
      },
    });
    expect(add.status).toBe(202);
    await provider.change('works');
    await work;
    server.clock.advance(61);
    await settle(server);
    expect(await storedVectors(server, database)).toEqual({
      model: 'other',
      generation: 2,
      chunks: 6,
      missing: 0,
      orphans: 0,
      leftovers: 0,
    });
    expect(idsOf(await ask(database, { alpha: 1 }))).toEqual(
      ['added', 'new', ...[1, 2, 3, 4].map((n) => `otters-${n}`)].sort(),
    );
  });

  test('another model meanwhile begins anew; the same one goes on', async () => {
    await restart(true, 'third');
    await provider.change('error 500');
    await reembed(database);
    await settle(server);
    expect((await stateOf(database)).reembedding).toMatchObject({ model: 'third', total: 6 });
    expect((await reembed(database)).body.data.reembedDatabase.reembedding).toMatchObject({ total: 6 });
    await restart(false);
    const again = await reembed(database);
    expect(again.body.data.reembedDatabase.reembedding).toMatchObject({
      model: 'contexture-lexical-3',
      done: 0,
    });
    await settle(server);
    server.clock.advance(61);
    await settle(server);
    expect(await storedVectors(server, database)).toEqual({
      model: 'contexture-lexical-3',
      generation: 4,
      chunks: 6,
      missing: 0,
      orphans: 0,
      leftovers: 0,
    });
    expect(byMeaning(await ask(database))).toBe(true);
    await provider.change('works');
  });

  test('deleted meanwhile it is gone with all of its vectors', async () => {
    await restart(true);
    await provider.change('hangs');
    const asked = provider.requests.length;
    await reembed(database);
    const work = server.idle();
    await provider.asked(asked);
    const id = await server.databaseId(database);
    await server.rest('DELETE', '/databases', { json: { database } });
    await provider.change('works');
    await work;
    server.clock.advance(61);
    await settle(server);
    expect(await server.sql('select 1 from databases where name = $1', [database])).toEqual([]);
    expect(
      await server.sql(`select relname from pg_class where relname ~ ('_' || $1 || '_(knowledge|memory)')`, [
        String(id),
      ]),
    ).toEqual([]);
  });
});

/** A database of the built-in model with three chunks, on a server that runs another one. */
async function databaseOfBuiltInModel(): Promise<string> {
  await restart(false);
  const database = await server.database();
  await server.remember(database, memories(3));
  await restart(true);
  return database;
}

// The embedded Postgres runs one transaction at a time.
const onNative = process.env['TEST_DATABASE_URL'] ? test : test.skip;

onNative('who stores content just then, as always in a busy database, does not put a move off', async () => {
  const database = await databaseOfBuiltInModel();
  const writer = new pg.Client({ connectionString: server.databaseUrl });
  await writer.connect();
  try {
    await reembed(database);
    await writer.query('begin');
    await writer.query('select 1 from databases where name = $1 for share', [database]);
    const work = server.idle();
    await until(async () => {
      const waiting = 'select 1 from pg_stat_activity where pg_backend_pid() = any(pg_blocking_pids(pid))';
      return (await writer.query(waiting)).rowCount === 1;
    });
    await writer.query('commit');
    await work;
    expect((await stateOf(database)).reembedding).toMatchObject({ total: 3 });
  } finally {
    await writer.end();
  }
});

test('a move that was begun before the clock was set back goes on at once', async () => {
  const database = await databaseOfBuiltInModel();
  await reembed(database);
  server.clock.advance(-3 * 3600);
  await server.idle();
  expect((await stateOf(database)).reembedding).toMatchObject({ total: 3 });
  await settle(server);
  expect(await storedVectors(server, database)).toMatchObject({ model: 'remote', chunks: 3, missing: 0 });
});

test('the same model with vectors of another length is asked again: no vector of the old length is remembered', async () => {
  await restart(true);
  const database = await server.database();
  await server.remember(database, memories(3));
  const shorter = new EmbeddingProvider(4);
  await shorter.listen();
  try {
    await server.stop();
    const environment = { EMBEDDINGS_URL: shorter.url, EMBEDDINGS_MODEL: 'remote' };
    server = await TestServer.start({ after: server, environment });
    await reembed(database);
    await settle(server);
    expect(await stateOf(database)).toMatchObject({
      embeddingsDimension: 4,
      reembedding: { done: 3, switched: true, error: '' },
    });
    expect(await storedVectors(server, database)).toMatchObject({ chunks: 3, missing: 0 });
    expect(idsOf(await ask(database, { alpha: 1 }))).toEqual(memories(3).map(({ id }) => id));
  } finally {
    await shorter.close();
  }
});

test('what does not exist cannot be embedded anew', async () => {
  const answer = await reembed('no-such-database');
  expect(answer.body.errors[0].extensions.code).toBe('DATABASE_NOT_FOUND');
});
