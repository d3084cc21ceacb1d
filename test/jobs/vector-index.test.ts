import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import { buildVectorIndex, prepareForBuilds } from '../../src/ingestion/vector-index/vector-index-build.js';
import type { Run } from '../../src/ingestion/vector-index/vector-index-recall.js';
import { VectorIndexes } from '../../src/ingestion/vector-index/vector-indexes.js';
import { createLogger } from '../../src/lib/logger.js';
import type { Corpus } from '../../src/postgres/stores.js';
import { indexedDenseStatement } from '../../src/retrieval/lanes/indexed-dense.queries.js';
import { until } from '../support/api-client.js';
import { Numbers } from '../support/number-embedder.js';
import { TestServer } from '../support/server.js';

const exactRowsMax = 500;
const parts = 100;

// The embedded Postgres has no such index.
const onNative = process.env['TEST_DATABASE_URL'] ? describe : describe.skip;

// Vectors within the rows of their table, and vectors that are kept out of line and indexed by their halves.
onNative.each([192, 2100])('the vector index of a store of %i dimensions', (dimensions) => {
  const items = dimensions > 1000 ? 900 : 2500;
  const embedder = new Numbers(dimensions);
  const vectorOf = (number: number) => embedder.vectorOf(number);
  let server: TestServer;
  let database: string;
  const current = new Map<string, number>();
  beforeAll(async () => {
    server = await TestServer.start({ embedder, exactRowsMax });
    database = await server.database();
  });
  afterAll(async () => server.stop());

  const remember = async (from: number, to: number, id = (n: number) => `i${n}`) => {
    const numbers = Array.from({ length: to - from }, (_, n) => from + n);
    for (let start = 0; start < numbers.length; start += 1000) {
      const memories = numbers.slice(start, start + 1000).map((n) => ({
        id: id(n),
        text: `number ${n}`,
        additional_metadata: { part: n % parts },
      }));
      expect((await server.remember(database, memories)).status).toBe(202);
    }
    for (const n of numbers) current.set(id(n), n);
  };
  const find = async (number: number, more: Record<string, unknown> = {}): Promise<string[]> => {
    const answer = await server.rest('POST', '/query', {
      json: { database, type: 'memory', query: `number ${number}`, alpha: 1, max_results: 10, ...more },
    });
    expect(answer.status).toBe(200);
    return answer.body.data.chunks.map((chunk: { id: string }) => chunk.id);
  };
  const nearest = (number: number, matches: (n: number) => boolean = () => true): string[] => {
    const asked = vectorOf(number);
    return [...current]
      .filter(([, n]) => matches(n))
      .map(([id, n]) => ({ id, score: vectorOf(n).reduce((sum, x, i) => sum + x * (asked[i] ?? 0), 0) }))
      .sort((a, b) => b.score - a.score)
      .slice(0, 10)
      .map(({ id }) => id);
  };
  const recall = async (more: Record<string, unknown> = {}, matches?: (n: number) => boolean) => {
    let found = 0;
    for (let n = 0; n < 10; n += 1) {
      const ids = await find(10_000 + n, more);
      const expected = nearest(10_000 + n, matches);
      expect(ids).toHaveLength(expected.length);
      found += expected.filter((id) => ids.includes(id)).length / expected.length;
    }
    return found / 10;
  };
  const store = async () => {
    const databaseId = await server.databaseId(database);
    return { databaseId, corpus: 'memory' as Corpus };
  };
  const table = async () => `chunk_vectors_${(await store()).databaseId}_memory`;
  const live = async () => {
    const [row] = await server.sql<{ indexedUpTo: string; wideCollections: number[]; candidates: number }>(
      `select indexed_up_to as "indexedUpTo", wide_collections as "wideCollections", candidates from vector_indexes
        where database_id = $1 and corpus = 'memory'`,
      [(await store()).databaseId],
    );
    return row;
  };
  const built = async () =>
    (
      await server.sql<{ name: string }>(
        `select relname as name from pg_index join pg_class c on c.oid = indexrelid
          where indrelid = to_regclass($1) and relname ~ '_hnsw_'`,
        [await table()],
      )
    ).map(({ name }) => name);
  const plan = async (collectionIds: number[], more: object = {}) => {
    const index = await live();
    if (!index) throw new Error('no index is live');
    const { sql, values, plannerSetting } = indexedDenseStatement(
      {
        store: { ...(await store()), generation: 0 },
        vectorIndex: undefined,
        collectionIds,
        sourceIds: null,
        conditions: [],
        readers: null,
        hidesItems: false,
        hasFacts: false,
        now: new Date(),
        ...more,
      },
      { index: { ...index, corpus: 'memory' }, vector: vectorOf(1), limit: 150, exactRowsMax },
    );
    const rows = await server.running.app.postgres.dataSource.transaction(async (manager) => {
      if (plannerSetting) await manager.query(plannerSetting);
      return manager.query<{ 'QUERY PLAN': string }[]>(`explain (analyze, costs off) ${sql}`, [...values]);
    });
    return rows.map((row) => row['QUERY PLAN']).join('\n');
  };
  /** The part of a plan that makes one of the statement's intermediate results. */
  const step = (text: string, name: string) =>
    new RegExp(`\\n  CTE ${name}\\n(.*?)\\n  (?:CTE|->) `, 's').exec(text)?.[1] ?? '';
  /** Lets no concurrent build of an index end, until the client is closed. */
  const holdSnapshot = async () => {
    const client = new pg.Client(server.databaseUrl);
    await client.connect();
    await client.query('begin isolation level repeatable read');
    await client.query('select count(*) from databases');
    return client;
  };
  const building = async () =>
    (
      await server.sql(
        `select 1 from pg_stat_activity
          where query like 'create index concurrently%' and wait_event = 'virtualxid' and datname = current_database()`,
      )
    ).length > 0;

  test('is not built while an exact scan will do', async () => {
    await remember(0, exactRowsMax);
    expect(await live()).toBeUndefined();
    expect(await recall()).toBe(1);
  });

  test('is built when the store has outgrown that, and finds the same', async () => {
    await remember(exactRowsMax, items);
    await server.sql(`vacuum analyze ${await table()}`);
    const index = await live();
    expect(await built()).toEqual([`${await table()}_hnsw_${index?.indexedUpTo}`]);
    expect(index?.wideCollections).toHaveLength(1);
    expect(index?.candidates).toBeGreaterThanOrEqual(200);
    expect(await recall()).toBeGreaterThanOrEqual(0.98);
  });

  test('a wide search reads it, a narrow one is exact', async () => {
    const [wide = 0] = (await live())?.wideCollections ?? [];
    await remember(20_000, 20_010);
    const taken = await plan([wide]);
    expect(step(taken, 'near')).toMatch(/Index Scan using chunk_vectors_\d+_memory_hnsw_\d+ .*actual/);
    expect(step(taken, 'whole')).toMatch(/never executed/);
    const filter = { readers: ['group:ops'] };
    const filtered = step(await plan([wide], filter), 'near');
    expect(filtered).toMatch(
      /Index Scan using chunk_vectors_\d+_memory_hnsw_\d+ .*actual.*Filter: .*SubPlan/s,
    );
    const narrow = await plan([wide], {
      conditions: [{ kind: 'oneOf', column: 'additional_metadata', key: 'part', values: [7] }],
    });
    expect(step(narrow, 'near')).toMatch(/hnsw_\d+ .*never executed/);
    expect(step(narrow, 'narrow')).toMatch(/(Tid|Seq) Scan on \S+ v\S* \(actual/);
    const elsewhere = await plan([wide + 1]);
    expect(step(elsewhere, 'near')).toMatch(/Index Scan .*never executed/);
    expect(step(elsewhere, 'narrow')).toMatch(/(Tid|Seq) Scan on \S+ v\S* \(actual/);
  });

  test('what came after it is found at once', async () => {
    const before = await live();
    await remember(30_000, 30_050);
    expect(await live()).toEqual(before);
    for (const number of [30_000, 30_049]) expect((await find(number))[0]).toBe(`i${number}`);
    expect(await recall()).toBeGreaterThanOrEqual(0.98);
  });

  test('no filter costs recall', async () => {
    const part = { metadata_filters: { additional_metadata: { part: 7 } } };
    expect(await recall(part, (n) => n % parts === 7)).toBe(1);
    const half = Array.from({ length: parts / 2 }, (_, n) => n);
    const many = { metadata_filters: { additional_metadata: { part: half } } };
    expect(await recall(many, (n) => n % parts < parts / 2)).toBeGreaterThanOrEqual(0.98);
    expect(await find(3, { ids: ['i720', 'i3'] })).toEqual(['i3', 'i720']);
  });

  test('of vectors that are hard to find, more are looked at than in one go', async () => {
    const before = await live();
    await server.sql('update vector_indexes set candidates = 2000');
    expect(await recall()).toBeGreaterThanOrEqual(0.99);
    const part = { metadata_filters: { additional_metadata: { part: { $gte: parts / 2 } } } };
    expect(await recall(part, (n) => n % parts >= parts / 2)).toBeGreaterThanOrEqual(0.99);
    await server.sql('update vector_indexes set candidates = $1', [before?.candidates]);
  });

  test('replaced items and deleted collections are not found any more', async () => {
    expect((await find(42))[0]).toBe('i42');
    await remember(40_000, 40_001, () => 'i42');
    expect(await find(42)).not.toContain('i42');
    expect((await find(40_000))[0]).toBe('i42');
    await server.remember(database, [{ id: 'other', text: 'number 50000' }], { collection: 'other' });
    expect(await find(50_000, { collection: 'other' })).toEqual(['other']);
    await server.rest('DELETE', '/databases/collections', { json: { database, collection: 'other' } });
    expect(await find(50_000, { collection: 'other' })).toEqual([]);
    await server.idle();
    expect(await recall()).toBeGreaterThanOrEqual(0.98);
  });

  test('is built anew when much has come after it; what an interrupted build left is removed', async () => {
    const before = await live();
    const leftover = `${await table()}_hnsw_1`;
    await server.sql(
      `create index ${leftover} on ${await table()} using hnsw ((embedding::halfvec(${dimensions})) halfvec_ip_ops)
        where chunk_id <= 1`,
    );
    await server.sql(`update pg_index set indisvalid = false where indexrelid = '${leftover}'::regclass`);
    await remember(60_000, 60_000 + exactRowsMax);
    const after = await live();
    expect(Number(after?.indexedUpTo)).toBeGreaterThan(Number(before?.indexedUpTo));
    expect(await built()).toEqual([`${await table()}_hnsw_${after?.indexedUpTo}`]);
    expect(await recall()).toBeGreaterThanOrEqual(0.98);
  });

  test('a build that is told to stop stops, and is taken up by a process that knows nothing of it', async () => {
    await server.sql('delete from vector_indexes');
    const { dataSource: postgres, openSession } = server.running.app.postgres;
    if (!openSession) throw new Error('not native');
    const clock = server.clock;
    const indexes = new VectorIndexes({
      postgres,
      clock,
      logger: createLogger('silent'),
      openSession,
      exactRowsMax,
    });
    indexes.touch(await store());
    const holder = await holdSnapshot();
    const stop = new AbortController();
    const build = indexes.buildSome(stop.signal);
    await until(building);
    expect(await recall()).toBeGreaterThanOrEqual(0.98);
    stop.abort();
    await build;
    expect(await building()).toBe(false);
    expect(await live()).toBeUndefined();
    await holder.end();
    await server.sql(`analyze ${await table()}`);
    server.clock.advance(60);
    await server.idle();
    expect(await live()).toBeDefined();
    expect(await built()).toHaveLength(1);
  });

  test('is built without workers where their shared memory is refused', async () => {
    const { openSession } = server.running.app.postgres;
    const index = await live();
    if (!openSession || !index) throw new Error('not native, or not built');
    const session = await openSession();
    const run: Run = async (sql, parameters = []) => {
      const { rows } = await session.query(sql, [...parameters]);
      return rows as never[];
    };
    const name = `${await table()}_hnsw_2`;
    const workers = async () => (await session.query('show max_parallel_maintenance_workers')).rows;
    try {
      await prepareForBuilds(run);
      await run('set max_parallel_maintenance_workers = 1');
      await run(`alter table ${await table()} set (parallel_workers = 1)`);
      const { indexedUpTo } = index;
      // More than any machine that tests run on has.
      const memory = 2_000_000;
      await buildVectorIndex(run, { name, table: await table(), indexedUpTo, dimensions, memory });
      expect(await workers()).toEqual([{ max_parallel_maintenance_workers: '0' }]);
      const valid = `select indisvalid as valid from pg_index where indexrelid = '${name}'::regclass`;
      expect(await run(valid)).toEqual([{ valid: true }]);
    } finally {
      await run(`drop index concurrently if exists ${name}`);
      await run(`alter table ${await table()} reset (parallel_workers)`);
      await session.end();
    }
  });

  test('goes with its database, even while it is built', async () => {
    const name = await table();
    const holder = await holdSnapshot();
    const memories = Array.from({ length: 1000 }, (_, n) => ({
      id: `z${n}`,
      text: `number ${n}`,
    }));
    const build = server.remember(database, memories);
    await until(building);
    expect(await live()).toBeDefined();
    await server.rest('DELETE', '/databases', { json: { database } });
    await server.idle();
    await build;
    expect(await server.sql('select 1 from vector_indexes')).toEqual([]);
    expect(await server.sql('select 1 where to_regclass($1) is not null', [name])).toEqual([]);
    await holder.end();
  });
});
