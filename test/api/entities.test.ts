import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Graphs, suppliedGraph, triplets } from '../support/graphs.js';

let graphs: Graphs;
beforeAll(async () => {
  graphs = await Graphs.start();
});
afterAll(async () => graphs.server.stop());

const entityFields = 'id name type namespace identifier provider aliases sourceCount sourceIds';

async function ask(query: string, variables: Record<string, unknown>): Promise<any> {
  const { body } = await graphs.server.graphql(query, { database: graphs.database, ...variables });
  expect(body.errors).toBeUndefined();
  return body.data;
}

async function entities(variables: Record<string, unknown>): Promise<any> {
  const query = `query ($database: String!, $collection: String, $name: String, $ids: [String!], $acl: [String!], $first: Int,
      $after: String, $page: Int, $pageSize: Int) {
    entities(database: $database, collection: $collection, name: $name, ids: $ids, acl: $acl, first: $first, after: $after,
      page: $page, pageSize: $pageSize) {
      nodes { ${entityFields} } totalCount pageInfo { hasNextPage endCursor } page { total totalPages } } }`;
  return (await ask(query, variables)).entities;
}

async function idOf(collection: string, name: string): Promise<string> {
  return (await entities({ collection, name })).nodes[0].id;
}

async function refused(variables: Record<string, unknown>): Promise<string> {
  const query = `query ($database: String!, $name: String, $ids: [String!]) {
    entities(database: $database, name: $name, ids: $ids) { totalCount } }`;
  const { body } = await graphs.server.graphql(query, { database: graphs.database, ...variables });
  expect(body.errors[0].extensions).toMatchObject({ code: 'INVALID_INPUT', httpStatus: 400 });
  return body.errors[0].message;
}

