import type { Endpoint } from '../../rest-compat/endpoints.js';
import { credentialsContext } from '../../src/connectors/management/connector-rows.js';
import { openSecretBox } from '../../src/lib/secret-box.js';
import { ScriptedAccount, scriptedProvider } from './connectors/scripted-provider.js';
import type { Answer, CallOptions, TestServer } from './server.js';

export const exampleRequestId = '01890a5d-ac96-774b-bcce-b302099a8057';

/** Parameters of a call that is answered with success, by operation; every endpoint has its line. */
export const EXAMPLES: Readonly<Record<string, (database: string) => Record<string, unknown>>> = {
  'create-database': (database) => ({ database }),
  'list-databases': () => ({}),
  'delete-database': (database) => ({ database }),
  'database-status': (database) => ({ database }),
  'database-stats': (database) => ({ database }),
  'list-collections': (database) => ({ database }),
  'delete-collection': (database) => ({ database, collection: 'example' }),
  'metadata-schema': (database) => ({ database }),
  'add-metadata-fields': (database) => ({ database, add_fields: [{ name: 'example' }] }),
  ingest: (database) => ({ database, type: 'memory', memories: [{ id: 'example', text: 'an example' }] }),
  'indexing-status': (database) => ({ database, ids: ['known'], type: 'memory' }),
  'update-source-metadata': (database) => ({
    database,
    collection: 'default',
    id: 'known',
    type: 'memory',
    additional_metadata: { note: 'an example' },
  }),
  'list-sources': (database) => ({ database, ids: ['known', 'restricted'], type: 'memory' }),
  'delete-sources': (database) => ({ database, type: 'memory', ids: ['known'] }),
  'inspect-source': (database) => ({ database, type: 'memory', id: 'known' }),
  'source-chunks': (database) => ({ database, type: 'memory', id: 'known' }),
  'create-connector': (database) => ({ provider: 'scripted', database, credentials: exampleCredentials }),
  'list-connectors': () => ({ include: 'health' }),
  'connector-providers': () => ({}),
  connector: () => ({ id: exampleConnectorId }),
  'update-connector': () => ({ id: exampleConnectorId, name: 'renamed' }),
  'delete-connector': () => ({ id: exampleConnectorId }),
  'discover-resources': () => ({ id: exampleConnectorId }),
  'configure-connector': () => ({ id: exampleConnectorId, resources: [{ resource_id: 'general' }] }),
  'connector-resources': () => ({ id: exampleConnectorId }),
  'add-resource': () => ({ id: exampleConnectorId, resource_id: 'random' }),
  'update-resource': () => ({ id: exampleConnectorId, resource_id: 'plover', acl: ['ann'] }),
  'remove-resource': () => ({ id: exampleConnectorId, resource_id: 'plover' }),
  'connector-status': () => ({ id: exampleConnectorId }),
  'pause-connector': () => ({ id: exampleConnectorId }),
  'resume-connector': () => ({ id: exampleConnectorId }),
  'sync-connector': () => ({ id: exampleConnectorId }),
  'register-webhook': () => ({ url: 'https://8.8.8.8/events' }),
  webhook: () => ({}),
  'delete-webhook': () => ({}),
  'test-webhook': () => ({}),
  'set-signing-secret': () => ({}),
  'disable-signing': () => ({}),
  'list-deliveries': () => ({}),
  delivery: () => ({ delivery_id: exampleDeliveryId }),
  'retry-delivery': () => ({ delivery_id: exampleDeliveryId }),
  subgraph: (database) => ({ database, type: 'memory', id: 'known' }),
  relations: (database) => ({ database, type: 'memory', id: 'known' }),
  query: (database) => ({ database, query: 'what is known?', type: 'memory' }),
  'send-feedback': (database) => ({ database, request_id: exampleRequestId, feedback: 'as expected' }),
};

export const exampleDeliveryId = '01890a5d-ac96-774b-bcce-b302099a8058';

export const exampleConnectorId = '01890a5d-ac96-774b-bcce-b302099a8059';
const exampleCredentials = { secret: 'open sesame' };

/** What a server has to be started with whose examples are about connectors. */
export const exampleProviders = () => ({
  connectorProviders: [scriptedProvider(new ScriptedAccount('general', 'random', 'plover'))],
});

