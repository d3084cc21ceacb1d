import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { TestServer } from '../support/server.js';
import { termSumsSql } from '../support/store-view.js';

// How often terms occur is added up beside the chunks, and what was added is folded when there is much of it.

// Few large ones wait as long as many small ones.
const items = 48;
const wordsPerItem = 90;
// So many rows of additions wait, each of a block of terms; of one statement there are at most so many.
const waitingMax = 2560;
const rowsPerWriteMax = 130;

let server: TestServer;
let database: string;
let store: string;
beforeAll(async () => {
  server = await TestServer.start();
  database = await server.database();
  store = `${await server.databaseId(database)}_memory`;
});
afterAll(async () => server.stop());

/** Words that no two items have in the same number; each item is a batch of its own. */
function textOf(item: number): string {
  return Array.from({ length: wordsPerItem }, (_, n) => `w${(item * 7 + n * (1 + (item % 5))) % 200}x`).join(
    ' ',
  );
}

const additions = async () =>
  (await server.sql(`select 1 from term_frequencies_${store} where not folded`)).length;

/** What is added up, and what stands in the chunks. */
async function counted() {
  const added = await server.sql(
    `select term, amount::int from (${termSumsSql(`term_frequencies_${store}`)}) s where term > 0 order by term`,
  );
  const held = await server.sql(
    `select term, count(*)::int as amount from chunks_${store}, unnest(terms) as term group by term order by term`,
  );
  return { added, held };
}

test('additions are folded when there are many, and add up to what chunks hold', async () => {
  let most = 0;
  for (let item = 0; item < items; item += 1) {
    await server.remember(database, [{ id: `i${item}`, text: textOf(item) }]);
    most = Math.max(most, await additions());
  }
  expect(most).toBeGreaterThan(waitingMax / 2);
  expect(most).toBeLessThan(waitingMax + 2 * rowsPerWriteMax);
  await server.idle();
  expect(await additions()).toBeLessThan(most);
  const { added, held } = await counted();
  expect(held.length).toBeGreaterThan(100);
  expect(added).toEqual(held);
});

test('a large write adds few rows, which wait for more, since each fold writes all sums anew', async () => {
  const large = await server.database();
  const id = await server.databaseId(large);
  const words = Array.from({ length: 2500 }, (_, n) => `x${n}y`);
  await server.remember(large, [{ id: 'long', text: words.join(' ') }]);
  await server.idle();
  const table = `term_frequencies_${id}_memory`;
  const counted = await server.sql(`select term from (${termSumsSql(table)}) s where term > 0`);
  expect(counted).toHaveLength(words.length);
  const rows = await server.sql<{ folded: boolean }>(`select folded from ${table}`);
  expect(rows.length).toBeLessThanOrEqual(rowsPerWriteMax);
  expect(rows.filter(({ folded }) => folded)).toEqual([]);
});

test('what is deleted is subtracted, and what is replaced counts once', async () => {
  const ids = Array.from({ length: items / 2 }, (_, n) => `i${2 * n}`);
  const gone = await server.rest('DELETE', '/context', { json: { database, type: 'memory', ids } });
  expect(gone.status).toBe(200);
  await server.remember(database, [{ id: 'i1', text: textOf(2) }]);
  await server.idle();
  const { added, held } = await counted();
  expect(added).toEqual(held);
});
