import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { GraphQLField } from 'graphql';
import { createClient } from 'graphql-ws';
import { WebSocket } from 'ws';
import { ENDPOINTS } from '../../rest-compat/endpoints.js';
import { executableSchema } from '../../src/api/schema.js';
import {
  EXAMPLES,
  callRoute,
  connectExample,
  exampleConnectorId,
  exampleDeliveryId,
  exampleProviders,
  exampleRequestId,
  logExampleQuery,
  registerExampleWebhook,
  routesOf,
} from '../support/requests.js';
import type { Route } from '../support/requests.js';
import { selectAll } from '../support/selection.js';
import { TestServer, adminKey } from '../support/server.js';

// The matrix: every REST endpoint and every GraphQL root field, asked by everybody who may not know. Both come from the
// code; what is new has no line in EXAMPLES or FIELDS and fails the first test.

type Scope = 'read' | 'write' | 'admin';

/** How a root field is asked; `about` says whose it is: a database's, or the account's own. */
interface FieldCase {
  readonly scope: Scope;
  readonly about: 'database' | 'account';
  readonly variables: (database: string) => Record<string, unknown>;
}

const ofDatabase = (scope: Scope, more: Record<string, unknown> = {}): FieldCase => ({
  scope,
  about: 'database',
  variables: (database) => ({ database, ...more }),
});
const ofAccount = (scope: Scope, variables: Record<string, unknown> = {}): FieldCase => ({
  scope,
  about: 'account',
  variables: () => variables,
});

const ofConnector = (scope: Scope, more: Record<string, unknown> = {}): FieldCase => ({
  scope,
  about: 'database',
  variables: () => ({ id: exampleConnectorId, ...more }),
});

const FIELDS: Readonly<Record<string, FieldCase>> = {
  apiKeys: ofAccount('admin'),
  chunks: ofDatabase('read', { id: 'known' }),
  collections: ofDatabase('read'),
  database: ofDatabase('read'),
  databases: ofAccount('read'),
  databaseStats: ofDatabase('read'),
  indexingStatus: ofDatabase('read', { ids: ['known'], type: 'memory' }),
  memories: ofDatabase('read', { ids: ['known', 'restricted'] }),
  memory: ofDatabase('read', { id: 'restricted' }),
  metadataSchema: ofDatabase('read'),
  entities: ofDatabase('read', { name: 'plover' }),
  entityPaths: ofDatabase('read', { from: exampleRequestId, to: exampleRequestId }),
  neighbours: ofDatabase('read', { entityId: exampleRequestId }),
  relations: ofDatabase('read', { type: 'memory' }),
  subgraph: ofDatabase('read', { id: 'restricted', type: 'memory' }),
  search: ofDatabase('read', { query: 'plover', type: 'all' }),
  source: ofDatabase('read', { id: 'plover.txt' }),
  sourceContent: ofDatabase('read', { id: 'known' }),
  sources: ofDatabase('read', { type: 'memory', ids: ['known', 'restricted'] }),
  viewer: ofAccount('read'),
  connector: ofConnector('read'),
  connectorProvider: ofAccount('read', { id: 'scripted' }),
  connectorProviders: ofAccount('read'),
  connectorResources: ofConnector('read'),
  connectors: ofAccount('read', { include: ['health'] }),
  connectorStatus: ofConnector('read'),
  discoverConnectorResources: ofConnector('admin'),
  addConnectorResource: ofConnector('admin', { resource: { resourceId: 'random' } }),
  configureConnector: ofConnector('admin', { input: { resources: [{ resourceId: 'random' }] } }),
  createConnector: {
    ...ofDatabase('admin'),
    variables: (database) => ({
      input: { provider: 'scripted', database, credentials: { secret: 'open sesame' } },
    }),
  },
  deleteConnector: ofConnector('admin'),
  pauseConnector: ofConnector('admin'),
  removeConnectorResource: ofConnector('admin', { resourceId: 'plover' }),
  resumeConnector: ofConnector('admin'),
  syncConnector: ofConnector('admin'),
  updateConnector: ofConnector('admin', { input: { name: 'taken over' } }),
  updateConnectorResource: ofConnector('admin', { resourceId: 'plover', input: { acl: ['bob'] } }),
  connectorProgress: ofConnector('read'),
  webhook: ofAccount('admin'),
  webhookDeliveries: ofAccount('admin'),
  webhookDelivery: ofAccount('admin', { deliveryId: exampleDeliveryId }),
  sendFeedback: {
    ...ofDatabase('read'),
    variables: (database) => ({ input: { requestId: exampleRequestId, feedback: 'fine', database } }),
  },
  addMetadataFields: ofDatabase('write', { fields: [{ name: 'added' }] }),
  createApiKey: ofAccount('admin', { input: { name: 'by matrix', scopes: ['read'] } }),
  createDatabase: { ...ofDatabase('write'), variables: (database) => ({ input: { database } }) },
  deleteCollection: ofDatabase('write', { collection: 'hidden-corner' }),
  deleteDatabase: ofDatabase('write'),
  reembedDatabase: ofDatabase('write'),
  deleteWebhook: ofAccount('admin'),
  disableSigning: ofAccount('admin'),
  deleteSources: ofDatabase('write', { ids: ['known'], type: 'memory' }),
  ingest: {
    ...ofDatabase('write'),
    variables: (database) => ({ input: { database, type: 'memory', memories: [{ id: 'x', text: 'x' }] } }),
  },
  updateSourceMetadata: {
    ...ofDatabase('write'),
    variables: (database) => ({
      input: { database, collection: 'default', id: 'known', additionalMetadata: { note: 'changed' } },
    }),
  },
  registerWebhook: ofAccount('admin', { input: { url: 'https://8.8.8.8/events' } }),
  retryDelivery: ofAccount('admin', { deliveryId: exampleDeliveryId }),
  setSigningSecret: ofAccount('admin'),
  testWebhook: ofAccount('admin'),
  revokeApiKey: ofAccount('admin', { prefix: 'test' }),
  indexingStatusChanged: ofDatabase('read'),
};

