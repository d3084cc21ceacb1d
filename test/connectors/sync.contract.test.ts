import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Connected } from '../support/connectors/connected.js';
import { FAKED_PROVIDERS } from '../support/connectors/faked-providers.js';
import type { ProviderFake } from '../support/connectors/provider-fake.js';
import { TestServer } from '../support/server.js';

const day = 24 * 3600;

const runnable = FAKED_PROVIDERS.filter(({ problem }) => problem === undefined);

const fakes = new Map<string, ProviderFake>();
let server: TestServer;

beforeAll(async () => {
  const environment: Record<string, string> = { CONNECTORS_ALLOW_PRIVATE: '1' };
  for (const faked of runnable) {
    const { provider } = faked;
    const fake = await faked.start();
    if (!fake) throw new Error(`${provider.id} has no fake here`);
    fakes.set(provider.id, fake);
    const variable = `CONNECTOR_${provider.id.toUpperCase().replaceAll('-', '_')}_URL`;
    if (fake.baseUrl) environment[variable] = fake.baseUrl;
    if (fake.filesystemRoots) environment['FILESYSTEM_ROOTS'] = fake.filesystemRoots.join(',');
  }
  server = await TestServer.start({ environment });
  // What fakes hold is as old as their clock says.
  server.clock.advance((Date.now() - server.clock.now().getTime()) / 1000);
});
afterAll(async () => {
  await server?.stop();
  for (const fake of fakes.values()) await fake.close();
});

/** Every provider from the outside: connected by REST to its fake, synced by the server's own jobs. */
describe.each(runnable.map(({ provider }) => provider.id))('%s', (id) => {
  let fake: ProviderFake;
  let connected: Connected;
  let natives: string[];

  beforeAll(() => {
    fake = fakes.get(id) as ProviderFake;
  });
  // Its schedule would be due in the tests of the others.
  afterAll(async () => {
    await server.rest('DELETE', `/connectors/${connected.id}`);
  });

  const found = async (word: string) => {
    const { body } = await server.rest('POST', '/query', {
      json: { database: connected.database, query: word, query_by: 'text', max_results: 250 },
    });
    return new Set((body.data.chunks as { id: string }[]).map((chunk) => chunk.id));
  };
  const itemOf = (native: string, items: readonly Record<string, any>[]) =>
    items.find(
      ({ id: itemId }) =>
        (itemId as string).endsWith(encodeURIComponent(native)) || itemId === `${id}:${native}`,
    );

  test('rejects wrong credentials and stores nothing', async () => {
    if (!fake.wrongCredentials) return;
    const answer = await server.rest('POST', '/connectors', {
      json: { provider: id, database: await server.database(), credentials: fake.wrongCredentials },
    });
    expect([answer.status, answer.body.error.code]).toEqual([422, 'VALIDATION_ERROR']);
    for (const secret of Object.values(fake.wrongCredentials))
      if (typeof secret === 'string' && secret.length > 8)
        expect(JSON.stringify(answer.body)).not.toContain(secret);
    expect((await server.rest('GET', '/connectors')).body.connectors).toEqual([]);
  });

  test('brings what is there, each object once and searchable', async () => {
    natives = await fake.add(5, 'zebra');
    connected = await Connected.make(server, {
      database: await server.database(),
      provider: id,
      credentials: fake.credentials,
      // The clock has moved on for each provider before.
      lookbackDays: 365,
      resources: [
        { resource_id: fake.resource.id, ...(fake.resource.filters && { filters: fake.resource.filters }) },
      ],
    });
    await server.idle();
    expect(await connected.fields()).toMatchObject({ lifecycle: 'active', last_error: '' });
    const items = await connected.items();
    expect(items).toHaveLength(5);
    for (const item of items) {
      expect(item['app_provider']).toBe(id);
      expect(item['additional_metadata']).toMatchObject({
        connector_id: connected.id,
        resource_id: fake.resource.id,
      });
      expect(item['indexing_status']).toBe('completed');
    }
    expect((await found('zebra')).size).toBe(5);
    const { resources } = (await server.rest('GET', `/connectors/${connected.id}/resources`)).body;
    expect(resources).toMatchObject([{ provider_cursor: expect.stringMatching(/./) }]);
  });

  test('follows what is added, edited and removed', async () => {
    const before = await connected.items();
    const edited = natives[1] ?? '';
    const [added = ''] = await fake.add(1, 'giraffe');
    if (fake.edit) await fake.edit(edited, 'okapi');
    await fake.remove(natives[0] ?? '');
    await connected.pass(day + 3600);
    await connected.pass(day + 3600);
    expect(await connected.fields()).toMatchObject({ lifecycle: 'active', last_error: '' });
    const items = await connected.items();
    expect((await found('giraffe')).size).toBe(1);
    if (fake.edit) expect((await found('okapi')).size).toBe(1);
    expect(itemOf(added, items)).toBeDefined();
    // What falls out of a feed is not gone.
    expect(items).toHaveLength(before.length + (id === 'rss' ? 1 : 0));
    natives.push(added);
  });

  test('waits when it is told to, and goes on', async () => {
    if (!fake.fail) return;
    await fake.add(3, 'lemur');
    fake.fail({ status: 429, retryAfterSeconds: 60 }, 1);
    await connected.sync();
    expect(await connected.fields()).toMatchObject({ sync_status: 'syncing', last_error: '' });
    await connected.pass(70);
    expect(await connected.fields()).toMatchObject({ sync_status: 'idle', last_error: '' });
    expect((await found('lemur')).size).toBe(3);
  });

  test('stops when its credentials are revoked, until there are others', async () => {
    if (!fake.fail || !fake.wrongCredentials) return;
    fake.fail({ status: 401 }, 1000);
    await connected.sync();
    fake.fail({ status: 401 }, 0);
    expect(await connected.fields()).toMatchObject({ lifecycle: 'reconnect' });
    expect((await connected.post('sync')).status).toBe(409);
    const patched = await server.rest('PATCH', `/connectors/${connected.id}`, {
      json: { credentials: fake.credentials },
    });
    expect(patched.status).toBe(200);
    await server.idle();
    expect(await connected.fields()).toMatchObject({
      lifecycle: 'active',
      sync_blocked: false,
      needs_reauth: false,
    });
  });
});