describe('entities', () => {
  const collection = 'names';
  const names = (result: any) => result.nodes.map(({ name }: any) => name);
  beforeAll(async () => {
    await graphs.items.store(
      [
        {
          id: 'mail',
          kind: 'email',
          provider: 'gmail',
          fields: {
            from: 'Grace Hopper <grace@navy.example>',
            body: 'hello',
            to: ['Grete <grete@example.com>'],
          },
        },
        { id: 'note', content: { text: 'a note' }, acl: ['ann'] },
      ],
      {
        collection,
        graph_payload: {
          note: {
            entities: {
              a: { name: 'Rear Admiral Hopper', type: 'PERSON', identifier: 'grace@navy.example' },
              b: { name: 'Grace Period', type: 'TERM' },
            },
            relations: [{ source: 'a', target: 'b', predicate: 'grants' }],
          },
        },
      },
    );
  });

  test('are found by how a name begins, whatever its case and accents, the very name first', async () => {
    expect(names(await entities({ collection, name: 'gra' }))).toEqual([
      'Rear Admiral Hopper',
      'Grace Period',
    ]);
    expect(names(await entities({ collection, name: ' GRÁCE period' }))).toEqual(['Grace Period']);
    expect(names(await entities({ collection, name: 'nobody' }))).toEqual([]);
  });

  test('are found by how words of a name begin, after those whose names do, before those with a typing error', async () => {
    const called = [
      'Anna Berg',
      'Berg',
      'Bergen',
      'Otto von Bergmann',
      'Borg',
      'Anneli Berg-Olsen',
      'Kvisberg',
    ];
    const entity = (name: string) => [name, { name, type: 'PERSON' }];
    const relations = called.slice(1).map((target) => ({ source: called[0], target, predicate: 'knows' }));
    await graphs.items.store([{ id: 'people', content: { text: 'a list' } }], {
      collection: 'surnames',
      graph_payload: { people: { entities: Object.fromEntries(called.map(entity)), relations } },
    });
    const found = async (name: string, more = {}) =>
      names(await entities({ collection: 'surnames', name, ...more }));
    const all = ['Berg', 'Bergen', 'Anna Berg', 'Anneli Berg-Olsen', 'Otto von Bergmann', 'Borg'];
    expect(await found('berg')).toEqual(all);
    expect(await found('an be')).toEqual(['Anna Berg', 'Anneli Berg-Olsen']);
    expect(await found('berg anna')).toEqual(['Anna Berg']);
    expect(await found('olsen')).toEqual(['Anneli Berg-Olsen']);
    expect(await found("' & ! (:*")).toEqual([]);
    const first = await entities({ collection: 'surnames', name: 'berg', first: 3 });
    const after = first.pageInfo.endCursor;
    expect([first.totalCount, ...names(first), ...(await found('berg', { first: 3, after }))]).toEqual([
      6,
      ...all,
    ]);
  });

  test('are found with a typing error in a word', async () => {
    expect(names(await entities({ collection, name: 'Grace Peroid' }))).toEqual(['Grace Period']);
    expect(names(await entities({ collection, name: 'Gracce Hopper' }))).toEqual(['Rear Admiral Hopper']);
    expect(names(await entities({ collection, name: 'Gracce' }))).toContain('Grace Period');
    expect(names(await entities({ collection, name: 'Peroid' }))).toEqual([]);
  });

  test('are found by the identifier that was supplied, an address too', async () => {
    await graphs.items.store([{ id: 'list', content: { text: 'a list' } }], {
      collection: 'identifiers',
      graph_payload: {
        list: {
          entities: {
            a: { name: 'John Smith', type: 'PERSON', identifier: 'js1@x.org' },
            b: { name: 'Bolt', type: 'PRODUCT', identifier: 'SKU-99' },
          },
          relations: [{ source: 'a', target: 'b', predicate: 'sells' }],
        },
      },
    });
    const found = async (name: string) => {
      const { nodes, totalCount } = await entities({ collection: 'identifiers', name });
      expect(totalCount).toBe(nodes.length);
      return names({ nodes });
    };
    expect(await found('SKU-99')).toEqual(['Bolt']);
    expect(await found('JS1@x.org')).toEqual(['John Smith']);
    expect(await found('js2@x.org')).toEqual([]);
  });

  test('are one with all that names them by the same address, as the newest item spells it', async () => {
    const [hopper] = (await entities({ collection, name: 'Grace Hopper' })).nodes;
    expect(hopper).toMatchObject({
      name: 'Rear Admiral Hopper',
      type: 'PERSON',
      identifier: 'grace@navy.example',
      aliases: ['Grace Hopper'],
      sourceCount: 2,
      sourceIds: ['note', 'mail'],
    });
    for (const id of [hopper.id, hopper.id.toUpperCase()])
      expect((await entities({ collection, ids: [id, 'nonsense'] })).nodes).toEqual([hopper]);
    const ids = [hopper.id, await idOf(collection, 'Grace Period')];
    expect(await entities({ collection, ids, first: 1 })).toMatchObject({ nodes: [{}], totalCount: 2 });
  });

  test('of an address are the person who has it, also where the text names the address alone', async () => {
    const sent = { from: 'solo@example.com', to: ['solo@example.com'], body: 'Write to solo@example.com.' };
    await graphs.items.store([{ id: 'solo', kind: 'email', provider: 'gmail', fields: sent }], {
      collection: 'solo',
    });
    expect((await entities({ collection: 'solo', name: 'solo@example.com' })).nodes).toEqual([
      expect.objectContaining({ type: 'ACTOR', namespace: 'actors', identifier: 'solo@example.com' }),
    ]);
  });

  test('are addresses and tickets as they are written, also behind a hyphen', async () => {
    const text = 'The pre-v2.3.1 hosts: ping cc-@anna, then bob@acme.example. OPS-12 blocks PAY-17.';
    await graphs.items.store([{ id: 'hosts', content: { text } }], { collection: 'hyphens' });
    const found = await Promise.all(
      ['@anna', 'bob@acme.example', 'OPS-12', 'Qzz'].map((name) => entities({ collection: 'hyphens', name })),
    );
    expect(found.map(names)).toEqual([['@anna'], ['bob@acme.example'], ['OPS-12'], []]);
    const { relations } = await graphs.get('/context/relations', { collection: 'hyphens' });
    expect(triplets(relations)).toEqual(['OPS-12 blocks PAY-17']);
  });

  test('show nothing of an item that may not be read', async () => {
    const asBob = await entities({ collection, name: 'Gra', acl: ['bob'] });
    expect(asBob.nodes).toEqual([
      expect.objectContaining({ name: 'Grace Hopper', aliases: [], sourceCount: 1, sourceIds: ['mail'] }),
    ]);
    expect(asBob.totalCount).toBe(1);
    expect(names(await entities({ collection, name: 'Rear Admiral', acl: ['bob'] }))).toEqual([]);
  });

  test('are paged in both forms', async () => {
    const first = await entities({ collection, name: 'gr', first: 2 });
    expect([names(first).length, first.totalCount, first.pageInfo.hasNextPage]).toEqual([2, 3, true]);
    const rest = await entities({ collection, name: 'gr', first: 2, after: first.pageInfo.endCursor });
    const pages = await entities({ collection, name: 'gr', page: 2, pageSize: 2 });
    expect(names(pages)).toEqual(names(rest));
    expect(new Set([...names(first), ...names(rest)]).size).toBe(3);
    expect(pages.page).toEqual({ total: 3, totalPages: 2 });
  });

  test('are asked for by a name or by ids, within their bounds', async () => {
    expect(await refused({})).toContain('name');
    for (const name of [' ', '\u200b']) expect(await refused({ name })).toContain('1 to 256');
    expect(await refused({ name: 'x'.repeat(257) })).toContain('name has 257 characters; at most 256');
    expect((await entities({ collection, name: '🍐'.repeat(256) })).nodes).toEqual([]);
    expect(await refused({ ids: Array.from({ length: 101 }, () => 'x') })).toContain('at most 100');
  });
});

