import { describe, expect, test } from '@jest/globals';
import { entityId, nameKey } from '../../src/graph/entity-key.js';
import { mentions, relationGroups, withinItem } from '../../src/graph/item-graph.js';
import { actorId, actorsOf } from '../../src/graph/stored/auxiliary-entities.js';
import { GraphLocator } from '../../src/graph/stored/located-graph.js';
import { itemLinks } from '../../src/graph/structure.js';
import { readGraphPayload } from '../../src/sources/ingest/supplied-graph.js';
import type { AppContent } from '../../src/sources/source.types.js';

const entity = (name: string, more: Record<string, unknown> = {}) => ({
  name,
  type: null,
  namespace: null,
  identifier: null,
  ...more,
});

describe('an entity', () => {
  test('"Mr. Smith" is one within an item, whoever reads it, and another in each', () => {
    const named = (name: string, more: Record<string, unknown> = {}) => ({
      ...entity(name, { type: 'PERSON', ...more }),
      aliases: [],
      chunks: [],
    });
    const idsIn = (item: string) => {
      const read = [named('Mr. Smith'), named('Weber', { isLocal: true }), named('Ann Hill'), named('Obama')];
      const { entities } = withinItem({ entities: read, relations: [] }, item);
      return entities.map((each) => entityId(1, each));
    };
    const [one, other] = [idsIn('a'), idsIn('b')];
    expect(idsIn('a')).toEqual(one);
    expect(one.map((id, at) => id === other[at])).toEqual([false, false, true, true]);
  });
  test.each([
    ['names that differ in case, accents and marks', entity('Zoë  Vogt'), entity('“ZOE VOGT”')],
    ['types of one class', entity('Acme', { type: 'Company' }), entity('Acme', { type: 'ORG' })],
    [
      'a company and what is not told',
      entity('Acme', { type: 'COMPANY' }),
      entity('Acme', { type: 'OTHER' }),
    ],
    ['a product and no type', entity('Acme', { type: 'PRODUCT' }), entity('Acme')],
    [
      'an address, whatever else',
      entity('A', { identifier: 'a@x.example' }),
      entity('B', { identifier: 'mailto:A@X.example', namespace: 'n' }),
    ],
    [
      'an address as the name',
      entity('a@x.example'),
      entity('Ann', { identifier: 'a@x.example', type: 'PERSON' }),
    ],
    [
      'an identifier of one namespace',
      entity('A', { identifier: 'E1', namespace: 'hr' }),
      entity('B', { identifier: 'E1', namespace: 'HR' }),
    ],
  ])('is the same by %s', (_name, one, other) => {
    expect(entityId(1, one)).toBe(entityId(1, other));
  });

  test.each([
    [
      'by one name with two identifiers',
      entity('Ann', { identifier: 'E1' }),
      entity('Ann', { identifier: 'E2' }),
    ],
    ['with and without an identifier', entity('Ann', { identifier: 'E1' }), entity('Ann')],
    [
      'that is a person, not a place',
      entity('Jordan', { type: 'PERSON' }),
      entity('Jordan', { type: 'CITY' }),
    ],
    ['that is a person, not untold', entity('Jordan', { type: 'PERSON' }), entity('Jordan')],
    ['of two types', entity('Mercury', { type: 'PLANET' }), entity('Mercury', { type: 'METAL' })],
    ['of two namespaces', entity('Ann', { namespace: 'a' }), entity('Ann', { namespace: 'b' })],
    [
      'whose identifier is no address though its name is',
      entity('a@x.example', { identifier: 'E1' }),
      entity('a@x.example'),
    ],
  ])('is another %s', (_name, one, other) => {
    expect(entityId(1, one)).not.toBe(entityId(1, other));
  });

  test('is another in another collection, and its id is a UUID', () => {
    expect(entityId(1, entity('Ann'))).not.toBe(entityId(2, entity('Ann')));
    expect(entityId(1, entity('Ann'))).toMatch(
      /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
    );
  });

  test('of marks alone keeps them as its key', () => {
    expect([' !? ', '(C++)', 'C.', '日本 '].map(nameKey)).toEqual(['!?', 'c++', 'c', '日本']);
  });
});

