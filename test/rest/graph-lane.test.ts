import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { stepsOf } from '../support/graph-context.js';
import { Graphs, suppliedGraph } from '../support/graphs.js';

// The graph nominates chunks: what is connected with the entities that a query names.

let graphs: Graphs;
beforeAll(async () => {
  graphs = await Graphs.start();
});
afterAll(async () => graphs.server.stop());

describe('a chunk that is two steps from who is named', () => {
  const collection = 'steps';
  const words = 'Some words of which none was asked for';
  beforeAll(async () => {
    await graphs.store(
      {
        near: { text: 'Mira Stone runs Lumen.', graph: suppliedGraph([['Mira Stone', 'runs', 'Lumen']]) },
        far: { text: `Lumen, Quito. ${words}.`, graph: suppliedGraph([['Lumen', 'is_in', 'Quito']]) },
        ...Object.fromEntries(
          Array.from({ length: 8 }, (_, n) => [`other${n}`, { text: `${words}:${' lamp'.repeat(n + 1)}.` }]),
        ),
      },
      { collection },
    );
  });
  const ask = async (query: string, more: Record<string, unknown> = {}) => {
    const { chunks } = await graphs.items.ask(query, { collection, max_results: 10, ...more });
    return chunks as any[];
  };
  const placeOf = (chunks: any[], id: string) => chunks.findIndex((chunk) => chunk.id === id);

  test('is found by it, with its rank', async () => {
    const chunks = await ask('Mira Stone', { alpha: 0.01 });
    expect(chunks.slice(0, 2).map(({ id, lanes }) => [id, lanes.graph])).toEqual([
      ['near', 1],
      ['far', 2],
    ]);
    expect(chunks.slice(2).map(({ lanes }) => lanes.graph)).toEqual(chunks.slice(2).map(() => null));
  });

  test('is nearer than without the graph', async () => {
    const query = 'asked words of Mira Stone';
    const [on, off] = [await ask(query), await ask(query, { graph_context: false })];
    expect(placeOf(on, 'far')).toBeGreaterThan(-1);
    expect(placeOf(on, 'far')).toBeLessThan(placeOf(off, 'far'));
  });

  test('is not ranked by it where one lane alone was asked for', async () => {
    for (const one of [{ query_by: 'text' }, { alpha: 0 }]) {
      expect((await ask('Mira Stone', one)).map(({ id }) => id)).toEqual(['near']);
    }
    const dense = (chunks: any[]) => chunks.map(({ id }) => id);
    expect(dense(await ask('Mira Stone', { alpha: 1 }))).toEqual(
      dense(await ask('Mira Stone', { alpha: 1, graph_context: false })),
    );
  });

  test('is left alone where nobody is named', async () => {
    const query = 'words of which none was asked';
    const shown = (chunks: any[]) => chunks.map(({ id, relevancy_score: score }) => [id, score]);
    expect(shown(await ask(query))).toEqual(shown(await ask(query, { graph_context: false })));
  });
});

test('a chunk that mentions who is named under another name is found', async () => {
  const collection = 'called';
  const graph = {
    entities: {
      form: { name: 'Blue form', identifier: 'F-0815' },
      desk: { name: 'Front desk' },
    },
    relations: [{ source: 'form', predicate: 'lies_on', target: 'desk' }],
  };
  await graphs.store(
    { says: { text: 'Take a Blue form.', graph }, more: { text: 'Nothing about it.' } },
    { collection },
  );
  const lanesOf = async (more: object = {}) => {
    const { chunks } = await graphs.items.ask('F-0815', { collection, alpha: 0.01, ...more });
    return chunks.find(({ id }: { id: string }) => id === 'says').lanes;
  };
  expect(await lanesOf()).toMatchObject({ graph: 1, sparse: null });
  expect(await lanesOf({ graph_context: false })).toMatchObject({ graph: null, sparse: null });
});

