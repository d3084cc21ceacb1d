import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Graphs, triplets } from '../support/graphs.js';

let graphs: Graphs;
beforeAll(async () => {
  graphs = await Graphs.start();
});
afterAll(async () => graphs.server.stop());

const message = (n: number, fields: Record<string, unknown> = {}, more: Record<string, unknown> = {}) => ({
  id: `m${n}`,
  kind: 'message',
  provider: 'slack',
  external_id: `x${n}`,
  title: `message ${n}`,
  timestamp: new Date(n * 60_000).toISOString(),
  fields: { body: `words ${n}`, ...fields },
  ...more,
});
const shownIds = ({ sources }: any) => sources.map(({ source_id: id }: any) => id);
const discovered = ({ sources }: any) =>
  sources.slice(1).map((each: any) => [each.source_id, each.discovered_via, each.discovered_relation]);

describe('a subgraph', () => {
  const collection = 'shape';
  beforeAll(async () => {
    await graphs.items.store(
      [
        message(1, { thread_id: 't', author: 'Ann <ann@example.com>' }),
        message(2, { thread_id: 't', parent_id: 'x1' }),
        message(3, {}, { relations: [{ predicate: 'References', target: { id: 'm2' } }] }),
        { id: 'alone', content: { text: 'nothing links here' } },
      ],
      { collection },
    );
  });

  test('has the documented shape', async () => {
    const answer = await graphs.ask('/context/m1/subgraph', { collection });
    expect(answer.body.meta).toMatchObject({ collection, source_type: 'knowledge' });
    const { relations, auxiliary_relations: auxiliary, ...rest } = answer.body.data;
    const member = (n: number) => ({
      source_id: `m${n}`,
      title: `message ${n}`,
      app_kind: 'message',
      app_provider: 'slack',
      app_external_id: `x${n}`,
      hydration: 'resolved',
    });
    expect(rest).toEqual({
      seed_source_id: 'm1',
      sources: [
        { ...member(1), thread_id: 't', depth: 0 },
        { ...member(2), thread_id: 't', depth: 1, discovered_via: 'm1', discovered_relation: 'child' },
        { ...member(3), depth: 2, discovered_via: 'm2', discovered_relation: 'references' },
      ],
      auxiliary_truncated: false,
      is_truncated: false,
      max_depth_reached: 2,
      success: true,
      message: '3 connected items',
    });
    expect(triplets(relations).sort()).toEqual([
      'message 1 parent_of message 2',
      'message 2 child_of message 1',
      'message 2 same_thread message 1',
      'message 3 references message 2',
    ]);
    expect(relations[0]).toMatchObject({
      source: { type: 'SOURCE', namespace: 'sources', entity_id: 'm2', hydration: 'resolved' },
      chunk_id: '',
      truncated: false,
    });
    expect(triplets(auxiliary)).toEqual(['message 1 sent_by Ann']);
    expect(auxiliary[0].relations[0]).toMatchObject({ context: '', chunk_id: '' });
  });

  test('is named from either end: the parent of a child, the child of a parent', async () => {
    expect(discovered(await graphs.subgraph('m2', { collection, depth: 1 }))).toEqual([
      ['m1', 'm2', 'parent'],
      ['m3', 'm2', 'references'],
    ]);
    const part = { relations: [{ predicate: 'parent_of', target: { id: 'part' } }] };
    await graphs.items.store(
      [
        { id: 'whole', content: { text: 'whole' }, ...part },
        { id: 'part', content: { text: 'part' } },
      ],
      { collection: 'parts' },
    );
    expect(discovered(await graphs.subgraph('whole', { collection: 'parts' }))).toEqual([
      ['part', 'whole', 'child'],
    ]);
    expect(discovered(await graphs.subgraph('part', { collection: 'parts' }))).toEqual([
      ['whole', 'part', 'parent'],
    ]);
  });

  test('of an item that nothing links to is that item; of an unknown one it is empty', async () => {
    const alone = await graphs.subgraph('alone', { collection });
    expect([shownIds(alone), alone.max_depth_reached, alone.is_truncated]).toEqual([['alone'], 0, false]);
    for (const place of [{ collection }, { collection: 'never-written' }, { collection, type: 'memory' }]) {
      expect(await graphs.subgraph('unknown', place)).toMatchObject({
        seed_source_id: 'unknown',
        sources: [],
        relations: [],
        max_depth_reached: 0,
        is_truncated: false,
        success: true,
      });
    }
  });

  test('goes no further than the depth, and no wider than asked for', async () => {
    const near = await graphs.subgraph('m1', { collection, depth: 1 });
    expect([shownIds(near), near.is_truncated, near.max_depth_reached]).toEqual([['m1', 'm2'], false, 1]);
    const narrow = await graphs.subgraph('m1', { collection, max_sources: 2 });
    expect([shownIds(narrow), narrow.is_truncated]).toEqual([['m1', 'm2'], true]);
    const exact = await graphs.subgraph('m1', { collection, max_sources: 3 });
    expect([shownIds(exact), exact.is_truncated]).toEqual([['m1', 'm2', 'm3'], false]);
  });

  test('is five hops deep unless asked otherwise', async () => {
    const chain = Array.from({ length: 8 }, (_, n) => message(n, n === 0 ? {} : { parent_id: `x${n - 1}` }));
    await graphs.items.store(chain, { collection: 'chain' });
    const usual = await graphs.subgraph('m0', { collection: 'chain' });
    expect(shownIds(usual)).toEqual(['m0', 'm1', 'm2', 'm3', 'm4', 'm5']);
    expect([usual.max_depth_reached, usual.is_truncated]).toEqual([5, false]);
    expect(shownIds(await graphs.subgraph('m0', { collection: 'chain', depth: 10 }))).toHaveLength(8);
  });

  test.each([
    ['depth', '0'],
    ['depth', '11'],
    ['max_sources', '0'],
    ['max_sources', '1001'],
    ['depth', 'deep'],
    ['id', ''],
  ])('%s=%s is 400', async (name, value) => {
    const { status, body } = await graphs.ask('/context/subgraph', { id: 'm1', [name]: value });
    expect([status, body.error.code]).toEqual([400, 'INVALID_INPUT']);
    expect(body.error.message).toContain(name);
  });

  test('without a database or an id is 400, of an unknown database 404', async () => {
    for (const path of ['/context/subgraph?id=m1', `/context/subgraph?database=${graphs.database}`]) {
      const { status, body } = await graphs.server.rest('GET', path);
      expect([status, body.error.code]).toEqual([400, 'INVALID_INPUT']);
    }
    const { status, body } = await graphs.ask('/context/m1/subgraph', { database: 'nowhere' });
    expect([status, body.error.code]).toEqual([404, 'DATABASE_NOT_FOUND']);
  });

  test.each(['a/b c', '50%', '100%25/é?#', '日本語 ünïcode'])(
    'of %s is asked for by query or encoded',
    async (id) => {
      await graphs.items.store(
        { id, content: { text: 'slashed' }, relations: { ids: ['m1'] } },
        { collection: 'slash' },
      );
      expect(shownIds(await graphs.subgraph(id, { collection: 'slash' }))).toEqual([id]);
      const path = `/context/${encodeURIComponent(id)}/subgraph`;
      expect(shownIds(await graphs.get(path, { collection: 'slash' }))).toEqual([id]);
    },
  );
});

