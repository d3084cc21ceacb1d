import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { ScriptedAccount, scriptedProvider } from '../support/connectors/scripted-provider.js';
import { TestServer } from '../support/server.js';
import { allStatuses, webhookPath } from '../support/webhook-account.js';

// A page behind a cursor begins behind its row, whatever came or went before it meanwhile.

let server: TestServer;
let database: string;
const account = new ScriptedAccount('a');
beforeAll(async () => {
  server = await TestServer.start({ connectorProviders: [scriptedProvider(account)] });
  database = await server.database();
});
afterAll(async () => server.stop());

async function ask(query: string, variables: Record<string, unknown> = {}): Promise<any> {
  const { body } = await server.graphql(query, variables);
  expect(body.errors).toBeUndefined();
  return body.data;
}

/** A list with what names its rows, and how one comes and goes. */
interface Paged {
  readonly name: string;
  readonly scope?: () => string;
  readonly node: string;
  /** Makes a row; answers what names it in the list. */
  readonly make: (name: string) => Promise<string>;
  readonly remove: (named: string) => Promise<unknown>;
  /** Names of rows to make first, and of those that then come before them in the list. */
  readonly rows: readonly string[];
  readonly earlier: readonly string[];
}

const write = async (collection: string) =>
  ask('mutation ($input: IngestInput!) { ingest(input: $input) { success } }', {
    input: { database, collection, type: 'memory', memories: [{ text: 'tea' }] },
  });

const LISTS: readonly Paged[] = [
  {
    name: 'databases',
    node: 'database',
    make: async (name) => {
      await server.graphql(`mutation { createDatabase(input: {database: "${name}"}) { status } }`);
      return name;
    },
    remove: async (name) => ask(`mutation { deleteDatabase(database: "${name}") { status } }`),
    rows: ['b', 'c', 'd', 'e'],
    earlier: ['a1', 'a2', 'a3'],
  },
  {
    name: 'collections',
    scope: () => `database: "${database}", `,
    node: 'collection',
    make: async (name) => write(name).then(() => name),
    remove: async (name) =>
      ask(`mutation { deleteCollection(database: "${database}", collection: "${name}") { status } }`),
    rows: ['b', 'c', 'd', 'e'],
    earlier: ['a1', 'a2', 'a3'],
  },
  {
    name: 'connectors',
    node: 'connectorId',
    make: async (name) => {
      const query =
        'mutation ($input: CreateConnectorInput!) { createConnector(input: $input) { connectorId } }';
      const credentials = { secret: account.secret };
      const made = await ask(query, { input: { provider: 'scripted', database, name, credentials } });
      return made.createConnector.connectorId as string;
    },
    remove: async (id) => ask(`mutation { deleteConnector(id: "${id}") { deleted } }`),
    rows: ['b', 'c', 'd', 'e'],
    // The oldest come first: none comes before them.
    earlier: [],
  },
  {
    name: 'apiKeys',
    node: 'prefix',
    make: async (name) => {
      const made = await ask(
        `mutation { createApiKey(input: {name: "${name}", scopes: [read]}) { apiKey { prefix } } }`,
      );
      return made.createApiKey.apiKey.prefix as string;
    },
    remove: async () => undefined,
    rows: ['b', 'c', 'd', 'e'],
    earlier: ['f', 'g', 'h'],
  },
];

async function page(
  { name, scope, node }: Paged,
  after?: string,
): Promise<{ ids: string[]; endCursor: string; hasNextPage: boolean; total: number }> {
  const behind = after === undefined ? '' : `, after: "${after}"`;
  const selected = `nodes { ${node} } totalCount pageInfo { hasNextPage endCursor }`;
  const data = await ask(`{ ${name}(${scope?.() ?? ''}first: 2${behind}) { ${selected} } }`);
  const { nodes, totalCount, pageInfo } = data[name];
  return { ids: nodes.map((each: any) => each[node]), total: totalCount, ...pageInfo };
}

describe.each(LISTS)('$name', (list) => {
  test('goes on behind a row, though others came before it and it has gone itself', async () => {
    for (const name of list.rows) await list.make(name);
    const first = await page(list);
    expect(first).toMatchObject({ hasNextPage: true });
    const expected = (await page(list, first.endCursor)).ids;
    for (const name of list.earlier) await list.make(name);
    const added = list.earlier.length;
    const gone = list.name === 'apiKeys' ? [] : first.ids;
    for (const id of gone) await list.remove(id);
    const next = await page(list, first.endCursor);
    expect(next.ids).toEqual(expected);
    expect(next.total).toBe(first.total + added - gone.length);
    expect(await allOf(list)).toHaveLength(next.total);
  });

  test('refuses the cursor of another list, and one that is made up', async () => {
    const { endCursor } = await page(list);
    const others = LISTS.filter((other) => other !== list);
    for (const other of others) await refused(other, endCursor);
    const [name] = JSON.parse(Buffer.from(endCursor, 'base64url').toString('utf8')) as [string];
    for (const values of [
      [name, 1],
      [name, -1, 'b'],
      [name, 1, 'b\0'],
      [name, 1, 'b', 'c', 'd'],
      [name, 1, ['b'], 'c'],
      [name, 1, '9'.repeat(20), 'not-an-id\0'],
    ])
      await refused(list, Buffer.from(JSON.stringify(values)).toString('base64url'));
    await refused(list, '');
    await refused(list, 'MTA');
  });
});

