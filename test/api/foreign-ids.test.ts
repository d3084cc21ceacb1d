import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { GraphQLObjectType, GraphQLOutputType } from 'graphql';
import { ENDPOINTS } from '../../rest-compat/endpoints.js';
import { executableSchema } from '../../src/api/schema.js';
import { statementsOf } from '../support/asked-statements.js';
import { addOtherAccount, otherKey } from '../support/other-account.js';
import {
  EXAMPLES,
  callRoute,
  connectExample,
  exampleConnectorId,
  exampleDeliveryId,
  exampleProviders,
  registerExampleWebhook,
} from '../support/requests.js';
import { selectAll } from '../support/selection.js';
import { TestServer, adminKey } from '../support/server.js';

// An id is no key: where somebody may not read what it names, it is answered as one that never was, by the same
// statements.

type Kind = 'item' | 'memory' | 'chunk' | 'entity' | 'query' | 'connector' | 'delivery';
type Ids = Readonly<Record<Kind, string>>;

/** Ids of nothing. */
const neverMade = '01890a5d-ac96-774b-bcce-b302099a8999';
const unknown: Ids = {
  ...{ item: 'item-of-nobody', memory: 'memory-of-nobody' },
  ...{ chunk: neverMade, entity: neverMade, query: neverMade, connector: neverMade, delivery: neverMade },
};

let server: TestServer;
let here: string;
let there: string;
/** What may not be read, by where it is. */
const hidden: Record<'database' | 'collection' | 'acl', Ids> = {
  ...{ database: unknown, collection: unknown, acl: unknown },
};
const keyOf = (prefix: string) => `${prefix}.${adminKey.split('.')[1]}`;

beforeAll(async () => {
  server = await TestServer.start(exampleProviders());
  await addOtherAccount(server);
  here = await server.database();
  there = await server.database();
  const addKey = (prefix: string, values: string) =>
    server.sql(
      `insert into api_keys (prefix, account_id, secret_hash, name, scopes, databases, principals, created_at)
       select '${prefix}', account_id, secret_hash, '${prefix}', '{admin}', ${values}, created_at
         from api_keys where prefix = 'test'`,
    );
  await addKey('limited', `'{${here}}', null`);
  await addKey('bob', `null, '{bob}'`);
  hidden.database = await fill(there);
  hidden.collection = await fill(here, { collection: 'corner' });
  hidden.acl = await fill(here, { acl: ['ann'] });
  await connectExample(server, there);
  await registerExampleWebhook(server);
});
afterAll(async () => server.stop());

/** Stores an app item and a memory in a place, and answers the ids of all that comes of it. */
async function fill(database: string, place: { collection?: string; acl?: string[] } = {}): Promise<Ids> {
  const named = Object.values(place).join('-') || 'there';
  const [item, memory] = [`item-${named}`, `memory-${named}`];
  const graph = {
    entities: { a: { name: 'Plover' }, b: { name: 'Dotterel' } },
    relations: [{ source: 'a', predicate: 'meets', target: 'b' }],
  };
  const fields = { thread_id: 'of plovers', body: 'Plover meets Dotterel at the shore' };
  const message = {
    id: item,
    kind: 'message',
    provider: 'birds',
    external_id: named,
    title: 'Plover',
    fields,
  };
  const app_knowledge = [message];
  await server.rest('POST', '/context/ingest', {
    json: { database, app_knowledge, graph_payload: { [item]: graph }, ...place },
  });
  const memories = [{ id: memory, text: 'Plovers stand on one leg' }];
  await server.remember(database, memories, { graph_payload: { [memory]: graph }, ...place });
  const within = { database, ...(place.collection ? { collection: place.collection } : {}) };
  const { body: asked } = await server.rest('POST', '/query', { json: { ...within, query: 'plover' } });
  const query = new URLSearchParams({ ...within, id: item }).toString();
  const { body: relations } = await server.rest('GET', `/context/relations?${query}`);
  return {
    item,
    memory,
    query: asked.meta.request_id,
    connector: exampleConnectorId,
    delivery: exampleDeliveryId,
    chunk: asked.data.chunks.find(({ id }: any) => id === item).chunk_uuid,
    entity: relations.data.relations[0].relations[0].source_entity_id,
  };
}

