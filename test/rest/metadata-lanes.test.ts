import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { TestServer } from '../support/server.js';
import { ToyEmbedder } from '../support/toy-embedder.js';

const embedder = new ToyEmbedder();
let server: TestServer;
let database: string;
beforeAll(async () => {
  server = await TestServer.start({ embedder });
});
afterAll(async () => server.stop());

const schema = [
  { name: 'topic', enable_dense_embedding: true },
  { name: 'words', enable_sparse_embedding: true },
  { name: 'both', enable_dense_embedding: true, enable_sparse_embedding: true },
  { name: 'plain' },
];
beforeEach(async () => {
  embedder.fails = false;
  database = await server.database({ database_metadata_schema: schema });
});

const remember = (id: string, metadata: Record<string, unknown>, more: Record<string, unknown> = {}) =>
  server.remember(database, [{ id, text: 'something was noted', metadata, ...more }]);
const search = async (query: string, more: Record<string, unknown> = {}): Promise<any[]> => {
  const json = { database, query, type: 'all', ...more };
  return (await server.rest('POST', '/query', { json })).body.data.chunks;
};
/** What the metadata lane has found: ids with their ranks. */
const lane = async (query: string, more: Record<string, unknown> = {}) => {
  const chunks = await search(query, { max_results: 100, ...more });
  const found = chunks.filter(({ lanes }) => lanes.metadata !== null);
  return Object.fromEntries(found.map(({ id, lanes }) => [id, lanes.metadata]));
};
const edit = async (id: string, database_metadata: Record<string, unknown>) => {
  const json = { database, collection: 'default', database_metadata };
  const answer = await server.rest('PATCH', `/context/${id}/metadata`, { json });
  expect(answer.status).toBe(200);
  return answer.body.data;
};
const rows = () =>
  server.sql<{ field: string; uid: string; dense: boolean; sparse: boolean }>(
    `select v.field, v.source_uid as uid, v.embedding is not null as dense, v.keyword is not null as sparse
       from metadata_vectors v join databases d on d.id = v.database_id where d.name = $1 order by 1, 2`,
    [database],
  );