test('a link to what is not there yet is a stub that resolves when it arrives, by id or by the id of an application', async () => {
  const place = { collection: 'stubs' };
  const relations = [
    { target: { id: 'late' } },
    { predicate: 'blocks', target: { provider: 'Jira', external_id: 'J-1' } },
  ];
  await graphs.items.store({ id: 'early', title: 'early', content: { text: 'early' }, relations }, place);
  const before = await graphs.subgraph('early', place);
  expect(shownIds(before)).toEqual(['early']);
  expect(before.relations.map(({ target }: any) => [target.entity_id, target.hydration])).toEqual([
    ['jira:J-1', 'stub'],
    ['late', 'stub'],
  ]);
  await graphs.items.store(
    [
      { id: 'late', content: { text: 'late' } },
      { id: 'ticket', provider: 'jira', external_id: 'J-1', content: { text: 'a ticket' } },
    ],
    place,
  );
  const after = await graphs.subgraph('early', place);
  expect(discovered(after)).toEqual([
    ['late', 'early', 'relates_to'],
    ['ticket', 'early', 'blocks'],
  ]);
  expect(new Set(after.relations.map(({ target }: any) => target.hydration))).toEqual(new Set(['resolved']));
  expect(shownIds(await graphs.subgraph('ticket', place))).toEqual(['ticket', 'early', 'late']);
});

