import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { GraphQLSchema } from 'graphql';
import pg from 'pg';
import { executableSchema } from '../../src/api/schema.js';
import { ScriptedAccount, scriptedProvider } from '../support/connectors/scripted-provider.js';
import { selectAll } from '../support/selection.js';
import { TestServer } from '../support/server.js';
import { allStatuses, webhookPath } from '../support/webhook-account.js';

// Every list of the schema, with everything that its rows show: 12 rows cost the statements of one.
const manyRows = 12;

/** Arguments of fields that answer as many rows as they say. */
const rowArguments = ['first', 'limit', 'maxResults', 'ids'];

let statements = 0;
const client = pg.Client.prototype as unknown as { query: (...parameters: unknown[]) => unknown };
const { query } = client;
client.query = function count(this: unknown, ...parameters) {
  statements += 1;
  return query.apply(this, parameters);
};

let chunkIds: string[];
let hub: string;
let connectorId: string;
let server: TestServer;
let schema: GraphQLSchema;
let database: string;
const ids = Array.from({ length: manyRows }, (_, n) => `item-${n}`);
beforeAll(async () => {
  schema = await executableSchema();
  const account = new ScriptedAccount(...ids);
  server = await TestServer.start({ connectorProviders: [scriptedProvider(account)] });
  database = await server.database();
  // Facts contradict one another, so that superseded ones are looked up as well.
  await server.remember(
    database,
    ids.map((id, n) => ({ id, text: `I prefer tea number ${n}. I live in town${n}.`, infer: true })),
  );
  const files = Object.fromEntries(ids.map((id) => [`${id}.md`, `tea ${id}`]));
  await server.upload(database, files, { document_metadata: JSON.stringify(ids.map((id) => ({ id }))) });
  for (const id of ids.slice(1)) {
    await server.rest('POST', '/databases', { json: { database: `db-${id}` } });
    await server.graphql(`mutation { createApiKey(input: { name: "${id}", scopes: [read] }) { key } }`);
    await server.rest('POST', '/context/ingest', {
      json: { database, collection: id, type: 'memory', memories: [{ text: 'tea' }] },
    });
  }
  const towns = Object.fromEntries(ids.map((id) => [id, { name: `town ${id}` }]));
  const relations = ids.map((id) => ({ source: 'hub', target: id, predicate: 'trades with' }));
  const graph_payload = { graphed: { entities: { hub: { name: 'Rotterdam' }, ...towns }, relations } };
  await server.remember(database, [{ id: 'graphed', text: 'harbours' }], { graph_payload });
  const credentials = { secret: account.secret };
  for (const name of ids)
    await server.rest('POST', '/connectors', { json: { provider: 'scripted', database, name, credentials } });
  const connected = await server.rest('GET', '/connectors');
  connectorId = connected.body.connectors[0].connector_id;
  await server.idle();
  const { body } = await server.graphql(`{ entities(database: "${database}", type: memory, name: "Rotterdam")
    { nodes { id } } }`);
  hub = body.data.entities.nodes[0].id;
  const databaseId = await server.databaseId(database);
  const chunks = await server.sql<{ id: string }>(
    `select c.chunk_uuid as id from chunks_${databaseId}_memory c join sources s on s.uid = c.source_uid
       join collections k on k.id = s.collection_id and k.name = 'default'`,
  );
  chunkIds = chunks.map(({ id }) => JSON.stringify(id));
  const json = { url: 'https://receiver.example/hook', statuses: allStatuses };
  expect((await server.rest('POST', webhookPath, { json })).status).toBe(201);
  // Deliveries that nobody sends: one for each.
  const memories = ids.map((id) => ({ id: `told-${id}`, text: 'coffee' }));
  await server.rest('POST', '/context/ingest', { json: { database, type: 'memory', memories } });
});
afterAll(async () => {
  client.query = query;
  await server.stop();
});

/** Arguments that make a list of so many rows; every field of Query that answers a list has its line. */
const LISTS: Readonly<Record<string, (rows: number) => string>> = {
  apiKeys: (rows) => `first: ${rows}`,
  chunks: (rows) => `database: "${database}", type: memory, chunkIds: [${chunkIds.slice(0, rows).join()}]`,
  collections: (rows) => `database: "${database}", first: ${rows}`,
  connectors: (rows) => `first: ${rows}, include: [health]`,
  databases: (rows) => `first: ${rows}`,
  discoverConnectorResources: (rows) => `id: "${connectorId}", limit: ${rows}`,
  entities: (rows) => `database: "${database}", type: memory, name: "town", first: ${rows}`,
  indexingStatus: (rows) => `database: "${database}", ids: ${JSON.stringify(ids.slice(0, rows))}`,
  memories: (rows) => `database: "${database}", first: ${rows}`,
  neighbours: (rows) => `database: "${database}", type: memory, entityId: "${hub}", first: ${rows}`,
  relations: (rows) => `database: "${database}", type: memory, id: "graphed", limit: ${rows}`,
  search: (rows) => `database: "${database}", query: "tea", type: all, maxResults: ${rows}`,
  sources: (rows) => `database: "${database}", type: memory, first: ${rows}`,
  webhookDeliveries: (rows) => `first: ${rows}`,
};

const fields = () => Object.values(schema.getQueryType()?.getFields() ?? {});

/** Asks for a list with everything in it; how many rows came, and what they cost. */
async function cost(name: string, rows: number): Promise<{ rows: number; statements: number }> {
  const field = fields().find((each) => each.name === name);
  if (!field) throw new Error(`there is no field ${name}`);
  const document = `{ ${name}(${LISTS[name]?.(rows)}) ${selectAll(field.type)} }`;
  const before = statements;
  const answer = await server.graphql(document);
  const taken = statements - before;
  expect(answer.body.errors).toBeUndefined();
  const list = answer.body.data[name];
  return {
    rows: (list.nodes ?? list.chunks ?? list.statuses ?? list.relations ?? list.resources).length,
    statements: taken,
  };
}

/** Statements of the cheapest of three: what jobs ask for meanwhile is counted too, and only ever adds. */
async function leastCost(name: string, rows: number): Promise<number> {
  const costs = [await cost(name, rows), await cost(name, rows), await cost(name, rows)];
  expect(costs.map((each) => each.rows)).toEqual([rows, rows, rows]);
  return Math.min(...costs.map((each) => each.statements));
}

test('every list of the schema has its line', () => {
  const lists = fields().filter(({ args }) => args.some((argument) => rowArguments.includes(argument.name)));
  expect(lists.map(({ name }) => name).sort()).toEqual(Object.keys(LISTS).sort());
});

test.each(Object.keys(LISTS))('%s: many rows cost the statements of one', async (name) => {
  // What is read once and kept is read before.
  await cost(name, 1);
  const one = await leastCost(name, 1);
  const many = await leastCost(name, manyRows);
  expect(one).toBeGreaterThan(0);
  // A search may look once more when it wants many.
  expect(many).toBeLessThanOrEqual(one + 1);
});
