import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { harbourTalk } from '../support/harbour-talk.js';
import { watchVisits } from '../support/plan-visits.js';
import { TestServer } from '../support/server.js';
import { columnsOf } from '../support/table-columns.js';

// Items are accepted faster than they become visible: whoever counts rows meanwhile tells the planner that next to none
// are, which it believes until they are counted again. What asks for a few items must not read all visible ones then.

const imported = 10_000;

let server: TestServer;
let database: string;

beforeAll(async () => {
  server = await TestServer.start();
  database = await server.database();
  const json = { database, app_knowledge: harbourTalk(12) };
  expect((await server.rest('POST', '/context/ingest', { json })).status).toBe(202);
  await server.remember(database, [{ id: 'kelp', text: 'Zorin likes kelp' }]);
  await server.idle();
  const names = await columnsOf(server, 'sources', ['uid']);
  await server.sql(
    `insert into sources (${names.join()})
     select ${names.map((name) => (name === 'id' ? `'i' || n || s.id` : `s.${name}`)).join()}
       from sources s cross join generate_series(1, ${imported}) n where s.id in ('m0', 'kelp')`,
  );
  await server.sql('vacuum analyze');
  await server.sql('update sources set visible = false');
  await server.sql('analyze sources');
  await server.sql('update sources set visible = true');
});
afterAll(async () => server.stop());

const question = { query: 'Where did the builder of the harbour of Tromsund study engineering?' };

test.each<[string, Record<string, unknown>]>([
  ['a question', question],
  ['a question that thinks', { ...question, mode: 'thinking', graph_context: true }],
  ['words', { query: 'kelp', query_by: 'text' }],
  ['chunks beside', { query: 'kelp', num_related_chunks: 2 }],
  ['memories', { query: 'kelp', type: 'memory' }],
])('%s is answered without reading all items', async (_case, asked) => {
  const ask = () => server.rest('POST', '/query', { json: { database, ...asked } });
  const { answer, rows } = await watchVisits(server, /\bsources\b/, ask);
  expect(answer.status).toBe(200);
  expect(rows).toBeLessThan(imported);
});

test.each<[string, (name: string) => string]>([
  ['a subgraph', (name) => `/context/m5/subgraph?database=${name}&depth=3`],
  ['relations', (name) => `/context/relations?database=${name}&id=m1`],
  ['the chunks of an item', (name) => `/context/chunks?database=${name}&id=m1`],
])('so is %s', async (_case, path) => {
  const ask = () => server.rest('GET', path(database));
  const { answer, rows } = await watchVisits(server, /\bsources\b/, ask);
  expect(answer.status).toBe(200);
  expect(rows).toBeLessThan(imported);
});

const found = `entities(database: $database, name: "Zorin Wexford") { nodes { id } }`;
test.each([
  ['entities', () => found],
  [
    'neighbours',
    (id: string) => `neighbours(database: $database, entityId: "${id}") { nodes { entity { name } } }`,
  ],
  [
    'paths',
    (id: string, other: string) =>
      `entityPaths(database: $database, from: "${id}", to: "${other}") { paths { confidence } }`,
  ],
])('so are %s', async (_case, asks) => {
  const ids = await Promise.all(['Zorin Wexford', 'Vesperholm'].map(idOf));
  const ask = () =>
    server.graphql(`query ($database: String!) { ${asks(ids[0] ?? '', ids[1] ?? '')} }`, { database });
  const { answer, rows } = await watchVisits(server, /\bsources\b/, ask);
  expect(answer.body.errors).toBeUndefined();
  expect(rows).toBeLessThan(imported);
});

async function idOf(name: string): Promise<string> {
  const query = `query ($database: String!, $name: String) { entities(database: $database, name: $name) { nodes { id } } }`;
  const { body } = await server.graphql(query, { database, name });
  return body.data.entities.nodes[0].id;
}
