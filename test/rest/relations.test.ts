import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Graphs, suppliedGraph, triplets } from '../support/graphs.js';

let graphs: Graphs;
beforeAll(async () => {
  graphs = await Graphs.start();
});
afterAll(async () => graphs.server.stop());

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

describe('a supplied graph', () => {
  test('is read back whole, in the documented shape', async () => {
    const collection = 'whole';
    await graphs.store(
      {
        doc: {
          text: 'Ada works at Acme since 1990.',
          graph: {
            entities: {
              a: { name: 'Ada', type: 'PERSON', identifier: 'Ada@Example.com' },
              b: { name: 'Acme', type: 'ORG', namespace: 'companies' },
            },
            relations: [
              {
                source: 'a',
                target: 'b',
                predicate: 'Works At',
                context: 'Ada works at Acme',
                temporal_details: 'since 1990',
                confidence: 0.9,
              },
            ],
          },
        },
      },
      { collection },
    );
    const [chunk] = (await graphs.get('/context/chunks', { collection, id: 'doc' })).chunks;
    const answer = await graphs.ask('/context/relations', { collection, id: 'doc' });
    expect(answer.body.meta).toMatchObject({ collection, source_type: 'knowledge' });
    const { relations: groups, ...rest } = answer.body.data;
    expect(rest).toEqual({
      auxiliary_relations: [],
      auxiliary_truncated: false,
      is_truncated: false,
      next_cursor: null,
      success: true,
      message: '1 group of relations',
    });
    const [group] = groups;
    const { source, target } = group;
    expect(groups).toEqual([
      {
        source: {
          name: 'Ada',
          type: 'PERSON',
          namespace: '',
          entity_id: expect.stringMatching(uuid),
          identifier: 'Ada@Example.com',
          provider: '',
        },
        target: {
          name: 'Acme',
          type: 'ORG',
          namespace: 'companies',
          entity_id: expect.stringMatching(uuid),
          identifier: null,
          provider: '',
        },
        relations: [
          {
            canonical_predicate: 'works_at',
            raw_predicate: 'Works At',
            context: 'Ada works at Acme',
            confidence: 0.9,
            temporal_details: 'since 1990',
            timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
            relationship_id: expect.stringMatching(uuid),
            chunk_id: chunk.chunk_uuid,
            source_entity_id: source.entity_id,
            target_entity_id: target.entity_id,
          },
        ],
        chunk_id: chunk.chunk_uuid,
      },
    ]);
  });

  test('makes one group of what a chunk says of two entities, in that direction', async () => {
    const collection = 'grouped';
    await graphs.store(
      {
        doc: {
          text: 'Sun and Moon',
          graph: suppliedGraph([
            ['Sun', 'lights', 'Moon'],
            ['Sun', 'attracts', 'Moon'],
            ['Moon', 'reflects', 'Sun'],
            ['Sun', 'resembles', 'Star'],
          ]),
        },
      },
      { collection },
    );
    const { relations } = await graphs.relations({ collection });
    expect(relations.map((group: any) => triplets([group]))).toEqual([
      ['Sun lights Moon', 'Sun attracts Moon'],
      ['Moon reflects Sun'],
      ['Sun resembles Star'],
    ]);
    // The text does not name a star.
    expect(relations.map(({ chunk_id }: any) => chunk_id === null)).toEqual([false, false, true]);
  });

  test('names the same entity in several items, and never merges two', async () => {
    const collection = 'resolved';
    const person = (identifier?: string) => ({
      entities: {
        a: { name: 'Ann Lee', type: 'PERSON', ...(identifier ? { identifier } : {}) },
        b: { name: 'Bill', type: 'PERSON' },
      },
      relations: [{ source: 'a', target: 'b', predicate: 'knows' }],
    });
    const shouting = JSON.parse(
      JSON.stringify(person()).replace('Ann Lee', ' ANN  lee,').replace('"PERSON"', '"user"'),
    );
    await graphs.store(
      {
        first: { graph: person() },
        same: { graph: shouting },
        one: { graph: person('ann@one.example') },
        'one again': { graph: person('ANN@one.example') },
        two: { graph: person('ann@two.example') },
      },
      { collection },
    );
    const idOf = async (id: string) => {
      const { relations } = await graphs.relations({ collection, id });
      return relations[0].source.entity_id as string;
    };
    const ids = await Promise.all(['first', 'same', 'one', 'one again', 'two'].map(idOf));
    expect([ids[1], ids[3]]).toEqual([ids[0], ids[2]]);
    expect(new Set(ids).size).toBe(3);
  });

  test('keeps a product from the company of its name', async () => {
    const collection = 'namesakes';
    const graph = {
      entities: { co: { name: 'Tesla', type: 'ORGANIZATION' }, pr: { name: 'Tesla', type: 'PRODUCT' } },
      relations: [{ source: 'pr', target: 'co', predicate: 'made_by' }],
    };
    await graphs.store(
      { car: { graph }, maker: { graph: suppliedGraph([['Tesla', 'sits_in', 'Austin']]) } },
      { collection },
    );
    const { relations } = await graphs.get('/context/relations', { collection });
    const ofId = (predicate: string) =>
      relations.find((group: any) => group.relations[0].canonical_predicate === predicate);
    const made = ofId('made_by');
    expect(made.source.entity_id).not.toBe(made.target.entity_id);
    expect(ofId('sits_in').source.entity_id).toBe(made.target.entity_id);
  });

  test('has names of characters, none of which is cut in two', async () => {
    const collection = 'emoji';
    const name = `a${'😀'.repeat(255)}`;
    await graphs.store(
      {
        doc: {
          text: `See https://example.com/${'a'.repeat(235)}😀`,
          graph: {
            entities: { a: { name, type: name, identifier: name }, b: { name: 'ﷺ'.repeat(256) } },
            relations: [{ source: 'a', target: 'b', predicate: 'likes' }],
          },
        },
        // Its longest name ends within an emoji where it is cut.
        plain: { text: `Remember https://example.com/${'a'.repeat(231)}😀` },
      },
      { collection },
    );
    const { relations } = await graphs.get('/context/relations', { collection, id: 'doc' });
    expect(relations.map(({ source }: any) => [source.name, source.identifier])).toEqual([[name, name]]);
  });

  test.each(['name', 'predicate'])('a blank %s is 400', async (field) => {
    const graph_payload = {
      blank: {
        entities: { a: { name: field === 'name' ? ' ' : 'Ada' }, b: { name: 'Acme' } },
        relations: [{ source: 'a', target: 'b', predicate: field === 'predicate' ? '\u00a0' : 'at' }],
      },
    };
    const { status, body } = await graphs.server.rest('POST', '/context/ingest', {
      json: {
        database: graphs.database,
        type: 'memory',
        memories: [{ id: 'blank', text: 'Nothing of it is stored.' }],
        graph_payload,
      },
    });
    expect([status, body.error.message]).toEqual([400, expect.stringMatching(`${field}.*must not be blank`)]);
    const statuses = `/context/status?database=${graphs.database}&ids=blank&type=memory`;
    expect((await graphs.server.rest('GET', statuses)).status).toBe(404);
  });

  test('survives re-ingest until it is replaced', async () => {
    const collection = 'byog';
    const read = async () => triplets((await graphs.relations({ collection, id: 'doc' })).relations);
    await graphs.store({ doc: { graph: suppliedGraph([['A', 'sees', 'B']]) } }, { collection });
    expect(await read()).toEqual(['A sees B']);
    await graphs.store({ doc: { text: 'another text' } }, { collection });
    expect(await read()).toEqual(['A sees B']);
    await graphs.store({ doc: { graph: suppliedGraph([['A', 'hears', 'C']]) } }, { collection });
    expect(await read()).toEqual(['A hears C']);
    expect((await graphs.relations({ collection })).relations).toHaveLength(1);
  });
});

