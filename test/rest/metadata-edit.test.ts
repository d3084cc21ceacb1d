import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { EditedItems } from '../support/edited-items.js';

const items = new EditedItems();
const { edit, expectRefused, search, upload, versions } = items;
beforeAll(items.start);
beforeEach(items.reset);
afterAll(items.stop);

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
      database: items.database,
      tenant_id: items.database,
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
      database: items.database,
      tenant_id: items.database,
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
    await expectRefused(over, [400, 'INVALID_INPUT'], /database_metadata has 16385 bytes.*16384/);
    const small = 1024 - '{"k":""}'.length;
    expect((await edit({ additional_metadata: { k: 'x'.repeat(small) } })).status).toBe(200);
    const tooMuch = () =>
      edit({ additional_metadata: { k: 'x'.repeat(small + 1) }, database_metadata: { team: 'no' }, acl: [] });
    await expectRefused(tooMuch, [400, 'INVALID_INPUT'], /additional_metadata has 1025 bytes.*1024/);
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
        [400, 'INVALID_INPUT'],
        new RegExp(`additional_metadata.deep nests ${levels} levels; at most 8`),
      );
    const tree = () => edit({ database_metadata: { tree: nested(8) } });
    await expectRefused(tree, [400, 'INVALID_INPUT'], /database_metadata.tree nests 9 levels/);
    const hopeless = () => edit({ additional_metadata: map(70) });
    await expectRefused(hopeless, [400, 'INVALID_INPUT'], /additional_metadata must nest at most 64/);
  });

  test.each<[string, Record<string, unknown>, RegExp]>([
    ['nothing', {}, /database_metadata or additional_metadata or acl is required/],
    ['nulls alone', { database_metadata: null, additional_metadata: null }, /is required/],
    ['empty maps', { database_metadata: {}, additional_metadata: {} }, /at least one key/],
    ['an empty map', { database_metadata: {} }, /at least one key/],
    ['metadata', { metadata: { team: 'x' } }, /metadata is not accepted here; send database_metadata/],
    ['metadata beside good fields', { metadata: {}, acl: ['x'] }, /metadata is not accepted/],
    ['document_metadata', { document_metadata: { a: 1 }, acl: ['x'] }, /send additional_metadata/],
    ['document_metadata as text', { document_metadata: 'x', acl: ['x'] }, /send additional_metadata/],
    ['document_metadata as false', { document_metadata: false, acl: ['x'] }, /send additional_metadata/],
    ['acl as text', { acl: 'ann' }, /acl must be a list of principals, or null/],
    ['acl as a number', { acl: 5 }, /acl must be a list of principals, or null/],
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
    [
      'an integer that no number holds exactly',
      { database_metadata: { level: 2 ** 53 } },
      /level must be -9007199254740991 to 9007199254740991/,
    ],
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
    await expectRefused(() => edit(body), [400, 'INVALID_INPUT'], message);
  });

  test('null clears a field without a lane; document_metadata: null is nothing', async () => {
    const answer = await edit({ database_metadata: { team: null }, metadata: null, document_metadata: null });
    expect(answer.status).toBe(200);
    expect((await versions())[0]?.metadata).toEqual({ team: null, level: 1 });
  });

  test('without a schema every key but a reserved one is stored', async () => {
    items.database = await items.server.database();
    await items.server.upload(items.database, { 'a.txt': 'otters' }, { document_metadata: '[{"id": "a"}]' });
    const stored = { colour: 'red', list: [1, { a: null }] };
    expect((await edit({ database_metadata: stored })).body.data.updated).toBe(true);
    const reserved = () => edit({ database_metadata: { content: 'x' } });
    await expectRefused(reserved, [400, 'INVALID_INPUT'], /database_metadata.content is a reserved key/);
    // Free-form fields are bound by no name.
    expect((await edit({ additional_metadata: { content: 'x' } })).status).toBe(200);
    expect((await versions())[0]).toMatchObject({ metadata: stored, additional_metadata: { content: 'x' } });
  });

  test('type: all is 400; another one too', async () => {
    for (const type of ['all', 'file'])
      await expectRefused(
        () => edit({ type, acl: ['x'] }),
        [400, 'CORPUS_TYPE_UNSUPPORTED'],
        /type must be one of/,
      );
  });
});
