import { afterAll, describe, expect, test } from '@jest/globals';
import { callApi, makeDatabase, until } from '../support/api-client.js';
import { DocumentServer } from '../support/connectors/document-server.js';
import { ServerProcesses } from '../support/server-processes.js';

// The embedded Postgres serves one process.
const onNative = process.env['TEST_DATABASE_URL'] ? describe : describe.skip;
const connectors = 50;

onNative('fifty connectors on two processes', () => {
  let servers: ServerProcesses | undefined;
  let feeds: DocumentServer | undefined;
  afterAll(async () => {
    await servers?.kill();
    await feeds?.close();
  });

  test('sync connectors that are due at once: none twice, and all of them', async () => {
    feeds = await DocumentServer.start();
    servers = await ServerProcesses.onCopy({
      CREDENTIALS_KEY: '11'.repeat(32),
      CONNECTORS_ALLOW_PRIVATE: '1',
    });
    // One after the other: the first makes the key.
    const { url } = await servers.start();
    const { url: other } = await servers.start();
    await makeDatabase(url, 'feeds');
    for (let n = 0; n < connectors; n += 1) {
      feeds.serve(`/${n}.xml`, { body: feedOf(n), type: 'application/rss+xml' });
      const json = { provider: 'rss', database: 'feeds', credentials: {}, collection: `c${n}` };
      const { body } = await callApi(n % 2 ? url : other, 'POST /connectors', { json });
      const configured = await callApi(url, `POST /connectors/${body.connector_id}/configure`, {
        json: { resources: [{ resource_id: `${feeds.origin}/${n}.xml` }] },
      });
      expect(configured.status).toBe(200);
    }
    const { store } = servers;
    const list = async () =>
      (await callApi(url, `GET /connectors?page_size=${connectors}`)).body.connectors as Record<
        string,
        any
      >[];
    const allIdle = async () => (await list()).every(({ sync_status: status }) => status === 'idle');
    await until(allIdle);
    expect((await list()).map(({ documents_dispatched: sent }) => sent)).toEqual(Array(connectors).fill(1));

    feeds.takeLog();
    const due = new Date();
    await store.sql('update connectors set next_sync_at = $1', [due]);
    await until(
      async () =>
        (await allIdle()) &&
        (await list()).every((each) => each['last_attempted_sync_at'] >= due.toISOString()),
    );
    const asked = feeds.takeLog().sort();
    expect(asked).toEqual(Array.from({ length: connectors }, (_, n) => `GET /${n}.xml 304`).sort());
    const syncs = await store.sql('select sum(count)::int as count from connector_syncs');
    expect(syncs).toEqual([{ count: 2 * connectors }]);
  }, 300_000);
});

function feedOf(n: number): string {
  return `<?xml version="1.0"?><rss version="2.0"><channel><title>Feed ${n}</title><item><guid>${n}</guid>
    <title>News of ${n}</title><description>Something happened to ${n}</description></item></channel></rss>`;
}
