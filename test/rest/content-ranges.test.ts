import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { S3Store } from '../support/s3-store.js';
import { TestServer } from '../support/server.js';

let store: S3Store;
beforeAll(async () => {
  store = await S3Store.start();
});
afterAll(async () => store.goAway());

const text = 'abcdefghijklmnopqrstuvwxyz';

describe.each([
  ['on disk', () => ({})],
  ['in S3', () => store.environment],
])('a range of an original %s', (_where, environment) => {
  let server: TestServer;
  let database: string;
  let link: string;
  const linkTo = async (id: string): Promise<string> => {
    const { body } = await server.rest('GET', `/context/inspect?database=${database}&id=${id}&mode=url`);
    return body.data.presigned_url;
  };
  const get = async (headers: Record<string, string>, url = link) => {
    const response = await fetch(url, { headers });
    return [response.status, response.headers.get('content-range'), await response.text()];
  };

  beforeAll(async () => {
    server = await TestServer.start({ environment: environment() });
    database = await server.database();
    await server.remember(database, [{ id: 'tea', text: 'I prefer green tea.' }]);
    // Not indexed: an original can be read as soon as it is accepted.
    await server.upload(
      database,
      { 'letters.txt': text, 'large.txt': Buffer.alloc(20_000_000, 'x') },
      { document_metadata: '[{"id":"letters"},{"id":"large"}]' },
    );
    link = await linkTo('letters');
  });
  afterAll(async () => server.stop());

  test.each([
    ['bytes=0-4', '0-4', 'abcde'],
    ['bytes=23-', '23-25', 'xyz'],
    ['bytes=-3', '23-25', 'xyz'],
    ['bytes=-100', '0-25', text],
    ['bytes=20-99999999999999999999', '20-25', 'uvwxyz'],
    ['Bytes=3-3', '3-3', 'd'],
  ])('%s is that part of it', async (range, sent, part) => {
    expect(await get({ range })).toEqual([206, `bytes ${sent}/26`, part]);
  });

  test.each(['bytes=26-', 'bytes=26-30', 'bytes=-0', 'bytes=99999999999999999999-'])(
    '%s is 416 with the size',
    async (range) => {
      expect(await get({ range })).toEqual([416, 'bytes */26', '']);
    },
  );

  test.each(['bytes=0-1,4-5', 'bytes=5-2', 'bytes=-', 'bytes=a-b', 'letters=0-4', 'bytes 0-4', ''])(
    '"%s" is all of it',
    async (range) => {
      expect(await get({ range })).toEqual([200, null, text]);
    },
  );

  test('is told of by the whole, and by a HEAD, which has no ranges', async () => {
    for (const method of ['GET', 'HEAD']) {
      const headers = method === 'HEAD' ? { range: 'bytes=0-4' } : undefined;
      const response = await fetch(link, { method, ...(headers && { headers }) });
      expect(response.status).toBe(200);
      expect(Object.fromEntries(response.headers)).toMatchObject({
        'accept-ranges': 'bytes',
        'content-length': '26',
        etag: expect.stringMatching(/^"\d+"$/),
      });
    }
  });

  test('goes on with what was begun, and only with that (If-Range)', async () => {
    const etag = (await fetch(link)).headers.get('etag') ?? '';
    const range = 'bytes=23-';
    expect(await get({ range, 'if-range': etag })).toEqual([206, 'bytes 23-25/26', 'xyz']);
    for (const other of ['"x"', `W/${etag}`, 'Thu, 26 Nov 2026 10:00:00 GMT'])
      expect(await get({ range, 'if-range': other })).toEqual([200, null, text]);
  });

  test('is read alone, however large the rest is', async () => {
    expect(await get({ range: 'bytes=19999998-' }, await linkTo('large'))).toEqual([
      206,
      'bytes 19999998-19999999/20000000',
      'xx',
    ]);
  });

  test('may be of a memory, which is no file', async () => {
    const memory = await linkTo('tea');
    const whole = (await get({}, memory))[2] as string;
    expect(await get({ range: 'bytes=1-5' }, memory)).toEqual([
      206,
      `bytes 1-5/${whole.length}`,
      whole.slice(1, 6),
    ]);
    expect((await get({ range: 'bytes=9999-' }, memory)).slice(0, 2)).toEqual([
      416,
      `bytes */${whole.length}`,
    ]);
    expect((await fetch(memory)).headers.get('etag')).toBeNull();
  });
});
