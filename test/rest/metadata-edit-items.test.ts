import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { EditedItems, keyOf } from '../support/edited-items.js';

const items = new EditedItems();
const { edit, expectRefused, upload, versions } = items;
beforeAll(items.start);
beforeEach(items.reset);
afterAll(items.stop);

describe('which item', () => {
  test.each<[string, Record<string, unknown>, string, string]>([
    ['an unknown id', {}, 'unknown', 'SOURCE_NOT_FOUND'],
    ['an unknown id of knowledge', { type: 'knowledge' }, 'unknown', 'SOURCE_NOT_FOUND'],
    ['an unknown memory', { type: 'memory' }, 'a', 'MEMORY_NOT_FOUND'],
    ['an unknown collection', { collection: 'elsewhere' }, 'a', 'SOURCE_NOT_FOUND'],
  ])('%s is 404, and none is made', async (_case, body, id, code) => {
    await expectRefused(
      () => edit({ acl: ['x'], ...body }, { id }),
      [404, code],
      /^(source|memory) ".*" does not exist in collection/,
    );
    expect(await items.server.sql(`select 1 from collections where name = 'elsewhere'`)).toEqual([]);
  });

  test('is the knowledge of that id, else the memory, unless type says so', async () => {
    await items.server.remember(items.database, [{ id: 'm', text: 'otters' }]);
    await items.server.remember(items.database, [{ id: 'a', text: 'otters' }]);
    const acls = async () =>
      Object.fromEntries(
        (
          await items.server.sql<{ key: string; acl: string[] | null }>(
            `select s.corpus || ' ' || s.id as key, s.acl from sources s join databases d on d.id = s.database_id
          where d.name = $1`,
            [items.database],
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
      [404, 'SOURCE_NOT_FOUND'],
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
    await items.server.rest('DELETE', `/databases/collections?database=${items.database}&collection=other`);
    const gone = () => edit({ collection: 'other', acl: ['y'] });
    await expectRefused(gone, [404, 'SOURCE_NOT_FOUND'], /collection "other"/);
  });

  test('is none when its time is over', async () => {
    await items.server.remember(items.database, [{ id: 'short', text: 'otters', expiry_time: 60 }]);
    expect((await edit({ acl: ['x'] }, { id: 'short' })).status).toBe(200);
    items.server.clock.advance(61);
    await expectRefused(() => edit({ acl: ['y'] }, { id: 'short' }), [404, 'SOURCE_NOT_FOUND'], /short/);
    await expectRefused(
      () => edit({ acl: ['y'], type: 'memory' }, { id: 'short' }),
      [404, 'MEMORY_NOT_FOUND'],
      /short/,
    );
  });

  test('does not exist for a key that may not read it; who may write edits what nobody may read', async () => {
    await edit({ acl: ['group:a'] });
    const asAnn = (body: Record<string, unknown>) => edit(body, { key: keyOf('annkey') });
    await expectRefused(
      () => asAnn({ acl: ['public'] }),
      [404, 'SOURCE_NOT_FOUND'],
      /source "a" does not exist/,
    );
    await edit({ acl: ['ann@example.com'] });
    expect((await asAnn({ database_metadata: { team: 'x' } })).status).toBe(200);
    await edit({ acl: [] });
    expect((await edit({ acl: ['group:b'] })).status).toBe(200);
    expect((await versions())[0]?.acl).toEqual(['group:b']);
  });

  test('needs the scope write, and a database that exists and is ready', async () => {
    await expectRefused(() => edit({ acl: ['x'] }, { key: keyOf('reader') }), [403, 'FORBIDDEN'], /write/);
    const elsewhere = () => edit({ database: 'no-such', acl: ['x'] });
    await expectRefused(elsewhere, [404, 'DATABASE_NOT_FOUND'], /no-such/);
    await items.server.rest('POST', '/databases', { json: { database: 'not-ready' } });
    const early = await edit({ database: 'not-ready', acl: ['x'] });
    expect([early.status, early.body.error.code]).toEqual([422, 'TENANT_INFRA_NOT_READY']);
    expect(early.headers.get('retry-after')).toBe('1');
    await items.server.idle();
  });
});

describe('old names', () => {
  test('tenant_id, sub_tenant_id and tenant_metadata are read, and said to be deprecated', async () => {
    const json = { tenant_id: items.database, sub_tenant_id: 'default', tenant_metadata: { team: 'x' } };
    const answer = await items.server.rest('PATCH', '/context/a/metadata', { json });
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
    await expectRefused(other, [400, 'INVALID_INPUT'], /collection and its other name sub_tenant_id/);
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
    (
      await items.server.graphql(mutation, {
        input: { database: items.database, collection: 'default', id: 'a', ...input },
      })
    ).body;

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
    ['an unknown memory', { type: 'memory', acl: [] }, 404, 'MEMORY_NOT_FOUND', /memory "a" does not exist/],
  ])('%s has the same code', async (_case, input, httpStatus, code, message) => {
    const before = await versions();
    const { errors } = await mutate(input);
    expect(errors[0].message).toMatch(message);
    expect(errors[0].extensions).toMatchObject({ code, httpStatus });
    expect(await versions()).toEqual(before);
  });
});
