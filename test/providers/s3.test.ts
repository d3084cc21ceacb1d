import { brotliCompressSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Page } from '../../src/connectors/provider.js';
import { s3 } from '../../src/connectors/providers/s3.js';
import { systemClock } from '../../src/lib/clock.js';
import { LIMITS } from '../../src/limits.js';
import { GuardedNetwork } from '../../src/lib/guarded-network.js';
import type { JsonObject } from '../../src/sources/source.types.js';
import { failureOf, noSignal, openFake, readAll, textOf } from '../support/connectors/reading.js';
import { startS3Fake } from '../support/connectors/s3-fake.js';
import type { S3Fake } from '../support/connectors/s3-fake.js';
import { documentReaders } from '../support/shared/document-readers.mjs';

const provider = s3 as never;
let fake: S3Fake;
let opened: ReturnType<typeof openFake>;

beforeAll(async () => {
  fake = await startS3Fake();
  opened = openFake(provider, fake);
});
afterAll(async () => {
  await opened.close();
  await fake.close();
});

const scope = (id: string, filters: JsonObject = {}) => ({
  id,
  type: 'bucket',
  // Long after everything: objects are read whatever their age.
  oldest: new Date('2100-01-01'),
  filters,
});
const read = (id: string, filters?: JsonObject) =>
  readAll((cursor) => opened.session.read(scope(id, filters), cursor, noSignal));
const keys = async (folder: string, filters?: JsonObject) =>
  (await read(`papers/${folder}`, filters)).entries.map(({ id }) => id.slice(`papers/${folder}/`.length));
const failure = (work: Promise<unknown>) => work.then(String, (error: unknown) => error);

test('an object is an item with its name, place, time and content', async () => {
  const key = 'one/deep/Plan #1+2 (ä&b).md';
  await fake.put(key, '# The plan');
  const { entries } = await read('papers/one/');
  const item = await entries[0]?.load(noSignal);
  expect(entries.map(({ id }) => id)).toEqual([`papers/${key}`]);
  expect(entries[0]?.version).toMatch(/^[0-9a-f]{32}-10$/);
  expect(item).toMatchObject({
    kind: 'custom',
    title: 'Plan #1+2 (ä&b).md',
    url: `s3://papers/${key}`,
    file: { filename: 'Plan #1+2 (ä&b).md' },
    native: { bucket: 'papers', key },
  });
  expect(Date.parse(item?.timestamp ?? '')).toBeGreaterThan(Date.now() - 3_600_000);
  expect(await textOf(item)).toContain('# The plan');
});

test('a resource is a folder, not whatever begins alike; what nobody reads is left out', async () => {
  for (const key of [
    'two/a.txt',
    'two-b/b.txt',
    'two/.hidden.txt',
    'two/.git/c.txt',
    'two/d.exe',
    'two/README',
  ])
    await fake.put(key, 'text');
  await fake.put('two/empty.txt', '');
  expect(await keys('two')).toEqual(['a.txt']);
});

test('filters choose extensions, sizes, times and places', async () => {
  for (const key of ['a.txt', 'b.md', 'old/c.txt', 'older/d.txt']) await fake.put(`three/${key}`, 'text');
  await fake.put('three/long.txt', 'a'.repeat(100));
  expect(await keys('three', { extensions: ['md'] })).toEqual(['b.md']);
  expect(await keys('three', { max_bytes: 50, exclude: ['old'] })).toEqual(['a.txt', 'b.md', 'older/d.txt']);
  expect(await keys('three', { modified_after: '2100-01-01T00:00:00Z' })).toEqual([]);
});

test('an object that was archived stays as it was read; without an ETag its time tells a change', async () => {
  await fake.put('ten/a.txt', 'text');
  const [known] = (await read('papers/ten')).entries;
  fake.rewrite = (xml) => xml.replace('>STANDARD<', '>GLACIER<');
  const [archived] = (await read('papers/ten')).entries;
  expect([archived?.id, archived?.version]).toEqual([known?.id, known?.version]);
  expect(await failureOf(Promise.resolve(archived?.load(noSignal)))).toMatchObject({
    kind: 'refused',
    message: expect.stringContaining('GLACIER'),
  });
  const versions = [];
  for (const time of ['2026-01-01T00:00:00.000Z', '2026-01-02T00:00:00.000Z']) {
    fake.rewrite = (xml) =>
      xml.replace(/<ETag>.*?<\/ETag>/, '').replace(/(<LastModified>).*?</, `$1${time}<`);
    versions.push((await read('papers/ten')).entries[0]?.version);
  }
  expect(new Set(versions).size).toBe(2);
  fake.rewrite = undefined;
});

