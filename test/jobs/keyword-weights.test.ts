import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { TestServer } from '../support/server.js';
import { columnsOf } from '../support/table-columns.js';

// Chunks keep the weights of their words, and which formula and average length they were made with.

const words = ['otter', 'heron', 'salmon', 'beaver', 'kingfisher'];

let server: TestServer;
beforeAll(async () => {
  server = await TestServer.start();
});
afterAll(async () => server.stop());

test('what an earlier version has weighed is weighed anew when something is stored', async () => {
  const database = await server.database();
  const chunks = `chunks_${await server.databaseId(database)}_memory`;
  const weights = async (ids: readonly number[]) =>
    server.sql(
      `select id::int, keyword::text, average_length_step as step from ${chunks}
        where id = any('{${ids.join()}}') order by id`,
    );
  const memories = words.map((word) => ({ id: word, text: `a ${word} in the river and on its bank` }));
  await server.remember(database, memories);
  const ids = (await server.sql<{ id: number }>(`select id::int from ${chunks} order by id`)).map(
    ({ id }) => id,
  );
  const before = await weights(ids);
  expect(before).toHaveLength(words.length);
  await server.sql(
    `update ${chunks} set average_length_step = average_length_step - 100,
            keyword = (select keyword from ${chunks} order by id limit 1)`,
  );
  expect(await weights(ids)).not.toEqual(before);
  await server.remember(database, [{ id: 'next', text: 'a lynx in the river and on its bank' }]);
  expect(await weights(ids)).toEqual(before);
});

test('those are found without reading all others, also where nobody has counted what there is', async () => {
  const database = await server.database();
  await server.remember(database, [{ id: 'first', text: 'an otter in the river' }]);
  const chunks = `chunks_${await server.databaseId(database)}_memory`;
  const columns = (await columnsOf(server, chunks, ['id', 'chunk_uuid'])).join();
  await server.sql(`alter table ${chunks} set (autovacuum_enabled = false)`);
  await server.sql(
    `insert into ${chunks} (id, chunk_uuid, ${columns})
     select nextval('chunk_ids'), gen_random_uuid(), ${columns} from ${chunks}, generate_series(1, 5000)`,
  );
  const readWhole = async () => {
    await server.sql('select pg_stat_force_next_flush()');
    const [row] = await server.sql<{ rows: number; analysed: boolean }>(
      `select seq_tup_read::int as rows, last_analyze is not null as analysed
         from pg_stat_user_tables where relname = $1`,
      [chunks],
    );
    return row;
  };
  const before = await readWhole();
  expect(before?.analysed).toBe(false);
  await server.remember(database, [{ id: 'next', text: 'a heron in the river' }]);
  await server.idle();
  expect((await readWhole())?.rows).toBe(before?.rows);
});
