import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { askedWhile, statementsOf } from '../support/asked-statements.js';
import { Graphs, suppliedGraph, triplets } from '../support/graphs.js';

// A graph is seen exactly as long as its item is: in relations, in subgraphs and in lists.

let graphs: Graphs;
beforeAll(async () => {
  graphs = await Graphs.start();
});
afterAll(async () => graphs.server.stop());

const seed = { id: 'seed', title: 'seed', content: { text: 'seed' }, acl: ['public'] };
const neighbour = (text: string, more: Record<string, unknown> = {}) => ({
  id: 'doc',
  title: 'doc',
  content: { text },
  relations: { ids: ['seed'] },
  acl: ['public'],
  ...more,
});

async function store(collection: string): Promise<void> {
  await graphs.items.store([seed, neighbour('Old text')], {
    collection,
    graph_payload: { doc: suppliedGraph([['Old', 'says', 'this']]) },
  });
}

/** What readers are told of the neighbour. */
async function shown(collection: string, acl: Record<string, string> = {}): Promise<unknown> {
  const { relations, auxiliary_relations: auxiliary } = await graphs.relations({ collection, ...acl });
  const { sources } = await graphs.subgraph('seed', { collection, ...acl });
  const list = await graphs.get('/context/list', { collection, include_fields: 'relations', ...acl });
  return {
    relations: triplets(relations),
    links: triplets(auxiliary),
    members: sources.map(({ source_id: id }: any) => id),
    listed: list.sources.flatMap((source: any) => triplets(source.relations)),
  };
}

const whole = (said: string) => ({
  relations: [said],
  links: ['doc relates_to seed'],
  members: ['seed', 'doc'],
  listed: [said],
});
const nothing = { relations: [], links: [], members: ['seed'], listed: [] };

test('until it is deleted', async () => {
  await store('deleted');
  expect(await shown('deleted')).toEqual(whole('Old says this'));
  const { database, server } = graphs;
  await server.rest('DELETE', '/context', { json: { database, collection: 'deleted', ids: ['doc'] } });
  expect(await shown('deleted')).toEqual(nothing);
  await server.idle();
  const left = await Promise.all(
    ['relation_groups', 'item_links', 'entity_mentions'].map(async (table) => {
      const id = await server.databaseId(database);
      return server.sql(
        `select 1 from ${table}_${id}_knowledge g join collections c on c.id = g.collection_id where c.name = 'deleted' and not exists (
           select from sources s where s.uid = g.source_uid and s.visible)`,
      );
    }),
  );
  expect(left.flat()).toEqual([]);
});

test('until it is replaced, and the new one only when it is searchable', async () => {
  await store('replaced');
  await graphs.items.send([neighbour('New text', { relations: { ids: ['nowhere'] } })], {
    collection: 'replaced',
    graph_payload: { doc: suppliedGraph([['New', 'says', 'that']]) },
  });
  expect(await shown('replaced')).toEqual(whole('Old says this'));
  await graphs.server.idle();
  expect(await shown('replaced')).toEqual({
    relations: ['New says that'],
    links: ['doc relates_to nowhere'],
    members: ['seed'],
    listed: ['New says that'],
  });
});

test.each([
  ['the lanes have searched', (sql: string) => sql.includes('"hasRelations"')],
  ['its text is read', (sql: string) => /from relation_groups/.test(sql) && !sql.includes('"hasRelations"')],
])(
  'also by a question that it is replaced for after %s: the answer is of the new one',
  async (moment, isThen) => {
    const collection = `asked when ${moment}`;
    await store(collection);
    const json = { database: graphs.database, collection, query: 'text' };
    let answer: any;
    let isReplaced = false;
    await askedWhile(
      graphs.server,
      async () => (answer = await graphs.server.rest('POST', '/query', { json })),
      async (sql) => {
        if (isReplaced || !isThen(sql)) return;
        isReplaced = true;
        await graphs.items.store([neighbour('New text')], {
          collection,
          graph_payload: { doc: suppliedGraph([['New', 'says', 'that']]) },
        });
      },
    );
    const { chunks, graph_context: context } = answer.body.data;
    expect(isReplaced).toBe(true);
    expect(chunks[0].chunk_content).toBe('New text');
    expect(triplets(context.chunk_relations)).toContain('New says that');
    expect(triplets(context.chunk_relations)).not.toContain('Old says this');
  },
);

