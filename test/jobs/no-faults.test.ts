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

  test('for old versions whose database is deleted while they are removed', async () => {
    const database = await server.database();
    const ids = ['a', 'b', 'c'];
    await server.remember(
      database,
      ids.map((id) => ({ id, text: 'a fact' })),
    );
    // In the moment in which the first of them has been removed.
    await server.sql(
      `create function delete_database() returns trigger language plpgsql as $$ begin
         update databases set status = 'deleting' where id = old.database_id;
         execute format('drop table if exists chunks_%s_memory', old.database_id);
         return old;
       end $$`,
    );
    await server.sql(
      'create trigger delete_database before delete on sources for each row execute function delete_database()',
    );
    const json = { database, type: 'memory', ids };
    expect((await server.rest('DELETE', '/context', { json })).status).toBe(200);
    await server.idle();
    expect(errors()).toEqual([]);
    server.clock.advance(120);
    await server.idle();
    expect(await server.sql('select 1 from databases where name = $1', [database])).toEqual([]);
    expect(errors()).toEqual([]);
  });
});