describe('pages', () => {
  const collection = 'paged';
  const count = 23;
  beforeAll(async () => {
    // All at one moment: what is tied is nudged apart.
    const files = Object.fromEntries(
      Array.from({ length: 5 }, (_, n) => [
        `doc-${n}`,
        {
          graph: suppliedGraph(
            Array.from({ length: n === 0 ? 3 : 5 }, (_, k) => [`s${n}-${k}`, 'is', `t${n}-${k}`] as const),
          ),
        },
      ]),
    );
    await graphs.store(files, { collection });
  });

  test.each([1, 7, 22, 23, 24])('of %i show every group once, newest first', async (limit) => {
    const found: string[] = [];
    const cursors: number[] = [];
    for (let cursor: number | null = null; ;) {
      const page: any = await graphs.relations({ collection, limit, ...(cursor === null ? {} : { cursor }) });
      expect(page.relations.length).toBeLessThanOrEqual(limit);
      expect(page.is_truncated).toBe(page.next_cursor !== null);
      found.push(...triplets(page.relations));
      cursor = page.next_cursor;
      if (cursor === null) break;
      cursors.push(cursor);
    }
    expect(found).toHaveLength(count);
    expect(new Set(found).size).toBe(count);
    expect(cursors).toEqual([...cursors].sort((a, b) => b - a));
    for (const cursor of cursors) expect(Number.isSafeInteger(cursor)).toBe(true);
  });

  test('have 5000 groups unless asked otherwise', async () => {
    const ends = Array.from({ length: 71 }, (_, n) => n);
    const triples = ends.flatMap((a) => ends.map((b) => [`a${a}`, 'is', `b${b}`] as const));
    await graphs.store({ many: { graph: suppliedGraph(triples) } }, { collection: 'many' });
    const first = await graphs.relations({ collection: 'many' });
    expect([first.relations.length, first.is_truncated]).toEqual([5000, true]);
    const rest = await graphs.relations({ collection: 'many', cursor: first.next_cursor });
    expect([rest.relations.length, rest.is_truncated]).toEqual([41, false]);
  });

  test('go on where they were when newer items arrive meanwhile', async () => {
    const place = { collection: 'moving', limit: 1 };
    const store = (id: string) =>
      graphs.store({ [id]: { graph: suppliedGraph([[id, 'is', 'new']]) } }, { collection: 'moving' });
    await store('one');
    graphs.server.clock.advance(1000);
    await store('two');
    const first = await graphs.relations(place);
    graphs.server.clock.advance(1000);
    await store('three');
    const second = await graphs.relations({ ...place, cursor: first.next_cursor });
    expect([...triplets(first.relations), ...triplets(second.relations)]).toEqual([
      'two is new',
      'one is new',
    ]);
    expect(second.next_cursor).toBeNull();
  });

  test('of what was written at the same moment, stored one by one, stay beside that moment', async () => {
    const collection = 'crowd';
    const timestamp = '2024-02-29T00:00:00Z';
    const ids = Array.from({ length: 50 }, (_, n) => `crowd${n}`);
    for (const id of ids) {
      const graph_payload = { [id]: suppliedGraph([[id, 'is', 'here']]) };
      await graphs.items.store([{ id, timestamp, content: { text: 'a text' } }], {
        collection,
        graph_payload,
      });
    }
    const page = await graphs.relations({ collection, limit: 1 });
    const rest = await graphs.relations({ collection, cursor: page.next_cursor });
    const found = triplets([...page.relations, ...rest.relations]);
    expect(found).toEqual(ids.map((id) => `${id} is here`).reverse());
    expect(page.next_cursor - Date.parse(timestamp) * 1000).toBe(ids.length - 1);
  });

  test('are newest first by when an item was written, to the second', async () => {
    const dates = [
      '2020-01-01T00:00:00Z',
      '1955-01-01T00:00:00Z',
      '2024-05-05T05:05:05Z',
      '1969-12-31T23:59:59Z',
      '1990-01-01T00:00:00Z',
      '1955-01-01T00:00:01Z',
      '1700-01-01T00:00:00Z',
      '1066-10-14T09:00:00Z',
      '9999-12-31T23:59:59Z',
      '0001-01-01T00:00:00Z',
      '2500-01-01T00:00:00Z',
      '1066-10-14T09:00:01Z',
      '2500-01-01T00:00:01Z',
      '2237-01-01T00:00:00Z',
    ];
    await graphs.items.store(
      dates.map((timestamp, n) => ({ id: `dated-${n}`, timestamp, content: { text: 'a text' } })),
      {
        collection: 'dated',
        graph_payload: Object.fromEntries(
          dates.map((_, n) => [`dated-${n}`, suppliedGraph([[`n${n}`, 'is', 'dated']])]),
        ),
      },
    );
    const timesOf = ({ relations }: any) =>
      relations.map(({ relations: [relation] }: any) => relation.timestamp);
    const newestFirst = dates.map((date) => new Date(date).toISOString()).sort((a, b) => (a < b ? 1 : -1));
    expect(timesOf(await graphs.relations({ collection: 'dated' }))).toEqual(newestFirst);
    const pages: string[] = [];
    for (let cursor: number | null = null; ;) {
      const more: Record<string, unknown> = cursor === null ? {} : { cursor };
      const page: any = await graphs.relations({ collection: 'dated', limit: 2, ...more });
      pages.push(...timesOf(page));
      cursor = page.next_cursor;
      if (cursor === null) break;
    }
    expect(pages).toEqual(newestFirst);
  });
});