test('by whom its access list allows, from the moment in which it changes', async () => {
  await store('access');
  const { database, server } = graphs;
  const edit = (acl: string[]) =>
    server.rest('PATCH', '/context/doc/metadata', { json: { database, collection: 'access', acl } });
  const asBob = { acl: 'bob' };
  expect(await shown('access', asBob)).toEqual(whole('Old says this'));
  await edit(['ann']);
  expect(await shown('access', asBob)).toEqual(nothing);
  expect(await shown('access', { acl: 'ann' })).toEqual(whole('Old says this'));
  await edit([]);
  // Listed for whoever may write, without what it says.
  expect(await shown('access')).toEqual(nothing);
  await edit(['bob']);
  expect(await shown('access', asBob)).toEqual(whole('Old says this'));
});

test('a link by the id of an application to what a reader may not read looks like one to what is not there', async () => {
  const place = { collection: 'hidden-target' };
  const linked = (id: string, externalId: string) => ({
    id,
    content: { text: id },
    relations: [{ target: { provider: 'jira', external_id: externalId } }],
    acl: ['public'],
  });
  await graphs.items.store(
    [
      linked('to-hidden', 'J-1'),
      linked('to-nothing', 'J-2'),
      { id: 'ticket', provider: 'jira', external_id: 'J-1', content: { text: 'a ticket' }, acl: ['ann'] },
    ],
    place,
  );
  const ends = async (id: string, acl: string) => {
    const { sources, relations } = await graphs.subgraph(id, { ...place, acl });
    return [sources.length, ...relations.map(({ target }: any) => [target.entity_id, target.hydration])];
  };
  expect(await ends('to-nothing', 'bob')).toEqual([1, ['jira:J-2', 'stub']]);
  expect(await ends('to-hidden', 'bob')).toEqual([1, ['jira:J-1', 'stub']]);
  expect(await ends('to-hidden', 'ann')).toEqual([2, ['ticket', 'resolved']]);
});

test('a link by id does not show the title of what a reader may not read', async () => {
  const place = { collection: 'hidden-title' };
  await graphs.items.store(
    [
      { id: 'from', content: { text: 'from' }, relations: { ids: ['secret'] }, acl: ['public'] },
      { id: 'secret', title: 'Merger plan', content: { text: 'secret' }, acl: ['ann'] },
    ],
    place,
  );
  const target = async (acl: string) => {
    const { auxiliary_relations: links } = await graphs.relations({ ...place, id: 'from', acl });
    return links.map(({ target: { name, entity_id, hydration } }: any) => [name, entity_id, hydration]);
  };
  expect(await target('ann')).toEqual([['Merger plan', 'secret', 'resolved']]);
  expect(await target('bob')).toEqual([['secret', 'secret', 'stub']]);
});

test('until its time is over', async () => {
  const { database, server } = graphs;
  const place = { collection: 'expired', type: 'memory' };
  await server.rest('POST', '/context/ingest', {
    json: {
      database,
      ...place,
      memories: [
        { id: 'seed', text: 'seed' },
        { id: 'doc', text: 'doc', expiry_time: 60, relations: { ids: ['seed'] } },
      ],
      graph_payload: { doc: suppliedGraph([['Soon', 'is', 'over']]) },
    },
  });
  await server.idle();
  const members = async () =>
    (await graphs.subgraph('seed', place)).sources.map(({ source_id: id }: any) => id);
  expect(triplets((await graphs.relations(place)).relations)).toEqual(['Soon is over']);
  expect(await members()).toEqual(['seed', 'doc']);
  server.clock.advance(61);
  expect(await graphs.relations(place)).toMatchObject({ relations: [], auxiliary_relations: [] });
  expect(await members()).toEqual(['seed']);
});

