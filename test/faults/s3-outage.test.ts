import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { callApi, documentsForm, expectUnavailable, makeDatabase, until } from '../support/api-client.js';
import { ServerProcess } from '../support/process.js';
import { S3Store } from '../support/s3-store.js';
import { TestServer, adminKey, copyTemplate } from '../support/server.js';
import { StoreView } from '../support/store-view.js';

const longestPauseSeconds = 301;

describe('while the object store is away', () => {
  let store: S3Store;
  let server: TestServer;
  let database: string;
  beforeAll(async () => {
    store = await S3Store.start();
    server = await TestServer.start({
      environment: { ...store.environment, QUERY_TIMEOUT_MS: '5000' },
    });
    database = await server.database();
  });
  afterEach(async () => {
    await store.goAway();
    await store.comeBack();
    server.clock.advance(longestPauseSeconds);
    await server.idle();
  });
  afterAll(async () => {
    await server.stop();
    await store.goAway();
  });

  const upload = (name: string, text: string) =>
    server.upload(database, { [name]: text }, { document_metadata: `[{"id":"${name}"}]` });
  const statusOf = (id: string) => server.statusOf(database, id);

  test('ingest of files answers 503 and stores nothing; memories go on', async () => {
    await store.goAway();
    const answer = await upload('late.md', 'words');
    expectUnavailable(answer);
    expect(JSON.stringify(answer.body)).not.toMatch(/S3RVER|127\.0\.0\.1/);
    expect(await server.sql('select 1 from sources')).toEqual([]);
    await server.remember(database, [{ id: 'said', text: 'words' }]);
    expect(await statusOf('said')).toMatchObject({ indexing_status: 'completed' });
    await store.comeBack();
    expect((await upload('late.md', 'words')).status).toBe(202);
  });

  test('files wait longer than eight tries, hold up nothing else, and are completed after', async () => {
    await upload('waits.md', 'words');
    await store.goAway();
    for (let pause = 0; pause < 10; pause += 1) {
      server.clock.advance(longestPauseSeconds);
      await server.idle();
    }
    expect(await statusOf('waits.md')).toMatchObject({ indexing_status: 'processing', error_code: 'E6001' });
    await server.remember(database, [{ id: 'said-meanwhile', text: 'words' }]);
    expect(await statusOf('said-meanwhile')).toMatchObject({ indexing_status: 'completed' });
    await store.comeBack();
    server.clock.advance(longestPauseSeconds);
    await server.idle();
    expect(await statusOf('waits.md')).toMatchObject({ indexing_status: 'completed', error_code: '' });
  });

  test('a bucket that is gone is an outage as well', async () => {
    await upload('bucketless.md', 'words');
    const bringBack = store.loseBucket();
    await server.idle();
    expect(await statusOf('bucketless.md')).toMatchObject({
      indexing_status: 'processing',
      error_code: 'E6001',
    });
    bringBack();
    server.clock.advance(longestPauseSeconds);
    await server.idle();
    expect(await statusOf('bucketless.md')).toMatchObject({ indexing_status: 'completed', error_code: '' });
  });

  test('originals answer 503, texts are answered, and what is deleted goes when the store is back', async () => {
    await upload('there.md', 'words');
    await server.idle();
    const inspect = (mode: string) =>
      server.rest('GET', `/context/inspect?database=${database}&id=there.md&mode=${mode}`);
    const link: string = (await inspect('url')).body.data.presigned_url;
    const [row] = await server.sql<{ key: string }>(
      `select storage_key as key from sources where id = 'there.md'`,
    );
    await store.goAway();
    expectUnavailable(await inspect('original'));
    expect((await fetch(link)).status).toBe(503);
    expect((await inspect('content')).body.data.content).toBe('words');
    const removed = await server.rest('DELETE', '/context', {
      json: { database, type: 'knowledge', ids: ['there.md'] },
    });
    expect(removed.status).toBe(200);
    await server.idle();
    expect((await inspect('content')).status).toBe(404);
    expect(store.keys()).toContain(row?.key);
    await store.comeBack();
    await server.idle();
    expect(store.keys()).not.toContain(row?.key);
    expect(await server.sql(`select 1 from sources where id = 'there.md'`)).toEqual([]);
  });

  test('a store that hangs: reads of originals answer 503 at their deadline', async () => {
    await upload('hangs.md', 'words');
    await server.idle();
    const path = `/context/inspect?database=${database}&id=hangs.md&mode=`;
    const link: string = (await server.rest('GET', `${path}url`)).body.data.presigned_url;
    store.freeze();
    const startedAt = Date.now();
    const [answer, linked] = await Promise.all([server.rest('GET', `${path}original`), fetch(link)]);
    expectUnavailable(answer);
    expect(linked.status).toBe(503);
    // More than the deadline, and less than the patience with a silent server.
    expect(Date.now() - startedAt).toBeLessThan(25_000);
  });

  test('credentials that it refuses are an outage: 503, and nothing of them is answered', async () => {
    const stranger = await TestServer.start({
      environment: { ...store.environment, S3_SECRET: 'not-ours-1' },
    });
    const name = await stranger.database();
    const answer = await stranger.upload(name, { 'a.md': 'words' });
    expectUnavailable(answer);
    expect(JSON.stringify(answer.body)).not.toMatch(/not-ours-1|S3RVER|signature/i);
    await stranger.stop();
  });

  test('a proxy that answers with a page of its own is an outage: nothing is accepted that is not stored', async () => {
    const proxy = createServer((request, response) => {
      request.resume().once('end', () => response.end('<html>Please log in</html>'));
    }).listen(0);
    await once(proxy, 'listening');
    const { port } = proxy.address() as AddressInfo;
    const behind = await TestServer.start({
      environment: { ...store.environment, S3_URL: `http://127.0.0.1:${port}` },
    });
    const name = await behind.database();
    expectUnavailable(await behind.upload(name, { 'a.md': 'words' }));
    expect(await behind.sql('select 1 from sources')).toEqual([]);
    await behind.stop();
    proxy.close();
  });
});

