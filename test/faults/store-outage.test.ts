import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { expectUnavailable } from '../support/api-client.js';
import { TestServer } from '../support/server.js';

let server: TestServer;
let database: string;
beforeAll(async () => {
  server = await TestServer.start();
  database = await server.database();
  await server.sql(
    `create function fail() returns trigger language plpgsql as $$ begin raise exception 'pg_wal is full' using errcode = tg_argv[0]; end $$`,
  );
});
afterAll(async () => server.stop());

const fail = (table: string, state: string) =>
  server.sql(`create trigger fail before insert on ${table} execute function fail('${state}')`);
const mend = (table: string) => server.sql(`drop trigger fail on ${table}`);
const statusOf = (id: string) => server.statusOf(database, id);

describe('a Postgres that answers, and cannot', () => {
  test.each(['53100', '53200', '58030', '57P03', '08006', '40P01', '55P03', '25006'])(
    'SQLSTATE %s: writes are answered 503 by REST and GraphQL',
    async (state) => {
      await fail('sources', state);
      const id = `refused-${state}`;
      const memories = [{ id, text: 'words' }];
      expectUnavailable(
        await server.rest('POST', '/context/ingest', { json: { database, type: 'memory', memories } }),
      );
      expectUnavailable(
        await server.graphql(
          `mutation { ingest(input: { database: "${database}", type: memory, memories: [{ id: "${id}", text: "words" }] }) { success } }`,
        ),
      );
      await mend('sources');
      expect(await server.sql('select 1 from sources where id = $1', [id])).toEqual([]);
    },
  );

  test('an error that is not an outage is no 503', async () => {
    await fail('sources', 'P0001');
    const memories = [{ id: 'wrong', text: 'words' }];
    const answer = await server.rest('POST', '/context/ingest', {
      json: { database, type: 'memory', memories },
    });
    await mend('sources');
    expect([answer.status, answer.body.error.code]).toEqual([500, 'INTERNAL_ERROR']);
    expect(JSON.stringify(answer.body)).not.toContain('pg_wal');
  });

  test('a database that is provisioned during an outage becomes ready after it', async () => {
    await server.sql(
      "create function refuse() returns event_trigger language plpgsql as $$ begin raise exception using errcode = '53100'; end $$",
    );
    await server.sql(
      `create event trigger refuse on ddl_command_end when tag in ('CREATE TABLE') execute function refuse()`,
    );
    const made = await server.rest('POST', '/databases', { json: { database: 'made-in-need' } });
    expect(made.status).toBe(202);
    await server.idle();
    const status = async () =>
      (await server.rest('GET', '/databases/status?database=made-in-need')).body.data.status;
    expect(await status()).toBe('accepted');
    await server.sql('drop event trigger refuse');
    await server.idle();
    expect(await status()).toBe('ready');
  });

  test('an item waits for as long as its chunks cannot be stored, and is completed then', async () => {
    const id = await server.databaseId(database);
    const chunks = `chunks_${id}_memory`;
    await fail(chunks, '53100');
    await server.remember(database, [
      { id: 'waits-1', text: 'words' },
      { id: 'waits-2', text: 'words' },
    ]);
    for (let pause = 0; pause < 10; pause += 1) {
      server.clock.advance(301);
      await server.idle();
    }
    expect(await statusOf('waits-1')).toMatchObject({ indexing_status: 'processing', error_code: 'E6001' });
    await mend(chunks);
    server.clock.advance(301);
    await server.idle();
    for (const id of ['waits-1', 'waits-2'])
      expect(await statusOf(id)).toMatchObject({ indexing_status: 'completed', error_code: '' });
  });
});
