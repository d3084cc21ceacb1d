import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { watchVisits } from '../support/plan-visits.js';
import { TestServer } from '../support/server.js';
import { columnsOf } from '../support/table-columns.js';

// While the planner does not know yet that a database has grown it expects one item there: a query then must not follow
// every way of its second hop once for each item. Said by the rows that its statements visit.

const items = 2000;
let server: TestServer;
let database: string;
beforeAll(async () => {
  server = await TestServer.start();
  await server.remember(
    await server.database(),
    Array.from({ length: 300 }, (_, n) => ({ id: `m${n}`, text: `note ${n}` })),
  );
  await server.idle();
  await server.sql('analyze sources');
  database = await server.database();
  await server.remember(database, [
    { id: 'harbour', title: 'note', text: 'The harbour of Tromsund was built by Zorin Wexford' },
    { id: 'engineer', title: 'note', text: 'Zorin Wexford studied engineering in Vesperholm' },
    { id: 'town', title: 'note', text: 'Vesperholm has a cathedral' },
    { id: 'other', title: 'note', text: 'kelp' },
  ]);
  await server.idle();
  const id = await server.databaseId(database);
  const ofSources = (await columnsOf(server, 'sources', ['uid', 'id'])).join();
  await server.sql(
    `insert into sources (id, ${ofSources}) select 'copy' || n, ${ofSources} from sources, generate_series(1, ${items}) n
      where database_id = $1 and id = 'other'`,
    [id],
  );
  const ofChunks = await columnsOf(server, `chunks_${id}_memory`, ['id', 'source_uid', 'chunk_uuid']);
  await server.sql(
    `insert into chunks_${id}_memory (id, source_uid, chunk_uuid, ${ofChunks.join()})
     select nextval('chunk_ids'), s.uid, gen_random_uuid(), ${ofChunks.map((name) => `c.${name}`).join()} from chunks_${id}_memory c
       join sources o on o.uid = c.source_uid and o.id = 'other'
       join sources s on s.database_id = $1 and s.id like 'copy%'`,
    [id],
  );
});
afterAll(async () => server.stop());

test.each([
  ['all', {}],
  ['what some may read', { acl: ['user:ana'] }],
])('of %s a second hop visits what it leads to', async (_case, more) => {
  const query = 'Where did the builder of the harbour of Tromsund study engineering?';
  const { answer, rows } = await watchVisits(server, /r\.kind|as covered/, () =>
    server.rest('POST', '/query', {
      json: { database, query, type: 'memory', mode: 'thinking', max_results: 3, ...more },
    }),
  );
  const found = answer.body.data.chunks.map(({ id }: { id: string }) => id);
  expect(found.slice(0, 2).sort()).toEqual(['engineer', 'harbour']);
  // A table that has not been analysed may be read once.
  expect(rows).toBeLessThan(2 * items);
});