describe('neighbours', () => {
  const collection = 'around';
  const neighbours = async (entityId: string, more: Record<string, unknown> = {}): Promise<any> => {
    const query = `query ($database: String!, $collection: String, $entityId: String!, $acl: [String!], $first: Int, $after: String) {
      neighbours(database: $database, collection: $collection, entityId: $entityId, acl: $acl, first: $first, after: $after) {
        nodes { entity { name entityId } groupCount groups { source { name } target { name } relations { canonicalPredicate } } }
        totalCount pageInfo { hasNextPage endCursor } } }`;
    return (await ask(query, { collection, entityId, ...more })).neighbours;
  };
  const shown = ({ nodes }: any) =>
    nodes.map(({ entity, groupCount }: any) => [entity.name, groupCount] as const);
  beforeAll(async () => {
    await graphs.items.store(
      [
        { id: 'one', content: { text: 'one' } },
        { id: 'two', content: { text: 'two' }, acl: ['ann'] },
      ],
      {
        collection,
        graph_payload: {
          one: suppliedGraph([
            ['Hub', 'is', 'A'],
            ['B', 'knows', 'Hub'],
            ['A', 'is', 'B'],
          ]),
          two: suppliedGraph([
            ['B', 'likes', 'Hub'],
            ['Hub', 'is', 'Secret'],
            ['Hub', 'is', 'Hub'],
          ]),
        },
      },
    );
  });

  test('are what relations connect in either direction, those with most first', async () => {
    const id = await idOf(collection, 'Hub');
    const all = await neighbours(id);
    expect(shown(all)[0]).toEqual(['B', 2]);
    expect(new Set(shown(all).slice(1))).toEqual(
      new Set([
        ['Secret', 1],
        ['Hub', 1],
        ['A', 1],
      ]),
    );
    const predicates = all.nodes[0].groups.flatMap(({ relations }: any) => relations);
    expect(predicates.map((each: any) => each.canonicalPredicate).sort()).toEqual(['knows', 'likes']);
    const first = await neighbours(id, { first: 1 });
    expect([shown(first), first.totalCount, first.pageInfo.hasNextPage]).toEqual([[['B', 2]], 4, true]);
  });

  test('are listed page by page', async () => {
    const id = await idOf(collection, 'Hub');
    const first = await neighbours(id, { first: 2 });
    const rest = await neighbours(id, { first: 2, after: first.pageInfo.endCursor });
    expect([...shown(first), ...shown(rest)]).toEqual(shown(await neighbours(id)));
  });

  test('are those that may be read', async () => {
    const id = await idOf(collection, 'Hub');
    const asBob = await neighbours(id, { acl: ['bob'] });
    expect(new Set(shown(asBob))).toEqual(
      new Set([
        ['A', 1],
        ['B', 1],
      ]),
    );
    expect(shown(await neighbours(await idOf(collection, 'Secret'), { acl: ['bob'] }))).toEqual([]);
  });

  test('of what is no entity there are none', async () => {
    for (const id of ['nonsense', '01890a5d-ac96-774b-bcce-b302099a8057'])
      expect(await neighbours(id)).toMatchObject({ nodes: [], totalCount: 0 });
  });
});