describe('a server that is killed', () => {
  let server: ServerProcess | undefined;
  let store: S3Store;
  beforeAll(async () => {
    store = await S3Store.start();
  });
  afterAll(async () => {
    await server?.kill('SIGKILL');
    await store.goAway();
  });

  test('loses no file that it has acknowledged, and removes those that were deleted', async () => {
    const place = await copyTemplate();
    const view = new StoreView(place);
    const start = () =>
      (server = new ServerProcess({
        DATA_DIR: place.dataDir,
        DATABASE_URL: place.databaseUrl,
        BOOTSTRAP_API_KEY: adminKey,
        LOG_LEVEL: 'info',
        ...store.environment,
      }));
    const lines: string[] = [];
    let url = await start().url();
    await makeDatabase(url, 'kept');
    const restart = async () => {
      await server?.kill('SIGKILL');
      const killed = new Date();
      lines.push(...(server?.lines ?? []));
      url = await start().url();
      await view.endLeasesFrom(killed);
      await view.hurry();
    };
    const acknowledged = new Map<string, string>();
    for (let round = 0; round < 2; round += 1) {
      const ingest = async (id: string) => {
        const text = `${id} ${'words '.repeat(2000)}`;
        const form = documentsForm('kept', { [id]: text });
        const answer = await callApi(url, 'POST /context/ingest', { form }).catch(() => undefined);
        if (answer?.status === 202) acknowledged.set(id, text);
      };
      const load = Promise.all(Array.from({ length: 12 }, (_, n) => ingest(`r${round}-${n}`)));
      // Some are acknowledged, some are not, and some of them are being indexed.
      await until(async () => acknowledged.size > round * 6 + 2);
      await restart();
      await load;
    }
    await until(
      async () => {
        await view.hurry();
        return (await view.unfinished()).length === 0;
      },
      () => view.unfinished(),
    );
    expect(acknowledged.size).toBeGreaterThan(8);
    for (const [id, text] of acknowledged) {
      const { body } = await callApi(url, `GET /context/inspect?database=kept&id=${id}&mode=original`);
      expect(Buffer.from(body.data.content_base64, 'base64').toString()).toBe(text);
    }
    const ids = [...acknowledged.keys()];
    const deleted = await callApi(url, 'DELETE /context', {
      json: { database: 'kept', type: 'knowledge', ids },
    });
    expect(deleted.body.data.deleted_count).toBe(ids.length);
    await restart();
    // What was stored for requests that were never answered is swept an hour later.
    for (const key of store.keys()) store.age(key);
    const named = async () =>
      (await view.sql('select storage_key from sources')).map((row) => row.storage_key).sort();
    await until(async () => {
      await view.hurry();
      return JSON.stringify(store.keys()) === JSON.stringify(await named());
    }, named);
    expect((await named()).length).toBeLessThan(24);
    expect(lines.join('\n')).not.toContain('S3RVER');
  }, 300_000);
});