test('an object that is stored packed, as files of websites are, is read as what it is', async () => {
  const text = 'About a zebra';
  await fake.put('eleven/a.txt', gzipSync(text), 'gzip');
  await fake.put('eleven/b.txt', brotliCompressSync(gzipSync(text)), 'gzip, br');
  await fake.put('eleven/c.txt', text, 'utf-8');
  for (const entry of (await read('papers/eleven')).entries)
    expect(await textOf(await entry.load(noSignal))).toContain(text);
  await fake.put('eleven/d.txt', text, 'gzip');
  await fake.put('eleven/e.txt', gzipSync(text).subarray(0, 20), 'gzip');
  await fake.put('eleven/f.txt', text, 'br');
  for (const entry of (await read('papers/eleven')).entries.slice(3))
    expect(await failureOf(textOf(await entry.load(noSignal)))).toMatchObject({
      kind: 'refused',
      message: expect.stringContaining('Content-Encoding'),
    });
});

test('what is unpacked may be too large', async () => {
  await fake.put('twelve/a.txt', gzipSync(Buffer.alloc(LIMITS.fileBytesMax + 200_000)), 'gzip');
  const [entry] = (await read('papers/twelve')).entries;
  const item = await entry?.load(noSignal);
  let bytes = 0;
  for await (const part of (await item?.file?.open(noSignal)) ?? []) bytes += (part as Buffer).length;
  expect(bytes).toBeGreaterThan(LIMITS.fileBytesMax);
  expect(bytes).toBeLessThan(LIMITS.fileBytesMax + 200_000);
});

test('keys too long for an id have a digest instead, which stays', async () => {
  const key = `four/${'long/'.repeat(80)}a.txt`;
  await fake.put(key, 'text');
  const [entry] = (await read('papers/four')).entries;
  expect(entry?.id).toMatch(/^sha256:[0-9a-f]{64}$/);
  expect((await read('papers/four')).entries[0]?.id).toBe(entry?.id);
  expect((await entry?.load(noSignal))?.native).toEqual({ bucket: 'papers' });
});

test('a read goes on after a key, while objects come and go, with one request a page', async () => {
  for (let index = 0; index < 201; index += 1) await fake.put(`five/${1000 + index}.txt`, 'text');
  const asked = fake.asked.length;
  const first: Page = await opened.session.read(scope('papers/five'), '', noSignal);
  expect(first).toMatchObject({ more: true, coverage: 'all' });
  await fake.remove('papers/five/1199.txt');
  await fake.put('five/0.txt', 'before');
  await fake.put('five/2000.txt', 'after');
  const rest = await readAll(
    (cursor) => opened.session.read(scope('papers/five'), cursor, noSignal),
    first.cursor,
  );
  expect(rest.entries.map(({ id }) => id)).toEqual(['papers/five/1200.txt', 'papers/five/2000.txt']);
  expect(fake.asked.length - asked).toBe(2);
  // Where everything was read a sync goes on from the beginning.
  expect(rest.cursor).not.toBe('');
  const next = await opened.session.read(scope('papers/five'), rest.cursor, noSignal);
  expect(next.entries.map(({ id }) => id).slice(0, 2)).toEqual(['papers/five/0.txt', 'papers/five/1000.txt']);
});

test('an object that is gone when it is opened is missing; a bucket says so too', async () => {
  await fake.put('six/a.txt', 'text');
  const item = await (await read('papers/six')).entries[0]?.load(noSignal);
  await fake.remove('papers/six/a.txt');
  expect(await failure(textOf(item))).toMatchObject({
    name: 'ProviderError',
    kind: 'missing',
    httpStatus: 404,
  });
  for (const id of ['no-such-bucket', '', '/x'])
    expect(await failure(opened.session.describe(id, noSignal))).toMatchObject({ kind: 'missing' });
});

test('a key that may not list buckets is accepted, one that may not list a bucket is refused', async () => {
  fake.fail?.({ status: 403 }, 1);
  await opened.session.check(noSignal);
  fake.fail?.({ status: 403 }, 1);
  expect(await failure(opened.session.describe('papers', noSignal))).toMatchObject({ kind: 'refused' });
});

test('no failure tells the secret', async () => {
  const wrong = openFake(provider, fake, { ...fake.credentials, secret_access_key: 'hunter2' });
  const error = await failure(wrong.session.read(scope('papers'), '', noSignal));
  await wrong.close();
  expect(error).toMatchObject({ kind: 'credentials', httpStatus: 403 });
  expect(`${(error as Error).message} ${JSON.stringify(error)}`).not.toContain('hunter2');
});

test('a server in a private network is not connected to, nor one that is not there waited for', async () => {
  const credentials = s3.credentials.parse(fake.credentials);
  const open = (network: GuardedNetwork, baseUrl?: string) =>
    s3.open({
      credentials,
      baseUrl,
      network,
      clock: systemClock,
      documents: documentReaders,
      filesystemRoots: [],
      saveCredentials: async () => {},
    });
  const guarded = new GuardedNetwork({ allowPrivate: false });
  const asked = fake.asked.length;
  expect(await failure(open(guarded).check(noSignal))).toMatchObject({
    kind: 'credentials',
    message: expect.stringContaining('private'),
  });
  expect(fake.asked.length).toBe(asked);
  await guarded.close();
  const network = new GuardedNetwork({ allowPrivate: true });
  expect(await failure(open(network, 'http://127.0.0.1:1').check(noSignal))).toMatchObject({
    kind: 'unavailable',
  });
  await network.close();
});