describe('metadata lanes', () => {
  test('are filled at ingest, in all corpora, for declared fields only', async () => {
    await remember('m', { topic: 'cats', words: 'invoice', plain: 'cats' });
    const item = { id: 'k', metadata: { both: 'planets' } };
    await server.upload(database, { 'k.txt': 'x' }, { document_metadata: JSON.stringify([item]) });
    const note = { id: 'n', title: 't', content: { text: 'x' }, metadata: { plain: 'none', words: '' } };
    await server.rest('POST', '/context/ingest', { json: { database, app_knowledge: [note] } });
    await server.idle();
    expect((await rows()).map(({ field, dense, sparse }) => [field, dense, sparse])).toEqual([
      ['both', true, true],
      ['topic', true, false],
      ['words', false, true],
      ['words', false, true],
    ]);
    expect(await lane('kitten')).toEqual({ m: 1, k: 2 });
    expect(await lane('invoice', { type: 'memory' })).toEqual({ m: 1 });
    expect(await lane('planets', { type: 'knowledge' })).toEqual({ k: 1 });
  });

  test('lift what only metadata knows, above what nothing speaks for', async () => {
    await remember('other', { words: 'travel' });
    await remember('invoice', { words: 'Invoices of suppliers' });
    await remember('none', {});
    const [first] = await search('invoice');
    expect(first).toMatchObject({ id: 'invoice', lanes: { sparse: null, metadata: 1 } });
    await remember('cats', { topic: 'all about felines' });
    const [meant] = await search('kittens');
    expect(meant).toMatchObject({ id: 'cats', lanes: { sparse: null, metadata: 1 } });
  });

  test('query_by text asks keyword fields only; alpha chooses between them as between the other lanes', async () => {
    await remember('dense', { topic: 'invoice' });
    await remember('sparse', { words: 'invoice' });
    const ids = async (more: Record<string, unknown>) => (await search('invoice', more)).map(({ id }) => id);
    expect(await ids({ query_by: 'text' })).toEqual(['sparse']);
    expect(await ids({ alpha: 0 })).toEqual(['sparse']);
    expect(await lane('invoice', { alpha: 1 })).toEqual({ dense: 1 });
    expect(await lane('invoice', { alpha: 0.5 })).toEqual({ dense: 1, sparse: 1 });
  });

  test('rarer words count more, those of several fields together', async () => {
    await remember('common', { words: 'report annual' });
    await remember('rare', { words: 'report quarterly' });
    await remember('twice', { words: 'report quarterly', both: 'quarterly report' });
    await remember('also', { words: 'report annual' });
    const found = await lane('quarterly report', { query_by: 'text' });
    expect(found).toEqual({ twice: 1, rare: 2, common: 3, also: 3 });
  });

  test('equal values share a rank; a value of stop words or none at all is no match', async () => {
    for (const id of ['a', 'b', 'c']) await remember(id, { words: 'shared value' });
    await remember('d', { words: '' });
    expect(await lane('shared')).toEqual({ a: 1, b: 1, c: 1 });
    expect(await lane('nowhere')).toEqual({});
    expect(await lane('!!', { query_by: 'text' })).toEqual({});
  });

  test('nominate all chunks of a short item, and the first of a long one', async () => {
    const paragraphs = (count: number) =>
      Array.from({ length: count }, (_, n) => `# Part ${n}\n\n${`word${n} `.repeat(250)}`).join('\n\n');
    const upload = (id: string, text: string) => {
      const items = [{ id, metadata: { words: 'handbook' } }];
      return server.upload(database, { [`${id}.md`]: text }, { document_metadata: JSON.stringify(items) });
    };
    await upload('short', paragraphs(2));
    await upload('long', paragraphs(8));
    await server.idle();
    const chunks = (await search('handbook', { query_by: 'text', max_results: 50 })).map(
      ({ id, layout, lanes }) => [id, layout.position, lanes.metadata],
    );
    expect(chunks.sort()).toEqual([
      ['long', 0, 1],
      ['short', 0, 1],
      ['short', 1, 1],
    ]);
  });

  test('look only at what the search may find', async () => {
    const words = 'invoice';
    await remember('open', { words, plain: 'x' });
    await remember('anns', { words }, { acl: ['ann'] });
    await remember('nobodys', { words }, { acl: [] });
    await remember('short', { words }, { expiry_time: 60 });
    await server.remember(database, [{ id: 'elsewhere', text: 'x', metadata: { words } }], {
      collection: 'other',
    });
    const found = async (more: Record<string, unknown> = {}) =>
      Object.keys(await lane('invoice', more)).sort();
    expect(await found()).toEqual(['anns', 'open', 'short']);
    server.clock.advance(61);
    expect(await found()).toEqual(['anns', 'open']);
    expect(await found({ acl: ['bob'] })).toEqual(['open']);
    expect(await found({ ids: ['anns'] })).toEqual(['anns']);
    expect(await found({ metadata_filters: { plain: 'x' } })).toEqual(['open']);
    expect(await found({ collection: 'other' })).toEqual(['elsewhere']);
    expect(await found({ collections: ['other', 'default'] })).toEqual(['anns', 'elsewhere', 'open']);
    expect(await found({ type: 'knowledge' })).toEqual([]);
  });

  test('tell nothing of the values of what may not be read', async () => {
    await remember('open', { plain: 'x' });
    const scoreFor = async (acl: string) =>
      (await search('zeppelin noted', { acl: [acl] }))[0].relevancy_score as number;
    const before = await scoreFor('bob');
    await remember('anns', { words: 'zeppelin' }, { acl: ['ann'] });
    expect(await scoreFor('bob')).toBe(before);
    expect(await scoreFor('ann')).toBeGreaterThan(before);
  });

  test('cost a database without such fields nothing, and leave its order alone', async () => {
    const statements: string[] = [];
    const runner = Object.getPrototypeOf(server.running.app.postgres.dataSource.createQueryRunner());
    const original = runner.query;
    const ask = async () => {
      statements.length = 0;
      runner.query = function (sql: string, ...more: unknown[]) {
        statements.push(sql);
        return original.call(this, sql, ...more);
      };
      const found = await search('noted').finally(() => (runner.query = original));
      return { found, ofLanes: statements.filter((sql) => sql.includes('metadata_vectors')).length };
    };
    await remember('a', { words: 'noted', plain: 'noted' });
    expect((await ask()).ofLanes).toBeGreaterThan(0);
    database = await server.database({ database_metadata_schema: [{ name: 'words' }, { name: 'plain' }] });
    await remember('a', { words: 'noted', plain: 'noted' });
    const { found, ofLanes } = await ask();
    expect([ofLanes, found.length, found[0].lanes.metadata]).toEqual([0, 1, null]);
    expect(found[0].relevancy_score).toBe(1);
    expect(await rows()).toEqual([]);
  });
});