// Names of databases are each account's own: creating one tells nothing about another account's.
const createsItsOwn = new Set(['createDatabase', 'create-database']);

const secrets = ['plover', 'hidden-corner', 'private_field', 'Accounts of Ann', 'Keys of Ann'];
const keyOf = (prefix: string) => `${prefix}.${adminKey.split('.')[1]}`;
const restScope: Readonly<Record<string, Scope>> = {
  GET: 'read',
  POST: 'write',
  PATCH: 'write',
  DELETE: 'write',
};
const scopeOfRoute = ({ operation, path, method }: Route): Scope => {
  if (path.startsWith('/webhooks/') || operation === 'discover-resources') return 'admin';
  if (path.startsWith('/connectors') && method !== 'GET') return 'admin';
  return ['query', 'list-sources', 'send-feedback'].includes(operation)
    ? 'read'
    : (restScope[method] ?? 'admin');
};
/** Keys that answer as somebody have no business with connectors; providers are everybody's to know. */
const refusesPrincipals = (name: string) => /connector/i.test(name) && !/provider/i.test(name);

const schema = await executableSchema();
const roots = { query: schema.getQueryType(), mutation: schema.getMutationType() };
const subscriptions = Object.keys(schema.getSubscriptionType()?.getFields() ?? {});

interface Answered {
  readonly status: number;
  readonly code: string | undefined;
  /** The body without what differs from call to call. */
  readonly body: unknown;
  readonly text: string;
}

interface Case {
  readonly name: string;
  readonly scope: Scope;
  readonly about: 'database' | 'account';
  readonly createsOwn: boolean;
  readonly ask: (database: string, key: string | null) => Promise<Answered>;
}

let server: TestServer;
let database: string;
beforeAll(async () => {
  server = await TestServer.start(exampleProviders());
  database = await server.database({ database_metadata_schema: [{ name: 'private_field' }] });
  await server.remember(database, [
    { id: 'known', text: 'the word is plover', metadata: { private_field: 'plover' } },
  ]);
  await server.remember(database, [{ id: 'corner', text: 'plover too' }], { collection: 'hidden-corner' });
  await server.upload(database, { 'plover.txt': 'plover in a file' });
  await server.remember(database, [{ id: 'restricted', text: 'Annas starling plover', acl: ['ann'] }]);
  await server.remember(database, [{ id: 'nobodys', text: 'nobodys starling plover', acl: [] }]);
  await server.idle();
  await logExampleQuery(server, database);
  await registerExampleWebhook(server);
  await connectExample(server, database);
  const foreign = '00000000-0000-7000-8000-000000000001';
  await server.sql(`update accounts set name = 'Accounts of Ann'`);
  await server.sql(`update api_keys set name = 'Keys of Ann'`);
  await server.sql(`insert into accounts (id, name, created_at) values ($1, 'foreign', now())`, [foreign]);
  const addKey = (prefix: string, values: string) =>
    server.sql(
      `insert into api_keys (prefix, account_id, secret_hash, name, scopes, databases, expires_at, revoked_at, principals, created_at)
       select '${prefix}', ${values}, created_at from api_keys where prefix = 'test'`,
    );
  await addKey('foreign', `'${foreign}', secret_hash, 'foreign', '{admin}', null, null, null, null`);
  await addKey('nothing', `account_id, secret_hash, 'nothing', '{}', null, null, null, null`);
  await addKey('reader', `account_id, secret_hash, 'reader', '{read}', null, null, null, null`);
  await addKey('writer', `account_id, secret_hash, 'writer', '{write}', null, null, null, null`);
  await addKey(
    'elsewhere',
    `account_id, secret_hash, 'elsewhere', '{admin}', '{elsewhere}', null, null, null`,
  );
  await addKey('expired', `account_id, secret_hash, 'expired', '{admin}', null, '2000-01-01', null, null`);
  await addKey('revoked', `account_id, secret_hash, 'revoked', '{admin}', null, null, '2000-01-01', null`);
  await addKey('bob', `account_id, secret_hash, 'bob', '{write}', null, null, null, '{bob}'`);
  await addKey('ann', `account_id, secret_hash, 'ann', '{write}', null, null, null, '{ann}'`);
});
afterAll(async () => server.stop());

