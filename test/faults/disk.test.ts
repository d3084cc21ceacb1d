import { mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { callApi, documentsForm, expectUnavailable, makeDatabase, until } from '../support/api-client.js';
import { copyEmbedded } from '../support/embedded-copy.js';
import { ServerProcess } from '../support/process.js';
import { adminKey, TestServer } from '../support/server.js';
import { SmallDisk, canMount } from '../support/small-disk.js';
import { StoreView } from '../support/store-view.js';

const mebibyte = 1024 * 1024;
const diskMebibytes = 8;
const longestPauseSeconds = 301;

// Filling a disk needs one that is small.
const onSmallDisk = canMount ? describe : describe.skip;

onSmallDisk('a full disk under the files', () => {
  let server: TestServer;
  let disk: SmallDisk;
  let database: string;
  beforeAll(async () => {
    server = await TestServer.start();
    database = await server.database();
    // Uploads arrive where they stay: the server has made these folders, empty, and Postgres is elsewhere.
    disk = SmallDisk.mount(join(server.dataDir, 'incoming'), diskMebibytes);
  });
  afterAll(async () => {
    await server.stop();
    disk.unmount();
  });

  const left = () => readdirSync(join(server.dataDir, 'incoming')).filter((name) => name !== 'ballast');
  const upload = (id: string, text: string) =>
    server.upload(database, { [id]: text }, { document_metadata: JSON.stringify([{ id }]) });
  const large = 'x'.repeat((diskMebibytes + 1) * mebibyte);

  test('an upload by REST answers 503 after it was read to its end, and leaves nothing behind', async () => {
    expectUnavailable(await server.upload(database, { 'large.txt': large }));
    // The second file of a form is read as well.
    const form = documentsForm(database, { first: large, second: large });
    expectUnavailable(await callApi(server.url, 'POST /context/ingest', { form }));
    expect(left()).toEqual([]);
    expect(await server.sql('select 1 from sources')).toEqual([]);
  });

  test('an upload by GraphQL answers 503, and leaves nothing behind', async () => {
    const form = new FormData();
    const query = `mutation ($documents: [Upload!]) { ingest(documents: $documents, input: { database: "${database}" }) { success } }`;
    form.append('operations', JSON.stringify({ query, variables: { documents: [null] } }));
    form.append('map', '{"0": ["variables.documents.0"]}');
    form.append('0', new Blob([large]), 'large.txt');
    const response = await fetch(`${server.url}/graphql`, {
      method: 'POST',
      body: form,
      headers: { authorization: `Bearer ${adminKey}`, 'apollo-require-preflight': 'true' },
    });
    expectUnavailable({ status: response.status, headers: response.headers, body: await response.json() });
    expect(left()).toEqual([]);
  });

  test('without room for a single byte everything else is served', async () => {
    disk.fill();
    expectUnavailable(await server.upload(database, { 'small.txt': 'words' }));
    const stored = await server.remember(database, [{ id: 'm', text: 'otters' }]);
    expect(stored.status).toBe(202);
    // Taken out by a load balancer, the server would answer no queries either.
    expect((await server.rest('GET', '/readyz', { key: null })).body.files).toBe(true);
    disk.empty();
    expect(left()).toEqual([]);
  });

  test('with room again files are moved from there to the other disk, and read back', async () => {
    expect((await upload('small.txt', 'words')).status).toBe(202);
    const path = `/context/inspect?database=${database}&id=small.txt&mode=original`;
    const { content_base64 } = (await server.rest('GET', path)).body.data;
    expect(Buffer.from(content_base64, 'base64').toString()).toBe('words');
    expect(left()).toEqual([]);
  });

  test.each([
    ['no room', 0, 3000],
    ['too little room, though some is left,', 1.5 * mebibyte, 30_000],
  ])(
    'files whose chunks find %s wait longer than eight tries, and are completed after',
    async (_, leftBytes, count) => {
      const id = `chunks-${leftBytes}.txt`;
      const paragraphs = Array.from(
        { length: count },
        (_, n) => `Paragraph ${n} is about the otter of river ${n}.`,
      );
      await upload(id, paragraphs.join('\n\n'));
      disk.fill({ leftBytes });
      for (let pause = 0; pause < 10; pause += 1) {
        await server.idle();
        server.clock.advance(longestPauseSeconds);
      }
      const status = () => server.statusOf(database, id);
      expect(await status()).toMatchObject({ indexing_status: 'processing', error_code: 'E6001' });
      disk.empty();
      await server.idle();
      expect(await status()).toMatchObject({ indexing_status: 'completed', error_code: '' });
      expect(left()).toEqual([]);
    },
  );
});

describe('a file of which the store gives only a part', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await TestServer.start();
  });
  afterAll(async () => server.stop());

  test('is not indexed as if it were the whole; it is tried again', async () => {
    const database = await server.database();
    const text = 'The otter of the first half. And of the second.';
    await server.upload(database, { 'cut.txt': text }, { document_metadata: '[{"id":"cut"}]' });
    const [row] = await server.sql<{ key: string }>('select storage_key as key from sources');
    const path = join(server.dataDir, 'files', row?.key ?? '');
    writeFileSync(path, text.slice(0, 28));
    await server.idle();
    expect(await server.statusOf(database, 'cut')).toMatchObject({
      indexing_status: 'processing',
      error_code: 'E6001',
    });
    writeFileSync(path, text);
    server.clock.advance(longestPauseSeconds);
    await server.idle();
    const answer = await server.rest('GET', `/context/inspect?database=${database}&id=cut&mode=content`);
    expect(answer.body.data.content).toBe(text);
  });
});

