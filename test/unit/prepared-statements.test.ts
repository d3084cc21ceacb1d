import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import { startEmbeddedPostgres } from '../../src/postgres/embedded.js';
import type { EmbeddedPostgres } from '../../src/postgres/embedded.js';
import { keepPlans, prepared } from '../../src/postgres/prepared-statements.js';

let embedded: EmbeddedPostgres;
let clients: pg.Client[];
const start = async () => {
  embedded = await startEmbeddedPostgres(mkdtempSync(join(process.env['TEST_FOLDER'] ?? '', 'prepared-')));
};
beforeEach(() => {
  clients = [];
});
afterEach(async () => Promise.all(clients.map((client) => client.end())));

async function connect(): Promise<pg.Client> {
  const client = new pg.Client({ host: embedded.socketFolder, user: 'postgres', database: 'postgres' });
  clients.push(client);
  await client.connect();
  return client;
}

/** How many statements the backend keeps, but for this one. */
async function keptBy(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ kept: number }>(
    `select count(*)::int as kept from pg_prepared_statements where statement like '/*prepared*/%'`,
  );
  return rows[0]?.kept ?? -1;
}

const plus = prepared('select $1::int + 1 as sum');
const sumOf = async (client: pg.Client, n: number) =>
  (await client.query<{ sum: number }>(plus, [n])).rows[0]?.sum;

describe('the embedded engine keeps a plan for all clients', () => {
  beforeAll(start);
  afterAll(async () => embedded.stop());

  test('of a marked statement that comes again, and of no other', async () => {
    const [one, other] = [await connect(), await connect()];
    await one.query('select $1::int', [1]);
    await one.query('select $1::int', [1]);
    expect(await sumOf(one, 1)).toBe(2);
    expect(await keptBy(one)).toBe(0);
    expect(await sumOf(other, 2)).toBe(3);
    expect(await keptBy(one)).toBe(1);
    const sums = await Promise.all(
      [one, other].map(async (client) => [await sumOf(client, 7), await sumOf(client, 8)]),
    );
    expect(sums).toEqual([
      [8, 9],
      [8, 9],
    ]);
    expect(await keptBy(one)).toBe(1);
  });

  test('with types of parameters and errors as they would be without', async () => {
    const client = await connect();
    const divide = prepared('select 1 / $1::int as share');
    const missing = prepared('select $1::int from nowhere');
    for (let n = 0; n < 3; n += 1) {
      await expect(client.query(divide, [0])).rejects.toMatchObject({ code: '22012' });
      await expect(client.query(divide, ['x'])).rejects.toMatchObject({ code: '22P02' });
      await expect(client.query(missing, [1])).rejects.toMatchObject({ code: '42P01' });
      expect((await client.query(divide, [1])).rows).toEqual([{ share: 1 }]);
    }
  });

  test('also in a transaction that fails, and after it', async () => {
    const client = await connect();
    await client.query('begin');
    expect(await sumOf(client, 1)).toBe(2);
    await expect(client.query('select 1 / 0')).rejects.toMatchObject({ code: '22012' });
    for (let n = 0; n < 3; n += 1) await expect(sumOf(client, 1)).rejects.toMatchObject({ code: '25P02' });
    await client.query('rollback');
    for (let n = 0; n < 3; n += 1) expect(await sumOf(client, n)).toBe(n + 1);
  });

  test('of so many at most', async () => {
    const client = await connect();
    let most = 0;
    for (let n = 0; n < 450; n += 1) {
      const sql = prepared(`select $1::int + ${n} as sum`);
      for (let time = 0; time < 2; time += 1)
        expect((await client.query(sql, [1])).rows).toEqual([{ sum: n + 1 }]);
      most = Math.max(most, n % 50 === 49 ? await keptBy(client) : 0);
    }
    expect(most).toBeGreaterThan(100);
    expect(most).toBeLessThanOrEqual(200);
  });
});

describe('a connection to a native Postgres keeps plans of its own', () => {
  beforeAll(start);
  afterEach(async () => {
    // Unlike a native one the embedded engine has one session for all connections.
    const client = await connect();
    await client.query('deallocate all');
  });
  afterAll(async () => embedded.stop());

  const keeping = async () => {
    const client = await connect();
    keepPlans(client as unknown as pg.PoolClient);
    return client;
  };

  test('of a marked statement that comes again', async () => {
    const client = await keeping();
    for (let n = 0; n < 3; n += 1) expect(await sumOf(client, n)).toBe(n + 1);
    const { rows } = await client.query('select name from pg_prepared_statements');
    expect(rows).toHaveLength(1);
  });

  test('of so many at most, also when letting go fails', async () => {
    const client = await keeping();
    let most = 0;
    for (let n = 0; n < 450; n += 1) {
      // The full 200 are let go in a transaction that has failed.
      if (n === 200) {
        await client.query('begin');
        await expect(client.query('select 1 / 0')).rejects.toThrow();
      }
      const sql = prepared(`select $1::int + ${n} as sum`);
      for (let time = 0; time < 2; time += 1) {
        const asked = client.query(sql, [1]);
        if (n === 200) await expect(asked).rejects.toMatchObject({ code: '25P02' });
        else expect((await asked).rows).toEqual([{ sum: n + 1 }]);
      }
      if (n === 200) await client.query('rollback');
      most = Math.max(most, n % 50 === 49 ? await keptBy(client) : 0);
    }
    expect(most).toBeGreaterThan(100);
    expect(most).toBeLessThanOrEqual(400);
  });

  test('goes on without when a table has changed under a plan', async () => {
    const client = await keeping();
    await client.query('create table changing (a int)');
    await client.query('insert into changing values (1)');
    const all = prepared('select * from changing where a = $1');
    for (let n = 0; n < 3; n += 1) expect((await client.query(all, [1])).rows).toEqual([{ a: 1 }]);
    await client.query(`alter table changing add column b text default 'new'`);
    for (let n = 0; n < 3; n += 1) expect((await client.query(all, [1])).rows).toEqual([{ a: 1, b: 'new' }]);
    await client.query('drop table changing');
  });
});
