import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type pg from 'pg';
import { harbourTalk } from '../support/harbour-talk.js';
import { TestServer } from '../support/server.js';

// Postgres keeps the plan of a prepared statement when it does not expect more of it than of one made for the parameters at hand. Where it does,
// it plans anew each time, which takes longer than the statement.

const firstPlans = 5;
const times = firstPlans + 5;
let server: TestServer;
let database: string;

interface Kept {
  readonly statement: string;
  readonly generic: number;
  readonly custom: number;
}

beforeAll(async () => {
  server = await TestServer.start();
  database = await server.database();
  const json = { database, app_knowledge: harbourTalk(40) };
  expect((await server.rest('POST', '/context/ingest', { json })).status).toBe(202);
  await server.idle();
  await server.sql('analyze');
});
afterAll(async () => server.stop());

/** What the connections of the server have prepared. The embedded Postgres is one backend for all of them. */
async function keptPlans(): Promise<Kept[]> {
  const { pool } = server.running.app.postgres;
  const clients: pg.PoolClient[] = [];
  while (pool.idleCount > 0) clients.push(await pool.connect());
  const kept: Kept[] = [];
  for (const client of clients) {
    const { rows } = await client.query<Kept>(
      `select statement, generic_plans::int as generic, custom_plans::int as custom from pg_prepared_statements
        where statement like '%/*prepared*/%'`,
    );
    kept.push(...rows);
    client.release();
  }
  return kept;
}

/** What has been asked often enough for Postgres to choose is planned no more. */
async function expectKept(): Promise<void> {
  const often = (await keptPlans()).filter(({ generic, custom }) => generic + custom > firstPlans + 1);
  expect(often.length).toBeGreaterThan(1);
  expect(often.filter(({ generic }) => generic === 0).map(({ statement }) => statement)).toEqual([]);
}

test.each([
  [
    'a question of two hops',
    { query: 'Where did the builder of the harbour of Tromsund study engineering?' },
  ],
  ['a few results', { query: 'kelp of Zorin Wexford', max_results: 3, num_related_chunks: 2 }],
  ['words alone', { query: 'kelp', query_by: 'text', max_results: 2 }],
  ['what some may read', { query: 'Zorin Wexford in Vesperholm', acl: ['user:ana'], max_results: 4 }],
])('plans of %s are made for good', async (_label, asked) => {
  for (let n = 0; n < times; n += 1) {
    const answer = await server.rest('POST', '/query', { json: { database, mode: 'thinking', ...asked } });
    expect(answer.body.data.chunks.length).toBeGreaterThan(0);
  }
  await expectKept();
});

test.each([
  ['a subgraph', () => `/context/m20/subgraph?database=${database}&depth=3`],
  ['relations', () => `/context/relations?database=${database}&id=m1`],
])('so are those of %s', async (_label, path) => {
  for (let n = 0; n < times; n += 1) expect((await server.rest('GET', path())).status).toBe(200);
  await expectKept();
});

// No other server has the embedded Postgres.
const onNative = process.env['TEST_DATABASE_URL'] ? test : test.skip;
onNative(
  'those that a newer server outdates are made anew, also in the snapshot of relations or a subgraph',
  async () => {
    const paths = [
      `/context/relations?database=${database}&id=m1`,
      `/context/m20/subgraph?database=${database}`,
    ];
    const ask = () => Promise.all([...paths, ...paths].map(async (path) => server.rest('GET', path)));
    for (let n = 0; n < firstPlans; n += 1) await ask();
    const titled = 'alter table sources alter title type';
    await server.sql(`${titled} varchar`);
    const statuses: number[] = [];
    for (let n = 0; n < firstPlans; n += 1) statuses.push(...(await ask()).map(({ status }) => status));
    await server.sql(`${titled} text`);
    expect(new Set(statuses)).toEqual(new Set([200]));
  },
);
