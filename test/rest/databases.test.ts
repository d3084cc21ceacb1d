import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import { TestServer } from '../support/server.js';

let server: TestServer;
beforeAll(async () => {
  server = await TestServer.start();
});
afterAll(async () => server.stop());

describe('POST /databases', () => {
  test('answers 202 accepted; status moves from accepted to ready when provisioning has run', async () => {
    const created = await server.rest('POST', '/databases', { json: { database: 'first' } });
    expect(created.status).toBe(202);
    expect(created.body).toMatchObject({
      success: true,
      error: null,
      data: { status: 'accepted', database: 'first', tenant_id: 'first', message: expect.any(String) },
      meta: { api_version: '2.0.1', database: 'first', tenant_id: 'first' },
    });
    const before = await server.rest('GET', '/databases/status?database=first');
    expect(before.body.data).toMatchObject({
      database: 'first',
      status: 'accepted',
      infra: {
        scheduler_status: false,
        graph_status: false,
        vectorstore_status: { knowledge: false, memories: false },
        ready_for_ingestion: false,
      },
    });
    await server.idle();
    const after = await server.rest('GET', '/databases/status?database=first');
    expect(after.body.data).toMatchObject({
      status: 'ready',
      error: '',
      org_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      infra: {
        scheduler_status: true,
        graph_status: true,
        vectorstore_status: { knowledge: true, memories: true },
        ready_for_ingestion: true,
      },
    });
  });

  test.each([
    ['Upper', /lowercase/],
    ['with space', /lowercase/],
    ['', /empty/],
    ['x'.repeat(256), /255/],
  ])('refuses the name %j and makes nothing', async (database, reason) => {
    const answer = await server.rest('POST', '/databases', { json: { database } });
    expect(answer.status).toBe(400);
    expect(answer.body.error).toEqual({ code: 'INVALID_INPUT', message: expect.stringMatching(reason) });
    expect(answer.body.detail).toMatchObject({ success: false, error_code: 'INVALID_INPUT' });
    expect(await server.sql('select 1 from databases where name = $1', [database])).toHaveLength(0);
  });

  test('accepts a name of exactly 255 characters', async () => {
    const database = 'x'.repeat(255);
    expect((await server.rest('POST', '/databases', { json: { database } })).status).toBe(202);
  });

  test('a missing database is a 400 that names it', async () => {
    const answer = await server.rest('POST', '/databases', { json: {} });
    expect(answer.status).toBe(400);
    expect(answer.body.error.message).toMatch(/^database is required/);
  });

  test('an existing one is 409 DATABASE_ALREADY_EXISTS; the deprecated route says INVALID_INPUT', async () => {
    const database = await server.database();
    const again = await server.rest('POST', '/databases', { json: { database } });
    expect([again.status, again.body.error.code]).toEqual([409, 'DATABASE_ALREADY_EXISTS']);
    const legacy = await server.rest('POST', '/tenants', { json: { tenant_id: database } });
    expect([legacy.status, legacy.body.error.code]).toEqual([409, 'INVALID_INPUT']);
    expect(legacy.headers.get('deprecation')).toBe('true');
  });

  const vector = (count: number) =>
    Array.from({ length: count }, (_, i) => ({
      name: `f${i}`,
      enable_dense_embedding: true,
      enable_sparse_embedding: true,
    }));
  test.each([
    ['an ARRAY field', [{ name: 'a', data_type: 'ARRAY' }], /data_type/],
    [
      '7 vector fields',
      [...vector(3), { name: 'g', enable_dense_embedding: true }],
      /7 vector fields.*at most 6/,
    ],
    ['a reserved name', [{ name: 'chunk_id' }], /reserved/],
    ['a bad name', [{ name: '1a' }], /letter/],
    ['a name twice', [{ name: 'a' }, { name: 'A' }], /twice/],
    ['max_length 0', [{ name: 'a', max_length: 0 }], /max_length.*65535/],
    ['max_length on a number', [{ name: 'a', data_type: 'INT64', max_length: 5 }], /VARCHAR/],
    [
      'a vector flag on a number',
      [{ name: 'a', data_type: 'INT64', enable_dense_embedding: true }],
      /VARCHAR/,
    ],
    ['33 fields', Array.from({ length: 33 }, (_, i) => ({ name: `f${i}` })), /at most 32/],
    ['no name', [{ data_type: 'VARCHAR' }], /name is required/],
    ['a name that objects inherit', [{ name: 'a', data_type: 'constructor' }], /data_type/],
  ])('refuses a schema with %s', async (_case, schema, reason) => {
    const answer = await server.rest('POST', '/databases', {
      json: { database: 'bad-schema', database_metadata_schema: schema },
    });
    expect([answer.status, answer.body.error.code]).toEqual([400, 'INVALID_INPUT']);
    expect(answer.body.error.message).toMatch(reason);
    expect((await server.rest('GET', '/databases/status?database=bad-schema')).status).toBe(404);
  });

  test('accepts exactly 6 vector fields and the alias tenant_metadata_schema', async () => {
    const answer = await server.rest('POST', '/databases', {
      json: { database: 'six', tenant_metadata_schema: vector(3) },
    });
    expect(answer.status).toBe(202);
    expect(answer.body.meta.deprecation).toEqual([
      {
        deprecated: true,
        message: expect.any(String),
        deprecated_since: '2.0.1',
        deprecated_field: 'tenant_metadata_schema',
        preferred_field: 'database_metadata_schema',
      },
    ]);
  });

  test.each([
    ['192', { embeddings_dimension: 192, is_embeddings_tenant: true }, [192, true]],
    ['4000', { embeddings_dimension: 4000, is_embeddings_tenant: false }, [4000, false]],
    ['none', { embeddings_dimension: null }, [1536, false]],
  ])('keeps what is said of vectors: %s', async (name, json, [embeddingsDimension, isEmbeddingsTenant]) => {
    const database = `vectors-${name}`;
    expect((await server.rest('POST', '/databases', { json: { database, ...json } })).status).toBe(202);
    const query = `{ database(database: "${database}") { embeddingsDimension isEmbeddingsTenant } }`;
    const { data } = (await server.graphql(query)).body;
    expect(data.database).toEqual({ embeddingsDimension, isEmbeddingsTenant });
  });

  test.each([0, 191, 4001, 1.5])('refuses embeddings_dimension %d', async (embeddings_dimension) => {
    const answer = await server.rest('POST', '/databases', {
      json: { database: 'dim', embeddings_dimension },
    });
    expect([answer.status, answer.body.error.code]).toEqual([400, 'INVALID_INPUT']);
    expect(answer.body.error.message).toMatch(/embeddings_dimension/);
  });
});

