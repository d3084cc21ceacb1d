import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { callApi, makeDatabase, until } from '../support/api-client.js';
import { ServerProcess } from '../support/process.js';
import { adminKey, copyTemplate } from '../support/server.js';

const hourMs = 3_600_000;
const minuteMs = 60_000;

// The embedded Postgres has the clock of its process.
const onNative = process.env['TEST_DATABASE_URL'] ? describe : describe.skip;

/** A module to import that sets the clock of a process. */
function clockSetBy(ms: number): string {
  const code = `const Real = Date;
    globalThis.Date = class extends Real {
      constructor(...given) { given.length > 0 ? super(...given) : super(Real.now() + ${ms}); }
      static now() { return Real.now() + ${ms}; }
    };`;
  return `--import=data:text/javascript,${encodeURIComponent(code)}`;
}

onNative.each([
  ['an hour ahead', hourMs],
  ['an hour behind', -hourMs],
])('a server whose clock is %s', (_, setByMs) => {
  let server: ServerProcess;
  let url: string;
  beforeAll(async () => {
    const { dataDir, databaseUrl } = await copyTemplate();
    server = new ServerProcess({
      DATA_DIR: dataDir,
      DATABASE_URL: databaseUrl,
      BOOTSTRAP_API_KEY: adminKey,
      LOG_LEVEL: 'info',
      NODE_OPTIONS: clockSetBy(setByMs),
    });
    url = await server.url();
  });
  afterAll(async () => server.kill('SIGKILL'));

  test('goes by that of Postgres, as the processes beside it do, and warns', async () => {
    await makeDatabase(url, 'clocks');
    const json = { database: 'clocks', type: 'memory', memories: [{ id: 'm', text: 'otters' }] };
    expect((await callApi(url, 'POST /context/ingest', { json })).status).toBe(202);
    const status = async () =>
      (await callApi(url, 'GET /context/status?database=clocks&ids=m')).body.data.statuses[0];
    await until(async () => (await status()).indexing_status === 'completed');
    const updatedAt = Date.parse((await status()).updated_at);
    expect(Math.abs(Date.now() - updatedAt)).toBeLessThan(5 * minuteMs);
    expect(server.lines.join('\n')).toContain('the clock of Postgres says another time');
  });

  test('takes a key that ends in half an hour', async () => {
    const expiresAt = new Date(Date.now() + hourMs / 2).toISOString();
    const query = `mutation { createApiKey(input: { name: "k", scopes: [read], expiresAt: "${expiresAt}" }) { key } }`;
    const made = await callApi(url, 'POST /graphql', { json: { query } });
    const headers = { authorization: `Bearer ${made.body.data.createApiKey.key}` };
    expect((await fetch(`${url}/databases`, { headers })).status).toBe(200);
  });
});
