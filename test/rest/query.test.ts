import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { TestServer } from '../support/server.js';

let server: TestServer;
let database: string;

const ask = async (body: Record<string, unknown>) =>
  server.rest('POST', '/query', { json: { database, ...body } });
const idsOf = (answer: { body: any }): string[] => answer.body.data.chunks.map((chunk: any) => chunk.id);

beforeAll(async () => {
  server = await TestServer.start();
  database = await server.database({
    database_metadata_schema: [
      { name: 'team', max_length: 20 },
      { name: 'level', data_type: 'INT64' },
    ],
  });
  await server.upload(
    database,
    {
      'deploy.md': '# Deployment\n\nRoll back a broken release with the undo button. See ticket OPS-4711.',
      'holiday.txt': 'Every employee has thirty days of paid holiday a year.',
      'printer.txt': 'The printer on the second floor jams when the paper is damp.',
    },
    {
      document_metadata: JSON.stringify([
        { id: 'deploy', metadata: { team: 'ops', level: 1 }, additional_metadata: { lang: 'en', stars: 5 } },
        { id: 'holiday', metadata: { team: 'people', level: 2 }, additional_metadata: { lang: 'en' } },
        { id: 'printer', metadata: { team: 'ops', level: 3 } },
      ]),
    },
  );
  await server.remember(database, [{ id: 'm1', text: 'The user asked for window seats on every flight.' }]);
  await server.remember(database, [{ id: 'm2', text: 'The user is allergic to peanuts.' }], {
    collection: 'health',
  });
  await server.remember(database, [{ id: 'm3', text: 'The user flies to Oslo.' }], { collection: 'travel' });
});
afterAll(async () => server.stop());

