import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { TestServer, adminKey } from '../support/server.js';
import type { Answer } from '../support/server.js';

let server: TestServer;
let database: string;
beforeAll(async () => {
  server = await TestServer.start();
  await server.sql(
    `insert into api_keys (prefix, account_id, secret_hash, name, scopes, principals, created_at)
     select k.prefix, account_id, secret_hash, k.prefix, k.scopes::text[], k.principals::text[], created_at from api_keys,
       (values ('annkey', '{write}', '{ann@example.com}'), ('reader', '{read}', null)) as k(prefix, scopes, principals)
      where api_keys.prefix = 'test'`,
  );
});
afterAll(async () => server.stop());
const keyOf = (prefix: string) => `${prefix}.${adminKey.split('.')[1]}`;

const schema = [
  { name: 'team', max_length: 10 },
  { name: 'level', data_type: 'INT32' },
  { name: 'ratio', data_type: 'DOUBLE' },
  { name: 'open', data_type: 'BOOL' },
  { name: 'tree', data_type: 'JSON' },
  { name: 'big', max_length: 65_535 },
  { name: 'topic', enable_sparse_embedding: true },
];
beforeEach(async () => {
  database = await server.database({ database_metadata_schema: schema });
  await upload('a');
});

const upload = async (id: string, text = 'otters swim', fields: Record<string, string> = {}) => {
  const metadata = { team: 'river', level: 1 };
  const item = { id, metadata, additional_metadata: { lang: 'en', page: { n: 1 } } };
  await server.upload(database, { 'a.txt': text }, { document_metadata: JSON.stringify([item]), ...fields });
  await server.idle();
};
const edit = (body: Record<string, unknown>, options: { id?: string; path?: string; key?: string } = {}) => {
  const { id = 'a', path = '/context', ...rest } = options;
  const json = { database, collection: 'default', ...body };
  return server.rest('PATCH', `${path}/${encodeURIComponent(id)}/metadata`, { json, ...rest });
};
const search = async (more: Record<string, unknown> = {}): Promise<any[]> => {
  const json = { database, query: 'otters', type: 'all', ...more };
  return (await server.rest('POST', '/query', { json })).body.data.chunks;
};
const versions = () =>
  server.sql<{ metadata: any; additional_metadata: any; acl: string[] | null; visible: boolean }>(
    `select s.metadata, s.additional_metadata, s.acl, s.visible, s.updated_at from sources s
       join databases d on d.id = s.database_id where d.name = $1 order by s.uid`,
    [database],
  );

/** The edit is refused, and nothing has changed. */
async function expectRefused(act: () => Promise<Answer>, status: number, code: string, message: RegExp) {
  const before = await versions();
  const answer = await act();
  expect([answer.status, answer.body.success, answer.body.data]).toEqual([status, false, null]);
  expect(answer.body.error).toEqual({ code, message: expect.stringMatching(message) });
  expect(await versions()).toEqual(before);
}