describe('lists', () => {
  test('GET /databases pages names and details', async () => {
    const names = [await server.database(), await server.database()];
    const all = await server.rest('GET', '/databases?page_size=1000');
    expect(all.status).toBe(200);
    expect(all.body.data.databases).toEqual(expect.arrayContaining(names));
    expect(all.body.data.tenant_ids).toEqual(all.body.data.databases);
    expect(all.body.data.details).toContainEqual({
      database: names[0],
      tenant_id: names[0],
      type: 'split',
      status: 'ready',
      created_at: expect.stringMatching(/^\d{4}-.*Z$/),
    });
    expect(all.body.data.failed_databases).toEqual([]);
    const total = all.body.data.pagination.total;
    const second = await server.rest('GET', '/databases?page=2&page_size=1');
    expect(second.body.data.databases).toEqual([all.body.data.databases[1]]);
    expect(second.body.data.pagination).toEqual({
      page: 2,
      page_size: 1,
      total,
      total_pages: total,
      has_next: total > 2,
      has_previous: true,
    });
    expect(all.body.meta.database).toBeUndefined();
  });

  test.each(['page_size=0', 'page_size=1001', 'page=0', 'page=x'])(
    'GET /databases?%s is 400',
    async (query) => {
      expect((await server.rest('GET', `/databases?${query}`)).status).toBe(400);
    },
  );

  test('GET /databases/collections is empty before the first write', async () => {
    const database = await server.database();
    const answer = await server.rest('GET', `/databases/collections?database=${database}`);
    expect(answer.body.data).toMatchObject({ collections: [], sub_tenant_ids: [] });
    await server.remember(database, [{ text: 'a' }]);
    await server.remember(database, [{ text: 'b' }], { collection: 'team-b' });
    const after = await server.rest('GET', `/tenants/sub-tenants?tenant_id=${database}`);
    expect(after.body.data.collections).toEqual(['default', 'team-b']);
  });
});

