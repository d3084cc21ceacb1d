import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Graphs, groupsOf, suppliedGraph, triplets } from '../support/graphs.js';

// What a page, a hop and a list of a graph hold at their very edges.

let graphs: Graphs;
beforeAll(async () => {
  graphs = await Graphs.start();
});
afterAll(async () => graphs.server.stop());

const at = (day: number) => ({ timestamp: `2026-01-0${day}T00:00:00Z` });
const note = (id: string, more: Record<string, unknown> = {}) => ({
  id,
  title: id,
  content: { text: id },
  ...more,
});
const message = (id: string, fields: Record<string, unknown>, more: Record<string, unknown> = {}) => ({
  ...{ id, title: id, kind: 'message', provider: 'slack' },
  fields: { body: 'hello', ...fields },
  ...more,
});

async function ask(query: string, variables: Record<string, unknown> = {}): Promise<any> {
  const { body } = await graphs.server.graphql(query, { database: graphs.database, ...variables });
  expect(body.errors).toBeUndefined();
  return body.data;
}

describe('a page of relations', () => {
  const collection = 'pages';
  beforeAll(async () => {
    const items = [message('older', { author: 'Bob' }, at(1)), message('newer', { author: 'Ann' }, at(2))];
    const said = (id: string) =>
      suppliedGraph([
        [id, 'says', 'one'],
        [id, 'says', 'two'],
      ]);
    const graph_payload = { older: said('older'), newer: said('newer') };
    await graphs.items.store(items, { collection, graph_payload });
  });

  test('of a collection has the links of its own period alone', async () => {
    const { auxiliary_relations: links } = await graphs.relations({ collection, limit: 1 });
    expect(triplets(links)).toEqual(['newer sent_by Ann']);
  });

  test('of an item has its links where it is the first', async () => {
    const first = await graphs.relations({ collection, id: 'newer', limit: 1 });
    const cursor = first.next_cursor;
    const second = await graphs.relations({ collection, id: 'newer', limit: 1, cursor });
    expect([first, second].map((page) => triplets(page.auxiliary_relations))).toEqual([
      ['newer sent_by Ann'],
      [],
    ]);
    expect(second.relations).toHaveLength(1);
  });

  test('begins below its cursor, whatever number that is', async () => {
    const { next_cursor: cursor } = await graphs.relations({ collection, limit: 1 });
    const below = async (from: number) =>
      (await graphs.relations({ collection, cursor: from })).relations.length;
    expect([await below(cursor), await below(cursor + 0.5), await below(0)]).toEqual([3, 4, 0]);
  });

  test('has 500 groups in GraphQL unless asked otherwise', async () => {
    const ends = Array.from({ length: 23 }, (_, n) => n);
    const triples = ends.flatMap((a) => ends.map((b) => [`a${a}`, 'is', `b${b}`] as const));
    await graphs.store({ many: { graph: suppliedGraph(triples) } }, { collection: 'many' });
    const { relations } = await ask(
      'query ($database: String!) { relations(database: $database, collection: "many") { isTruncated relations { chunkId } } }',
    );
    expect([relations.relations.length, relations.isTruncated]).toEqual([500, true]);
  });
});

