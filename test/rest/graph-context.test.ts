import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { statementsOf } from '../support/asked-statements.js';
import { askGraph, stepsOf } from '../support/graph-context.js';
import { Graphs, suppliedGraph } from '../support/graphs.js';

// What a query answers about the entities that it names, and about the chunks that it finds.

let graphs: Graphs;
beforeAll(async () => {
  graphs = await Graphs.start();
});
afterAll(async () => graphs.server.stop());

const tables = /(relation_groups|entity_mentions|item_links)_\d/;
const nothing = { query_paths: [], chunk_relations: [], chunk_id_to_group_ids: {} };

describe('a query that names an entity', () => {
  const collection = 'people';
  const told = 'Ann Lee has worked for Acme since May.';
  beforeAll(async () => {
    const works = {
      context: told,
      confidence: 0.81,
      temporal_details: 'since May',
    };
    await graphs.items.store(
      [
        { id: 'ann', content: { text: told }, timestamp: '2026-01-02T03:04:05.500Z' },
        { id: 'acme', content: { text: 'Acme sits in Oslo, in a house of bricks.' } },
        { id: 'else', content: { text: 'Nobody is named here.' } },
      ],
      {
        collection,
        graph_payload: {
          ann: suppliedGraph([['Ann Lee', 'works_for', 'Acme']], works),
          acme: suppliedGraph([['Acme', 'sits_in', 'Oslo']]),
        },
      },
    );
  });
  const ask = (query: string, more: Record<string, unknown> = {}) =>
    graphs.items.ask(query, { collection, ...more });

  test('gets the paths that lead away from it, with what is told and where', async () => {
    const { graph_context: context, chunks } = await ask('Where does the employer of Ann Lee sit?');
    const uuidOf = (id: string) => chunks.find((chunk: any) => chunk.id === id)?.chunk_uuid;
    const [far, near] = context.query_paths;
    expect(context.query_paths.map(stepsOf)).toEqual([
      'Ann Lee works_for Acme > Acme sits_in Oslo',
      'Ann Lee works_for Acme',
    ]);
    const ends = { type: 'THING', namespace: '', identifier: null, provider: '' };
    const [{ source, relation, target }] = near.triplets;
    expect(near.triplets).toEqual([
      {
        source: { name: 'Ann Lee', entity_id: source.entity_id, ...ends },
        relation: {
          canonical_predicate: 'works_for',
          raw_predicate: 'works_for',
          context: told,
          confidence: 0.81,
          temporal_details: 'since May',
          timestamp: Date.parse('2026-01-02T03:04:05.500Z') / 1000,
          relationship_id: relation.relationship_id,
          chunk_id: uuidOf('ann'),
          source_entity_id: source.entity_id,
          target_entity_id: target.entity_id,
        },
        target: { name: 'Acme', entity_id: target.entity_id, ...ends },
      },
    ]);
    expect(near.source_chunk_ids).toEqual([uuidOf('ann')]);
    expect(far.source_chunk_ids).toEqual([uuidOf('ann'), uuidOf('acme')]);
    expect(near.combined_context).toBe(`Ann Lee works for Acme (since May). ${told}`);
    expect(far.combined_context).toBe(`Ann Lee works for Acme (since May). Acme sits in Oslo. ${told}`);
    expect(far.relevancy_score).toBeGreaterThan(near.relevancy_score);
    expect(far.relevancy_score).toBeLessThanOrEqual(1);
    expect(near.relevancy_score).toBeGreaterThan(0);
  });

  test('gets the relations of the chunks, and what names each chunk', async () => {
    const { graph_context: context, chunks } = await ask('Where does Ann Lee work?');
    const [first] = context.chunk_relations;
    expect(context.chunk_relations.map((group: any) => group.source.name)).toEqual(['Ann Lee', 'Acme']);
    expect(first).toMatchObject({
      chunk_id: chunks[0].chunk_uuid,
      source_chunk_ids: [chunks[0].chunk_uuid],
      relevancy_score: chunks[0].relevancy_score * 0.81,
      combined_context: `Ann Lee works for Acme (since May). ${told}`,
    });
    expect(first.relations).toHaveLength(1);
    const [relation] = first.relations;
    expect(first.triplets).toEqual([{ source: first.source, relation, target: first.target }]);
    const all = [...context.query_paths, ...context.chunk_relations];
    const named: Record<string, string[]> = {};
    for (const { source_chunk_ids: ids, group_id: group } of all)
      for (const id of ids) (named[id] ??= []).push(group);
    expect(context.chunk_id_to_group_ids).toEqual(named);
    expect(new Set(all.map((each) => each.group_id)).size).toBe(3);
    const again = (await ask('work of Ann Lee')).graph_context;
    expect(again.query_paths[0].group_id).toBe(context.query_paths[0].group_id);
  });

  test('GraphQL has the same', async () => {
    const { body } = await graphs.server.graphql(
      `query ($database: String!) { search(database: $database, collection: "people", query: "Ann Lee's work") { graphContext {
        queryPaths { combinedContext relevancyScore groupId sourceChunkIds
          triplets { source { name } relation { canonicalPredicate epochSeconds } target { name entityId } } }
        chunkRelations { groupId source { name } target { name } relations { context timestamp } chunkId }
        chunkIdToGroupIds } } }`,
      { database: graphs.database },
    );
    expect(body.errors).toBeUndefined();
    const { queryPaths, chunkRelations, chunkIdToGroupIds } = body.data.search.graphContext;
    expect(queryPaths[0].triplets).toEqual([
      {
        source: { name: 'Ann Lee' },
        relation: {
          canonicalPredicate: 'works_for',
          epochSeconds: Date.parse('2026-01-02T03:04:05.500Z') / 1000,
        },
        target: { name: 'Acme', entityId: expect.any(String) },
      },
    ]);
    expect(chunkRelations[0].relations).toEqual([{ context: told, timestamp: '2026-01-02T03:04:05.500Z' }]);
    expect(chunkIdToGroupIds[chunkRelations[0].chunkId]).toContain(chunkRelations[0].groupId);
  });

  test('without graph_context gets nothing, and the graph is not even asked', async () => {
    const count = async (query: string, more: Record<string, unknown>) => {
      let found: any;
      const asked = await statementsOf(graphs.server, async () => {
        found = await ask(query, { query_apps: false, ...more });
      });
      const { graph_context: context, chunks } = found;
      return { statements: asked.filter((sql) => tables.test(sql)).length, context, chunks };
    };
    const off = await count('Where does Ann Lee work?', { graph_context: false });
    expect([off.statements, off.context]).toEqual([0, nothing]);
    expect(off.chunks.map((chunk: any) => chunk.lanes.graph)).toEqual([null, null, null]);
    // One for what might be names; chunks say by the way whether they have relations.
    const unnamed = await count('named here', { ids: ['else'] });
    expect([unnamed.statements, unnamed.context, unnamed.chunks.length]).toEqual([2, nothing, 1]);
  });

  test('gets empty lists where nothing is found', async () => {
    expect((await ask('Ann Lee', { collection: 'nowhere' })).graph_context).toEqual(nothing);
    expect((await ask('xyzzy', { ids: ['else'] })).graph_context).toEqual(nothing);
  });
});

