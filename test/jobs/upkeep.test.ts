import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { sharedTables } from '../../src/postgres/upkeep.jobs.js';
import { TestServer } from '../support/server.js';
import { columnsOf } from '../support/table-columns.js';

let server: TestServer;
beforeAll(async () => {
  server = await TestServer.start();
});
afterAll(async () => server.stop());

// A native Postgres does this by itself.
const onEmbedded = process.env['TEST_DATABASE_URL'] ? describe.skip : describe;

onEmbedded('the embedded Postgres', () => {
  test('starts its log anew when much has been written', async () => {
    await server.sql('create table written (bytes text)');
    for (let round = 0; round < 20; round += 1) {
      await server.sql(`insert into written select repeat('x', 1800) from generate_series(1, 10000)`);
      await server.idle();
    }
    const [log] = await server.sql<{ mebibytes: number }>(
      `select sum(size)::float8 / 1024 / 1024 as mebibytes from pg_ls_waldir()`,
    );
    // 370 MiB were written.
    expect(log?.mebibytes).toBeLessThan(200);
  });

  test('gives back the space of rows that are gone', async () => {
    const bytes = async () =>
      (await server.sql<{ bytes: string }>(`select pg_relation_size('keyword_averages') as bytes`))[0]?.bytes;
    await server.sql(`insert into keyword_averages select n, 'memory', 0 from generate_series(1, 20000) n`);
    expect(await bytes()).not.toBe('0');
    await server.sql('delete from keyword_averages');
    // Counts of rows are otherwise up to a second old.
    await server.sql('select pg_stat_force_next_flush()');
    await server.idle();
    expect(await bytes()).toBe('0');
  });
});

test('every table that all databases share is looked after', async () => {
  const shared = await server.sql<{ name: string }>(
    `select tablename as name from pg_tables where schemaname = 'public' and tablename !~ '_[0-9]+_(knowledge|memory)'`,
  );
  const templates = [
    'chunks',
    'chunk_vectors',
    'term_frequencies',
    'relation_groups',
    'item_links',
    'entity_mentions',
  ];
  const ofStores = ['sources', 'metadata_vectors'];
  const rarelyWritten = ['accounts', 'api_keys', 'migrations', 'vector_indexes', 'secrets'];
  const elsewhere = [...templates, ...ofStores, ...rarelyWritten];
  const names = shared
    .map(({ name }) => name)
    .filter((name) => !elsewhere.includes(name) && name !== 'written');
  expect(names.filter((name) => !sharedTables.includes(name))).toEqual([]);
});

test('a store that cannot be looked after does not stand in the way of the others', async () => {
  const [broken, whole] = [await server.database(), await server.database()];
  const chunksOf = async (database: string) => `chunks_${await server.databaseId(database)}_memory`;
  await server.remember(broken, [{ id: 'long', text: 'otters '.repeat(500) }]);
  // The chunk is weighed anew when the others make the average shorter.
  const chunks = await chunksOf(broken);
  await server.sql(
    `create function refuse() returns trigger language plpgsql as $$ begin raise 'refused'; end $$`,
  );
  await server.sql(`create trigger refuse before update on ${chunks} for each row execute function refuse()`);
  const memories = Array.from({ length: 300 }, (_, n) => ({ id: `m${n}`, text: `note ${n}` }));
  for (const database of [broken, whole])
    await server.rest('POST', '/context/ingest', { json: { database, type: 'memory', memories } });
  // What was written anew is due last, so this takes until all of it is written.
  for (let run = 0; run < 8; run += 1) await expect(server.idle()).rejects.toThrow('refused');
  const [row] = await server.sql<{ rows: number }>(
    'select reltuples as rows from pg_class where oid = $1::regclass',
    [await chunksOf(whole)],
  );
  expect(row?.rows).toBeGreaterThan(150);
  await server.sql(`drop trigger refuse on ${chunks}`);
  await server.idle();
});

test('the planner knows tables that fill, and again when they have doubled', async () => {
  const database = await server.database();
  const id = await server.databaseId(database);
  const knownRows = async () => {
    const [row] = await server.sql<{ rows: number }>(
      `select reltuples as rows from pg_class where oid = 'chunks_${id}_memory'::regclass`,
    );
    return row?.rows ?? 0;
  };
  for (const [start, count] of [
    [0, 300],
    [300, 450],
  ] as const) {
    const items = Array.from({ length: count }, (_, n) => ({
      id: `m${start + n}`,
      text: `note ${start + n}`,
    }));
    await server.remember(database, items);
    await server.idle();
    expect(await knownRows()).toBeGreaterThan((start + count) / 2);
  }
});

test('the planner knows a database that is small beside the others', async () => {
  const large = await server.database();
  await server.remember(large, [{ id: 'first', text: 'whale' }]);
  await server.idle();
  const names = (await columnsOf(server, 'sources', ['uid', 'id'])).join();
  const largeId = await server.databaseId(large);
  await server.sql(
    `insert into sources (id, ${names}) select 'i' || n, ${names} from sources, generate_series(1, 20000) n
      where database_id = $1`,
    [largeId],
  );
  await server.sql('vacuum (analyze) sources');
  const small = await server.database();
  await server.remember(
    small,
    Array.from({ length: 300 }, (_, n) => ({ id: `m${n}`, text: `note ${n}` })),
  );
  await server.idle();
  const [row] = await server.sql<{ 'QUERY PLAN': [{ Plan: { 'Plan Rows': number } }] }>(
    'explain (format json) select from sources where database_id = $1',
    [await server.databaseId(small)],
  );
  expect(row?.['QUERY PLAN'][0].Plan['Plan Rows']).toBeGreaterThan(30);
});
