import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { TestServer } from '../support/server.js';

const threeHoursSeconds = 3 * 3600;

let server: TestServer;
let database: string;
beforeAll(async () => {
  server = await TestServer.start({ environment: { RATE_LIMIT_PER_MINUTE: '1000' } });
});
beforeEach(async () => {
  database = await server.database();
});
afterAll(async () => server.stop());

/** Accepts a memory, and then finds that the clock was three hours ahead. */
async function rememberAhead(then: string): Promise<void> {
  const memories = [{ id: 'm', text: 'otters' }];
  await server.rest('POST', '/context/ingest', { json: { database, type: 'memory', memories } });
  await server.sql(then);
  server.clock.advance(-threeHoursSeconds);
}

const heldByDead = `update sources set indexing_status = 'processing', attempts = 1, lease_token = gen_random_uuid(),
  lease_until = next_attempt_at + interval '30 seconds' where indexing_status = 'queued'`;

test.each([
  ['accepted', 'select 1'],
  ['held by a worker that died', heldByDead],
])('an item that was %s before the clock was set back is indexed at once', async (_, then) => {
  await rememberAhead(then);
  await server.idle();
  expect(await server.statusOf(database, 'm')).toMatchObject({ indexing_status: 'completed' });
});

test('an item that a worker held when the clock was set back can be deleted', async () => {
  await rememberAhead(heldByDead);
  await server.sql('update sources set visible = true where not visible and latest');
  const json = { database, type: 'memory', ids: ['m'] };
  const { status } = await server.rest('DELETE', '/context', { json });
  expect(status).toBe(200);
});

test('a database that was being made when the clock was set back is made', async () => {
  await server.rest('POST', '/databases', { json: { database: 'unmade' } });
  await server.sql(
    `update databases set lease_until = created_at + interval '1 minute' where name = 'unmade'`,
  );
  server.clock.advance(-threeHoursSeconds);
  await server.idle();
  const { body } = await server.rest('GET', '/databases/status?database=unmade');
  expect(body.data.status).toBe('ready');
});

test('a key that had used up its requests does not wait longer than a minute', async () => {
  await server.sql('update rate_windows set taken = 1000');
  const ask = async () => (await server.rest('GET', '/databases')).status;
  let status: number;
  do status = await ask();
  while (status === 200);
  expect(status).toBe(429);
  server.clock.advance(-threeHoursSeconds);
  expect(await ask()).toBe(200);
});