test('until its collection is deleted', async () => {
  await store('dropped');
  const { database, server } = graphs;
  await server.rest('DELETE', '/databases/collections', { json: { database, collection: 'dropped' } });
  expect(await graphs.relations({ collection: 'dropped' })).toMatchObject({
    relations: [],
    auxiliary_relations: [],
  });
  expect((await graphs.subgraph('seed', { collection: 'dropped' })).sources).toEqual([]);
});

test('a list shows relations where they are asked for, in seconds, at most 50 groups an item', async () => {
  const collection = 'listed';
  const many = Array.from({ length: 60 }, (_, n) => [`s${n}`, 'is', `t${n}`] as const);
  await graphs.items.store([{ ...seed, timestamp: '2026-01-02T03:04:05.678Z' }, neighbour('text')], {
    collection,
    graph_payload: { seed: suppliedGraph(many), doc: suppliedGraph([['A', 'is', 'B']]) },
  });
  const list = await graphs.get('/context/list', { collection, include_fields: 'relations,title' });
  const [doc, listedSeed] = list.sources.sort((a: any, b: any) => (a.id < b.id ? -1 : 1));
  expect([doc.relations.length, listedSeed.relations.length]).toEqual([1, 50]);
  const [{ source, target, relations, chunk_id: chunkId }] = listedSeed.relations;
  expect([source.name, target.name, chunkId]).toEqual(['s0', 't0', null]);
  expect(relations[0]).toMatchObject({
    timestamp: Date.parse('2026-01-02T03:04:05.678Z') / 1000,
    canonical_predicate: 'is',
    source_entity_id: source.entity_id,
  });
  const plain = await graphs.get('/context/list', { collection });
  expect(plain.sources[0]).not.toHaveProperty('relations');
});

test('GraphQL finds the relations of a whole list in one statement', async () => {
  const collection = 'one-statement';
  await graphs.items.store(
    Array.from({ length: 20 }, (_, n) => ({ id: `i${n}`, content: { text: 'text' } })),
    {
      collection,
      graph_payload: Object.fromEntries(
        Array.from({ length: 20 }, (_, n) => [`i${n}`, suppliedGraph([[`s${n}`, 'is', 'listed']])]),
      ),
    },
  );
  const ask = `query ($database: String!) { sources(database: $database, collection: "${collection}") {
    nodes { id relations { source { name } relations { timestamp epochSeconds } } } } }`;
  let body: any;
  const asked = await statementsOf(graphs.server, async () => {
    ({ body } = await graphs.server.graphql(ask, { database: graphs.database }));
  });
  expect(body.errors).toBeUndefined();
  const names = body.data.sources.nodes.map(({ id, relations: [group] }: any) => [id, group.source.name]);
  expect(names.sort()).toEqual(Array.from({ length: 20 }, (_, n) => [`i${n}`, `s${n}`]).sort());
  expect(asked.filter((sql) => sql.includes('relation_groups_'))).toHaveLength(1);
});

test('items that were searchable before there was a graph get theirs', async () => {
  await store('older');
  const { database, server } = graphs;
  const id = await server.databaseId(database);
  const before = await shown('older');
  // As the migration finds them.
  for (const table of ['relation_groups', 'item_links', 'entity_mentions'])
    await server.sql(`delete from ${table}_${id}_knowledge`);
  expect(await shown('older')).toEqual(nothing);
  await server.sql(`update sources set indexing_status = 'graph_creation' where latest and visible`);
  await server.idle();
  expect(await shown('older')).toEqual(before);
  const { body } = await graphs.ask('/context/status', { collection: 'older', ids: 'doc' });
  expect(body.data.statuses[0].indexing_status).toBe('completed');
});