/** A way to ask for an id. */
interface Way {
  readonly kind: Kind;
  readonly name: string;
  readonly ask: (id: string, key: string) => Promise<{ status: number; body: any }>;
}

const get = (path: string, parameters: Record<string, string>, key: string) =>
  server.rest('GET', `${path}?${new URLSearchParams({ database: here, ...parameters }).toString()}`, { key });
const read = (kind: Kind, path: string, parameters: (id: string) => Record<string, string>): Way => ({
  kind,
  name: `GET ${path} ${Object.keys(parameters('')).join()}`,
  ask: (id, key) => get(path, parameters(id), key),
});
const write = (kind: Kind, route: string, json: (id: string) => Record<string, unknown>): Way => {
  const [method = '', path = ''] = route.split(' ');
  const ask = (id: string, key: string) =>
    server.rest(method, path.replace('{id}', encodeURIComponent(id)), { json: json(id), key });
  return { kind, name: `${route} ${Object.keys(json('')).join()}`, ask };
};
const schema = await executableSchema();
/** A root field with its arguments, of which everything is selected. */
const graphql = (kind: Kind, name: string, given: string, root: 'Query' | 'Mutation' = 'Query'): Way => {
  const field = schema.getType(root) as GraphQLObjectType;
  const selected = selectAll(field.getFields()[name]?.type as GraphQLOutputType);
  const ask = (id: string, key: string) => {
    const written = given.replaceAll('$id', `"${id}"`).replaceAll('$db', `database: "${here}"`);
    return server.graphql(`${root.toLowerCase()} { ${name}(${written}) ${selected} }`, {}, key);
  };
  return { kind, name: `${name}(${given.replaceAll('$id', kind)})`, ask };
};

const itemWays = (['item', 'memory'] as const).flatMap((kind): Way[] => {
  const type = kind === 'item' ? 'knowledge' : 'memory';
  return [
    read(kind, '/context/status', (ids) => ({ ids })),
    read(kind, '/context/status', (ids) => ({ ids, type })),
    read(kind, '/context/list', (ids) => ({ ids, type })),
    read(kind, '/context/inspect', (id) => ({ id })),
    read(kind, '/context/inspect', (id) => ({ id, mode: 'both', type })),
    read(kind, '/context/chunks', (id) => ({ id })),
    read(kind, '/context/chunks', (id) => ({ id, type })),
    read(kind, '/context/relations', (id) => ({ id, type })),
    read(kind, '/context/subgraph', (id) => ({ id, type })),
    write(kind, 'POST /query', (id) => ({ database: here, query: 'plover', ids: [id], type })),
    write(kind, 'DELETE /context', (id) => ({ database: here, ids: [id], type })),
    write(kind, 'PATCH /context/{id}/metadata', () => ({
      ...{ database: here, collection: 'default', type },
      additional_metadata: { note: 'taken over' },
    })),
    graphql(kind, 'indexingStatus', '$db, ids: [$id]'),
    graphql(kind, kind === 'item' ? 'source' : 'memory', '$db, id: $id'),
    graphql(kind, kind === 'item' ? 'sources' : 'memories', '$db, ids: [$id]'),
    ...['sourceContent', 'chunks', 'relations', 'subgraph'].map((field) =>
      graphql(kind, field, `$db, id: $id, type: ${type}`),
    ),
    ...['sourceContent', 'chunks', 'relations'].map((field) => graphql(kind, field, '$db, id: $id')),
    graphql(kind, 'search', `$db, query: "plover", ids: [$id], type: ${type}`),
    graphql(kind, 'deleteSources', `$db, ids: [$id], type: ${type}`, 'Mutation'),
  ];
});
const WAYS: readonly Way[] = [
  ...itemWays,
  read('chunk', '/context/chunks', (chunk_ids) => ({ chunk_ids })),
  graphql('chunk', 'chunks', '$db, chunkIds: [$id]'),
  graphql('entity', 'entities', '$db, ids: [$id]'),
  graphql('entity', 'neighbours', '$db, entityId: $id'),
  graphql('entity', 'entityPaths', '$db, from: $id, to: $id'),
  graphql('entity', 'entityPaths', `$db, from: "${neverMade.replace('999', '998')}", to: $id`),
];
const QUERIES: readonly Way[] = [
  write('query', 'POST /feedback', (request_id) => ({ request_id, feedback: 'x' })),
  write('query', 'POST /feedback', (request_id) => ({ request_id, feedback: 'x', database: here })),
  graphql('query', 'sendFeedback', 'input: { requestId: $id, feedback: "x" }', 'Mutation'),
];
const OF_ACCOUNTS: readonly Way[] = ENDPOINTS.flatMap((endpoint) => {
  const kind = endpoint.path.startsWith('/connectors/{id}') ? 'connector' : 'delivery';
  if (kind === 'delivery' && !endpoint.path.includes('{delivery_id}')) return [];
  const name = kind === 'connector' ? 'id' : 'delivery_id';
  const ask = (id: string, key: string) =>
    callRoute(server, endpoint, { parameters: { ...EXAMPLES[endpoint.operation]?.(here), [name]: id }, key });
  return [{ kind, name: `${endpoint.method} ${endpoint.path}`, ask }];
});

