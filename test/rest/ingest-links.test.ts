import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { TestServer } from '../support/server.js';

let server: TestServer;
let database: string;
beforeAll(async () => {
  server = await TestServer.start();
  database = await server.database();
});
afterAll(async () => server.stop());

const send = (fields: Record<string, unknown>) =>
  server.rest('POST', '/context/ingest', { json: { database, type: 'memory', ...fields } });
const remember = (memory: Record<string, unknown>, fields: Record<string, unknown> = {}) =>
  send({ memories: [{ text: 'words', ...memory }], ...fields });
const stored = async (id: string) => {
  const [row] = await server.sql<{ relations: unknown; graph: any }>(
    `select declared_relations as relations, supplied_graph as graph from sources where id = $1 and latest`,
    [id],
  );
  return row;
};
const count = async () => (await server.sql('select 1 from sources')).length;

async function expectRefused(act: () => Promise<{ status: number; body: any }>, reason: RegExp) {
  const before = await count();
  const answer = await act();
  expect([answer.status, answer.body.error.code]).toEqual([400, 'INVALID_INPUT']);
  expect(answer.body.error.message).toMatch(reason);
  expect(await count()).toBe(before);
}

describe('declared relations', () => {
  test('are read in both forms and counted in the result', async () => {
    const byIds = await remember({ id: 'a', relations: { ids: ['b', 'c', 'b'], properties: { why: 'x' } } });
    expect(byIds.body.data.results[0]).toMatchObject({ relations_created: 2, relations_error: null });
    expect((await stored('a'))?.relations).toEqual(
      ['b', 'c'].map((id) => ({
        predicate: 'relates_to',
        rawPredicate: 'relates_to',
        target: { id },
        properties: { why: 'x' },
      })),
    );
    const app_relations = [
      { predicate: 'Replies  To', target: { provider: ' Slack ', external_id: 'm-1' } },
      { target: { id: 'c' } },
    ];
    const listed = await remember({ id: 'a', app_relations });
    expect(listed.body.data.results[0].relations_created).toBe(2);
    expect((await stored('a'))?.relations).toEqual([
      {
        predicate: 'replies_to',
        rawPredicate: 'Replies  To',
        target: { provider: 'slack', externalId: 'm-1' },
        properties: {},
      },
      { predicate: 'relates_to', rawPredicate: 'relates_to', target: { id: 'c' }, properties: {} },
    ]);
    await remember({ id: 'a' });
    expect((await stored('a'))?.relations).toEqual([]);
  });

  test('of files come with document_metadata, where app_relations is no key', async () => {
    const upload = (metadata: unknown) =>
      server.upload(database, { 'f.txt': 'words' }, { document_metadata: JSON.stringify([metadata]) });
    const answer = await upload({ id: 'f', relations: [{ predicate: 'cites', target: { id: 'g' } }] });
    expect(answer.body.data.results[0].relations_created).toBe(1);
    await expectRefused(() => upload({ id: 'h', app_relations: [] }), /app_relations is not an accepted key/);
  });

  test('lead to any item of an application, by as long an id as it may have', async () => {
    const place = { database, collection: 'outside' };
    const external_id = `${'x'.repeat(510)}é`;
    const { status } = await server.rest('POST', '/context/ingest', {
      json: {
        ...place,
        app_knowledge: [
          { id: 'there', provider: ' Slack ', external_id, content: { text: 'there' } },
          {
            id: 'here',
            content: { text: 'here' },
            relations: [{ target: { provider: 'SLACK ', external_id } }],
          },
        ],
      },
    });
    expect(status).toBe(202);
    await server.idle();
    const query = new URLSearchParams({ ...place, id: 'here' });
    const { body } = await server.rest('GET', `/context/subgraph?${query.toString()}`);
    expect(body.data.sources.map((each: any) => each.source_id)).toEqual(['here', 'there']);
  });

  const many = Array.from({ length: 501 }, (_, n) => String(n));
  test.each([
    ['a text', 'b', /memories\[0\]\.relations must be/],
    ['ids that are no list', { ids: 'b' }, /memories\[0\]\.relations must be/],
    ['an id with a comma', { ids: ['b,c'] }, /relations\.ids\[0\] "b,c" must not contain a comma/],
    ['an empty id', { ids: [''] }, /relations\.ids\[0\] must not be empty/],
    ['more than 500 ids', { ids: many }, /relations has 501 links; at most 500/],
    ['an entry without a target', [{ predicate: 'x' }], /relations\[0\] must hold/],
    ['a long predicate', [{ predicate: 'p'.repeat(257), target: { id: 'b' } }], /relations\[0\] must hold/],
    ['a blank provider', [{ target: { provider: ' ', external_id: 'x' } }], /relations\[0\] must hold/],
    [
      'a long id of an application',
      [{ target: { provider: 'slack', external_id: `${'x'.repeat(511)}é` } }],
      /relations\[0\]\.target\.external_id has 513 bytes; at most 512/,
    ],
    ['a provider alone', [{ target: { provider: 'slack' } }], /relations\[0\] must hold/],
    [
      'large properties',
      { ids: ['b'], properties: { x: 'y'.repeat(4096) } },
      /properties has 4104 bytes as compact JSON; at most 4096/,
    ],
  ])('with %s are 400', async (_case, relations, reason) => {
    await expectRefused(() => remember({ id: 'bad', relations }), reason);
  });
});

const entities = (n: number) =>
  Object.fromEntries(Array.from({ length: n }, (_, index) => [`e${index}`, { name: `Entity ${index}` }]));