describe('a person', () => {
  test.each([
    ['Ann Lee <Ann@X.example>', 'Ann Lee', 'ann@x.example'],
    ['"Lee, Ann" <ann@x.example>', 'Lee, Ann', 'ann@x.example'],
    ['Ann "Bo" Lee <ann@x.example>', 'Ann "Bo" Lee', 'ann@x.example'],
    ['ann@x.example', 'ann@x.example', 'ann@x.example'],
    ['<ann@x.example>', 'ann@x.example', 'ann@x.example'],
    ['@ann', 'ann', null],
    ['Ann', 'Ann', null],
  ])('is read from %s', (value, name, identifier) => {
    expect(actorsOf(value, 'slack')).toEqual([
      {
        name,
        type: 'ACTOR',
        namespace: 'actors',
        identifier,
        provider: 'slack',
      },
    ]);
  });

  test.each([
    ['Ann Lee <support@x.example>', 'Ann Lee'],
    ['Ann Lee <notifications@github.com>', 'Ann Lee'],
    ['Ann Lee (Jira) <jira@x.example>', 'Ann Lee'],
    ["'Ann Lee' via Berlin <berlin@x.example>", 'Ann Lee'],
    ['Ann <service.desk@x.example>', 'Ann'],
  ])('has no address of their own in %s', (value, name) => {
    const [person, mailbox] = actorsOf(value, 'gmail');
    const address = value.replace(/.*<|>/g, '');
    expect(person).toMatchObject({ name, identifier: null, mailbox: address });
    expect(mailbox).toMatchObject({ name: address, identifier: address });
  });

  test.each([
    ['Maria Sales <maria.sales@x.example>', 'maria.sales@x.example'],
    ['Ann Berg <hello@annberg.example>', 'hello@annberg.example'],
    ['Ann Lee (Berlin) <ann@x.example>', 'ann@x.example'],
    ['X Support <support@x.example>', 'support@x.example'],
    ['GitHub <notifications@github.com>', 'notifications@github.com'],
  ])('or a mailbox has its address in %s', (value, identifier) => {
    expect(actorsOf(value, 'gmail')).toMatchObject([{ name: value.replace(/ <.*/, ''), identifier }]);
  });

  test('is not taken apart where it is no name with an address, and read at once', () => {
    const startedMs = performance.now();
    for (const value of ['Ann <a@x.example', `${' '.repeat(500)}x${' '.repeat(499)}`])
      expect(actorsOf(value, 'slack')).toMatchObject([{ name: value.trim(), identifier: null }]);
    // It took 400 ms when each space began another try.
    expect(performance.now() - startedMs).toBeLessThan(100);
  });

  test('is one by an address everywhere, by a name within an application', () => {
    const id = (value: string, provider: string | null) => {
      const [actor] = actorsOf(value, provider);
      return actor && actorId(1, actor);
    };
    expect(id('Ann <a@x.example>', 'slack')).toBe(id('a@x.example', 'gmail'));
    expect(id('@Ann', 'slack')).toBe(id('ann', 'slack'));
    expect(id('Ann', 'slack')).not.toBe(id('Ann', 'jira'));
    expect(id(' ', 'slack')).toBeUndefined();
  });
});

