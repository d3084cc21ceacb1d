import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Connected } from '../support/connectors/connected.js';
import { DocumentServer } from '../support/connectors/document-server.js';
import { TestServer } from '../support/server.js';

let documents: DocumentServer;
let server: TestServer;

beforeAll(async () => {
  documents = await DocumentServer.start();
  server = await TestServer.start({ environment: { CONNECTORS_ALLOW_PRIVATE: '1' } });
});
afterAll(async () => {
  await server.stop();
  await documents.close();
});

const feedOf = (title: string) => ({
  body: `<?xml version="1.0"?><rss version="2.0"><channel><title>Feed</title><item><guid>${title}</guid>
    <title>${title}</title><description>Something happened</description></item></channel></rss>`,
  type: 'application/rss+xml',
});

describe('a provider without credentials', () => {
  test.each([
    ['rss', '/closed.xml', '/open.xml', feedOf],
    ['web', '/closed/', '/open/', (title: string) => `<title>${title}</title><main><p>${title}</p></main>`],
  ])('%s: a resource that asks for some fails alone, and says so', async (provider, closed, open, serve) => {
    documents.serve(closed, serve('first of the closed one'));
    documents.serve(open, serve('first of the open one'));
    const connected = await Connected.make(server, {
      database: await server.database(),
      provider,
      credentials: {},
      resources: [closed, open].map((path) => ({ resource_id: documents.origin + path })),
    });
    await server.idle();
    documents.serve(closed, { status: 401 });
    documents.serve(open, serve('second of the open one'));
    await connected.sync();
    const titles = (await connected.items()).map(({ title }) => title as string);
    expect(titles).toEqual(expect.arrayContaining(['first of the closed one', 'second of the open one']));
    expect(await connected.fields()).toMatchObject({ lifecycle: 'active', sync_blocked: false });
    expect(await connected.status()).toMatchObject({
      resources: [
        { status: 'failed', http_status: 401, message: expect.stringContaining('asks for credentials') },
        { status: 'ok' },
      ],
    });
    expect((await connected.post('sync')).status).toBe(202);
    await server.rest('DELETE', `/connectors/${connected.id}`);
  });
});