describe('DELETE', () => {
  test('a database is hidden at once, purged by a job, and its name is free again', async () => {
    const database = await server.database();
    await server.remember(database, [{ id: 'm', text: 'something to forget' }]);
    const id = await server.databaseId(database);
    const deleted = await server.rest('DELETE', `/databases?database=${database}`);
    expect(deleted.status).toBe(202);
    expect(deleted.body.data).toMatchObject({ database, tenant_id: database, status: 'deletion_scheduled' });
    for (const path of ['status', 'stats', 'collections']) {
      const hidden = await server.rest('GET', `/databases/${path}?database=${database}`);
      expect([hidden.status, hidden.body.error.code]).toEqual([404, 'DATABASE_NOT_FOUND']);
    }
    expect((await server.rest('DELETE', '/databases', { json: { database } })).status).toBe(404);
    expect((await server.rest('POST', '/databases', { json: { database } })).status).toBe(409);
    await server.idle();
    expect(await server.sql(`select relname from pg_class where relname like $1`, [`%\\_${id}\\_%`])).toEqual(
      [],
    );
    expect(await server.sql('select 1 from sources where database_id = $1', [id])).toEqual([]);
    expect((await server.rest('POST', '/databases', { json: { database } })).status).toBe(202);
  });

  test('a collection reads empty at once and its name can be used again', async () => {
    const database = await server.database();
    await server.remember(database, [{ id: 'm', text: 'the old secret' }], { collection: 'c' });
    const deleted = await server.rest('DELETE', `/databases/collections?database=${database}&collection=c`);
    expect([deleted.status, deleted.body.data.status]).toEqual([202, 'deletion_scheduled']);
    const search = () =>
      server.rest('POST', '/query', { json: { database, query: 'secret', type: 'memory', collection: 'c' } });
    expect((await search()).body.data.chunks).toEqual([]);
    await server.remember(database, [{ id: 'm', text: 'the new secret' }], { collection: 'c' });
    const found = (await search()).body.data.chunks;
    expect(found.map((chunk: { chunk_content: string }) => chunk.chunk_content)).toEqual(['the new secret']);
    const stats = await server.rest('GET', `/databases/stats?database=${database}`);
    expect(stats.body.data.memory_collection.row_count).toBe(1);
    await server.remember(database, [{ id: 'kept', text: 'kept' }]);
    for (const name of ['', '&collection=']) {
      const unnamed = await server.rest('DELETE', `/databases/collections?database=${database}${name}`);
      expect([unnamed.status, unnamed.body.error.code]).toEqual([400, 'INVALID_INPUT']);
      expect(unnamed.body.error.message).toMatch(/^collection /);
    }
    const left = await server.rest('GET', `/databases/collections?database=${database}`);
    expect(left.body.data.collections).toContain('default');
    const comma = await server.rest('DELETE', `/databases/collections?database=${database}&collection=a,b`);
    expect(comma.status).toBe(400);
  });
});

/** Refuses DDL of these kinds, as a Postgres does on which the right to it was taken away; returns what allows it again. */
async function refuseDdl(tags: readonly string[]): Promise<() => Promise<void>> {
  await server.sql(`create or replace function refuse_ddl() returns event_trigger language plpgsql as
    $$ begin raise exception 'permission denied: %', tg_tag; end $$`);
  const quoted = tags.map((tag) => `'${tag}'`).join(', ');
  await server.sql(
    `create event trigger refuse_ddl on ddl_command_start when tag in (${quoted}) execute function refuse_ddl()`,
  );
  return async () => {
    await server.sql('drop event trigger refuse_ddl');
  };
}

describe('provisioning', () => {
  test('ingest and query answer 422 with Retry-After until the database is ready', async () => {
    await server.rest('POST', '/databases', { json: { database: 'early' } });
    const ingest = await server.rest('POST', '/context/ingest', {
      json: { database: 'early', type: 'memory', memories: [{ text: 'a' }] },
    });
    const query = await server.rest('POST', '/query', { json: { database: 'early', query: 'a' } });
    for (const answer of [ingest, query]) {
      expect([answer.status, answer.body.error.code]).toEqual([422, 'TENANT_INFRA_NOT_READY']);
      expect(answer.headers.get('retry-after')).toBe('1');
    }
    await server.idle();
  });

  test('a failed one is listed with its error, answers 422, and can be created again', async () => {
    await server.rest('POST', '/databases', { json: { database: 'doomed' } });
    const allow = await refuseDdl(['CREATE TABLE']);
    await server.idle();
    await allow();
    const list = await server.rest('GET', '/databases?page_size=1000');
    expect(list.body.data.failed_databases).toEqual([
      { database: 'doomed', tenant_id: 'doomed', error: expect.stringMatching(/permission denied/) },
    ]);
    expect(list.body.data.databases).not.toContain('doomed');
    const query = await server.rest('POST', '/query', { json: { database: 'doomed', query: 'a' } });
    expect(query.status).toBe(422);
    expect((await server.rest('POST', '/databases', { json: { database: 'doomed' } })).status).toBe(202);
    await server.idle();
    expect((await server.rest('GET', '/databases/status?database=doomed')).body.data.status).toBe('ready');
  });

  test('what is done with a database leaves no lease on it, wherever the process is killed', async () => {
    // As if the process were gone after the statement that says how it ended.
    await server.sql(`create function nothing_more() returns trigger language plpgsql as
      $$ begin raise exception 'nothing may follow'; end $$`);
    await server.sql(`create trigger nothing_more before update on databases for each row
      when (old.status in ('ready', 'failed')) execute function nothing_more()`);
    await server.rest('POST', '/databases', { json: { database: 'settled' } });
    await server.idle();
    await server.rest('POST', '/databases', { json: { database: 'settled-failed' } });
    const allow = await refuseDdl(['CREATE TABLE']);
    await server.idle();
    await allow();
    await server.sql('drop trigger nothing_more on databases');
    const rows = await server.sql(
      `select name, status, lease_until as lease from databases where name like 'settled%' order by name`,
    );
    expect(rows).toEqual([
      { name: 'settled', status: 'ready', lease: null },
      { name: 'settled-failed', status: 'failed', lease: null },
    ]);
  });

  test('when the rollback failed too, creating it again is 500 and says to delete it first; then it works', async () => {
    const create = () => server.rest('POST', '/databases', { json: { database: 'stuck' } });
    await create();
    const allow = await refuseDdl(['ALTER TABLE', 'DROP TABLE']);
    await server.idle();
    const failed = (await server.rest('GET', '/databases?page_size=1000')).body.data.failed_databases;
    expect(failed).toContainEqual({
      database: 'stuck',
      tenant_id: 'stuck',
      error: expect.stringMatching(/ALTER TABLE.*rollback also failed.*DROP TABLE/),
    });
    const again = await create();
    expect([again.status, again.body.error.code]).toEqual([500, 'INTERNAL_ERROR']);
    expect(again.body.error.message).toMatch(/rollback also failed.*delete the database first/);
    await allow();
    expect((await create()).status).toBe(500);
    expect((await server.rest('DELETE', '/databases?database=stuck')).status).toBe(202);
    await server.idle();
    expect((await create()).status).toBe(202);
    await server.idle();
    expect((await server.rest('GET', '/databases/status?database=stuck')).body.data.status).toBe('ready');
  });
});

