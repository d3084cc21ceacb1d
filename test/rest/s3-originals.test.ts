import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { S3Store } from '../support/s3-store.js';
import { TestServer } from '../support/server.js';

let store: S3Store;
let server: TestServer;
let database: string;
beforeAll(async () => {
  store = await S3Store.start();
  server = await TestServer.start({ environment: store.environment });
});
beforeEach(async () => {
  database = await server.database();
});
afterAll(async () => {
  await server.stop();
  await store.goAway();
});

const upload = (files: Record<string, string | Uint8Array>, fields: Record<string, string> = {}) =>
  server.upload(database, files, {
    document_metadata: JSON.stringify(Object.keys(files).map((name) => ({ id: name.split('.')[0] }))),
    ...fields,
  });
const inspect = async (id: string, mode: string) =>
  server.rest('GET', `/context/inspect?database=${database}&id=${id}&mode=${mode}`);
const statusOf = (id: string) => server.statusOf(database, id);
const remove = async (ids: string[]) =>
  server.rest('DELETE', '/context', { json: { database, type: 'knowledge', ids } });
async function keyOf(id: string): Promise<string> {
  const [row] = await server.sql<{ key: string }>(
    'select storage_key as key from sources where id = $1 and latest and database_id = (select max(id) from databases)',
    [id],
  );
  return row?.key ?? '';
}
const incoming = () => readdirSync(join(server.dataDir, 'incoming'));

describe('originals in S3', () => {
  test('a file is found, inspected, linked to and gone from the bucket once it is deleted', async () => {
    const text = '# Otters\n\nOtters hold hands while they sleep.\n';
    const accepted = await upload({ 'otters.md': text });
    expect(accepted.status).toBe(202);
    const key = await keyOf('otters');
    // What was answered 202 is in the bucket, and nowhere else.
    expect(store.bytes(key).toString()).toBe(text);
    expect(incoming()).toEqual([]);
    expect(existsSync(join(server.dataDir, 'files'))).toBe(false);
    await server.idle();
    expect(incoming()).toEqual([]);
    const found = await server.rest('POST', '/query', { json: { database, query: 'otters sleep' } });
    expect(found.body.data.chunks[0].chunk_content).toContain('hold hands');
    const { data } = (await inspect('otters', 'original')).body;
    expect(Buffer.from(data.content_base64, 'base64').toString()).toBe(text);
    const link: string = (await inspect('otters', 'url')).body.data.presigned_url;
    // Of this server: it ends with the item, wherever the bucket is.
    expect(link.startsWith(server.url)).toBe(true);
    const linked = await fetch(link);
    expect([await linked.text(), linked.headers.get('content-length')]).toEqual([text, `${text.length}`]);
    const head = await fetch(link, { method: 'HEAD' });
    expect([head.status, head.headers.get('content-length')]).toEqual([200, `${text.length}`]);
    expect((await remove(['otters'])).status).toBe(200);
    expect((await fetch(link)).status).toBe(404);
    await server.idle();
    expect(store.keys()).not.toContain(key);
  });

  test('a file of the largest size arrives whole', async () => {
    const bytes = randomBytes(52_428_800);
    expect((await upload({ 'large.txt': bytes })).status).toBe(202);
    expect(store.bytes(await keyOf('large')).equals(bytes)).toBe(true);
    const linked = await fetch((await inspect('large', 'url')).body.data.presigned_url);
    expect(Buffer.from(await linked.arrayBuffer()).equals(bytes)).toBe(true);
  });

  test('replacing removes the earlier object, deleting the database all of them', async () => {
    await upload({ 'a.md': 'first', 'b.md': 'other' });
    await server.idle();
    const [first, other] = [await keyOf('a'), await keyOf('b')];
    await upload({ 'a.md': 'second' });
    await server.idle();
    const second = await keyOf('a');
    expect(store.keys()).not.toContain(first);
    expect(store.keys()).toEqual(expect.arrayContaining([second, other]));
    await server.rest('DELETE', '/databases', { json: { database } });
    await server.idle();
    expect(store.keys()).not.toContain(second);
    expect(store.keys()).not.toContain(other);
  });

  test('items that are refused leave nothing in the bucket', async () => {
    await upload({ 'once.md': 'words' });
    const before = store.keys();
    const answer = await upload({ 'once.md': 'more', 'x.exe': 'no' }, { upsert: 'false' });
    expect(answer.body.data.results.map((result: any) => result.error_code)).toEqual(['E9003', 'E1002']);
    expect(store.keys()).toEqual(before);
  });

  test('an item whose object is missing ends errored; the others complete', async () => {
    await upload({ 'lost.md': 'lost', 'here.md': 'here' });
    store.lose(await keyOf('lost'));
    await server.idle();
    expect(await statusOf('lost')).toMatchObject({ indexing_status: 'errored', error_code: 'E1001' });
    expect(await statusOf('here')).toMatchObject({ indexing_status: 'completed', error_code: '' });
    expect((await inspect('lost', 'original')).status).toBe(404);
  });

  test('old objects that no item names are swept, page after page, and no others', async () => {
    await upload({ 'kept.md': 'kept' });
    await server.idle();
    const kept = await keyOf('kept');
    const orphan = (n: number) => `ab/00000000-0000-7000-8000-${String(n).padStart(12, '0')}`;
    // More than a page.
    const orphans = Array.from({ length: 1005 }, (_, n) => orphan(n));
    for (const key of orphans) store.put(key, 'left behind');
    const [fresh = '', ...old] = orphans;
    for (const key of [...old, kept]) store.age(key);
    await server.idle();
    expect(store.keys().filter((key) => key.startsWith('ab/00000000-'))).toEqual([fresh]);
    expect(store.keys()).toContain(kept);
  });

  test('a bucket of another database is not swept', async () => {
    const key = 'cd/11111111-0000-7000-8000-000000000001';
    store.put(key, 'of somebody else');
    store.age(key);
    const owner = store.path('owner');
    const ours = store.bytes('owner');
    writeFileSync(owner, 'ffffffff-0000-7000-8000-000000000000');
    await server.idle();
    expect(store.keys()).toContain(key);
    writeFileSync(owner, ours);
    await server.idle();
    expect(store.keys()).not.toContain(key);
  });
});