describe('PATCH /context/{id}/metadata', () => {
  test('merges: keys sent are set, others kept; answers every documented field', async () => {
    const [before] = await search();
    const answer = await edit({
      database_metadata: { team: 'lake', ratio: 0.5 },
      additional_metadata: { page: { m: 2 }, note: null },
    });
    expect([answer.status, answer.body.error]).toEqual([200, null]);
    expect(answer.body.data).toEqual({
      id: 'a',
      database,
      tenant_id: database,
      collection: 'default',
      sub_tenant_id: 'default',
      updated: true,
      database_metadata_keys: ['team', 'ratio'],
      tenant_metadata_keys: ['team', 'ratio'],
      additional_metadata_keys: ['page', 'note'],
      vector_sync_required: false,
      milvus_sync_required: false,
      chunk_rows_matched: 1,
      chunk_rows_modified: 1,
    });
    expect(answer.body.meta).toMatchObject({
      database,
      tenant_id: database,
      collection: 'default',
      sub_tenant_id: 'default',
      source_type: 'knowledge',
    });
    expect(answer.body.meta).not.toHaveProperty('deprecation');
    const filters = { team: 'lake', additional_metadata: { lang: 'en' } };
    const [after] = await search({ metadata_filters: filters });
    expect(after).toMatchObject({
      id: 'a',
      metadata: { team: 'lake', level: 1, ratio: 0.5 },
      additional_metadata: { lang: 'en', page: { m: 2 }, note: null },
      source_upload_time: before.source_upload_time,
    });
    expect(after.source_last_updated_time > before.source_last_updated_time).toBe(true);
    expect(await search({ metadata_filters: { team: 'river' } })).toEqual([]);
  });

  test('the same edit again answers the same', async () => {
    const body = { database_metadata: { team: 'x' }, acl: ['group:a'] };
    const [first, second] = [await edit(body), await edit(body)];
    expect(second.body.data).toEqual(first.body.data);
    expect((await versions())[0]).toMatchObject({ metadata: { team: 'x', level: 1 }, acl: ['group:a'] });
  });

  test('counts the chunks of the item', async () => {
    const text = Array.from({ length: 40 }, (_, n) => `Paragraph ${n} of otters. ${'word '.repeat(60)}`);
    await upload('long', text.join('\n\n'));
    const chunks = (await search({ ids: ['long'], max_results: 100 })).length;
    expect(chunks).toBeGreaterThan(3);
    const { data } = (await edit({ database_metadata: { team: 'x' } }, { id: 'long' })).body;
    expect([data.chunk_rows_matched, data.chunk_rows_modified]).toEqual([chunks, chunks]);
  });

  test('an access list replaces the stored one, at once; null is nobody, absent keeps', async () => {
    const answer = await edit({ acl: ['Ann@Example.com', 'group:a'] });
    expect(answer.body.data).toMatchObject({
      updated: false,
      acl_updated: true,
      vector_acl_synced: true,
      database_metadata_keys: [],
      additional_metadata_keys: [],
    });
    const found = async (acl?: string[]) => (await search({ acl })).length;
    expect([await found(['ann@example.com']), await found(['bob']), await found()]).toEqual([1, 0, 1]);
    const kept = await edit({ database_metadata: { team: 'x' } });
    expect(kept.body.data).not.toHaveProperty('acl_updated');
    expect(await found(['bob'])).toBe(0);
    await edit({ acl: ['bob'] });
    expect([await found(['bob']), await found(['ann@example.com'])]).toEqual([1, 0]);
    for (const nobody of [null, []]) {
      await edit({ acl: ['bob'] });
      expect((await edit({ acl: nobody })).body.data.acl_updated).toBe(true);
      expect([await found(), await found(['bob'])]).toEqual([0, 0]);
    }
    expect((await edit({ acl: ['*everyone*', 'public'] })).status).toBe(200);
    expect([await found(), await found(['bob']), await found([])]).toEqual([1, 1, 0]);
  });

  test('sizes are bytes of compact JSON: the bound is accepted, one more is not', async () => {
    const room = 16_384 - '{"big":""}'.length;
    expect((await edit({ database_metadata: { big: 'x'.repeat(room) } })).status).toBe(200);
    expect((await edit({ database_metadata: { big: `${'é'.repeat(room / 2)}` } })).status).toBe(200);
    const over = () => edit({ database_metadata: { big: `${'é'.repeat(room / 2)}x` } });
    await expectRefused(over, 400, 'INVALID_INPUT', /database_metadata has 16385 bytes.*16384/);
    const small = 1024 - '{"k":""}'.length;
    expect((await edit({ additional_metadata: { k: 'x'.repeat(small) } })).status).toBe(200);
    const tooMuch = () =>
      edit({ additional_metadata: { k: 'x'.repeat(small + 1) }, database_metadata: { team: 'no' }, acl: [] });
    await expectRefused(tooMuch, 400, 'INVALID_INPUT', /additional_metadata has 1025 bytes.*1024/);
    // What is stored already does not count: the caps are those of the request.
    expect((await edit({ additional_metadata: { other: 'x'.repeat(1000) } })).status).toBe(200);
  });

  const nested = (levels: number): unknown =>
    levels === 0 ? 1 : levels % 2 ? { a: nested(levels - 1) } : [nested(levels - 1)];
  test('nests at most 8 levels', async () => {
    const map = (levels: number) => ({ deep: nested(levels - 1) });
    expect((await edit({ database_metadata: { tree: nested(7) } })).status).toBe(200);
    expect((await edit({ additional_metadata: map(8) })).status).toBe(200);
    for (const levels of [9, 20])
      await expectRefused(
        () => edit({ additional_metadata: map(levels) }),
        400,
        'INVALID_INPUT',
        new RegExp(`additional_metadata.deep nests ${levels} levels; at most 8`),
      );
    const tree = () => edit({ database_metadata: { tree: nested(8) } });
    await expectRefused(tree, 400, 'INVALID_INPUT', /database_metadata.tree nests 9 levels/);
    const hopeless = () => edit({ additional_metadata: map(70) });
    await expectRefused(hopeless, 400, 'INVALID_INPUT', /additional_metadata must nest at most 64/);
  });

  test.each<[string, Record<string, unknown>, RegExp]>([
    ['nothing', {}, /database_metadata , additional_metadata or acl is required/],
    ['nulls alone', { database_metadata: null, additional_metadata: null }, /is required/],
    ['empty maps', { database_metadata: {}, additional_metadata: {} }, /at least one key/],
    ['an empty map', { database_metadata: {} }, /at least one key/],
    ['metadata', { metadata: { team: 'x' } }, /metadata is not accepted here; send database_metadata/],
    ['metadata beside good fields', { metadata: {}, acl: ['x'] }, /metadata is not accepted/],
    ['document_metadata', { document_metadata: { a: 1 }, acl: ['x'] }, /send additional_metadata/],
    ['document_metadata as text', { document_metadata: 'x', acl: ['x'] }, /send additional_metadata/],
    ['document_metadata as false', { document_metadata: false, acl: ['x'] }, /send additional_metadata/],
    ['no collection', { collection: undefined, acl: ['x'] }, /collection is required/],
    ['collection null', { collection: null, acl: ['x'] }, /collection is required/],
    ['an empty collection', { collection: '', acl: ['x'] }, /collection must not be empty/],
    ['no database', { database: undefined, acl: ['x'] }, /database is required/],
    [
      'an unknown key',
      { database_metadata: { team: 'x', colour: 'red' } },
      /database_metadata.colour is not declared/,
    ],
    ['a key in another case', { database_metadata: { Team: 'x' } }, /database_metadata.Team is not declared/],
    [
      'a reserved key',
      { database_metadata: { tenant_id: 'x' } },
      /database_metadata.tenant_id is a reserved key/,
    ],
    [
      'a reserved key in another case',
      { database_metadata: { ACL: 'x' } },
      /database_metadata.ACL is a reserved/,
    ],
    ['a number for text', { database_metadata: { team: 1 } }, /database_metadata.team must be a string/],
    [
      'too long a text',
      { database_metadata: { team: 'x'.repeat(11) } },
      /team has 11 characters; at most 10/,
    ],
    ['text for a number', { database_metadata: { level: '1' } }, /level must be a whole number/],
    ['a fraction for an integer', { database_metadata: { level: 1.5 } }, /level must be a whole number/],
    [
      'too large an integer',
      { database_metadata: { level: 2 ** 31 } },
      /level must be -2147483648 to 2147483647/,
    ],
    ['text for a double', { database_metadata: { ratio: 'x' } }, /ratio must be a number/],
    ['a number for a boolean', { database_metadata: { open: 1 } }, /open must be true or false/],
    ['a scalar for JSON', { database_metadata: { tree: 1 } }, /tree must be an object or array/],
    [
      'null for a field with a lane',
      { database_metadata: { topic: null } },
      /topic has a dense or sparse lane/,
    ],
    ['a list of metadata', { database_metadata: [{ team: 'x' }] }, /database_metadata must be an object/],
    ['metadata as text', { database_metadata: '{"team": "x"}' }, /database_metadata must be an object/],
    [
      'a good and a bad map',
      { database_metadata: { team: 'x' }, additional_metadata: 1 },
      /additional_metadata must be/,
    ],
    ['an empty principal', { database_metadata: { team: 'x' }, acl: [''] }, /acl\[0\] has 0 characters/],
    ['an access list of numbers', { acl: [1] }, /acl\[0\] must be a string/],
    ['an object for an access list', { acl: { a: 1 } }, /acl/],
    [
      'a NUL character',
      { additional_metadata: { a: 'x\u0000' } },
      /additional_metadata.a must not contain a NUL/,
    ],
  ])('%s is 400 and changes nothing', async (_case, body, message) => {
    await expectRefused(() => edit(body), 400, 'INVALID_INPUT', message);
  });

  test('null clears a field without a lane; document_metadata: null is nothing', async () => {
    const answer = await edit({ database_metadata: { team: null }, metadata: null, document_metadata: null });
    expect(answer.status).toBe(200);
    expect((await versions())[0]?.metadata).toEqual({ team: null, level: 1 });
  });

  test('without a schema every key but a reserved one is stored', async () => {
    database = await server.database();
    await server.upload(database, { 'a.txt': 'otters' }, { document_metadata: '[{"id": "a"}]' });
    const stored = { colour: 'red', list: [1, { a: null }] };
    expect((await edit({ database_metadata: stored })).body.data.updated).toBe(true);
    const reserved = () => edit({ database_metadata: { content: 'x' } });
    await expectRefused(reserved, 400, 'INVALID_INPUT', /database_metadata.content is a reserved key/);
    // Free-form fields are bound by no name.
    expect((await edit({ additional_metadata: { content: 'x' } })).status).toBe(200);
    expect((await versions())[0]).toMatchObject({ metadata: stored, additional_metadata: { content: 'x' } });
  });

  test('type: all is 400; another one too', async () => {
    for (const type of ['all', 'file'])
      await expectRefused(
        () => edit({ type, acl: ['x'] }),
        400,
        'CORPUS_TYPE_UNSUPPORTED',
        /type must be one of/,
      );
  });
});