describe('beside other databases', () => {
  const idOf = async (name: string) =>
    (await server.sql<{ id: number }>('select id from databases where name = $1', [name]))[0]?.id;
  const drop = async (database: string) =>
    expect((await server.rest('DELETE', `/databases?database=${database}`)).status).toBe(202);

  // On the embedded Postgres an open transaction holds up everything: it has one backend.
  const onNative = process.env['TEST_DATABASE_URL'] ? test : test.skip;

  onNative('who reads everything for long makes only the removal of what it reads wait', async () => {
    const [kept, read, dropped] = [await server.database(), await server.database(), await server.database()];
    await server.remember(kept, [{ id: 'm', text: 'herons wade' }]);
    const ids = [await idOf(kept), await idOf(read)];
    const reader = new pg.Client({ connectionString: server.databaseUrl });
    await reader.connect();
    try {
      // As pg_dump does: a transaction that has read the templates and the stores of two databases.
      await reader.query('begin');
      for (const table of ['chunks', 'chunk_vectors', 'term_frequencies', 'item_links', 'relation_groups']) {
        await reader.query(`select from ${table}`);
        for (const id of ids) await reader.query(`select from ${table}_${id}_memory`);
      }
      await drop(read);
      await drop(dropped);
      const made = await server.database();
      await server.remember(made, [{ id: 'm', text: 'storks wade' }]);
      await server.remember(kept, [{ id: 'n', text: 'egrets wade' }]);
      for (const [database, found] of [
        [made, 1],
        [kept, 2],
      ] as const) {
        const answer = await server.rest('POST', '/query', {
          json: { database, query: 'who wades', type: 'memory' },
        });
        expect(answer.body.data.chunks).toHaveLength(found);
      }
      expect([await idOf(dropped), await idOf(read)]).toEqual([undefined, ids[1]]);
    } finally {
      await reader.end();
    }
    server.clock.advance(61);
    await server.idle();
    expect(await idOf(read)).toBeUndefined();
  });

  test('one that cannot be removed does not hold up the next', async () => {
    const [stuck, next] = [await server.database(), await server.database()];
    const id = await idOf(stuck);
    await server.sql(`create function keep_${id}() returns event_trigger language plpgsql as $$ begin
      if exists (select from pg_event_trigger_dropped_objects() where object_name like 'chunks\\_${id}\\_%')
      then raise exception 'not this one'; end if; end $$`);
    await server.sql(`create event trigger keep_${id} on sql_drop execute function keep_${id}()`);
    await drop(stuck);
    await drop(next);
    await server.idle();
    expect([await idOf(stuck), await idOf(next)]).toEqual([id, undefined]);
    await server.sql(`drop event trigger keep_${id}`);
    server.clock.advance(61);
    await server.idle();
    expect(await idOf(stuck)).toBeUndefined();
  });
});
