import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { TestServer } from '../support/server.js';

let server: TestServer;
const lines: { level: number; msg?: string }[] = [];
beforeAll(async () => {
  server = await TestServer.start({ log: (line) => void lines.push(JSON.parse(line)) });
});
afterAll(async () => server.stop());

const errors = () => lines.filter(({ level }) => level >= 50);

describe('the log holds no error', () => {
  test('for a repetition that came while the first request was under way', async () => {
    const database = await server.database();
    const ingest = () =>
      server.rest('POST', '/context/ingest', {
        json: { database, type: 'memory', memories: [{ text: 'a fact' }] },
        headers: { 'idempotency-key': 'early' },
      });
    expect((await ingest()).status).toBe(202);
    await server.sql(`update idempotency_keys set answer = null where key = 'early'`);
    const { status, body } = await ingest();
    expect([status, body.error.code]).toEqual([503, 'SERVICE_UNAVAILABLE']);
    expect(errors()).toEqual([]);
  });

  // In the moment in which a statement changes the first of its items, or of the rows of another table.
  const deleteDatabase = (name: string, event: string, table = 'sources') =>
    server.sql(
      `create or replace function delete_database() returns trigger language plpgsql as $$ begin
         update databases set status = 'deleting' where id = old.database_id and name = '${name}';
         if found then execute format('drop table if exists chunks_%s_memory', old.database_id); end if;
         return case tg_op when 'DELETE' then old else new end;
       end $$;
       drop trigger if exists delete_database on ${table};
       create trigger delete_database before ${event} on ${table} for each row execute function delete_database()`,
    );
  const isPurged = async (database: string) => {
    await server.sql('drop trigger if exists delete_database on sources');
    server.clock.advance(120);
    await server.idle();
    return (await server.sql('select 1 from databases where name = $1', [database])).length === 0;
  };
  const ids = ['a', 'b', 'c'];
  const memories = ids.map((id) => ({ id, text: 'a fact' }));

  test('for old versions whose database is deleted while they are removed', async () => {
    const database = await server.database();
    await server.remember(
      database,
      ids.map((id) => ({ id, text: 'Mira Holm works at Nordlicht.' })),
    );
    // When the chunks are gone, and before it is looked for more of them.
    await deleteDatabase(database, 'delete', `entity_mentions_${await server.databaseId(database)}_memory`);
    const json = { database, type: 'memory', ids };
    expect((await server.rest('DELETE', '/context', { json })).status).toBe(200);
    await server.idle();
    expect(await isPurged(database)).toBe(true);
    expect(errors()).toEqual([]);
  });

  test('for items whose database is deleted while they are indexed; others are', async () => {
    const [database, other] = [await server.database(), await server.database()];
    for (const each of [database, other])
      await server.rest('POST', '/context/ingest', { json: { database: each, type: 'memory', memories } });
    await deleteDatabase(database, 'update of lease_token');
    await server.idle();
    expect(await isPurged(database)).toBe(true);
    const list = await server.rest('GET', `/context/list?database=${other}&type=memory`);
    expect(list.body.data.user_memories).toMatchObject(Array(3).fill({ indexing_status: 'completed' }));
    expect(errors()).toEqual([]);
  });
});
