import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { TestServer } from '../support/server.js';

let server: TestServer;
let database: string;
const sections = 12;

const ask = async (body: Record<string, unknown>): Promise<any> => {
  const json = { database, query_by: 'text', max_results: 1, ...body };
  return (await server.rest('POST', '/query', { json })).body.data;
};
/** The numbers of the sections that a hit's neighbours are. */
const neighboursOf = (data: any, hit = data.chunks[0]): number[] =>
  hit.extra_context_ids.map((id: string) => data.additional_context[id].layout.position);

// Each section is a chunk: too long to share one.
const documentOf = (mark: string) =>
  Array.from({ length: sections }, (_, n) => `# Part ${n}\n\n${mark}${n} ${'filler '.repeat(200)}`).join(
    '\n\n',
  );

beforeAll(async () => {
  server = await TestServer.start();
  database = await server.database();
  await server.upload(
    database,
    { 'long.md': documentOf('mark') },
    {
      document_metadata: JSON.stringify([{ id: 'long' }]),
    },
  );
  await server.idle();
});
afterAll(async () => server.stop());

describe('num_related_chunks', () => {
  test('adds the nearest chunks of the item, the one before first', async () => {
    const data = await ask({ query: 'mark5', num_related_chunks: 5 });
    expect(data.chunks[0].layout.position).toBe(5);
    expect(neighboursOf(data)).toEqual([4, 6, 3, 7, 2]);
    expect(Object.keys(data.additional_context).toSorted()).toEqual(
      data.chunks[0].extra_context_ids.toSorted(),
    );
    const [id] = data.chunks[0].extra_context_ids;
    expect(data.additional_context[id]).toEqual({
      ...data.chunks[0],
      chunk_uuid: id,
      chunk_content: expect.stringContaining('mark4 filler'),
      layout: expect.objectContaining({ position: 4 }),
      relevancy_score: 0,
      extra_context_ids: [],
      lanes: expect.objectContaining({ dense: null, sparse: null, graph: null, metadata: null }),
    });
  });

  test('takes more of one side where the item ends on the other', async () => {
    expect(neighboursOf(await ask({ query: 'mark0', num_related_chunks: 3 }))).toEqual([1, 2, 3]);
    expect(neighboursOf(await ask({ query: 'mark11', num_related_chunks: 20 }))).toEqual(
      Array.from({ length: 11 }, (_, n) => 10 - n),
    );
  });

  test('0, and nothing, adds none', async () => {
    for (const body of [{}, { num_related_chunks: 0 }]) {
      const data = await ask({ query: 'mark5', ...body });
      expect([data.chunks[0].extra_context_ids, data.additional_context]).toEqual([[], {}]);
    }
  });

  test('what is a hit is not repeated, what is beside two hits stands once', async () => {
    const data = await ask({ query: 'mark4 mark5 mark7', max_results: 3, num_related_chunks: 2 });
    const byPosition = new Map(data.chunks.map((chunk: any) => [chunk.layout.position, chunk]));
    expect([...byPosition.keys()].toSorted()).toEqual([4, 5, 7]);
    expect([4, 5, 7].map((at) => neighboursOf(data, byPosition.get(at)))).toEqual([[3], [6], [6, 8]]);
    expect(Object.keys(data.additional_context)).toHaveLength(3);
  });

  test('stays in the version of the item and in what may be read', async () => {
    const name = 'restricted.md';
    const fields = { document_metadata: JSON.stringify([{ id: 'restricted' }]), acl: 'ann' };
    await server.upload(database, { [name]: documentOf('secret') }, fields);
    await server.idle();
    await server.upload(database, { [name]: documentOf('secret') }, fields);
    await server.idle();
    const asked = { query: 'secret5', num_related_chunks: 20 };
    const readable = await ask({ ...asked, acl: ['ann'] });
    expect(neighboursOf(readable).toSorted((a, b) => a - b)).toEqual([0, 1, 2, 3, 4, 6, 7, 8, 9, 10, 11]);
    expect((await ask({ ...asked, acl: ['bob'] })).additional_context).toEqual({});
  });

  test('leaves out facts of a memory that later ones contradict', async () => {
    const facts = 'I live in Berlin. I work at Acme. I like tea.';
    await server.remember(database, [{ id: 'm1', text: facts, infer: true }]);
    const asked = { type: 'memory', query: 'tea', num_related_chunks: 5, ids: ['m1'] };
    const contents = async () =>
      Object.values((await ask(asked)).additional_context).map((chunk: any) => chunk.chunk_content);
    expect(await contents()).toEqual(expect.arrayContaining([expect.stringContaining('Berlin')]));
    await server.remember(database, [{ id: 'm2', text: 'I live in Oslo.', infer: true }]);
    const after = await contents();
    expect(after).not.toEqual([]);
    expect(after.join()).not.toContain('Berlin');
  });

  test('works for both corpora at once, and in GraphQL', async () => {
    const answer = await server.graphql(
      `query ($database: String!) {
        search(database: $database, type: all, query: "mark5", queryBy: text, maxResults: 1, numRelatedChunks: 2) {
          chunks { extraContextIds }
          additionalContext { chunkUuid chunkContent collection sourceType }
        }
      }`,
      { database },
    );
    const { chunks, additionalContext } = answer.body.data.search;
    expect(additionalContext.map((chunk: any) => chunk.chunkUuid).toSorted()).toEqual(
      chunks[0].extraContextIds.toSorted(),
    );
    expect(additionalContext).toHaveLength(2);
    expect(additionalContext[0]).toMatchObject({ collection: 'default', sourceType: 'knowledge' });
  });

  test.each([-1, 21])('refuses %i', async (num_related_chunks) => {
    const json = { database, query: 'x', num_related_chunks };
    const answer = await server.rest('POST', '/query', { json });
    expect([answer.status, answer.body.error.message]).toEqual([
      400,
      `num_related_chunks must be 0 to 20, not ${num_related_chunks}`,
    ]);
  });

  test('GraphQL counts neighbours among what an operation costs', async () => {
    const search = (name: string) =>
      `${name}: search(database: $database, query: "x", maxResults: 250, numRelatedChunks: 20) { chunks { id } }`;
    const cost = async (names: string[]) =>
      server.graphql(`query ($database: String!) { ${names.map(search).join('\n')} }`, { database });
    expect((await cost(['a', 'b'])).body.errors).toBeUndefined();
    expect((await cost(['a', 'b', 'c'])).body.errors[0].message).toMatch(/must cost at most 150000/);
  });
});