describe('paths', () => {
  const collection = 'ways';
  const paths = async (from: string, to: string, more: Record<string, unknown> = {}): Promise<string[]> => {
    const within = (more['collection'] as string | undefined) ?? collection;
    const query = `query ($database: String!, $collection: String, $from: String!, $to: String!, $lengthMax: Int, $pathsMax: Int, $acl: [String!]) {
      entityPaths(database: $database, collection: $collection, from: $from, to: $to, lengthMax: $lengthMax, pathsMax: $pathsMax, acl: $acl) {
        isTruncated paths { confidence triplets { source { name } relation { canonicalPredicate } target { name } } } } }`;
    const ids = { from: await idOf(within, from), to: (await idOf(within, to)).toUpperCase() };
    const { entityPaths } = await ask(query, { collection, ...ids, ...more });
    expect(entityPaths.isTruncated).toBe(false);
    return entityPaths.paths.map(({ triplets }: any) =>
      triplets
        .map(
          ({ source, relation, target }: any) =>
            `${source.name} ${relation.canonicalPredicate} ${target.name}`,
        )
        .join(', '),
    );
  };
  beforeAll(async () => {
    await graphs.items.store(
      [
        { id: 'one', content: { text: 'one' } },
        { id: 'two', content: { text: 'two' }, acl: ['ann'] },
      ],
      {
        collection,
        graph_payload: {
          one: suppliedGraph([
            ['Start', 'owns', 'Left'],
            ['Middle', 'uses', 'Left'],
            ['Middle', 'feeds', 'Finish'],
            ['Start', 'is', 'Long'],
            ['Long', 'is', 'Longer'],
            ['Longer', 'is', 'Middle'],
            ['Island', 'is', 'Alone'],
          ]),
          two: suppliedGraph([
            ['Start', 'hides', 'Right'],
            ['Right', 'hides', 'Middle'],
          ]),
        },
      },
    );
  });

  test('are the shortest, each relation in its own direction', async () => {
    expect((await paths('Start', 'Finish')).sort()).toEqual([
      'Start hides Right, Right hides Middle, Middle feeds Finish',
      'Start owns Left, Middle uses Left, Middle feeds Finish',
    ]);
    expect(await paths('Start', 'Finish', { pathsMax: 1 })).toHaveLength(1);
    expect(await paths('Start', 'Long')).toEqual(['Start is Long']);
  });

  test('lead through nothing that may not be read', async () => {
    expect(await paths('Start', 'Finish', { acl: ['bob'] })).toEqual([
      'Start owns Left, Middle uses Left, Middle feeds Finish',
    ]);
    expect(await paths('Start', 'Right', { acl: ['bob'] })).toEqual([]);
  });

  test('lead through a company that one of two texts does not tell to be one', async () => {
    const untold = 'untold';
    await graphs.items.store(
      [
        { id: 'hired', content: { text: 'Mira Patel works for Lumora.' } },
        { id: 'bought', content: { text: 'Lumora acquired Brisk Systems Inc. in 2021.' } },
        { id: 'named', content: { text: 'The invoices were moved to Lumora on Monday.' } },
      ],
      { collection: untold },
    );
    expect((await entities({ collection: untold, name: 'lumora' })).nodes).toEqual([
      expect.objectContaining({ name: 'Lumora', type: 'ORGANIZATION', sourceCount: 3 }),
    ]);
    expect(await paths('Mira Patel', 'Brisk Systems Inc.', { collection: untold })).toEqual([
      'Mira Patel works_for Lumora, Lumora acquired Brisk Systems Inc.',
    ]);
  });

  test('are none where nothing connects, within the length, or from an entity to itself', async () => {
    expect(await paths('Start', 'Island')).toEqual([]);
    expect(await paths('Start', 'Finish', { lengthMax: 2 })).toEqual([]);
    expect(await paths('Start', 'Start')).toEqual([]);
  });

  test.each([
    ['lengthMax', 0],
    ['lengthMax', 7],
    ['pathsMax', 0],
    ['pathsMax', 21],
  ])('%s %i is refused', async (name, value) => {
    const query = `query ($database: String!) { entityPaths(database: $database, from: "a", to: "b", ${name}: ${value}) { isTruncated } }`;
    const { body } = await graphs.server.graphql(query, { database: graphs.database });
    expect(body.errors[0].message).toContain(name);
    expect(body.errors[0].extensions.code).toBe('INVALID_INPUT');
  });
});

test('relations and subgraphs are served by GraphQL, and weighed by what they may return', async () => {
  const collection = 'ways';
  const query = `query ($database: String!, $limit: Int) {
    relations(database: $database, collection: "${collection}", limit: $limit) {
      relations { source { name } relations { canonicalPredicate origin timestamp } } nextCursor isTruncated }
    subgraph(database: $database, collection: "${collection}", id: "one") { sources { sourceId depth discoveredVia } }
  }`;
  const data = await ask(query, { limit: 2 });
  expect(data.relations.relations).toHaveLength(2);
  expect(data.relations.relations[0].relations[0].origin).toBe('byog');
  expect(data.relations.nextCursor).toEqual(expect.any(Number));
  expect(data.subgraph.sources).toEqual([{ sourceId: 'one', depth: 0, discoveredVia: null }]);
  const { body } = await graphs.server.graphql(query, { database: graphs.database, limit: 10_000 });
  expect(body.errors[0].message).toContain('cost');
});