describe('a link', () => {
  test('by the id of an application to what may not be read does not tell its title', async () => {
    const place = { collection: 'hidden' };
    const relations = [{ target: { provider: 'slack', external_id: 'S-1' } }];
    await graphs.items.store(
      [
        note('from', { relations, acl: ['public'] }),
        message('secret', {}, { external_id: 'S-1', title: 'Merger plan', acl: ['ann'] }),
      ],
      place,
    );
    const told = async (acl: string) => {
      const pages = [
        await graphs.relations({ ...place, acl }),
        await graphs.relations({ ...place, id: 'from', acl }),
      ];
      return pages.map(({ auxiliary_relations: links }) => triplets(links));
    };
    expect(await told('ann')).toEqual([['from relates_to Merger plan'], ['from relates_to Merger plan']]);
    expect(await told('bob')).toEqual([['from relates_to S-1'], ['from relates_to S-1']]);
  });

  test('of a thread leads to the earliest member that may be read', async () => {
    const place = { collection: 'hidden-thread' };
    const member = (id: string, day: number, acl: string[]) =>
      message(id, { thread_id: 'T' }, { ...at(day), acl });
    await graphs.items.store(
      [member('first', 1, ['ann']), member('second', 2, ['public']), member('third', 3, ['public'])],
      place,
    );
    const told = async (acl: string) => {
      const { auxiliary_relations: links } = await graphs.relations({ ...place, acl });
      const { relations } = await graphs.subgraph('third', { ...place, acl });
      return [triplets(links).sort(), triplets(relations).sort()];
    };
    const all = ['second same_thread first', 'third same_thread first'];
    expect(await told('ann')).toEqual([all, all]);
    expect(await told('bob')).toEqual([['third same_thread second'], ['third same_thread second']]);
  });

  test('of members of a thread that were written at one moment leads to the one that was stored first', async () => {
    const place = { collection: 'one-moment' };
    for (const id of ['zeta', 'alpha', 'mid'])
      await graphs.items.store(message(id, { thread_id: 'T' }, at(1)), place);
    const expected = ['alpha same_thread zeta', 'mid same_thread zeta'];
    const { auxiliary_relations: links } = await graphs.relations(place);
    expect(triplets(links).sort()).toEqual(expected);
    expect(triplets((await graphs.subgraph('mid', place)).relations).sort()).toEqual(expected);
  });

  test('by a name that two items bear leads to the earlier one', async () => {
    const place = { collection: 'bearers' };
    const bearer = (id: string, day: number) => message(id, {}, { ...at(day), external_id: 'S-1' });
    const relations = [{ target: { provider: 'slack', external_id: 'S-1' } }];
    await graphs.items.store([bearer('late', 3), bearer('early', 1), note('from', { relations })], place);
    expect(triplets((await graphs.relations(place)).auxiliary_relations)).toEqual(['from relates_to early']);
  });

  test('by a name to what is left out of a subgraph is no stub, and one to itself no relation', async () => {
    const place = { collection: 'left-out' };
    const named = (id: string) => ({ target: { provider: 'slack', external_id: id } });
    const relations = [{ target: { id: 'hub' } }, ...['close', 'left', 'missing'].map(named)];
    await graphs.items.store(
      [note('hub', { relations }), message('close', {}, at(1)), message('left', {}, at(2))],
      place,
    );
    const clipped = await graphs.subgraph('hub', { ...place, max_sources: 2 });
    const [, second] = clipped.sources.map(({ source_id: id }: any) => id);
    expect(triplets(clipped.relations)).toEqual([`hub relates_to ${second}`, 'hub relates_to missing']);
  });
});

test('a comment is the child of what it comments on', async () => {
  const place = { collection: 'comments' };
  await graphs.items.store(
    [
      { ...note('page'), kind: 'knowledge_base', provider: 'notion', fields: { body: 'page' } },
      { ...note('remark'), kind: 'comment', provider: 'notion', fields: { body: 'ok', parent_id: 'page' } },
    ],
    place,
  );
  const found = async (id: string) =>
    (await graphs.subgraph(id, place)).sources.map((each: any) => each.discovered_relation).at(-1);
  expect([await found('page'), await found('remark')]).toEqual(['child', 'parent']);
});

test('a subgraph that shows all people is not said to be clipped', async () => {
  const place = { collection: 'crowd' };
  const mentions = Array.from({ length: 999 }, (_, n) => `person ${n}`);
  const shown = async (more: Record<string, unknown>) => {
    await graphs.items.store(message('busy', { mentions, author: 'one', ...more }), place);
    const { auxiliary_relations: groups, auxiliary_truncated: truncated } = await graphs.subgraph(
      'busy',
      place,
    );
    return [groupsOf(groups).length, truncated];
  };
  expect(await shown({})).toEqual([1000, false]);
  expect(await shown({ mentions: [...mentions, 'another'] })).toEqual([1000, true]);
});

test('lists of several collections, corpora and databases show the relations of each in one answer', async () => {
  const { server, database } = graphs;
  const collection = 'lists';
  const other = await server.database();
  const graphOf = (id: string) => ({ graph_payload: { [id]: suppliedGraph([[id, 'is', 'listed']]) } });
  await graphs.items.store(note('item'), { collection, ...graphOf('item') });
  await graphs.items.store(note('beside'), { collection: 'lists-2', ...graphOf('beside') });
  await graphs.items.store(note('abroad'), { database: other, collection, ...graphOf('abroad') });
  await server.remember(database, [{ id: 'memory', text: 'memory' }], { collection, ...graphOf('memory') });
  const shown = 'nodes { relations { source { name } } }';
  const data = await ask(
    `query ($database: String!, $other: String!) {
      a: sources(database: $database, collection: "lists") { ${shown} }
      b: sources(database: $database, collection: "lists-2") { ${shown} }
      c: sources(database: $other, collection: "lists") { ${shown} }
      d: memories(database: $database, collection: "lists") { ${shown} } }`,
    { other },
  );
  const names = Object.values<any>(data).map(({ nodes: [{ relations }] }) =>
    relations.map(({ source }: any) => source.name),
  );
  expect(names).toEqual([['item'], ['beside'], ['abroad'], ['memory']]);
});