describe('which item', () => {
  test.each<[string, Record<string, unknown>, string, string]>([
    ['an unknown id', {}, 'unknown', 'SOURCE_NOT_FOUND'],
    ['an unknown id of knowledge', { type: 'knowledge' }, 'unknown', 'SOURCE_NOT_FOUND'],
    ['an unknown memory', { type: 'memory' }, 'a', 'MEMORY_NOT_FOUND'],
    ['an unknown collection', { collection: 'elsewhere' }, 'a', 'SOURCE_NOT_FOUND'],
  ])('%s is 404, and none is made', async (_case, body, id, code) => {
    await expectRefused(() => edit({ acl: ['x'], ...body }, { id }), 404, code, /has no (item|memory)/);
    expect(await server.sql(`select 1 from collections where name = 'elsewhere'`)).toEqual([]);
  });

  test('is the knowledge of that id, else the memory, unless type says so', async () => {
    await server.remember(database, [{ id: 'm', text: 'otters' }]);
    await server.remember(database, [{ id: 'a', text: 'otters' }]);
    const acls = async () =>
      Object.fromEntries(
        (
          await server.sql<{ key: string; acl: string[] | null }>(
            `select s.corpus || ' ' || s.id as key, s.acl from sources s join databases d on d.id = s.database_id
          where d.name = $1`,
            [database],
          )
        ).map(({ key, acl }) => [key, acl]),
      );
    const memory = await edit({ acl: ['one'] }, { id: 'm' });
    expect([memory.status, memory.body.meta.source_type]).toEqual([200, 'memory']);
    const knowledge = await edit({ acl: ['two'] });
    expect(knowledge.body.meta.source_type).toBe('knowledge');
    expect(await acls()).toEqual({ 'knowledge a': ['two'], 'memory a': null, 'memory m': ['one'] });
    expect((await edit({ acl: ['three'], type: 'memory' })).body.meta.source_type).toBe('memory');
    expect(await acls()).toEqual({ 'knowledge a': ['two'], 'memory a': ['three'], 'memory m': ['one'] });
    await expectRefused(
      () => edit({ acl: [], type: 'knowledge' }, { id: 'm' }),
      404,
      'SOURCE_NOT_FOUND',
      /"m"/,
    );
  });

  test('may have any id: slashes, dots, spaces, non-ASCII letters, 512 bytes', async () => {
    for (const id of ['folder/sub folder/ä b.txt?x=1#y', '%2F', 'é'.repeat(256)]) {
      await upload(id);
      const answer = await edit({ database_metadata: { team: 'x' } }, { id });
      expect([answer.status, answer.body.data?.id]).toEqual([200, id]);
    }
  });

  test('is one of its collection', async () => {
    await upload('a', 'otters', { collection: 'other' });
    expect((await edit({ collection: 'other', acl: ['x'] })).body.data.collection).toBe('other');
    expect((await versions()).map(({ acl }) => acl)).toEqual([null, ['x']]);
    await server.rest('DELETE', `/databases/collections?database=${database}&collection=other`);
    const gone = () => edit({ collection: 'other', acl: ['y'] });
    await expectRefused(gone, 404, 'SOURCE_NOT_FOUND', /collection "other"/);
  });

  test('is none when its time is over', async () => {
    await server.remember(database, [{ id: 'short', text: 'otters', expiry_time: 60 }]);
    expect((await edit({ acl: ['x'] }, { id: 'short' })).status).toBe(200);
    server.clock.advance(61);
    await expectRefused(() => edit({ acl: ['y'] }, { id: 'short' }), 404, 'SOURCE_NOT_FOUND', /short/);
    await expectRefused(
      () => edit({ acl: ['y'], type: 'memory' }, { id: 'short' }),
      404,
      'MEMORY_NOT_FOUND',
      /short/,
    );
  });

  test('does not exist for a key that may not read it; who may write edits what nobody may read', async () => {
    await edit({ acl: ['group:a'] });
    const asAnn = (body: Record<string, unknown>) => edit(body, { key: keyOf('annkey') });
    await expectRefused(() => asAnn({ acl: ['public'] }), 404, 'SOURCE_NOT_FOUND', /has no item "a"/);
    await edit({ acl: ['ann@example.com'] });
    expect((await asAnn({ database_metadata: { team: 'x' } })).status).toBe(200);
    await edit({ acl: [] });
    expect((await edit({ acl: ['group:b'] })).status).toBe(200);
    expect((await versions())[0]?.acl).toEqual(['group:b']);
  });

  test('needs the scope write, and a database that exists and is ready', async () => {
    await expectRefused(() => edit({ acl: ['x'] }, { key: keyOf('reader') }), 403, 'FORBIDDEN', /write/);
    const elsewhere = () => edit({ database: 'no-such', acl: ['x'] });
    await expectRefused(elsewhere, 404, 'DATABASE_NOT_FOUND', /no-such/);
    await server.rest('POST', '/databases', { json: { database: 'not-ready' } });
    const early = await edit({ database: 'not-ready', acl: ['x'] });
    expect([early.status, early.body.error.code]).toEqual([422, 'TENANT_INFRA_NOT_READY']);
    expect(early.headers.get('retry-after')).toBe('1');
    await server.idle();
  });
});