/** Everything of our account, as one value: a refused call must not change it. */
async function ourState(): Promise<unknown> {
  return server.sql(
    `select (select jsonb_agg(to_jsonb(d) order by id) from databases d where d.account_id = a.id) as databases,
            (select jsonb_agg(to_jsonb(k) order by prefix) from api_keys k where k.account_id = a.id) as keys,
            (select jsonb_agg(to_jsonb(c) order by id) from collections c) as collections,
            (select jsonb_agg(to_jsonb(s) order by uid) from sources s) as sources,
            (select count(*)::int from feedback) as feedback,
            (select jsonb_agg(to_jsonb(c) order by id) from connectors c) as connectors,
            (select jsonb_agg(to_jsonb(r) order by resource_id) from connector_resources r) as resources,
            (select jsonb_agg(to_jsonb(s)) from connector_syncs s) as syncs,
            (select jsonb_agg(to_jsonb(w)) from webhooks w where w.account_id = a.id) as webhooks,
            (select jsonb_agg(to_jsonb(d) order by id) from webhook_deliveries d where d.account_id = a.id) as deliveries
       from accounts a where a.name = 'Accounts of Ann'`,
  );
}

function answered(status: number, body: any): Answered {
  const stable = JSON.parse(JSON.stringify(body), (key: string, value: unknown) =>
    ['meta', 'requestId', 'queryId', 'query_id'].includes(key) ? undefined : value,
  ) as unknown;
  const code = body?.errors?.[0]?.extensions?.code ?? body?.error?.code;
  return { status, code, body: stable, text: JSON.stringify(body) };
}

function operationOf(kind: string, field: GraphQLField<unknown, unknown>): string {
  const declared = field.args.map((argument) => `$${argument.name}: ${String(argument.type)}`).join(', ');
  const passed = field.args.map((argument) => `${argument.name}: $${argument.name}`).join(', ');
  const [head, call] = declared ? [`(${declared})`, `(${passed})`] : ['', ''];
  return `${kind} ${head} { ${field.name}${call} ${selectAll(field.type)} }`;
}

const restCases = routesOf(ENDPOINTS).map((route): Case => ({
  name: `${route.method} ${route.path}`,
  scope: scopeOfRoute(route),
  about: route.scope === 'none' && !route.path.startsWith('/connectors/{id}') ? 'account' : 'database',
  createsOwn: createsItsOwn.has(route.operation),
  ask: async (name, key) => {
    const { status, body } = await callRoute(server, route, {
      parameters: EXAMPLES[route.operation]?.(name) ?? {},
      key,
    });
    return answered(status, body);
  },
}));
const graphqlCases = Object.entries(roots).flatMap(([kind, root]) =>
  Object.values(root?.getFields() ?? {}).flatMap((field): Case[] => {
    const known = FIELDS[field.name];
    if (!known) return [];
    return [
      {
        name: `${kind} ${field.name}`,
        scope: known.scope,
        about: known.about,
        createsOwn: createsItsOwn.has(field.name),
        ask: async (name, key) => {
          const json = { query: operationOf(kind, field), variables: known.variables(name) };
          const { status, body } = await server.rest('POST', '/graphql', { json, key });
          return answered(body?.errors?.[0]?.extensions?.httpStatus ?? status, body);
        },
      },
    ];
  }),
);
const socketCases = subscriptions.flatMap((field): Case[] => {
  const known = FIELDS[field];
  if (!known) return [];
  return [
    {
      name: `subscription ${field}`,
      scope: known.scope,
      about: known.about,
      createsOwn: false,
      ask: async (name, key) => {
        const client = createClient({
          url: `${server.url.replace('http', 'ws')}/graphql`,
          webSocketImpl: WebSocket,
          retryAttempts: 0,
          connectionParams: key === null ? {} : { authorization: `Bearer ${key}` },
        });
        try {
          const given = Object.entries(known.variables(name)).map(
            ([key, value]) => `${key}: "${String(value)}"`,
          );
          const query = `subscription { ${field}(${given.join(', ')}) { __typename } }`;
          const { value } = await client.iterate({ query }).next();
          return answered(value.errors[0].extensions.httpStatus, value);
        } catch (error) {
          const refused = (error as { code?: number }).code === 4403;
          return answered(refused ? 401 : 500, { error: { code: refused ? 'UNAUTHORIZED' : String(error) } });
        } finally {
          await client.dispose();
        }
      },
    },
  ];
});
const cases = [...restCases, ...graphqlCases, ...socketCases].map((each) => [each.name, each] as const);