describe('names', () => {
  const collection = 'names';
  beforeAll(async () => {
    const graph = {
      entities: {
        ny: { name: 'New York' },
        nyt: { name: 'The New York Times' },
        jose: { name: 'José Muñoz', identifier: 'jose@example.com' },
        ticket: { name: 'Login fails', namespace: 'tracker', identifier: 'OPS-4711' },
        corp: { name: 'Contoso Ltd.' },
        zh: { name: '张伟' },
        hjalmar: { name: 'Hjalmar' },
        maria: { name: 'Maria Gonzales' },
        rex: { name: 'Winterbottom Rex' },
        it: { name: 'It' },
      },
      relations: ['ny', 'nyt', 'jose', 'ticket', 'zh', 'it', 'hjalmar', 'maria', 'rex'].map((source) => ({
        source,
        predicate: 'is_known_to',
        target: 'corp',
      })),
    };
    await graphs.store({ names: { text: 'Nothing to see.', graph } }, { collection });
  });

  test.each([
    ['whatever the case', 'what is in new york', ['New York']],
    ['the longest of them', 'who reads the New York Times?', ['The New York Times']],
    ['without accents', 'call Jose Munoz', ['José Muñoz']],
    ['with a possessive', "José Muñoz's house", ['José Muñoz']],
    ['by an e-mail address', 'mail to JOSE@example.com.', ['José Muñoz']],
    ['by another identifier', 'is ops-4711 done?', ['Login fails']],
    ['with a typing error', 'where is jose munzo?', ['José Muñoz']],
    ['in a script without spaces', '请问张伟在哪里工作', ['张伟']],
    ['several at once', 'New York or Jose Munoz', ['José Muñoz', 'New York']],
  ])('are recognised %s', async (_case, query, names) => {
    const { paths } = await askGraph(graphs, query, { collection });
    const near = paths.filter((path) => !path.includes('>'));
    expect(near.sort()).toEqual(names.map((name) => `${name} is_known_to Contoso Ltd.`).sort());
  });

  const slips = {
    Hjalmar: [
      'hjalmr',
      'jalmar',
      'hjalma',
      'hjaalmar',
      'xhjalmar',
      'hjalmarr',
      'hjalmra',
      'jhalmar',
      'bjalmar',
      'hjalmat',
    ],
    'Maria Gonzales': ['maria gonzles', 'maria bonzales', 'maria onzales', 'maria gonzalesx'],
    'Winterbottom Rex': ['winterbottm rex', 'interbottom rex', 'winterbottomm rex', 'wintebrottom rex'],
  };
  const misspelt = Object.entries(slips).flatMap(([name, queries]) => queries.map((query) => [query, name]));
  test.each(misspelt)('misspelt as %s are recognised', async (query, name) => {
    const { paths } = await askGraph(graphs, `who is ${query}`, { collection });
    expect(paths).toContain(`${name} is_known_to Contoso Ltd.`);
  });

  test.each([
    ['a word that says nothing', 'is it'],
    ['a part of a name', 'a new apple'],
    ['two typing errors', 'where is josse munzo?'],
  ])('are not found in %s', async (_case, query) => {
    expect((await askGraph(graphs, query, { collection })).paths).toEqual([]);
  });
});

