import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Connected } from '../support/connectors/connected.js';
import { startS3Fake } from '../support/connectors/s3-fake.js';
import type { S3Fake } from '../support/connectors/s3-fake.js';
import { TestServer } from '../support/server.js';

let fake: S3Fake;
let server: TestServer;

beforeAll(async () => {
  fake = await startS3Fake();
  server = await TestServer.start({ environment: { CONNECTORS_ALLOW_PRIVATE: '1' } });
});
afterAll(async () => {
  await server?.stop();
  await fake?.close();
});

test('an object that archiving has given another ETag stays; one that was never read is told', async () => {
  await fake.put('old/a.txt', 'the quokka sleeps');
  const connected = await Connected.make(server, {
    database: await server.database(),
    provider: 's3',
    credentials: fake.credentials,
    resources: ['papers/old'],
  });
  await server.idle();
  expect(await connected.ids()).toEqual(['s3:papers/old/a.txt']);
  // A copy in place, as of an object that came in several parts.
  fake.rewrite = (xml) =>
    xml.replaceAll('>STANDARD<', '>DEEP_ARCHIVE<').replace(/<ETag>[^<]*</g, '<ETag>&quot;another-2&quot;<');
  await connected.sync();
  expect(await connected.ids()).toEqual(['s3:papers/old/a.txt']);
  expect(await connected.fields()).toMatchObject({ last_error: '', lifecycle: 'active' });
  expect((await connected.status())['resources']).toMatchObject([
    { status: 'ok', message: expect.stringContaining('archived (DEEP_ARCHIVE)') },
  ]);
});
