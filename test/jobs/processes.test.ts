import { afterAll, describe, expect, test } from '@jest/globals';
import { ServerProcesses } from '../support/server-processes.js';
import { adminKey } from '../support/server.js';

// The embedded Postgres serves one process.
const onNative = process.env['TEST_DATABASE_URL'] ? describe : describe.skip;

onNative('two processes on one Postgres', () => {
  let servers: ServerProcesses | undefined;
  afterAll(async () => servers?.kill());

  test('share rate limit and plan limit', async () => {
    const limit = 40;
    servers = await ServerProcesses.onCopy({ RATE_LIMIT_PER_MINUTE: String(limit), MAX_DATABASES: '3' });
    // One after the other: the first makes the key.
    const urls = [(await servers.start()).url, (await servers.start()).url];
    const headers = { authorization: `Bearer ${adminKey}`, 'content-type': 'application/json' };
    const create = async (n: number) => {
      const body = JSON.stringify({ database: `d${n}` });
      return (await fetch(`${urls[n % 2]}/databases`, { method: 'POST', headers, body })).status;
    };
    const created = await Promise.all(Array.from({ length: 8 }, (_, n) => create(n)));
    expect(created.sort()).toEqual([202, 202, 202, 403, 403, 403, 403, 403]);
    const list = async (n: number) => (await fetch(`${urls[n % 2]}/databases`, { headers })).status;
    const listed = await Promise.all(Array.from({ length: 100 }, (_, n) => list(n)));
    const served = listed.filter((status) => status === 200).length;
    expect(listed.filter((status) => status === 429)).toHaveLength(100 - served);
    // Never above the limit; below it by less than a block (a twentieth) for each process.
    expect(served + created.length).toBeLessThanOrEqual(limit);
    expect(served + created.length).toBeGreaterThan(limit - 2 * (limit / 20));
  });
});
