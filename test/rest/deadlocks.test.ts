import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { TestServer } from '../support/server.js';

let server: TestServer;
let database: string;
beforeAll(async () => {
  server = await TestServer.start();
  database = await server.database({
    database_metadata_schema: [{ name: 'team', enable_dense_embedding: true }],
  });
  await server.remember(
    database,
    ['kept', 'edited', 'gone'].map((id) => ({ id, text: `otters of ${id}`, metadata: { team: 'red' } })),
  );
});
afterAll(async () => server.stop());

/**
 * Makes Postgres end statements on a table as it ends those of a deadlock, so many times: the steps of a sequence are
 * not undone with a transaction. @returns how often it was asked until the change was over.
 */
async function duringDeadlocks<T>(
  { table, times }: { table: string; times: number },
  change: () => Promise<T>,
): Promise<{ answer: T; asked: number }> {
  await server.sql('create sequence deadlocks');
  await server.sql(`create function deadlock() returns trigger language plpgsql as $$ begin
    if nextval('deadlocks') <= ${times} then raise exception 'deadlock detected' using errcode = '40P01'; end if;
    return null; end $$`);
  await server.sql(
    `create trigger deadlock after insert or update on ${table} for each statement execute function deadlock()`,
  );
  try {
    const answer = await change();
    const [last] = await server.sql<{ asked: string }>('select last_value as asked from deadlocks');
    return { answer, asked: Number(last?.asked) };
  } finally {
    await server.sql(`drop trigger deadlock on ${table}`);
    await server.sql('drop function deadlock()');
    await server.sql('drop sequence deadlocks');
  }
}

const idsFound = async () => {
  const answer = await server.rest('GET', `/context/list?database=${database}&type=memory`);
  return (answer.body.data.user_memories as { memory_id: string }[]).map(({ memory_id }) => memory_id).sort();
};

test('an ingest that loses a deadlock is stored all the same', async () => {
  const { answer, asked } = await duringDeadlocks({ table: 'sources', times: 2 }, () =>
    server.rest('POST', '/context/ingest', {
      json: { database, type: 'memory', memories: [{ id: 'new', text: 'otters anew' }] },
    }),
  );
  expect(answer.status).toBe(202);
  expect(asked).toBeGreaterThan(2);
  await server.idle();
  expect(await idsFound()).toContain('new');
});

test('an edit that loses a deadlock is made all the same, with its vectors', async () => {
  const edit = (team: string) => () =>
    server.rest('PATCH', '/context/edited/metadata', {
      json: { database, collection: 'default', type: 'memory', database_metadata: { team } },
    });
  const { answer } = await duringDeadlocks({ table: 'sources', times: 1 }, edit('blue'));
  expect(answer.status).toBe(200);
  expect(answer.body.data).toMatchObject({ updated: true, vector_synced: true });
  const vectors = await duringDeadlocks({ table: 'metadata_vectors', times: 1 }, edit('green'));
  expect(vectors.answer.body.data).toMatchObject({ updated: true, vector_synced: true });
});

test('a deletion that loses a deadlock is made all the same', async () => {
  const { answer } = await duringDeadlocks({ table: 'sources', times: 1 }, () =>
    server.rest('DELETE', '/context', { json: { database, type: 'memory', ids: ['gone'] } }),
  );
  expect(answer.status).toBe(200);
  expect(await idsFound()).toEqual(expect.not.arrayContaining(['gone']));
});

test('who loses every time is told to try again, and nothing has changed', async () => {
  const before = await idsFound();
  const { answer, asked } = await duringDeadlocks({ table: 'sources', times: 1000 }, () =>
    server.rest('DELETE', '/context', { json: { database, type: 'memory', ids: ['kept'] } }),
  );
  expect(answer.status).toBe(503);
  expect(answer.headers.get('retry-after')).not.toBeNull();
  expect(asked).toBe(5);
  expect(await idsFound()).toEqual(before);
});