describe('what is asked', () => {
  test.each([
    ['limit', '0'],
    ['limit', '10001'],
    ['limit', 'many'],
    ['limit', '1.5'],
    ['cursor', 'abc'],
    ['cursor', ''],
  ])('%s=%s is 400', async (name, value) => {
    const { status, body } = await graphs.ask('/context/relations', { [name]: value });
    expect([status, body.error.code]).toEqual([400, 'INVALID_INPUT']);
    expect(body.error.message).toContain(name);
  });

  test('without a database is 400, with an unknown one 404, with type all 400', async () => {
    const missing = await graphs.server.rest('GET', '/context/relations');
    expect([missing.status, missing.body.error.code]).toEqual([400, 'INVALID_INPUT']);
    const unknown = await graphs.ask('/context/relations', { database: 'nowhere' });
    expect([unknown.status, unknown.body.error.code]).toEqual([404, 'DATABASE_NOT_FOUND']);
    const all = await graphs.ask('/context/relations', { type: 'all' });
    expect([all.status, all.body.error.code]).toEqual([400, 'CORPUS_TYPE_UNSUPPORTED']);
  });

  test('of an unknown item or collection there is nothing', async () => {
    for (const place of [{ id: 'nobody' }, { collection: 'never-written' }])
      expect(await graphs.relations(place)).toMatchObject({
        relations: [],
        auxiliary_relations: [],
        is_truncated: false,
        next_cursor: null,
        success: true,
      });
  });

  test('memories have a graph of their own; without a type the memory counts where there is no source', async () => {
    const { database, server } = graphs;
    await server.rest('POST', '/context/ingest', {
      json: {
        database,
        type: 'memory',
        memories: [{ id: 'mine', text: 'Mia rides Max' }],
        graph_payload: { mine: suppliedGraph([['Mia', 'rides', 'Max']]) },
      },
    });
    await server.idle();
    expect((await graphs.relations({ id: 'mine', type: 'knowledge' })).relations).toEqual([]);
    expect(triplets((await graphs.relations({ type: 'memory' })).relations)).toEqual(['Mia rides Max']);
    const { body } = await graphs.ask('/context/relations', { id: 'mine' });
    expect(triplets(body.data.relations)).toEqual(['Mia rides Max']);
    expect(body.meta.source_type).toBe('memory');
  });
});