describe('old names', () => {
  test('tenant_id, sub_tenant_id and tenant_metadata are read, and said to be deprecated', async () => {
    const json = { tenant_id: database, sub_tenant_id: 'default', tenant_metadata: { team: 'x' } };
    const answer = await server.rest('PATCH', '/context/a/metadata', { json });
    expect([answer.status, answer.body.data.tenant_metadata_keys]).toEqual([200, ['team']]);
    const fields = answer.body.meta.deprecation.map((entry: any) => [
      entry.deprecated_field,
      entry.preferred_field,
    ]);
    expect(fields).toEqual([
      ['tenant_id', 'database'],
      ['sub_tenant_id', 'collection'],
      ['tenant_metadata', 'database_metadata'],
    ]);
    expect(answer.headers.get('deprecation')).toBe('true');
  });

  test('database_metadata counts when both are sent; of other names different values are 400', async () => {
    const answer = await edit({ database_metadata: { team: 'new' }, tenant_metadata: { level: 9 } });
    expect([answer.status, answer.body.data.database_metadata_keys]).toEqual([200, ['team']]);
    expect((await versions())[0]?.metadata).toEqual({ team: 'new', level: 1 });
    const other = () => edit({ sub_tenant_id: 'other', acl: ['x'] });
    await expectRefused(other, 400, 'INVALID_INPUT', /collection and its other name sub_tenant_id/);
  });

  test('the deprecated route does the same', async () => {
    await upload('b/c');
    const answer = await edit({ database_metadata: { team: 'x' } }, { id: 'b/c', path: '/context/sources' });
    expect([answer.status, answer.body.data.id]).toEqual([200, 'b/c']);
    expect(answer.headers.get('deprecation')).toBe('true');
    expect(answer.body.meta.deprecation).toHaveLength(1);
    const unknown = await edit({ acl: ['x'] }, { id: 'unknown', path: '/context/sources' });
    expect([unknown.status, unknown.body.error.code]).toEqual([404, 'SOURCE_NOT_FOUND']);
  });
});

