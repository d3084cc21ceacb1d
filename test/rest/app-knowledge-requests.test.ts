import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { AppItems } from '../support/app-items.js';
import { adminKey } from '../support/server.js';

let app: AppItems;
let database: string;
beforeAll(async () => {
  app = await AppItems.start();
  database = app.database;
});
afterAll(async () => app.server.stop());

describe('the request', () => {
  test('documents come together with app items, results in this order', async () => {
    const answer = await app.server.upload(
      database,
      { 'ferry.txt': 'The ferry sails at dawn.', 'x.exe': 'x' },
      {
        app_knowledge: JSON.stringify([
          { id: 'together', content: { text: 'The tram stops at noon.' } },
          { id: 'together-2', content: { text: 'b' } },
        ]),
        document_metadata: JSON.stringify([{ id: 'ferry' }, { id: 'exe' }]),
      },
    );
    expect(answer.status).toBe(202);
    expect(answer.body.data.results.map((r: any) => [r.id, r.filename, r.status])).toEqual([
      ['ferry', 'ferry.txt', 'queued'],
      ['exe', 'x.exe', 'failed'],
      ['together', null, 'queued'],
      ['together-2', null, 'queued'],
    ]);
    await app.server.idle();
    expect((await app.ask('ferry at dawn')).chunks[0].id).toBe('ferry');
    expect((await app.ask('tram at noon')).chunks[0].id).toBe('together');
  });

  test('a single object in place of a list, in JSON and in forms', async () => {
    const item = { id: 'single', content: { text: 'One alone.' } };
    const multipart = new FormData();
    const urlencoded = new URLSearchParams();
    for (const form of [multipart, urlencoded]) {
      form.append('database', database);
      form.append('app_knowledge', JSON.stringify(item));
    }
    const answers = [
      await app.send(item),
      await app.send(JSON.stringify(item)),
      await app.server.rest('POST', '/context/ingest', { form: multipart }),
      await app.server.rest('POST', '/context/ingest', { form: urlencoded }),
    ];
    for (const answer of answers)
      expect([answer.status, answer.body.data.results.map((r: any) => r.id)]).toEqual([202, ['single']]);
    await app.expectRefused(() => app.send('{"id": '), /app_knowledge must be valid JSON/);
  });

  test('old names are read and reported', async () => {
    const answer = await app.store([
      {
        source_id: 'old-names',
        tenant_id: database,
        sub_tenant_id: 'default',
        tenant_metadata: { team: 'ops' },
        document_metadata: { lang: 'en' },
        app_relations: [{ predicate: 'about', target: { id: 'x' } }],
        content: { text: 'Old names are still read.' },
      },
    ]);
    expect(
      answer.body.meta.deprecation.map((use: any) => [use.deprecated_field, use.preferred_field]),
    ).toEqual([
      ['source_id', 'id'],
      ['tenant_id', 'database'],
      ['sub_tenant_id', 'collection'],
      ['tenant_metadata', 'metadata'],
      ['document_metadata', 'additional_metadata'],
    ]);
    const byFile = await app.store([{ file_id: 'by-file', content: { text: 'Named by its file.' } }]);
    expect(byFile.body.data.results.map(({ id }: { id: string }) => id)).toEqual(['by-file']);
    const found = await app.ask('old names', {
      metadata_filters: { team: 'ops', additional_metadata: { lang: 'en' } },
    });
    expect(found.sources[0]).toMatchObject({ id: 'old-names', metadata: { team: 'ops' } });
    expect((await app.storedOf('old-names'))['declared_relations']).toEqual([
      { predicate: 'about', rawPredicate: 'about', target: { id: 'x' }, properties: {} },
    ]);
  });

  test('metadata obeys the schema', async () => {
    const name = await app.server.database({ database_metadata_schema: [{ name: 'team' }] });
    const put = (metadata: unknown) => app.send([{ content: { text: 'a' }, metadata }], { database: name });
    await app.expectRefused(
      () => put({ colour: 'red' }),
      /app_knowledge\[0\]\.metadata\.colour is not declared/,
    );
    expect((await put({ team: 'ops' })).status).toBe(202);
  });
});

describe('identity', () => {
  test('sent again under its provider and external_id an item replaces itself', async () => {
    const item = (text: string) => [{ provider: 'Linear', external_id: 'ENG-1,2', content: { text } }];
    const first = await app.store(item('pelican one'));
    expect(first.body.data.results[0].id).toBe('linear:ENG-1%2C2');
    await app.send(item('pelican two'));
    expect((await app.ask('pelican')).chunks[0].chunk_content).toBe('pelican one');
    await app.server.idle();
    expect(await app.contentsOf('linear:ENG-1%2C2')).toBe('pelican two');
    const kept = await app.send(item('pelican three'), { upsert: false });
    expect(kept.body.data.results[0]).toMatchObject({ status: 'failed', error_code: 'E9003' });
    await app.server.idle();
    expect(await app.contentsOf('linear:ENG-1%2C2')).toBe('pelican two');
  });

  test('without any id one is made', async () => {
    const answer = await app.store([{ content: { text: 'a' } }, { provider: 'p', content: { text: 'b' } }]);
    const ids = answer.body.data.results.map((result: any) => result.id);
    for (const id of ids) expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7/);
    expect(new Set(ids).size).toBe(2);
  });

  test('a document takes the place of an app item and nothing of it stays', async () => {
    await app.store([{ id: 'both', kind: 'ticket', type: 'Bug', fields: { title: 'Cormorant' } }]);
    await app.server.upload(database, { 'a.txt': 'Kingfisher' }, { document_metadata: '[{"id": "both"}]' });
    await app.server.idle();
    const found = await app.ask('kingfisher', { ids: ['both'] });
    expect(found.sources[0]).toMatchObject({ id: 'both', type: 'knowledge', app_kind: null });
    expect(await app.contentsOf('both')).toBe('Kingfisher');
  });
});

test('access lists: its own, that of the request, and nobody', async () => {
  const text = 'Narwhals are shy.';
  await app.store(
    [
      { id: 'nobody', acl: [], content: { text } },
      { id: 'null', acl: null, content: { text } },
      { id: 'ann', acl: ['ann@example.com'], content: { text } },
      { id: 'inherits', content: { text } },
    ],
    { acl: ['group:sea'] },
  );
  const idsOf = async (more: Record<string, unknown>) => {
    const { chunks } = await app.ask('narwhals', { ids: ['nobody', 'null', 'ann', 'inherits'], ...more });
    return chunks.map((chunk: any) => chunk.id).sort();
  };
  expect(await idsOf({})).toEqual(['ann', 'inherits']);
  expect(await idsOf({ acl: ['ann@example.com'] })).toEqual(['ann']);
  expect(await idsOf({ acl: ['group:sea'] })).toEqual(['inherits']);
  expect(await idsOf({ acl: [] })).toEqual([]);
});

test('a key limited to another database is told that this one does not exist', async () => {
  await app.server.sql(
    `insert into api_keys (prefix, account_id, secret_hash, name, scopes, databases, created_at)
     select 'elsewhere', account_id, secret_hash, 'elsewhere', '{write}', '{elsewhere}', created_at
       from api_keys where prefix = 'test'`,
  );
  const answer = await app.server.rest('POST', '/context/ingest', {
    json: { database, app_knowledge: [{ id: 'foreign', content: { text: 'a' } }] },
    key: `elsewhere.${adminKey.split('.')[1]}`,
  });
  expect(answer.body.error.code).toBe('DATABASE_NOT_FOUND');
  expect(await app.storedOf('foreign')).toBeUndefined();
});