describe('a folder of files that is not mounted for a while', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await TestServer.start();
  });
  afterAll(async () => server.stop());

  test('loses nothing that was accepted, and what stands in its place takes nothing', async () => {
    const database = await server.database();
    const upload = (id: string) =>
      server.upload(database, { 'a.txt': `The otter of ${id}.` }, { document_metadata: `[{"id":"${id}"}]` });
    expect((await upload('before')).status).toBe(202);
    const files = join(server.dataDir, 'files');
    renameSync(files, `${files}.away`);
    mkdirSync(files);
    await server.idle();
    expect(await server.statusOf(database, 'before')).toMatchObject({
      indexing_status: 'processing',
      error_code: 'E6001',
    });
    expect((await upload('meanwhile')).status).toBe(503);
    expect(readdirSync(files)).toEqual([]);
    rmSync(files, { recursive: true });
    renameSync(`${files}.away`, files);
    expect((await upload('after')).status).toBe(202);
    server.clock.advance(longestPauseSeconds);
    await server.idle();
    for (const id of ['before', 'after'])
      expect(await server.statusOf(database, id)).toMatchObject({ indexing_status: 'completed' });
  });

  test.each(['files', 'incoming'])('is told by /readyz: %s', async (name) => {
    const isThere = async () => (await server.rest('GET', '/readyz', { key: null })).body.files;
    const folder = join(server.dataDir, name);
    expect(await isThere()).toBe(true);
    renameSync(folder, `${folder}.away`);
    expect(await isThere()).toBe(false);
    renameSync(`${folder}.away`, folder);
    expect(await isThere()).toBe(true);
  });

  (canMount ? test : test.skip)('or that cannot be written is told by /readyz as well', async () => {
    const disk = SmallDisk.mount(join(server.dataDir, 'incoming'), diskMebibytes);
    try {
      disk.makeReadOnly();
      const ready = await server.rest('GET', '/readyz', { key: null });
      expect([ready.status, ready.body.files]).toEqual([503, false]);
    } finally {
      disk.unmount();
    }
  });
});

// A native Postgres has a disk of its own: test/faults/postgres.test.ts fills it.
const onEmbedded = canMount && !process.env['TEST_DATABASE_URL'] ? describe : describe.skip;

onEmbedded('a full disk under files and embedded Postgres', () => {
  let server: ServerProcess;
  let disk: SmallDisk;
  let dataDir: string;
  beforeAll(() => {
    dataDir = mkdtempSync(join(process.env['TEST_FOLDER'] ?? '', 'd-'));
    disk = SmallDisk.mount(dataDir, 160);
    // As a server has it that made its log itself.
    copyEmbedded(dataDir, { allocated: true });
    server = new ServerProcess({ DATA_DIR: dataDir, BOOTSTRAP_API_KEY: adminKey, LOG_LEVEL: 'info' });
  });
  afterAll(async () => {
    await server.kill('SIGKILL');
    disk.unmount();
  });

  test('writes answer 503, reads go on; with room again everything accepted is completed, once', async () => {
    const url = await server.url();
    await makeDatabase(url, 'full');
    const accepted: string[] = [];
    const remember = async (id: string, text: string): Promise<number> => {
      const json = { database: 'full', type: 'memory', memories: [{ id, text }] };
      const answer = await callApi(url, 'POST /context/ingest', { json });
      if (answer.status === 202) accepted.push(id);
      else expectUnavailable(answer);
      return answer.status;
    };
    for (let n = 0; n < 5; n += 1) expect(await remember(`early-${n}`, `otters ${n}`)).toBe(202);
    const json = { database: 'full', type: 'memory', query: 'otters' };
    const found = async () => (await callApi(url, 'POST /query', { json })).body.data.chunks.length;
    await until(async () => (await found()) === accepted.length);
    disk.fill();
    let sent = 0;
    await until(async () => {
      sent += 1;
      return (await remember(`full-${sent}`, `otters ${sent} ${'secret words '.repeat(2000)}`)) === 503;
    });
    expectUnavailable(
      await callApi(url, 'POST /context/ingest', { form: documentsForm('full', { file: 'words' }) }),
    );
    expect((await callApi(url, 'GET /databases')).status).toBe(200);
    expect(await found()).toBeGreaterThan(0);
    for (const path of ['/healthz', '/readyz']) expect((await fetch(url + path)).status).toBe(200);
    disk.empty();
    await until(async () => (await remember('late', 'otters, late')) === 202);
    const store = new StoreView({ dataDir, databaseUrl: undefined });
    await store.endLeasesFrom(new Date());
    await store.hurry();
    await until(
      async () => (await store.unfinished()).length === 0,
      () => store.unfinished(),
    );
    const stored = new Set((await store.items()).map(({ id }) => id));
    expect([...stored].sort()).toEqual(accepted.sort());
    expect(await store.contradictions()).toEqual([]);
    const log = server.lines.join('\n');
    expect(log).toMatch(/No space left on device/);
    // What callers send does not stand in the log.
    expect(log).not.toMatch(/secret words|unhandled|uncaught|TypeError|INTERNAL_ERROR/i);
  });
});

onEmbedded('a disk without room for the embedded Postgres', () => {
  let disk: SmallDisk;
  beforeAll(() => {
    disk = SmallDisk.mount(mkdtempSync(join(process.env['TEST_FOLDER'] ?? '', 'disk-')), diskMebibytes);
  });
  afterAll(() => disk.unmount());

  test('stops the start with a line that says so', async () => {
    const server = new ServerProcess({ DATA_DIR: disk.folder, BOOTSTRAP_API_KEY: adminKey });
    expect(await server.exited).toEqual({ code: 1, signal: null });
    expect(server.lines.at(-1)).toMatch(
      /^contexture cannot start: .*: no space left on device; its disk \(DATA_DIR\) has 0 MiB left$/,
    );
  });
});