test('paths, groups of a chunk and their relations are bounded, best first', async () => {
  const collection = 'many';
  const many = Array.from({ length: 30 }, (_, n) => ['Hub', 'knows', `Leaf${n}`] as const);
  const text = `Hub ${many.map(([, , leaf]) => leaf).join(' ')}`;
  const often = Array.from({ length: 9 }, (_, n) => ['Hub', `says${n}`, 'Word'] as const);
  await graphs.store(
    { many: { text, graph: suppliedGraph(many) }, often: { text: 'Hub Word', graph: suppliedGraph(often) } },
    { collection },
  );
  const { graph_context: context, chunks } = await graphs.items.ask('Hub knows Leaf7', { collection });
  expect(stepsOf(context.query_paths[0])).toBe('Hub knows Leaf7');
  expect(context.query_paths).toHaveLength(20);
  const scores = context.query_paths.map((path: any) => path.relevancy_score);
  expect(scores).toEqual([...scores].sort((a, b) => b - a));
  const groupsOf = (id: string) => {
    const { chunk_uuid: uuid } = chunks.find((chunk: any) => chunk.id === id);
    return context.chunk_relations.filter((group: any) => group.chunk_id === uuid);
  };
  expect(groupsOf('many')).toHaveLength(5);
  expect(groupsOf('often').map((group: any) => group.relations.length)).toEqual([5]);
});

test('what several chunks state is one path that names them all', async () => {
  const collection = 'repeated';
  const graph = suppliedGraph([['Rain', 'falls_on', 'Bergen']]);
  await graphs.store(
    { r1: { text: 'Rain in Bergen', graph }, r2: { text: 'Bergen: rain', graph } },
    { collection },
  );
  const { graph_context: context, chunks } = await graphs.items.ask('Bergen', { collection });
  expect(context.query_paths.map(stepsOf)).toEqual(['Rain falls_on Bergen']);
  expect([...context.query_paths[0].source_chunk_ids].sort()).toEqual(
    chunks.map((chunk: any) => chunk.chunk_uuid).sort(),
  );
});