describe('GraphQL', () => {
  const mutation = `mutation ($input: UpdateSourceMetadataInput!) {
    updateSourceMetadata(input: $input) {
      id type updated databaseMetadataKeys additionalMetadataKeys aclUpdated vectorAclSynced aclDriftRecorded
      vectorSyncRequired vectorSynced vectorRowsSynced vectorSyncError partialCommit chunkRowsMatched
    }
  }`;
  const mutate = async (input: Record<string, unknown>) =>
    (await server.graphql(mutation, { input: { database, collection: 'default', id: 'a', ...input } })).body;

  test('has the same edit', async () => {
    const databaseMetadata = { team: 'x', topic: 'gardens' };
    const { data } = await mutate({ databaseMetadata, additionalMetadata: { a: 1 }, acl: null });
    expect(data.updateSourceMetadata).toEqual({
      id: 'a',
      type: 'knowledge',
      updated: true,
      databaseMetadataKeys: ['team', 'topic'],
      additionalMetadataKeys: ['a'],
      aclUpdated: true,
      vectorAclSynced: true,
      aclDriftRecorded: null,
      vectorSyncRequired: true,
      vectorSynced: true,
      vectorRowsSynced: 1,
      vectorSyncError: null,
      partialCommit: null,
      chunkRowsMatched: 1,
    });
    expect((await versions())[0]).toMatchObject({ metadata: { team: 'x', level: 1 }, acl: [] });
  });

  test.each<[string, Record<string, unknown>, number, string, RegExp]>([
    ['nothing', {}, 400, 'INVALID_INPUT', /^databaseMetadata/],
    ['an empty collection', { collection: '', acl: [] }, 400, 'INVALID_INPUT', /collection must not/],
    ['a reserved key', { databaseMetadata: { acl: 1 } }, 400, 'INVALID_INPUT', /reserved key/],
    ['all', { type: 'all', acl: [] }, 400, 'CORPUS_TYPE_UNSUPPORTED', /knowledge or memory/],
    ['an unknown memory', { type: 'memory', acl: [] }, 404, 'MEMORY_NOT_FOUND', /has no memory "a"/],
  ])('%s has the same code', async (_case, input, httpStatus, code, message) => {
    const before = await versions();
    const { errors } = await mutate(input);
    expect(errors[0].message).toMatch(message);
    expect(errors[0].extensions).toMatchObject({ code, httpStatus });
    expect(await versions()).toEqual(before);
  });
});