describe('a supplied graph', () => {
  const graph = (entities: Record<string, unknown>, relations: unknown[]) => {
    const read = readGraphPayload({ a: { entities, relations } }, new Set(['a'])).get('a');
    if (!read) throw new Error('no graph');
    return read;
  };

  test('stands in the first chunk that names both ends, as whole words', () => {
    const supplied = graph({ a: { name: 'Ann' }, b: { name: 'Bob Ross' } }, [
      { source: 'a', target: 'b', predicate: 'knows' },
    ]);
    const chunks = ['Anna met Bob Ross.', 'ANN is alone.', 'Then Ann, and bob  ross, met.', 'Ann, Bob Ross'];
    const locator = new GraphLocator(supplied);
    expect(locator.graph().relations[0]?.chunk).toBeNull();
    // Some at a time, as they are read.
    for (const some of [[0], [1, 2], [3]])
      locator.add(some.map((position) => ({ position, text: chunks[position] as string })));
    const located = locator.graph();
    expect(located.entities.map((each) => each.chunks)).toEqual([
      [1, 2, 3],
      [0, 2, 3],
    ]);
    expect(located.relations.map(({ chunk, confidence }) => [chunk, confidence])).toEqual([[2, 1]]);
  });

  test('stands where one end is named, the source first, and where nothing is named at the beginning', () => {
    const names = ['Ann', 'Bob', 'Cid', 'Dee', 'Eve'];
    const pairs = [
      ['Ann', 'Bob'],
      ['Cid', 'Ann'],
      ['Bob', 'Cid'],
      ['Cid', 'Dee'],
    ];
    const supplied = graph(
      Object.fromEntries(names.map((name) => [name, { name }])),
      pairs.map(([source, target]) => ({ source, target, predicate: 'knows' })),
    );
    const locator = new GraphLocator(supplied);
    locator.add(['Nobody.', 'Bob', 'Ann'].map((text, position) => ({ position, text })));
    const { entities, relations } = locator.graph();
    expect(relations.map(({ chunk, anchored }) => [chunk, anchored])).toEqual(
      [2, 2, 1, 0].map((chunk) => [chunk, true]),
    );
    expect(entities.map(({ name, chunks }) => [name, chunks])).toEqual([
      ['Ann', [2]],
      ['Bob', [1]],
      ['Cid', [0, 1, 2]],
      ['Dee', [0]],
      ['Eve', [0]],
    ]);
  });

  test('has a group for each pair and chunk, and a mention for each name', () => {
    const found = {
      entities: ['Ann', 'Bob'].map((name) => ({
        ...entity(name),
        aliases: name === 'Ann' ? ['Annie', 'ANN'] : [],
        chunks: [0],
      })),
      relations: [0, 1, 0].map((chunk) => ({
        source: 0,
        target: 1,
        predicate: 'knows',
        rawPredicate: 'knows',
        context: '',
        temporalDetails: null,
        confidence: 1,
        chunk,
      })),
    };
    const groups = relationGroups(1, found, 'extracted');
    expect(groups.map(({ chunk, relations }) => [chunk, relations.length])).toEqual([
      [0, 2],
      [1, 1],
    ]);
    const names = mentions(1, found, []).map(({ name, isAlias }) => [name, isAlias]);
    expect(names).toEqual([
      ['Ann', false],
      ['Annie', true],
      ['Bob', false],
    ]);
  });
});

test('structure is what an item says of itself, once', () => {
  const app: AppContent = {
    kind: 'ticket',
    title: 'T',
    provider: 'jira',
    externalId: 'J-1',
    type: null,
    description: null,
    url: null,
    timestamp: null,
    fields: {
      parent_id: 'J-0',
      linked_issue_ids: ['J-2', 'J-2'],
      thread_id: 't',
      assignee: 'Ann',
      reporter: 'Ann',
    },
    content: null,
    attachments: [],
    comments: [],
  };
  const links = itemLinks({ collectionId: 1, id: 'ticket', app, declaredRelations: [] });
  expect(links.map(({ role, predicate }) => [role, predicate])).toEqual([
    [0, ''],
    [1, 'child_of'],
    [1, 'linked_to'],
    [2, 'same_thread'],
    [3, 'assigned_to'],
    [3, 'reported_by'],
  ]);
  // What links to it by its id there, and what it links to, meet in one key.
  const child = itemLinks({
    collectionId: 1,
    id: 'c',
    app: { ...app, externalId: 'J-9', fields: { parent_id: 'J-1' } },
    declaredRelations: [],
  });
  expect(child[1]?.key).toBe(links[0]?.key);
});