test('the relations of found chunks are led by what the query asks, and each appears once', async () => {
  const collection = 'asked';
  const roles = Array.from({ length: 12 }, (_, n) => [`Member ${n}`, 'sits_on', 'the board'] as const);
  await graphs.items.store(
    [
      {
        id: 'plan',
        kind: 'email',
        fields: {
          subject: 'Lighthouse',
          body: 'The lighthouse was painted by Berta Klein for Harbour Trust.',
          from: 'Ina Voss',
          to: Array.from({ length: 9 }, (_, n) => `Reader ${n}`),
        },
      },
      { id: 'again', content: { text: 'Lighthouse, painted.' } },
    ],
    {
      collection,
      graph_payload: {
        plan: suppliedGraph([['Berta Klein', 'painted', 'Lighthouse'], ...roles], { confidence: 0.8 }),
        again: suppliedGraph([['Berta Klein', 'painted', 'Lighthouse']], { confidence: 0.8 }),
      },
    },
  );
  const asked = async (query: string) => (await graphs.items.ask(query, { collection })).graph_context;
  const painted = await asked('Who painted the lighthouse?');
  const [first, ...others] = painted.chunk_relations;
  expect(first.combined_context).toBe('Berta Klein painted Lighthouse.');
  expect(first.source_chunk_ids).toHaveLength(2);
  expect(others.map((group: any) => group.combined_context)).not.toContain(first.combined_context);
  const scores = painted.chunk_relations.map((group: any) => group.relevancy_score);
  expect(scores).toEqual([...scores].sort((a, b) => b - a));
  // Of more than are shown, those that answer: on the board, and among the readers.
  expect((await asked('Is Member 7 on the board with the lighthouse?')).chunk_relations[0].source.name).toBe(
    'Member 7',
  );
  const sent = (await asked('Who is the sender of the lighthouse mail?')).chunk_relations;
  expect(sent[0].combined_context).toBe('"Lighthouse" was sent by Ina Voss.');
  expect(sent.filter((group: any) => group.chunk_id === '')).toHaveLength(5);
});

test('two who bear the name that a query gives are alternatives, not the two ends of a path', async () => {
  const collection = 'alternatives';
  const graph = {
    entities: {
      one: { name: 'Sam', identifier: 'sam@example.com' },
      other: { name: 'Sam', identifier: 'sam@example.org' },
      oslo: { name: 'Oslo' },
    },
    relations: ['one', 'other'].map((source) => ({ source, predicate: 'lives_in', target: 'oslo' })),
  };
  await graphs.store({ sams: { text: 'Both live there.', graph } }, { collection });
  const { paths } = await askGraph(graphs, 'Where does Sam live?', { collection });
  expect(paths).toEqual(['Sam lives_in Oslo', 'Sam lives_in Oslo']);
  const both = 'What have sam@example.com and sam@example.org in common?';
  expect((await askGraph(graphs, both, { collection })).paths[0]).toBe(
    'Sam lives_in Oslo > Sam lives_in Oslo',
  );
});

test('items bring the people and items that they are connected with', async () => {
  const collection = 'structure';
  await graphs.items.store(
    [
      {
        id: 'root',
        kind: 'ticket',
        provider: 'jira',
        fields: { title: 'Printer', description: 'The printer jams.' },
      },
      {
        id: 'sub',
        kind: 'ticket',
        provider: 'jira',
        fields: {
          title: 'Toner',
          description: 'Zebra toner is empty.',
          parent_id: 'root',
          assignee: 'Bo <bo@example.com>',
          linked_issue_ids: ['missing'],
        },
      },
    ],
    { collection },
  );
  const { graph_context: context, chunks } = await graphs.items.ask('zebra toner', { collection });
  const ofSub = context.chunk_relations.filter((group: any) =>
    group.source_chunk_ids.includes(chunks[0].chunk_uuid),
  );
  expect(
    ofSub.map(({ source, target, relations: [relation] }: any) =>
      [source.name, relation.canonical_predicate, target.name].join(' '),
    ),
  ).toEqual(['Toner child_of Printer', 'Printer parent_of Toner', 'Toner assigned_to Bo']);
  expect(ofSub[0]).toMatchObject({
    chunk_id: '',
    source: { type: 'SOURCE', entity_id: 'sub', hydration: 'resolved' },
    target: { type: 'SOURCE', entity_id: 'root' },
    relations: [{ context: '', timestamp: expect.any(Number) }],
  });
  // People are entities like others: they can be named.
  const { chunks: ofBo } = await graphs.items.ask('what is for bo@example.com', { collection });
  expect(ofBo.map((chunk: any) => chunk.id)).toContain('sub');
});

test('"which company" asks what the answer is, not for those who work there', async () => {
  const collection = 'which';
  await graphs.store(
    {
      bought: { text: 'Vega Robotics acquired Helio Labs in 2021.' },
      works: { text: 'Ines Duarte works for Vega Robotics. Ann Hill works for Vega Robotics.' },
    },
    { collection },
  );
  const { paths } = await askGraph(graphs, 'Which company acquired Helio Labs?', { collection });
  expect(paths).toEqual(['Vega Robotics acquired Helio Labs']);
});