describe('an edit of a field with a lane', () => {
  test('puts what has the new value first, where no text has the word', async () => {
    const colours = ['amber', 'green', 'scarlet', 'white', 'black', 'orange'];
    // Nearer in meaning to what is asked, as far as texts tell.
    const texts = ['chairs', 'tables', 'walls', 'kittens', 'doors', 'cats'];
    for (const [n, both] of colours.entries())
      await remember(`paint${n}`, { both }, { text: `${texts[n]} were painted` });
    await edit('paint3', { both: 'violet' });
    for (const query of ['violet', 'what is violet'])
      expect((await search(query))[0]).toMatchObject({ id: 'paint3', lanes: { metadata: 1 } });
    expect((await search('doors'))[0].id).toBe('paint4');
  });

  test('refreshes it at once, and says so under both names', async () => {
    await remember('a', { topic: 'cats', words: 'invoice' });
    await remember('b', { topic: 'bread', words: 'travel' });
    const data = await edit('a', { topic: 'planets', words: 'contract', plain: 'x' });
    expect(data).toMatchObject({
      vector_sync_required: true,
      milvus_sync_required: true,
      vector_synced: true,
      milvus_synced: true,
      vector_rows_synced: 1,
      milvus_rows_synced: 1,
    });
    for (const key of ['vector_sync_error', 'partial_commit', 'acl_updated', 'acl_drift_recorded'])
      expect(data).not.toHaveProperty(key);
    expect(await lane('astronomy')).toEqual({ a: 1, b: 2 });
    expect(await lane('contract', { query_by: 'text' })).toEqual({ a: 1 });
    expect(await lane('invoice', { query_by: 'text' })).toEqual({});
  });

  test('that sets what is there already, or another field, needs no sync and embeds nothing', async () => {
    await remember('a', { topic: 'cats', words: 'invoice' });
    const embedded = embedder.embedded.length;
    for (const same of [{ topic: 'cats' }, { topic: 'cats', words: 'invoice' }, { plain: 'new' }]) {
      const data = await edit('a', same);
      expect(data).toMatchObject({ updated: true, vector_sync_required: false, milvus_sync_required: false });
      for (const key of ['vector_synced', 'vector_rows_synced', 'milvus_synced', 'milvus_rows_synced'])
        expect(data).not.toHaveProperty(key);
    }
    expect(embedder.embedded).toHaveLength(embedded);
    // One of two has changed: only that one is embedded.
    await edit('a', { topic: 'cats', both: 'bread' });
    expect(embedder.embedded.slice(embedded)).toEqual(['bread']);
  });

  test('that the embedder fails is saved all the same; the same edit again makes up for it', async () => {
    await remember('a', { topic: 'cats' });
    await remember('b', { topic: 'bread' });
    embedder.fails = true;
    const data = await edit('a', { topic: 'planets', plain: 'x' });
    expect(data).toMatchObject({
      updated: true,
      vector_sync_required: true,
      vector_sync_error: expect.stringMatching(/topic could not be refreshed.*broken.*retry/),
      partial_commit: expect.stringMatching(/saved/),
    });
    for (const key of ['vector_synced', 'vector_rows_synced', 'milvus_synced', 'milvus_rows_synced'])
      expect(data).not.toHaveProperty(key);
    const saved = await search('noted', { metadata_filters: { topic: 'planets', plain: 'x' } });
    expect(saved.map(({ id }) => id)).toEqual(['a']);
    expect(await lane('kitten')).toEqual({ a: 1, b: 2 });
    expect(await edit('a', { topic: 'planets', plain: 'x' })).toHaveProperty('vector_sync_error');
    embedder.fails = false;
    const again = await edit('a', { topic: 'planets', plain: 'x' });
    expect(again).toMatchObject({ vector_sync_required: true, vector_synced: true, vector_rows_synced: 1 });
    expect(again).not.toHaveProperty('partial_commit');
    expect(await lane('astronomy')).toEqual({ a: 1, b: 2 });
    expect(await edit('a', { topic: 'planets', plain: 'x' })).toMatchObject({ vector_sync_required: false });
  });

  test('reaches the version to come too', async () => {
    await remember('b', { topic: 'bread', words: 'travel' });
    await remember('a', { topic: 'cats', words: 'invoice' });
    const memories = [{ id: 'a', text: 'replaced', metadata: { topic: 'cats', words: 'invoice' } }];
    await server.rest('POST', '/context/ingest', { json: { database, type: 'memory', memories } });
    await edit('a', { topic: 'planets', words: 'contract' });
    for (const text of ['something was noted', 'replaced']) {
      expect(await lane('astronomy')).toEqual({ a: 1, b: 2 });
      expect(await lane('contract', { query_by: 'text' })).toEqual({ a: 1 });
      expect(await search('contract', { query_by: 'text' })).toMatchObject([{ chunk_content: text }]);
      await server.idle();
    }
  });

  test('at the same moment as indexing leaves no lane behind its value', async () => {
    for (let round = 1; round <= 6; round += 1) {
      const memories = Array.from({ length: 4 }, (_, n) => ({
        id: `r${n}`,
        text: `round ${round}`,
        metadata: { both: `old${round}` },
      }));
      await server.rest('POST', '/context/ingest', { json: { database, type: 'memory', memories } });
      const edits = memories.map(async ({ id }) => edit(id, { both: `new${round}` }));
      await Promise.all([server.idle(), ...edits]);
      // The queue passes by what an edit holds at that moment.
      await server.idle();
      const ids = Object.keys(await lane(`new${round}`, { query_by: 'text' })).sort();
      expect(ids).toEqual(['r0', 'r1', 'r2', 'r3']);
      expect(await lane(`old${round}`, { query_by: 'text' })).toEqual({});
    }
  });
});

describe('rows of metadata lanes', () => {
  test('go with replaced versions', async () => {
    await remember('a', { topic: 'cats', words: 'invoice' });
    const before = await rows();
    await remember('a', { topic: 'cats' });
    const after = await rows();
    expect([before.length, after.length]).toEqual([2, 1]);
    expect(before.map(({ uid }) => uid)).not.toContain(after[0]?.uid);
    expect(await lane('invoice', { query_by: 'text' })).toEqual({});
  });

  test('go with their database', async () => {
    await remember('a', { topic: 'cats', words: 'invoice' });
    const id = await server.databaseId(database);
    await server.rest('DELETE', `/databases?database=${database}`);
    await server.idle();
    expect(await server.sql('select 1 from metadata_vectors where database_id = $1', [id])).toEqual([]);
  });

  test('wait with their item when the embedder fails, and hold up no other', async () => {
    embedder.fails = true;
    await remember('a', { words: 'invoice', topic: 'cats' });
    expect(await search('noted')).toEqual([]);
    embedder.fails = false;
    server.clock.advance(300);
    await server.idle();
    expect(await lane('invoice', { query_by: 'text' })).toEqual({ a: 1 });
  });
});