describe('POST /query', () => {
  test('answers with every documented field', async () => {
    const answer = await ask({ query: 'how to roll back a release' });
    expect(answer.status).toBe(200);
    expect(answer.body.meta).toMatchObject({
      database,
      collection: 'default',
      source_type: 'knowledge',
      api_version: '2.0.1',
    });
    expect(answer.body.data.query_id).toBe(answer.body.meta.request_id);
    expect(answer.body.data.chunks[0]).toEqual({
      chunk_uuid: expect.stringMatching(/^[0-9a-f-]{36}$/),
      id: 'deploy',
      chunk_content: expect.stringContaining('undo button'),
      source_type: 'knowledge',
      source_title: 'deploy.md',
      source_upload_time: expect.stringMatching(/Z$/),
      source_last_updated_time: expect.stringMatching(/Z$/),
      layout: expect.objectContaining({ headings: ['Deployment'], position: 0 }),
      relevancy_score: expect.any(Number),
      metadata: { team: 'ops', level: 1 },
      additional_metadata: { lang: 'en', stars: 5 },
      collection: 'default',
      sub_tenant_id: 'default',
      extra_context_ids: [],
      lanes: { dense: expect.any(Number), sparse: 1, graph: null, metadata: null },
    });
    expect(answer.body.data.sources[0]).toEqual({
      id: 'deploy',
      title: 'deploy.md',
      type: 'knowledge',
      description: null,
      url: null,
      timestamp: null,
      metadata: { team: 'ops', level: 1 },
      additional_metadata: { lang: 'en', stars: 5 },
      collection: 'default',
      sub_tenant_id: 'default',
      app_kind: null,
      app_provider: null,
      app_external_id: null,
    });
    expect(answer.body.data.graph_context).toEqual({
      query_paths: [],
      chunk_relations: [],
      chunk_id_to_group_ids: {},
    });
    expect(answer.body.data.additional_context).toEqual({});
    const scores = answer.body.data.chunks.map((chunk: any) => chunk.relevancy_score);
    expect(scores).toEqual([...scores].sort((a, b) => b - a));
    expect(Math.max(...scores)).toBeLessThanOrEqual(1);
    expect(Math.min(...scores)).toBeGreaterThanOrEqual(0);
  });

  test.each([
    ['a code', 'OPS-4711', 'deploy'],
    ['other forms of the words', 'jammed printers', 'printer'],
    ['a typing error', 'holliday', 'holiday'],
    ['the title', 'deploy.md', 'deploy'],
  ])('finds by %s', async (_case, query, id) => {
    expect(idsOf(await ask({ query }))[0]).toBe(id);
  });

  test('knowledge, memory and all are kept apart', async () => {
    expect(idsOf(await ask({ query: 'window seats', type: 'memory' }))).toEqual(['m1']);
    expect(idsOf(await ask({ query: 'window seats', type: 'knowledge' }))).not.toContain('m1');
    const all = await ask({ query: 'window seats printer', type: 'all' });
    expect(idsOf(all)).toEqual(expect.arrayContaining(['m1', 'printer']));
    expect(all.body.meta.source_type).toBeUndefined();
  });

  test('searches the collections that are named', async () => {
    expect(idsOf(await ask({ query: 'peanuts', type: 'memory' }))).not.toContain('m2');
    expect(idsOf(await ask({ query: 'peanuts', type: 'memory', collection: 'health' }))).toEqual(['m2']);
    const collections = ['default', 'health'];
    for (const lane of [{}, { query_by: 'text' }, { alpha: 1 }]) {
      const both = await ask({ query: 'user', type: 'memory', collections, ...lane });
      expect(idsOf(both).sort()).toEqual(['m1', 'm2']);
      expect(both.body.meta.collection).toBeUndefined();
    }
    const weighted = await ask({ query: 'user', type: 'memory', collections: { health: 2 } });
    expect(idsOf(weighted)).toEqual(['m2']);
    expect(weighted.body.meta).toMatchObject({ collection: 'health', sub_tenant_id: 'health' });
    const aliased = await ask({ query: 'user', type: 'memory', sub_tenant_ids: ['health'] });
    expect(idsOf(aliased)).toEqual(['m2']);
    expect(aliased.body.meta.collection).toBe('health');
    expect(aliased.body.meta.deprecation[0]).toMatchObject({
      deprecated_field: 'sub_tenant_ids',
      preferred_field: 'collections',
    });
    expect(idsOf(await ask({ query: 'user', collection: 'nothing-here' }))).toEqual([]);
  });

  test.each([
    ['equality', { team: 'ops' }, ['deploy', 'printer']],
    ['any of', { level: [2, 3] }, ['holiday', 'printer']],
    ['two keys ANDed', { team: 'ops', level: 3 }, ['printer']],
    ['free-form metadata', { additional_metadata: { lang: 'en' } }, ['deploy', 'holiday']],
    ['free-form metadata under its alias', { document_metadata: { stars: [4, 5] } }, ['deploy']],
    ['a key that no item has', { additional_metadata: { nothing: 1 } }, []],
    ['an undeclared key', { undeclared: true }, []],
  ])('filters by %s', async (_case, metadata_filters, expected) => {
    expect(idsOf(await ask({ query: 'printer holiday release', metadata_filters })).sort()).toEqual(expected);
  });

  test('a filter leaves as many results as match, however far down they rank', async () => {
    const name = await server.database();
    const memories = Array.from({ length: 300 }, (_, n) => ({
      id: `n${n}`,
      text: `note about whales number ${n}`,
      additional_metadata: { rare: n % 100 === 99 },
    }));
    await server.remember(name, memories);
    const answer = await server.rest('POST', '/query', {
      json: {
        database: name,
        query: 'whales 7',
        type: 'memory',
        max_results: 3,
        metadata_filters: { additional_metadata: { rare: true } },
      },
    });
    expect(idsOf(answer).sort()).toEqual(['n199', 'n299', 'n99']);
    const limited = await server.rest('POST', '/query', {
      json: { database: name, query: 'whales', type: 'memory', max_results: 250 },
    });
    expect(idsOf(limited)).toHaveLength(250);
    expect(new Set(idsOf(limited)).size).toBe(250);
  });

  test('restricts to ids; limits results; nothing found is an empty answer', async () => {
    expect(idsOf(await ask({ query: 'printer', ids: ['holiday'] }))).toEqual(['holiday']);
    expect(idsOf(await ask({ query: 'printer holiday release', max_results: 1 }))).toHaveLength(1);
    const nothing = await ask({ query: 'printer', ids: [] });
    expect([nothing.status, nothing.body.data.chunks, nothing.body.data.sources]).toEqual([200, [], []]);
  });

  test('alpha 0 and text search use words alone, alpha 1 meaning alone', async () => {
    const lanes = async (body: Record<string, unknown>) =>
      (await ask({ query: 'printer', ...body })).body.data.chunks.map((chunk: any) => chunk.lanes);
    for (const body of [{ alpha: 0 }, { query_by: 'text' }, { query_by: 'text', operator: 'or' }]) {
      expect(await lanes(body)).toEqual([{ dense: null, sparse: 1, graph: null, metadata: null }]);
    }
    const byMeaning = await lanes({ alpha: 1 });
    expect(byMeaning).not.toEqual([]);
    for (const lane of byMeaning) expect(lane.sparse).toBeNull();
  });

  test.each([
    ['no query', { query: undefined }, /query is required/],
    ['an empty query', { query: ' ' }, /query must not be empty/],
    ['a query of 32,769 characters', { query: 'x'.repeat(32_769) }, /32768/],
    ['max_results 0', { max_results: 0 }, /max_results must be 1 to 250/],
    ['max_results 251', { max_results: 251 }, /max_results must be 1 to 250/],
    ['alpha 2', { alpha: 2 }, /alpha must be 0 to 1/],
    ['alpha as text', { alpha: 'strong' }, /alpha/],
    ['alpha that does not matter', { alpha: 7, query_by: 'text' }, /alpha must be 0 to 1/],
    ['recency_bias -1', { recency_bias: -1 }, /recency_bias must be 0 to 1/],
    ['collection and collections', { collection: 'a', collections: ['b'] }, /collections/],
    ['the default collection and collections', { collection: '', collections: ['b'] }, /collections/],
    ['no collections', { collections: [] }, /1 to 100/],
    ['a weight of 0', { collections: { a: 0 } }, /weight/],
    ['an operator without text search', { operator: 'or' }, /operator/],
    ['a filter that is no object', { metadata_filters: [] }, /metadata_filters must be an object/],
    ['501 filter values', { metadata_filters: { level: Array(501).fill(1) } }, /at most 500/],
  ])('refuses %s with 400 INVALID_INPUT', async (_case, body, reason) => {
    const answer = await ask({ query: 'x', ...body });
    expect([answer.status, answer.body.error.code]).toEqual([400, 'INVALID_INPUT']);
    expect(answer.body.error.message).toMatch(reason);
  });

  test('a filter value that does not fit the declared type is VALIDATION_ERROR', async () => {
    const answer = await ask({ query: 'x', metadata_filters: { level: 'high' } });
    expect([answer.status, answer.body.error.code]).toEqual([400, 'VALIDATION_ERROR']);
    expect(answer.body.error.message).toMatch(/metadata_filters\.level must be a whole number/);
  });

  test.each([100, 100_000])('JSON %i deep is refused, and does not exhaust the stack', async (depth) => {
    const deep = `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;
    const raw = `{"database": "${database}", "query": "x", "metadata_filters": ${deep}}`;
    const headers = { 'content-type': 'application/json' };
    const answer = await server.rest('POST', '/query', { headers, raw });
    expect([answer.status, answer.body.error.code]).toEqual([400, 'INVALID_INPUT']);
    expect(answer.body.error.message).toMatch(/metadata_filters must nest at most 64 deep/);
  });

  test('hostile strings are data, nothing else', async () => {
    for (const query of [
      "'; drop table sources; --",
      '%_\\',
      '{"a":1}',
      '🦒'.repeat(10),
      '中文 检索',
      '\u202e',
      '$1 $2',
      '{1,2}',
      '<#>',
    ]) {
      const answer = await ask({ query, metadata_filters: { [`k${query}`]: query } });
      expect(answer.status).toBe(200);
    }
  });
});

describe('GET /databases/stats', () => {
  test('counts chunks of both stores over all collections', async () => {
    const stats = await server.rest('GET', `/tenants/stats?tenant_id=${database}`);
    expect(stats.body.data).toEqual({
      database,
      tenant_id: database,
      knowledge_collection: { row_count: 3 },
      memory_collection: { row_count: 3 },
      message: expect.any(String),
    });
    const empty = await server.database();
    const none = await server.rest('GET', `/databases/stats?database=${empty}`);
    expect(none.body.data).toMatchObject({
      knowledge_collection: { row_count: 0 },
      memory_collection: { row_count: 0 },
    });
  });
});
