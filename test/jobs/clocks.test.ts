import { existsSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { callApi, makeDatabase, until } from '../support/api-client.js';
import type { ServerProcess } from '../support/process.js';
import { ServerProcesses } from '../support/server-processes.js';
import { adminKey } from '../support/server.js';

const hourMs = 3_600_000;
const minuteMs = 60_000;

// The embedded Postgres has the clock of its process.
const onNative = process.env['TEST_DATABASE_URL'] ? describe : describe.skip;

/** A module to import that sets the clock of a process by what an expression says. */
function clockSetBy(ms: number | string): string {
  const code = `import { existsSync } from 'node:fs';
    const Real = Date;
    const now = () => Real.now() + (${ms});
    globalThis.Date = class extends Real {
      constructor(...given) { given.length > 0 ? super(...given) : super(now()); }
      static now() { return now(); }
    };`;
  return `--import=data:text/javascript,${encodeURIComponent(code)}`;
}

onNative.each([
  ['an hour ahead', hourMs],
  ['an hour behind', -hourMs],
])('a server whose clock is %s', (_, setByMs) => {
  let servers: ServerProcesses;
  let server: ServerProcess;
  let url: string;
  beforeAll(async () => {
    servers = await ServerProcesses.onCopy({ NODE_OPTIONS: clockSetBy(setByMs) });
    ({ server, url } = await servers.start());
  });
  afterAll(async () => servers.kill());

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

test('an upload that is arriving while the clock is set forward by hours is accepted and kept', async () => {
  const servers = await ServerProcesses.onCopy();
  const { dataDir } = servers.place;
  const isSet = join(dataDir, 'clock-is-set');
  const { url } = await servers.start({
    NODE_OPTIONS: clockSetBy(`existsSync(${JSON.stringify(isSet)}) ? ${5 * hourMs} : 0`),
  });
  try {
    await makeDatabase(url, 'clocks');
    const boundary = 'part';
    const field = (name: string, value: string) =>
      `--${boundary}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
    const upload = request(`${url}/context/ingest`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${adminKey}`,
        'api-version': '2',
        'content-type': `multipart/form-data; boundary=${boundary}`,
      },
    });
    const status = new Promise((resolve, reject) => {
      upload.on('response', (response) => resolve(response.resume().statusCode)).on('error', reject);
    });
    upload.write(
      `${field('database', 'clocks')}${field('type', 'knowledge')}--${boundary}\r\ncontent-disposition: form-data; name="documents"; filename="late.md"\r\n\r\nfirst words`,
    );
    await until(async () => readdirSync(join(dataDir, 'incoming')).length > 0);
    // Shows when files have been swept, which is due by the clock that is set.
    const orphan = join(dataDir, 'files', 'ab', '00000000-0000-7000-8000-0000000000ab');
    mkdirSync(join(orphan, '..'), { recursive: true });
    writeFileSync(orphan, 'left behind');
    const longAgo = new Date(Date.now() - 2 * hourMs);
    utimesSync(orphan, longAgo, longAgo);
    writeFileSync(isSet, '');
    await until(async () => !existsSync(orphan));
    upload.end(` and last words\r\n--${boundary}--\r\n`);
    expect(await status).toBe(202);
    const list = () => callApi(url, 'POST /context/list', { json: { database: 'clocks' } });
    await until(async () => (await list()).body.data.sources[0]?.indexing_status === 'completed');
  } finally {
    await servers.kill();
  }
});