test('the matrix covers every endpoint and every root field', () => {
  const fields = [...Object.values(roots), schema.getSubscriptionType()].flatMap((root) =>
    Object.keys(root?.getFields() ?? {}),
  );
  expect(Object.keys(FIELDS).sort()).toEqual(fields.sort());
  const operations = new Set(ENDPOINTS.map((endpoint) => endpoint.operation));
  expect(Object.keys(EXAMPLES).sort()).toEqual([...operations].sort());
});

test('each of them finds the secrets, or the database, with the right key', async () => {
  const told = await Promise.all(
    [
      'GET /databases/collections',
      'GET /databases/{database}/metadata-schema',
      'query search',
      'query viewer',
      'query apiKeys',
    ].map(async (name) => (await cases.find(([each]) => each === name)?.[1].ask(database, adminKey))?.text),
  );
  for (const secret of secrets) expect(told.join()).toContain(secret);
});

describe.each(cases)('%s', (name, { scope, about, createsOwn, ask }) => {
  test('tells and does nothing without a valid key', async () => {
    const before = await ourState();
    for (const key of [
      null,
      'nonsense',
      'test.wrong-secret-of-some-length',
      keyOf('expired'),
      keyOf('revoked'),
    ]) {
      const answer = await ask(database, key);
      expect([answer.status, answer.code]).toEqual([401, 'UNAUTHORIZED']);
    }
    expect(await ourState()).toEqual(before);
  });

  test('tells and does nothing for a key without the scope', async () => {
    const before = await ourState();
    const weaker = {
      read: ['nothing'],
      write: ['nothing', 'reader'],
      admin: ['nothing', 'reader', 'writer'],
    };
    for (const prefix of weaker[scope]) {
      const answer = await ask(database, keyOf(prefix));
      expect([prefix, answer.status, answer.code]).toEqual([prefix, 403, 'FORBIDDEN']);
    }
    expect(await ourState()).toEqual(before);
  });

  test.each(['foreign', 'elsewhere'])('tells and does nothing for the key %s', async (prefix) => {
    const before = await ourState();
    const answer = await ask(database, keyOf(prefix));
    for (const secret of secrets.filter((each) => !(prefix === 'elsewhere' && each.startsWith('Accounts'))))
      expect(answer.text).not.toContain(secret);
    if (about === 'database' && !(createsOwn && prefix === 'foreign')) {
      const unknown = await ask('no-such-database', keyOf(prefix));
      expect(answer.status).toBe(404);
      const renamed = JSON.stringify(answer.body).replaceAll(database, 'no-such-database');
      expect(renamed).toBe(JSON.stringify(unknown.body));
    }
    const after = (await ourState()) as { keys: { name: string }[] }[];
    // A limited admin key may make keys of its own account, as limited as itself.
    const made = after[0]?.keys.filter(({ name }) => name === 'by matrix') ?? [];
    expect(made).toHaveLength(prefix === 'elsewhere' && name.endsWith(' createApiKey') ? 1 : 0);
    for (const key of made) expect(key).toMatchObject({ databases: ['elsewhere'] });
    await server.sql(`delete from api_keys where name = 'by matrix'`);
    await server.sql(
      `delete from databases where account_id = (select account_id from api_keys where prefix = 'foreign')`,
    );
    expect(await ourState()).toEqual(before);
  });
});

// What changes something has been asked above; here it would do what the key may.
const reads = cases.filter(([name, { scope }]) => scope === 'read' && !name.startsWith('subscription'));

test.each(reads)(
  '%s tells another principal nothing of an item that it may not read',
  async (name, { ask }) => {
    const [bob, ann] = [await ask(database, keyOf('bob')), await ask(database, keyOf('ann'))];
    if (refusesPrincipals(name)) return void expect([bob.code, ann.code]).toEqual(['FORBIDDEN', 'FORBIDDEN']);
    for (const { status } of [bob, ann]) expect([200, 201]).toContain(status);
    for (const { text } of [bob, ann]) expect(text).not.toContain('nobodys');
    expect(bob.text).not.toContain('starling');
    if (/ (search|memories|memory|sources)$|context\/list$/.test(name))
      expect(ann.text).toContain('starling');
  },
);