/** `n` relations of which no entity has more than 500. */
const relations = (n: number, ends = 100) =>
  Array.from({ length: n }, (_, index) => ({
    source: `e${index % ends}`,
    target: `e${ends + (index % ends)}`,
    predicate: 'Knows Well',
  }));

describe('graph_payload', () => {
  test('is stored with its item, kept by a re-ingest without one and replaced by a new one', async () => {
    const graph = {
      entities: { ann: { name: 'Ann', type: 'PERSON', identifier: 'ann@x.org' }, x: { name: 'X' } },
      relations: [
        { source: 'ann', target: 'x', predicate: 'Works At', context: 'Ann works', confidence: 0.5 },
      ],
    };
    const answer = await remember({ id: 'g' }, { graph_payload: { g: graph } });
    expect(answer.status).toBe(202);
    const expected = {
      entities: [
        { name: 'Ann', type: 'PERSON', namespace: null, identifier: 'ann@x.org' },
        { name: 'X', type: null, namespace: null, identifier: null },
      ],
      relations: [
        {
          source: 0,
          target: 1,
          predicate: 'works_at',
          rawPredicate: 'Works At',
          context: 'Ann works',
          temporalDetails: null,
          confidence: 0.5,
        },
      ],
    };
    expect((await stored('g'))?.graph).toEqual(expected);
    await server.idle();
    await remember({ id: 'g', text: 'other words' });
    expect((await stored('g'))?.graph).toEqual(expected);
    await remember({ id: 'g' }, { graph_payload: { g: { entities: {}, relations: [] } } });
    expect((await stored('g'))?.graph).toEqual({ entities: [], relations: [] });
  });

  test('comes as JSON text in a form, keyed by the id of a file or of its old name', async () => {
    for (const key of ['id', 'source_id', 'file_id']) {
      const fields = {
        document_metadata: JSON.stringify([{ [key]: `file-${key}` }]),
        graph_payload: JSON.stringify({ [`file-${key}`]: { entities: entities(1) } }),
      };
      expect((await server.upload(database, { 'f.txt': 'words' }, fields)).status).toBe(202);
      expect((await stored(`file-${key}`))?.graph.entities).toHaveLength(1);
    }
  });

  test('and by the id that an app item was sent with', async () => {
    const app_knowledge = [{ id: 'app', content: { text: 'words' } }];
    const graph_payload = { app: { entities: entities(2) } };
    const json = { database, app_knowledge, graph_payload };
    expect((await server.rest('POST', '/context/ingest', { json })).status).toBe(202);
    expect((await stored('app'))?.graph.entities).toHaveLength(2);
  });

  test('takes 5,000 entities, 10,000 relations and 500 relations of one entity, and not one more', async () => {
    const full = { entities: entities(5000), relations: relations(10_000) };
    expect((await remember({ id: 'full' }, { graph_payload: { full } })).status).toBe(202);
    expect((await stored('full'))?.graph.relations).toHaveLength(10_000);
    const star = { entities: entities(2), relations: relations(500, 1) };
    expect((await remember({ id: 'star' }, { graph_payload: { star } })).status).toBe(202);
    const over = { entities: entities(5001), relations: [] };
    const refuse = (big: unknown, reason: RegExp) =>
      expectRefused(() => remember({ id: 'big' }, { graph_payload: { big } }), reason);
    await refuse(over, /graph_payload\["big"\]\.entities has 5001 entries; at most 5000/);
    await refuse(
      { entities: entities(200), relations: relations(10_001) },
      /graph_payload\["big"\]\.relations has 10001 entries; at most 10000/,
    );
    await refuse(
      { entities: entities(2), relations: relations(501, 1) },
      /entities\["e0"\] stands in 501 relations; at most 500/,
    );
  });

  const one = { a: { name: 'A' } };
  const relation = { source: 'a', target: 'a', predicate: 'is' };
  test.each([
    ['no object', 'x', /graph_payload must be/],
    ['a key that names no item', { other: {} }, /graph_payload\["other"\] names no item of this request/],
    ['a graph that is no object', { g: [] }, /graph_payload\["g"\] must be an object/],
    ['relations that are no list', { g: { relations: {} } }, /relations must be a list/],
    ['an entity without a name', { g: { entities: { a: {} } } }, /entities\["a"\]\.name/],
    ['a name of 257 characters', { g: { entities: { a: { name: 'n'.repeat(257) } } } }, /a"\]\.name.*256/],
    [
      'an unknown local key',
      { g: { entities: one, relations: [{ ...relation, target: 'b' }] } },
      /relations\[0\]\.target "b" is no key of entities/,
    ],
    [
      'a relation without a predicate',
      { g: { entities: one, relations: [{ source: 'a', target: 'a' }] } },
      /relations\[0\]\.predicate/,
    ],
    [
      'a context of 2001 characters',
      { g: { entities: one, relations: [{ ...relation, context: 'c'.repeat(2001) }] } },
      /relations\[0\]\.context.*2000/,
    ],
    [
      'a confidence above 1',
      { g: { entities: one, relations: [{ ...relation, confidence: 2 }] } },
      /relations\[0\]\.confidence must be a number from 0 to 1$/,
    ],
  ])('with %s is 400', async (_case, graph_payload, reason) => {
    await expectRefused(() => remember({ id: 'g' }, { graph_payload }), reason);
  });

  test('names only items by the id that they were sent with', async () => {
    await expectRefused(() => remember({}, { graph_payload: { '': {} } }), /names no item/);
  });
});