/** The answer without what differs from call to call, and without the id that was asked for. */
function comparable({ status, body }: { status: number; body: any }, id: string): unknown {
  const passing = ['meta', 'requestId', 'queryId', 'query_id', 'explain'];
  const stable = JSON.stringify(body, (key, value: unknown) => (passing.includes(key) ? undefined : value));
  return [status, stable.replaceAll(id, '<id>')];
}

async function tellsNothing({ kind, ask }: Way, ids: Ids, key: string): Promise<void> {
  const once = async (id: string) => {
    let answer: unknown;
    const asked = await statementsOf(server, async () => {
      answer = comparable(await ask(id, key), id);
    });
    // Lanes search in parallel, and queries are logged later.
    const statements = asked.filter((sql) => !sql.startsWith('insert into queries')).sort();
    // That an id is taken is known to those who may write: they cannot ingest under it.
    return { answer, statements: /for update/.test(asked.join()) ? 'a change' : statements };
  };
  // What a server remembers of a place is asked for once.
  await once(unknown[kind]);
  expect(await once(ids[kind])).toEqual(await once(unknown[kind]));
}

const stored = () =>
  server.sql(
    `select (select jsonb_agg(to_jsonb(s) order by uid) from sources s) as sources,
            (select count(*)::int from feedback) as feedback,
            (select jsonb_agg(to_jsonb(c)) from connectors c) as connectors,
            (select jsonb_agg(to_jsonb(d)) from webhook_deliveries d) as deliveries`,
  );

const named = (ways: readonly Way[]) => ways.map((way) => [way.name, way] as const);
const reads = WAYS.filter(({ name }) => !/DELETE|PATCH|deleteSources|entityPaths/.test(name));

test.each(named(reads))('%s is answered where it may be read', async (_name, { kind, ask }) => {
  const [shown, missing] = [hidden.acl[kind], unknown[kind]];
  const answer = comparable(await ask(shown, adminKey), shown);
  expect(answer).not.toEqual(comparable(await ask(missing, adminKey), missing));
});

describe.each(named(WAYS))('%s', (_name, way) => {
  test.each([
    ['another database', 'database', 'limited'],
    ['another collection', 'collection', 'limited'],
    ['what another may read', 'acl', 'bob'],
  ] as const)('tells nothing of %s', async (_place, where, prefix) => {
    const before = await stored();
    await tellsNothing(way, hidden[where], keyOf(prefix));
    expect(await stored()).toEqual(before);
  });
});

test.each(named([...QUERIES, ...OF_ACCOUNTS]))('%s tells nothing of another', async (_name, way) => {
  const before = await stored();
  for (const key of [keyOf('limited'), otherKey]) await tellsNothing(way, hidden.database, key);
  expect(await stored()).toEqual(before);
});
