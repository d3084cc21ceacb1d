import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Graphs, suppliedGraph } from '../support/graphs.js';

// Paths between entities that have more neighbours than a search for paths reads.

const neighboursOfHub = 21_000;

let graphs: Graphs;
beforeAll(async () => {
  graphs = await Graphs.start();
  const item = (id: string, acl: string[]) => ({ id, content: { text: id }, acl });
  await graphs.items.store([item('open', ['public']), item('ann', ['ann']), item('bob', ['bob'])], {
    graph_payload: {
      open: suppliedGraph([
        ['Ash', 'knows', 'Cedar'],
        ['Ash', 'knows', 'Mid'],
        ['Mid', 'knows', 'Leaf'],
        ['Ash', 'is', 'Grey'],
        ['Birch', 'is', 'White'],
        ['Cedar', 'is', 'Red'],
      ]),
      ann: suppliedGraph([
        ['Birch', 'trusts', 'Ash'],
        ['Birch', 'trusts', 'Secret'],
        ['Secret', 'trusts', 'Cedar'],
      ]),
      bob: suppliedGraph([['Mid', 'met', 'Birch']]),
    },
  });
  await growHubs();
});
afterAll(async () => graphs.server.stop());

/** Copies what each tree is, each time with another neighbour, which has no name that anything else has. */
async function growHubs(): Promise<void> {
  const groups = `relation_groups_${await graphs.server.databaseId(graphs.database)}_knowledge`;
  await graphs.server.sql(
    `insert into ${groups} (database_id, collection_id, source_uid, position, stated_at, source_entity, target_entity, source, target, relations)
     select database_id, collection_id, source_uid, position - n * 10, stated_at, source_entity, gen_random_uuid(), source, target, relations
       from ${groups}, generate_series(1, $1::int) n where relations->0->>'predicate' = 'is'`,
    [neighboursOfHub],
  );
}

async function idsOf(...names: string[]): Promise<string[]> {
  return Promise.all(
    names.map(async (name) => {
      const query = `query ($database: String!, $name: String!) { entities(database: $database, name: $name) { nodes { id } } }`;
      const { body } = await graphs.server.graphql(query, { database: graphs.database, name });
      return body.data.entities.nodes[0].id;
    }),
  );
}

async function paths(from: string, to: string, more: Record<string, unknown> = {}): Promise<unknown> {
  const query = `query ($database: String!, $from: String!, $to: String!, $lengthMax: Int, $pathsMax: Int, $acl: [String!]) {
    entityPaths(database: $database, from: $from, to: $to, lengthMax: $lengthMax, pathsMax: $pathsMax, acl: $acl) {
      isTruncated paths { triplets { source { name } relation { canonicalPredicate } target { name } } } } }`;
  const [a, b] = await idsOf(from, to);
  const variables = { database: graphs.database, from: a, to: b, ...more };
  const { body } = await graphs.server.graphql(query, variables);
  expect(body.errors).toBeUndefined();
  const { paths: found, isTruncated } = body.data.entityPaths;
  const shown = ({ source, relation, target }: any) =>
    `${source.name} ${relation.canonicalPredicate} ${target.name}`;
  return { found: found.map(({ triplets }: any) => triplets.map(shown).join(', ')), isTruncated };
}

test('two hubs that are related are found to be', async () => {
  const expected = { found: ['Ash knows Cedar'], isTruncated: false };
  expect(await paths('Ash', 'Cedar')).toEqual(expected);
  expect(await paths('Cedar', 'Ash', { acl: ['nobody'] })).toEqual(expected);
});

test('two hubs are connected by a neighbour that both have', async () => {
  const asBob = { acl: ['bob'], lengthMax: 2 };
  expect(await paths('Ash', 'Birch', asBob)).toEqual({
    found: ['Ash knows Mid, Mid met Birch'],
    isTruncated: true,
  });
  expect(await paths('Ash', 'Birch', { ...asBob, pathsMax: 1 })).toMatchObject({ isTruncated: false });
  expect(await paths('Ash', 'Birch', { ...asBob, lengthMax: 1 })).toEqual({ found: [], isTruncated: false });
});

test('hubs are connected by nothing that may not be read', async () => {
  expect(await paths('Birch', 'Cedar', { acl: ['ann'], pathsMax: 2 })).toEqual({
    found: expect.arrayContaining([
      'Birch trusts Ash, Ash knows Cedar',
      'Birch trusts Secret, Secret trusts Cedar',
    ]),
    isTruncated: false,
  });
  expect(await paths('Birch', 'Ash', { acl: ['ann'] })).toMatchObject({ found: ['Birch trusts Ash'] });
  expect(await paths('Birch', 'Cedar', { acl: ['bob'] })).toEqual({ found: [], isTruncated: true });
  expect(await paths('Birch', 'Ash', { acl: ['nobody'] })).toEqual({ found: [], isTruncated: true });
});

test('a path leads to a hub from what has few neighbours, and through hubs', async () => {
  const found = ['Mid knows Leaf, Ash knows Mid, Ash knows Cedar'];
  expect(await paths('Leaf', 'Cedar')).toEqual({ found, isTruncated: false });
  expect(await paths('Cedar', 'Leaf')).toEqual({
    found: ['Ash knows Cedar, Ash knows Mid, Mid knows Leaf'],
    isTruncated: false,
  });
});
