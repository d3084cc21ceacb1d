import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { SqlParameters } from '../../src/postgres/sql-parameters.js';
import { matchingSources } from '../../src/retrieval/search-scope.js';
import type { MetadataCondition } from '../../src/sources/metadata/metadata-condition.js';
import { TestServer } from '../support/server.js';
import { columnsOf } from '../support/table-columns.js';

// What asks for whole values is found by an index among many items; plans are looked at, because answers do not tell.

const items = 20_000;

let server: TestServer;
let databaseId: number;
beforeAll(async () => {
  server = await TestServer.start();
  const database = await server.database();
  await server.remember(database, [{ id: 'first', text: 'whale' }]);
  const made: Record<string, string> = {
    id: `'i' || n`,
    metadata: `jsonb_build_object('team', n % 500, 'tags', jsonb_build_array('t' || n % 500, n % 500))`,
    additional_metadata: `jsonb_build_object('owner', 'user-' || n)`,
  };
  const names = await columnsOf(server, 'sources', ['uid']);
  await server.sql(
    `insert into sources (${names.join()})
     select ${names.map((name) => made[name] ?? `s.${name}`).join()} from sources s cross join generate_series(1, ${items}) n`,
  );
  await server.sql('vacuum analyze sources');
  databaseId = await server.databaseId(database);
});
afterAll(async () => server.stop());

const many = Array.from({ length: 200 }, (_, n) => `user-${n}`);
const owned = (values: readonly unknown[]): MetadataCondition => ({
  kind: 'oneOf',
  column: 'additional_metadata',
  key: 'owner',
  values,
});
const tagged = (elements: readonly (string | number)[]): MetadataCondition => ({
  kind: 'contains',
  column: 'metadata',
  key: 'tags',
  elements,
  substrings: [],
});
const ofTeam: MetadataCondition = { kind: 'holds', column: 'metadata', wanted: { team: 7 } };

test.each<[string, MetadataCondition, number]>([
  ['equality', ofTeam, items / 500],
  ['any of a few', owned(many.slice(0, 10)), 9],
  ['any of many', owned(many), 199],
  ['an element', tagged(['t7']), items / 500],
  ['one of several elements', tagged(['t7', 8]), items / 250],
  ['alternatives', { kind: 'any', conditions: [ofTeam, owned(['user-1', 'user-2'])] }, items / 500 + 2],
])('%s reads the index of metadata', async (_case, condition, expected) => {
  const [collection] = await server.sql<{ id: number }>('select id from collections');
  const parameters = new SqlParameters();
  const sql = matchingSources(
    {
      store: { databaseId, corpus: 'memory', generation: 0 },
      vectorIndex: undefined,
      collectionIds: [collection?.id ?? 0],
      sourceIds: null,
      conditions: [condition],
      readers: null,
      hidesItems: false,
      hasFacts: false,
      now: new Date(),
    },
    parameters,
  );
  const plan = await server.sql<{ 'QUERY PLAN': string }>(`explain (costs off) ${sql}`, parameters.values);
  expect(plan.map((row) => row['QUERY PLAN']).join('\n')).toMatch(/Bitmap Index Scan on sources_metadata/);
  expect(await server.sql(sql, parameters.values)).toHaveLength(expected);
});