test('a link to what is left out is neither shown nor taken for a stub', async () => {
  const place = { collection: 'left-out' };
  const targets = ['close', 'left', 'right', 'missing'].map((id) => ({ target: { id } }));
  await graphs.items.store(
    [
      { id: 'hub', content: { text: 'hub' }, relations: targets },
      ...['close', 'left', 'right'].map((id) => ({ id, content: { text: id } })),
    ],
    place,
  );
  const clipped = await graphs.subgraph('hub', { ...place, max_sources: 2 });
  expect([shownIds(clipped), clipped.is_truncated]).toEqual([['hub', 'close'], true]);
  const ends = clipped.relations.map(({ target }: any) => [target.entity_id, target.hydration]);
  expect(ends).toEqual([
    ['close', 'resolved'],
    ['missing', 'stub'],
  ]);
});

test('a hop goes on from its last members where the first ones reach nothing', async () => {
  const place = { collection: 'late-reach' };
  const ids = (name: string, count: number) => Array.from({ length: count }, (_, n) => `${name}${n}`);
  const item = (id: string, linked: readonly string[] = []) => ({
    id,
    content: { text: id },
    relations: linked.map((target) => ({ target: { id: target } })),
  });
  const [leaves, far] = [ids('leaf', 10), ids('far', 5)];
  await graphs.items.store(
    [
      item('middle', leaves),
      ...leaves.map((id) => item(id, id === leaves.at(-1) ? far : [])),
      ...far.map((id) => item(id)),
    ],
    place,
  );
  const shown = async (most: number) => {
    const found = await graphs.subgraph('middle', { ...place, max_sources: most });
    const beyond = found.sources.filter(({ depth }: any) => depth === 2);
    return [
      found.sources.length,
      new Set(beyond.map((each: any) => each.discovered_via)),
      found.is_truncated,
    ];
  };
  expect(await shown(16)).toEqual([16, new Set([leaves.at(-1)]), false]);
  expect(await shown(13)).toEqual([13, new Set([leaves.at(-1)]), true]);
  expect(await shown(11)).toEqual([11, new Set(), true]);
});

test('where so much is linked that not all is shown, each member is still named by its own link', async () => {
  const place = { collection: 'dense' };
  const [count, each] = [600, 40];
  const idOf = (n: number) => `d${n % count}`;
  await graphs.items.store(
    Array.from({ length: count }, (_, n) => ({
      id: idOf(n),
      content: { text: `item ${n}` },
      relations: Array.from({ length: each }, (_, k) => ({
        predicate: 'cites',
        target: { id: idOf(n + k + 1) },
      })),
    })),
    place,
  );
  const found = await graphs.subgraph('d0', { ...place, depth: 10, max_sources: 1000 });
  expect([found.sources.length, found.relations.length, found.is_truncated]).toEqual([count, 10_000, true]);
  expect(new Set(discovered(found).map(([, , relation]: string[]) => relation))).toEqual(new Set(['cites']));
  const near = await graphs.subgraph('d0', { ...place, depth: 1, max_sources: 1000 });
  expect([near.sources.length, near.is_truncated]).toEqual([2 * each + 1, false]);
});

test('files and memories are linked too, each corpus apart', async () => {
  const { database, server } = graphs;
  const place = { collection: 'corpora' };
  await graphs.store({ one: { relations: { ids: ['two'] } }, two: {} }, place);
  await server.remember(
    database,
    [
      { id: 'one', text: 'a memory', relations: { ids: ['three'] } },
      { id: 'three', text: 'another' },
    ],
    place,
  );
  expect(shownIds(await graphs.subgraph('one', place))).toEqual(['one', 'two']);
  expect(shownIds(await graphs.subgraph('one', { ...place, type: 'memory' }))).toEqual(['one', 'three']);
});