describe('while an item is being replaced', () => {
  const replace = async (id: string, text: string, metadata: Record<string, unknown> = {}) => {
    const json = { database, app_knowledge: [{ id, title: 'note', content: { text }, metadata }] };
    const answer = await server.rest('POST', '/context/ingest', { json });
    expect(answer.status).toBe(202);
  };

  test('an edit reaches the version that is seen and the one to come', async () => {
    await edit({ acl: ['group:a'] });
    await replace('a', 'otters dive', { team: 'new' });
    expect(await versions()).toHaveLength(2);
    const answer = await edit({
      database_metadata: { level: 7 },
      additional_metadata: { k: 1 },
      acl: ['group:b'],
    });
    expect(answer.body.data).toMatchObject({ updated: true, chunk_rows_matched: 1 });
    const of = async (acl: string) => search({ acl: [acl] });
    expect(await of('group:b')).toMatchObject([
      {
        chunk_content: 'otters swim',
        metadata: { team: 'river', level: 7 },
        additional_metadata: { lang: 'en', k: 1 },
      },
    ]);
    expect(await of('group:a')).toEqual([]);
    await server.idle();
    const [after, ...more] = await of('group:b');
    expect(more).toEqual([]);
    expect(after).toMatchObject({ metadata: { team: 'new', level: 7 }, additional_metadata: { k: 1 } });
    expect(after.chunk_content).toContain('otters dive');
    expect(await of('group:a')).toEqual([]);
  });

  test('an item that is not searchable yet can be edited', async () => {
    await replace('fresh', 'otters sleep', { team: 'x' });
    const { data } = (await edit({ database_metadata: { topic: 'naps' }, acl: ['ann'] }, { id: 'fresh' }))
      .body;
    expect(data).toMatchObject({
      updated: true,
      vector_synced: true,
      vector_rows_synced: 0,
      chunk_rows_matched: 0,
    });
    await server.idle();
    expect(await search({ ids: ['fresh'], acl: ['bob'] })).toEqual([]);
    const [chunk] = await search({ ids: ['fresh'], acl: ['ann'], query: 'naps' });
    expect(chunk).toMatchObject({ metadata: { team: 'x', topic: 'naps' }, lanes: { metadata: 1 } });
  });

  test('no accepted edit is lost, and readers see whole versions only', async () => {
    // Of every version text and generation belong together; edits write keys that no ingest writes.
    const generations = 12;
    const id = 'busy';
    await replace(id, 'otters generation 0', { level: 0 });
    await server.idle();
    let done = false;
    const seen = new Set<number>();
    const torn: unknown[] = [];
    const readers = Array.from({ length: 2 }, async () => {
      while (!done) {
        const chunks = await search({ ids: [id] });
        const [chunk] = chunks;
        const said = Number(/generation (\d+)/.exec(chunk?.chunk_content)?.[1]);
        if (chunks.length !== 1 || said !== chunk.metadata.level) torn.push(chunks);
        seen.add(said);
      }
    });
    for (let generation = 1; generation <= generations; generation += 1) {
      await replace(id, `otters generation ${generation}`, { level: generation });
      // Some while the old version stands, some while indexing runs, some after it.
      const edits = Array.from({ length: 6 }, async (_, n) =>
        edit(
          { additional_metadata: { [`e${n}`]: generation }, database_metadata: { ratio: generation } },
          { id },
        ),
      );
      const answers = await Promise.all([...edits, server.idle()]);
      for (const answer of answers.slice(0, -1)) expect((answer as Answer).status).toBe(200);
      const [chunk] = await search({ ids: [id] });
      const all = Object.fromEntries(edits.map((_, n) => [`e${n}`, generation]));
      expect([chunk.metadata, chunk.additional_metadata]).toEqual([
        { level: generation, ratio: generation },
        all,
      ]);
    }
    done = true;
    await Promise.all(readers);
    expect(torn).toEqual([]);
    expect(seen.size).toBeGreaterThan(1);
  });

  test('edits and ingests at the same moment: an edit that came after an ingest is on its version', async () => {
    const id = 'race';
    await replace(id, 'otters', { level: 0 });
    await server.idle();
    for (let round = 1; round <= 8; round += 1) {
      // The edit may wait for the ingest's lock, or the other way round; either order is a whole one.
      const [, answer] = await Promise.all([
        replace(id, `otters ${round}`, { level: round }),
        edit({ acl: [`round:${round}`] }, { id }),
        replace(id, `otters ${round}`, { level: round }),
      ]);
      expect((answer as Answer).status).toBe(200);
      // An access list is handed on from version to version, so it is there whoever came first.
      const acls = await server.sql<{ acl: string[] }>(
        `select s.acl from sources s join databases d on d.id = s.database_id
          where d.name = $1 and s.id = $2 and (latest or visible)`,
        [database, id],
      );
      expect(acls.map(({ acl }) => acl)).toEqual(acls.map(() => [`round:${round}`]));
      await server.idle();
      expect(await search({ ids: [id], acl: [`round:${round}`] })).toMatchObject([
        { metadata: { level: round } },
      ]);
    }
  });
});