async function allOf(list: Paged): Promise<string[]> {
  const ids: string[] = [];
  for (let after: string | undefined, more = true; more;) {
    const found = await page(list, after);
    ids.push(...found.ids);
    [after, more] = [found.endCursor, found.hasNextPage];
  }
  expect(new Set(ids).size).toBe(ids.length);
  return ids;
}

async function refused({ name, scope, node }: Paged, after: string): Promise<void> {
  const { body } = await server.graphql(
    `query ($after: String) { ${name}(${scope?.() ?? ''}after: $after) { nodes { ${node} } } }`,
    { after },
  );
  expect([after, body.errors?.[0]]).toMatchObject([
    after,
    { message: 'after is not a cursor that this list returned', extensions: { code: 'INVALID_INPUT' } },
  ]);
}

test('a key that is limited to databases pages through those of its list', async () => {
  const names = ['k1', 'k2', 'k3', 'k4'];
  for (const name of names)
    await server.graphql(`mutation { createDatabase(input: {database: "${name}"}) { status } }`);
  const made = await ask(
    'mutation { createApiKey(input: {name: "k", scopes: [read], databases: ["k1", "k2", "k4"]}) { key } }',
  );
  const { key } = made.createApiKey;
  const first = await server.graphql('{ databases(first: 2) { names pageInfo { endCursor } } }', {}, key);
  const { endCursor } = first.body.data.databases.pageInfo;
  const next = await server.graphql(
    `{ databases(after: "${endCursor}") { names totalCount pageInfo { hasNextPage } } }`,
    {},
    key,
  );
  expect(next.body.data.databases).toEqual({
    names: ['k4'],
    totalCount: 3,
    pageInfo: { hasNextPage: false },
  });
});

test('neighbours of before 1970 go on behind one', async () => {
  const names = ['Ada', 'Bea', 'Cy'];
  const graph = {
    entities: Object.fromEntries(['Hub', ...names].map((name) => [name, { name }])),
    relations: names.map((target) => ({ source: 'Hub', predicate: 'knew', target })),
  };
  const memory = { id: 'old', text: 'long ago', observation_date: '1950-01-01' };
  await server.remember(database, [memory], { graph_payload: { old: graph } });
  const scope = `database: "${database}", type: memory`;
  const { entities } = await ask(`{ entities(${scope}, name: "Hub") { nodes { id } } }`);
  const page = async (after: string) => {
    const list = `neighbours(${scope}, entityId: "${entities.nodes[0].id}", first: 2${after})`;
    return (await ask(`{ ${list} { nodes { entity { name } } pageInfo { endCursor } } }`)).neighbours;
  };
  const first = await page('');
  const second = await page(`, after: "${first.pageInfo.endCursor}"`);
  expect([first, second].map(({ nodes }) => nodes.map(({ entity }: any) => entity.name))).toEqual([
    ['Ada', 'Bea'],
    ['Cy'],
  ]);
});

test('deliveries go on behind one, and take no cursor of another list', async () => {
  const json = { url: 'https://receiver.example/hook', statuses: allStatuses };
  expect((await server.rest('POST', webhookPath, { json })).status).toBe(201);
  for (const name of ['one', 'two', 'three']) await write(name);
  const list = async (after?: string) =>
    server.rest('GET', `${webhookPath}/deliveries?limit=1${after === undefined ? '' : `&cursor=${after}`}`);
  const first = await list();
  const second = await list(first.body.data.next_cursor);
  await write('four');
  const again = await list(first.body.data.next_cursor);
  expect(again.body.data.deliveries).toEqual(second.body.data.deliveries);
  const { databases } = await ask('{ databases(first: 1) { pageInfo { endCursor } } }');
  for (const cursor of [databases.pageInfo.endCursor, 'AZ-_'.repeat(6)]) {
    const answer = await list(cursor);
    expect([answer.status, answer.body.error.message]).toEqual([
      400,
      'cursor is not a cursor that this list returned',
    ]);
  }
});