describe('an entity', () => {
  const collection = 'people';
  const idOf = async (name: string) => {
    const query = `query ($database: String!, $collection: String, $name: String) {
      entities(database: $database, collection: $collection, name: $name) { nodes { id } } }`;
    return (await ask(query, { collection, name })).entities.nodes[0].id as string;
  };
  beforeAll(async () => {
    const said: [string, string, string][][] = [
      ...Array.from({ length: 6 }, (_, n): [string, string, string][] => [['Ada', `knew_${n}`, 'Bo']]),
      [['Bo', 'knows', 'Ada']],
      [['Ada', 'met', 'Cy']],
      [['Ada', 'met', 'Eve']],
      ...Array.from({ length: 15 }, (): [string, string, string][] => [["Cy O'Neil", 'met', 'Dee']]),
    ];
    const ids = said.map((_, n) => `n${n}`);
    await graphs.items.store(
      ids.map((id, n) => note(id, { timestamp: new Date(Date.UTC(2026, 0, 1 + n)).toISOString() })),
      {
        collection,
        graph_payload: Object.fromEntries(ids.map((id, n) => [id, suppliedGraph(said[n] ?? [])])),
      },
    );
  });

  test('has the neighbour with most relations first, page by page, with the newest five', async () => {
    const query = `query ($database: String!, $collection: String, $entityId: String!) {
      neighbours(database: $database, collection: $collection, entityId: $entityId, first: 1) {
        totalCount nodes { groupCount entity { name } groups { relations { canonicalPredicate } } } } }`;
    // Ids are read in capitals too.
    const { neighbours } = await ask(query, { collection, entityId: (await idOf('Ada')).toUpperCase() });
    const [{ entity, groupCount, groups }] = neighbours.nodes;
    expect([neighbours.totalCount, entity.name, groupCount]).toEqual([3, 'Bo', 7]);
    expect(groups.map(({ relations: [relation] }: any) => relation.canonicalPredicate)).toEqual([
      'knows',
      ...[5, 4, 3, 2].map((n) => `knew_${n}`),
    ]);
  });

  test('is reached by the newest relation of each step; what is no id is reached by none', async () => {
    const query = `query ($database: String!, $collection: String, $from: String!, $to: String!) {
      entityPaths(database: $database, collection: $collection, from: $from, to: $to) {
        paths { triplets { source { name } relation { canonicalPredicate } target { name } } } } }`;
    const [from, to] = [await idOf('Bo'), await idOf('Cy')];
    const { paths } = (await ask(query, { collection, from, to })).entityPaths;
    expect(
      paths.map(({ triplets: steps }: any) =>
        steps.map(({ source, relation, target }: any) =>
          [source.name, relation.canonicalPredicate, target.name].join(' '),
        ),
      ),
    ).toEqual([['Bo knows Ada', 'Ada met Cy']]);
    expect((await ask(query, { collection, from, to: 'Cy' })).entityPaths.paths).toEqual([]);
  });

  test('counts on each page, behind a cursor too, and is found by a name with an apostrophe', async () => {
    const query = `query ($database: String!, $collection: String, $name: String, $after: String) {
      entities(database: $database, collection: $collection, name: $name, first: 1, after: $after) {
        totalCount nodes { name sourceCount sourceIds } pageInfo { endCursor } } }`;
    const first = (await ask(query, { collection, name: 'cy' })).entities;
    const second = (await ask(query, { collection, name: 'cy', after: first.pageInfo.endCursor })).entities;
    expect([first, second].map(({ totalCount, nodes: [node] }) => [totalCount, node.name])).toEqual([
      [2, 'Cy'],
      [2, "Cy O'Neil"],
    ]);
    const { nodes } = (await ask(query, { collection, name: "o'neil" })).entities;
    expect(nodes.map(({ name, sourceCount }: any) => [name, sourceCount])).toEqual([["Cy O'Neil", 15]]);
  });
});
