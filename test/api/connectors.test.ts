import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { createClient } from 'graphql-ws';
import type { Client } from 'graphql-ws';
import { WebSocket } from 'ws';
import { ConnectedAccount } from '../support/connectors/connected-account.js';
import { adminKey } from '../support/server.js';

const connected = new ConnectedAccount();
beforeAll(() => connected.start());
afterAll(connected.stop);
beforeEach(connected.reset);

async function ask(query: string, variables: Record<string, unknown> = {}): Promise<any> {
  const { body } = await connected.server.graphql(query, variables);
  expect(body.errors).toBeUndefined();
  return body.data;
}

/** A client that watches a connector. */
class Watcher {
  private readonly client: Client;
  private readonly events: AsyncIterator<any>;

  constructor(id: string, key = adminKey) {
    this.client = createClient({
      url: `${connected.server.url.replace('http', 'ws')}/graphql`,
      webSocketImpl: WebSocket,
      retryAttempts: 0,
      connectionParams: { authorization: `Bearer ${key}` },
    });
    const fields = 'lifecycle syncStatus progress { objectsSent resourcesTotal } error { message }';
    const query = `subscription { connectorProgress(id: "${id}") { ${fields} } }`;
    this.events = this.client.iterate({ query });
  }

  async next(): Promise<any> {
    const { value, done } = await this.events.next();
    if (done) return 'ended';
    return value.errors ? value.errors[0].extensions.code : value.data.connectorProgress;
  }

  async stop(): Promise<void> {
    await this.client.dispose();
  }
}

test('a connector lives: connected, discovered, configured, changed, paused, resumed, synced, deleted', async () => {
  const { createConnector } = await ask(
    `mutation ($input: CreateConnectorInput!) { createConnector(input: $input) { connectorId lifecycle health } }`,
    {
      input: {
        provider: 'scripted',
        database: connected.database,
        credentials: { secret: connected.account.secret },
      },
    },
  );
  const id: string = createConnector.connectorId;
  expect(createConnector).toMatchObject({ lifecycle: 'pending_setup', health: 'degraded' });
  const { discoverConnectorResources: found } = await ask(
    `{ discoverConnectorResources(id: "${id}", limit: 1) { resources { id } nextCursor hasMore } }`,
  );
  expect(found).toEqual({ resources: [{ id: 'general' }], nextCursor: '1', hasMore: true });
  const { configureConnector } = await ask(
    `mutation { configureConnector(id: "${id}", input: { resources: [{ resourceId: "general", acl: ["ann"] }] })
      { configured warnings } }`,
  );
  expect(configureConnector).toEqual({ configured: 1, warnings: [] });
  await ask(
    `mutation { addConnectorResource(id: "${id}", resource: { resourceId: "random" }) { resourceId } }`,
  );
  const { updateConnectorResource } = await ask(
    `mutation { updateConnectorResource(id: "${id}", resourceId: "general", input: { acl: ["*"] }) { acl aclUpdated } }`,
  );
  expect(updateConnectorResource).toEqual({ acl: null, aclUpdated: true });
  await ask(`mutation { removeConnectorResource(id: "${id}", resourceId: "random") { deleted } }`);
  const { connectorResources } = await ask(
    `{ connectorResources(id: "${id}") { resources { resourceId } } }`,
  );
  expect(connectorResources).toEqual({ resources: [{ resourceId: 'general' }] });
  await ask(`mutation { updateConnector(id: "${id}", input: { name: "Chat" }) { name } }`);
  await ask(`mutation { pauseConnector(id: "${id}") { pausedAt } }`);
  await ask(`mutation { resumeConnector(id: "${id}") { paused } }`);
  const { syncConnector } = await ask(`mutation { syncConnector(id: "${id}") { workflowId runId } }`);
  expect(syncConnector).toEqual({ workflowId: `connector-sync-${id}`, runId: '' });
  const { connectors, connectorProvider } = await ask(
    `{ connectors(include: [health]) { nodes { name lifecycle } health connectorLimit { count limit } }
       connectorProvider(id: "scripted") { name credentialSchema supported } }`,
  );
  expect(connectors).toEqual({
    nodes: [{ name: 'Chat', lifecycle: 'ingesting' }],
    health: { [id]: 'checking' },
    connectorLimit: { count: 1, limit: null },
  });
  expect(connectorProvider).toMatchObject({ name: 'Scripted', supported: true });
  await ask(`mutation { deleteConnector(id: "${id}") { deleted } }`);
  const { body } = await connected.server.graphql(`{ connector(id: "${id}") { name } }`);
  expect(body.errors[0].extensions).toMatchObject({ code: 'NOT_FOUND', httpStatus: 404 });
});

test('bad input is named as GraphQL spells it', async () => {
  const id = await connected.connect();
  const { body } = await connected.server.graphql(
    `mutation { updateConnector(id: "${id}", input: { syncIntervalSeconds: 1 }) { name } }`,
  );
  expect(body.errors[0]).toMatchObject({
    message: expect.stringMatching(/^syncIntervalSeconds must be 0 or 300 to 604800/),
    extensions: { code: 'INVALID_INPUT' },
  });
});

test('connectorProgress tells where it stands, every change, and ends with the connector', async () => {
  const id = await connected.connect();
  const watcher = new Watcher(id);
  expect(await watcher.next()).toEqual({
    lifecycle: 'pending_setup',
    syncStatus: 'idle',
    progress: { objectsSent: 0, resourcesTotal: 0 },
    error: null,
  });
  await connected.configure(id, [{ resource_id: 'general' }]);
  expect(await watcher.next()).toMatchObject({ lifecycle: 'ingesting', syncStatus: 'syncing' });
  await connected.server.sql('update connectors set run_objects = 4 where id = $1', [id]);
  expect(await watcher.next()).toMatchObject({ progress: { objectsSent: 4, resourcesTotal: 1 } });
  await connected.call('POST', id, { path: '/pause' });
  expect(await watcher.next()).toMatchObject({ lifecycle: 'paused', syncStatus: 'idle' });
  await connected.call('DELETE', id);
  expect(await watcher.next()).toBe('ended');
  await watcher.stop();
});

test('connectorProgress ends when the key is revoked, and tells nobody else anything', async () => {
  const id = await connected.connect();
  const { createApiKey } = await ask(
    `mutation { createApiKey(input: { name: "w", scopes: [read] }) { key } }`,
  );
  const watcher = new Watcher(id, createApiKey.key);
  expect(await watcher.next()).toMatchObject({ lifecycle: 'pending_setup' });
  await ask(`mutation { revokeApiKey(prefix: "${createApiKey.key.split('.')[0]}") { prefix } }`);
  expect(await watcher.next()).toBe('ended');
  await watcher.stop();
  const unknown = new Watcher('01890a5d-ac96-774b-bcce-b302099a8000');
  expect(await unknown.next()).toBe('NOT_FOUND');
  await unknown.stop();
});