test('an item is found by a relation that it was supplied with, although its text names nobody', async () => {
  const collection = 'unnamed';
  await graphs.store(
    {
      deal: {
        text: 'The papers are signed.',
        graph: suppliedGraph([['Orla Quinn', 'sold', 'Harbour House']]),
      },
      half: {
        text: 'Keys. Harbour House.',
        graph: suppliedGraph([['Harbour House', 'belongs_to', 'Ned Voss']]),
      },
      other: { text: 'Nothing of it.' },
    },
    { collection },
  );
  const answer = await graphs.items.ask('Orla Quinn', { collection, alpha: 0.01 });
  expect(answer.chunks.slice(0, 2).map(({ id, lanes }: any) => [id, lanes.graph])).toEqual([
    ['deal', 1],
    ['half', 2],
  ]);
  const { chunk_relations: groups } = answer.graph_context;
  // No chunk says so.
  expect(groups.map((group: any) => [group.target.name, group.source_chunk_ids, group.chunk_id])).toEqual([
    ['Harbour House', [answer.chunks[0].chunk_uuid], null],
    ['Ned Voss', [answer.chunks[1].chunk_uuid], null],
  ]);
  // Who is only mentioned, too.
  const { chunks } = await graphs.items.ask('Ned Voss', { collection, alpha: 0.01 });
  expect(chunks[0]).toMatchObject({ id: 'half', lanes: { graph: 1, sparse: null } });
});

test.each(['source', 'target'])(
  'the newest relations are found of an entity that is the %s of many',
  async (side) => {
    const collection = `hub-${side}`;
    const relation = (predicate: string, other: string) =>
      side === 'source'
        ? (['Grand Hub', predicate, other] as const)
        : ([other, predicate, 'Grand Hub'] as const);
    const old = Array.from({ length: 300 }, (_, n) => relation('knows', `Leaf ${n}`));
    await graphs.store({ old: { graph: suppliedGraph(old) } }, { collection });
    graphs.server.clock.advance(60);
    await graphs.store({ late: { graph: suppliedGraph([relation('founded', 'Newcomer')]) } }, { collection });
    const { graph_context: context } = await graphs.items.ask('what is founded around Grand Hub', {
      collection,
    });
    expect(stepsOf(context.query_paths[0])).toBe(relation('founded', 'Newcomer').join(' '));
  },
);

test('only chunks of items that may be found are nominated', async () => {
  const collection = 'hidden';
  await graphs.items.store(
    [
      { id: 'open', content: { text: 'Zed meets Yan' }, acl: ['public'] },
      { id: 'shut', content: { text: 'Yan meets Wim' }, acl: ['ann'], metadata: { kind: 'shut' } },
    ],
    {
      collection,
      graph_payload: {
        open: suppliedGraph([['Zed', 'meets', 'Yan']]),
        shut: suppliedGraph([['Yan', 'meets', 'Wim']]),
      },
    },
  );
  const found = async (more: Record<string, unknown>, query = 'Zed') => {
    const { chunks } = await graphs.items.ask(query, { collection, ...more });
    return chunks.filter(({ lanes }: any) => lanes.graph !== null).map(({ id }: any) => id);
  };
  expect(await found({ acl: ['ann'] })).toEqual(['open', 'shut']);
  expect(await found({ acl: ['bob'] })).toEqual(['open']);
  expect(await found({ acl: ['ann'], ids: ['shut'] })).toEqual([]);
  for (const only of [{ ids: ['shut'] }, { metadata_filters: { kind: 'shut' } }]) {
    expect(await found(only, 'Yan')).toEqual(['shut']);
    expect((await graphs.items.ask('Yan', { collection, ...only })).chunks).toHaveLength(1);
  }
});

test('a name that only items bear which may not be found leads nowhere', async () => {
  const collection = 'named';
  const called = (name: string) => ({
    entities: { who: { name, identifier: 'P-0815' }, place: { name: 'Front desk' } },
    relations: [{ source: 'who', predicate: 'sits_at', target: 'place' }],
  });
  const graph_payload = { open: called('Ada Berg'), shut: called('Zora Quell') };
  const shut = { id: 'shut', acl: ['ann'], metadata: { kind: 'shut' } };
  await graphs.items.store(
    [
      { id: 'open', content: { text: 'Who is there?' }, acl: ['public'], metadata: { kind: 'open' } },
      { ...shut, content: { text: 'Somebody.' } },
    ],
    { collection, graph_payload },
  );
  const found = async (more: Record<string, unknown> = {}) => {
    const { chunks } = await graphs.items.ask('Zora Quell', { collection, alpha: 0.01, ...more });
    const ids = chunks.filter(({ lanes }: any) => lanes.graph !== null).map(({ id }: any) => id);
    return ids.toSorted();
  };
  expect(await found({ acl: ['ann'] })).toEqual(['open', 'shut']);
  for (const more of [{ acl: ['bob'] }, { ids: ['open'] }, { metadata_filters: { kind: 'open' } }])
    expect(await found(more)).toEqual([]);
  await graphs.items.store([{ ...shut, content: { text: 'Somebody else.' } }], {
    collection,
    graph_payload: { shut: called('Ida Falk') },
  });
  expect(await found()).toEqual([]);
});