/** Connects an account with one resource, as if it had just been done: what the examples of connectors are about. */
export async function connectExample(
  server: TestServer,
  database: string,
  { paused = false }: { paused?: boolean } = {},
): Promise<void> {
  const box = openSecretBox([], server.dataDir);
  const sealed = box.seal(JSON.stringify(exampleCredentials), credentialsContext(exampleConnectorId));
  await server.sql('delete from connectors where id = $1', [exampleConnectorId]);
  await server.sql(
    `insert into connectors (id, account_id, database_id, provider, name, collection, provider_account_scope, auth_type,
       credentials, custom_instructions, sync_interval_seconds, paused_at, next_sync_at, created_at, updated_at)
     select $1, d.account_id, d.id, 'scripted', 'plover', 'default', '', 'api_token', $3, 'plover', 3600, $4, '2026-01-01',
            '2026-01-01', '2026-01-01'
       from databases d where d.name = $2`,
    [exampleConnectorId, database, sealed, paused ? new Date('2026-01-01T00:00:00Z') : null],
  );
  await server.sql(
    `insert into connector_resources (connector_id, resource_id, resource_type, display_name, status, filters, metadata,
       additional_metadata, sync_mode, backfill_oldest, created_at, updated_at)
     values ($1, 'plover', 'channel', 'plover', 'active', '{}', '{}', '{}', 'rescan', '2026-01-01', '2026-01-01', '2026-01-01')`,
    [exampleConnectorId],
  );
}

/** Registers a webhook, and a delivery that failed for good: what the examples of webhooks are about. */
export async function registerExampleWebhook(server: TestServer): Promise<void> {
  await server.sql(
    `insert into webhooks (account_id, url, event_types, statuses, registered_at, updated_at)
     select account_id, 'http://127.0.0.1:9/plover', '{indexing.status_changed}',
            '{queued,processing,graph_creation,completed,errored}', '2000-01-01', '2000-01-01'
       from api_keys where prefix = 'test'
     on conflict do nothing`,
  );
  await server.sql(
    `insert into webhook_deliveries (account_id, id, database_id, source_uid, sequence, corpus, collection, doc_id,
       indexing_status, item_error_code, item_error_message, status, attempts, next_attempt_at, queued_at, created_at, updated_at)
     select account_id, $1, 0, 0, 1, 'memory', 'default', 'plover', 'queued', '', '', 'permanently_failed', 8,
            '2026-01-01', '2026-01-01', '2026-01-01', '2026-01-01'
       from api_keys where prefix = 'test'
     on conflict (account_id, id) do update set status = excluded.status`,
    [exampleDeliveryId],
  );
}

/** Makes a query that the example of feedback can name. */
export async function logExampleQuery(server: TestServer, database: string): Promise<void> {
  await server.sql(
    `insert into queries (account_id, request_id, database_id, query, source_ids, asked_at)
     select account_id, $1, id, 'what is known?', '{known}', now() from databases where name = $2`,
    [exampleRequestId, database],
  );
}

/** The route of a table row: one of its paths. */
export type Route = Endpoint & { readonly canonical: string };

/** Each endpoint under each of its paths. */
export function routesOf(endpoints: readonly Endpoint[]): Route[] {
  return endpoints.flatMap((endpoint) =>
    [endpoint.path, ...endpoint.legacyPaths].map((path) => ({ ...endpoint, path, canonical: endpoint.path })),
  );
}

/** Calls a route with parameters: those of its path in the path, the rest in the body or the query string. */
export async function callRoute(
  server: TestServer,
  route: Endpoint,
  { parameters, ...options }: CallOptions & { parameters: Readonly<Record<string, unknown>> },
): Promise<Answer> {
  const rest = { ...parameters };
  const path = route.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = encodeURIComponent(String(rest[name]));
    delete rest[name];
    return value;
  });
  if (route.body !== 'none') return server.rest(route.method, path, { json: rest, ...options });
  const query = new URLSearchParams(
    Object.entries(rest).map(([name, value]): [string, string] => [name, String(value)]),
  );
  return server.rest(route.method, `${path}?${query.toString()}`, options);
}
