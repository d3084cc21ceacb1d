import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Listing } from '../support/listing.js';
import { watchVisits } from '../support/plan-visits.js';
import { TestServer } from '../support/server.js';
import { columnsOf } from '../support/table-columns.js';

// A page costs the same wherever it is: said by the rows that its statements visit, not by the time that they take.

const items = 100_000;
const pageSize = 50;
const pages = items / pageSize;
const rowsOfStep = 20_000;
// A page looks at each of its rows in the index, in the table, and for the version that is shown of it.
const visitsPerRow = 4;
/** Not the one that reads the database, which looks whether it has items of nobody's. */
const pageStatement = /(?<!exists\(select )from sources/;

let server: TestServer;
let database: string;
beforeAll(async () => {
  server = await TestServer.start();
  database = await server.database();
  await server.remember(database, [{ id: 'i0', text: 'a first note' }]);
  const copied = (await columnsOf(server, 'sources', ['uid', 'id', 'created_at'])).join(', ');
  for (let from = 1; from < items; from += rowsOfStep)
    await server.sql(
      `insert into sources (id, created_at, ${copied})
       select 'i' || n, created_at + n * interval '1 second', ${copied}
         from sources, generate_series($1::int, $2::int) as n where id = 'i0'`,
      [from, Math.min(from + rowsOfStep, items) - 1],
    );
  await server.sql('vacuum (analyze) sources');
}, 120_000);
afterAll(async () => server.stop());

const idsOf = (nodes: readonly { id: string }[]) => nodes.map(({ id }) => id);
const idsFrom = (start: number) => Array.from({ length: pageSize }, (_, n) => `i${items - 1 - start - n}`);

describe(`${items} items`, () => {
  const endOf = async (page: number): Promise<string> => {
    const query = `{ memories(database: "${database}", page: ${page}, pageSize: ${pageSize}) { pageInfo { endCursor } } }`;
    return (await server.graphql(query)).body.data.memories.pageInfo.endCursor;
  };

  test.each([1, pages / 2, pages - 1])(
    'behind the cursor of page %i a page visits its own rows',
    async (page) => {
      const after = await endOf(page);
      const query = `query ($after: String) { memories(database: "${database}", first: ${pageSize}, after: $after) {
      ...Rows pageInfo { hasNextPage } } } fragment Rows on MemoryConnection { nodes { id } }`;
      const { answer, rows } = await watchVisits(server, pageStatement, () =>
        server.graphql(query, { after }),
      );
      expect(idsOf(answer.body.data.memories.nodes)).toEqual(idsFrom(page * pageSize));
      expect(answer.body.data.memories.pageInfo.hasNextPage).toBe(page < pages - 1);
      expect(rows).toBeLessThanOrEqual((pageSize + 1) * visitsPerRow);
    },
  );

  test.each([1, 2, pages / 2, pages])('page %i of them, with the total, visits each once', async (page) => {
    const list = new Listing(server, database);
    const { answer, rows } = await watchVisits(server, pageStatement, () =>
      list.ask({ type: 'memory', page, page_size: pageSize }),
    );
    const { user_memories, pagination } = answer.body.data;
    expect(idsOf(user_memories)).toEqual(idsFrom((page - 1) * pageSize));
    expect(pagination).toMatchObject({ page, total: items, total_pages: pages, has_next: page < pages });
    expect(rows).toBeGreaterThanOrEqual(items);
    expect(rows).toBeLessThanOrEqual(items + (pageSize + 1) * visitsPerRow);
  });
});

test('a cursor goes on behind its item, whatever is deleted meanwhile, and says the total of now', async () => {
  const other = await server.database();
  const memories = Array.from({ length: 7 }, (_, n) => ({ id: `m${n}`, text: 'a note' }));
  for (const memory of memories) await server.remember(other, [memory]);
  const query = `query ($after: String) { memories(database: "${other}", first: 3, after: $after) {
    nodes { id } totalCount pageInfo { hasNextPage endCursor } } }`;
  const ask = async (after?: string) => {
    const { nodes, totalCount, pageInfo } = (await server.graphql(query, { after })).body.data.memories;
    return { ids: idsOf(nodes), totalCount, pageInfo };
  };
  const first = await ask();
  expect([first.ids, first.totalCount]).toEqual([['m6', 'm5', 'm4'], 7]);
  // What stood before the cursor, and the item that it stands behind.
  await server.rest('DELETE', '/context', { json: { database: other, type: 'memory', ids: ['m6', 'm4'] } });
  const second = await ask(first.pageInfo.endCursor);
  expect([second.ids, second.totalCount, second.pageInfo.hasNextPage]).toEqual([['m3', 'm2', 'm1'], 5, true]);
  const third = await ask(second.pageInfo.endCursor);
  expect([third.ids, third.pageInfo.hasNextPage]).toEqual([['m0'], false]);
});

test('of items of one request, which have one time, none is skipped that is replaced between two pages', async () => {
  const other = await server.database();
  const memories = Array.from({ length: 7 }, (_, n) => ({ id: `m${n}`, text: 'a note' }));
  await server.remember(other, memories);
  await server.idle();
  const query = `query ($after: String) { memories(database: "${other}", first: 3, after: $after) {
    nodes { id } pageInfo { endCursor } } }`;
  const seen: string[] = [];
  for (let after: string | undefined; seen.length < 7;) {
    const { nodes, pageInfo } = (await server.graphql(query, { after })).body.data.memories;
    expect(nodes).not.toEqual([]);
    seen.push(...idsOf(nodes));
    after = pageInfo.endCursor;
    const left = memories.filter(({ id }) => !seen.includes(id));
    if (left.length > 0) await server.remember(other, left);
    await server.idle();
  }
  expect(seen.sort()).toEqual(memories.map(({ id }) => id));
  // As they were before versions were left out of them.
  const [{ databaseId, collectionId }] = (await server.sql(
    `select database_id as "databaseId", collection_id as "collectionId" from sources order by uid desc limit 1`,
  )) as [{ databaseId: number; collectionId: number }];
  const old = [`items.${databaseId}.${collectionId}.memory`, 3, '1795000000000000', '7'];
  const after = Buffer.from(JSON.stringify(old)).toString('base64url');
  const { body } = await server.graphql(query, { after });
  expect(body.errors[0].message).toBe('after is not a cursor that this list returned');
});

test('a cursor of another list is 400: of another type, collection or database', async () => {
  const other = await server.database();
  const list = (field: string, name: string, collection: string, after: string | null = null) =>
    server.graphql(
      `query ($after: String) { ${field}(database: "${name}", collection: "${collection}", first: 1, after: $after) {
         nodes { id } pageInfo { endCursor } } }`,
      { after },
    );
  const places = [
    ['memories', other, 'one'],
    ['memories', other, 'two'],
    ['sources', other, 'one'],
    ['memories', database, 'one'],
  ] as const;
  const cursors = [];
  for (const [field, name, collection] of places) {
    const item = { id: 'a', text: 'a note' };
    if (field === 'memories') await server.remember(name, [item, { ...item, id: 'b' }], { collection });
    else await server.upload(name, { 'a.txt': 'one', 'b.txt': 'two' }, { collection });
    const { data } = (await list(field, name, collection)).body;
    cursors.push(data[field].pageInfo.endCursor);
  }
  for (const [index, [field, name, collection]] of places.entries())
    for (const [from, cursor] of cursors.entries()) {
      const { data, errors } = (await list(field, name, collection, cursor)).body;
      if (from === index) expect(data[field].nodes).toHaveLength(1);
      else
        expect(errors[0]).toMatchObject({
          message: 'after is not a cursor that this list returned',
          extensions: { code: 'INVALID_INPUT', httpStatus: 400 },
        });
    }
});

test('a cursor whose place is none that a list has is 400', async () => {
  const ask = (after?: string) =>
    server.graphql(
      `query ($after: String) { memories(database: "${database}", first: 1, after: $after) {
         page { page } pageInfo { endCursor } } }`,
      { after },
    );
  const { endCursor } = (await ask()).body.data.memories.pageInfo;
  const [list, , ...key] = JSON.parse(Buffer.from(endCursor, 'base64url').toString());
  for (const place of [-1, 0.5, 3_000_000_000]) {
    const forged = Buffer.from(JSON.stringify([list, place, ...key])).toString('base64url');
    expect((await ask(forged)).body.errors[0]).toMatchObject({
      message: 'after is not a cursor that this list returned',
      extensions: { code: 'INVALID_INPUT' },
    });
  }
});

const farAway = JSON.stringify(['items.1.1.knowledge', 1, '9'.repeat(18), '1']);
test.each(['NQ', 'bm90IG9uZQ', '', Buffer.from(farAway).toString('base64url')])(
  'the cursor "%s" is 400',
  async (after) => {
    const query = `{ sources(database: "${database}", first: 2, after: "${after}") { nodes { id } } }`;
    const answer = await server.graphql(query);
    expect(answer.body.errors[0]).toMatchObject({
      message: 'after is not a cursor that this list returned',
      extensions: { code: 'INVALID_INPUT' },
    });
  },
);