describe('access lists', () => {
  const place = { collection: 'access' };
  beforeAll(async () => {
    const link = (id: string, to: string, acl: string[]) => ({
      id,
      title: id,
      content: { text: id },
      acl,
      relations: { ids: [to] },
    });
    await graphs.items.store(
      [
        link('a', 'b', ['ann', 'bob']),
        link('b', 'c', ['ann']),
        link('c', 'nowhere', ['ann', 'bob']),
        link('hidden', 'a', []),
      ],
      place,
    );
  });

  test('hold at every hop: what is hidden is no bridge, and leaves no other trace than what links to it', async () => {
    expect(shownIds(await graphs.subgraph('a', { ...place, acl: 'ann' }))).toEqual(['a', 'b', 'c']);
    expect(shownIds(await graphs.subgraph('a', place))).toEqual(['a', 'b', 'c']);
    const asBob = await graphs.subgraph('a', { ...place, acl: 'bob' });
    expect(shownIds(asBob)).toEqual(['a']);
    expect(asBob.relations.map(({ target }: any) => [target.name, target.hydration])).toEqual([
      ['b', 'stub'],
    ]);
    expect(JSON.stringify(asBob)).not.toContain('hidden');
  });

  test('hide the start item like one that is not there', async () => {
    const asBob = await graphs.subgraph('b', { ...place, acl: 'bob' });
    expect(asBob).toEqual({ ...(await graphs.subgraph('gone', place)), seed_source_id: 'b' });
    expect((await graphs.subgraph('hidden', place)).sources).toEqual([]);
  });
});

test('a long thread is one hop wide, and clipped like anything else', async () => {
  const place = { collection: 'long-thread' };
  const members = Array.from({ length: 300 }, (_, n) => message(n, { thread_id: 'long' }));
  await graphs.items.store(members, place);
  const rows = await graphs.server.sql<{ count: number }>(
    `select count(*)::int as count from sources s join collections c on c.id = s.collection_id where c.name = $1`,
    [place.collection],
  );
  expect(rows[0]?.count).toBe(300);
  const whole = await graphs.subgraph('m150', { ...place, max_sources: 300 });
  expect([whole.sources.length, whole.is_truncated, whole.max_depth_reached]).toEqual([300, false, 1]);
  // One for each member but the earliest.
  expect(whole.relations).toHaveLength(299);
  const clipped = await graphs.subgraph('m150', { ...place, max_sources: 299 });
  expect([clipped.sources.length, clipped.is_truncated]).toEqual([299, true]);
  const usual = await graphs.subgraph('m150', place);
  expect([usual.sources.length, usual.is_truncated]).toEqual([200, true]);
});

test('while items are replaced, a chain shows each of its members once, whole, and relations and what stands beside hits are there', async () => {
  const place = { collection: 'replaced' };
  const linked = (n: number, round: number) => ({
    id: `c${n}`,
    content: { text: `wobbly chain ${n} of round ${round}` },
    relations: n === 0 ? [] : [{ predicate: 'follows', target: { id: `c${n - 1}` } }],
  });
  const members = [0, 1, 2, 3, 4, 5];
  await graphs.items.store(
    members.map((n) => linked(n, 0)),
    place,
  );
  let replaced = 0;
  const reads = async () => {
    while (replaced < 6) {
      const subgraph = await graphs.subgraph('c0', { ...place, depth: 10, max_sources: 6 });
      expect([shownIds(subgraph), subgraph.is_truncated]).toEqual([members.map((n) => `c${n}`), false]);
      const { data } = (await graphs.ask('/context/relations', { ...place, id: 'c3' })).body;
      expect(data.auxiliary_relations).toHaveLength(2);
      const json = { database: graphs.database, collection: place.collection, query: 'wobbly chain 3' };
      const { chunks, graph_context: context } = (await graphs.server.rest('POST', '/query', { json })).body
        .data;
      const { chunk_uuid: third } = chunks.find(({ id }: any) => id === 'c3');
      expect(context.chunk_id_to_group_ids[third]).toContainEqual(expect.any(String));
    }
  };
  const replaces = async () => {
    for (; replaced < 6; replaced += 1)
      await graphs.items.store([linked(2, replaced + 1), linked(3, replaced + 1)], place);
  };
  await Promise.all([replaces(), reads(), reads()]);
});
