import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { TestServer } from '../support/server.js';

let server: TestServer;
let database: string;
beforeAll(async () => {
  server = await TestServer.start();
  database = await server.database();
});
afterAll(async () => server.stop());

const json = { 'content-type': 'application/json' };
const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);

describe('values of names that no parameter has', () => {
  test('are passed over unread, however deep or many', async () => {
    await server.remember(database, [{ id: 'whale', text: 'The whale is white.' }]);
    for (const other of [`"other":${nested(100_000)}`, `"other":["a\\u0000b","\\ud800",1e999]`]) {
      const raw = `{"database":"${database}","query":"whale","type":"memory",${other}}`;
      const answer = await server.rest('POST', '/query', { raw, headers: json });
      expect(answer.body.data.chunks).toMatchObject([{ id: 'whale' }]);
    }
  });

  test('a parameter that was sent under two names is refused when it is too deep to be compared', async () => {
    const deep = nested(100_000);
    const raw = `{"database":"${database}","query":"whale","sub_tenant_ids":${deep},"collections":${deep}}`;
    const answer = await server.rest('POST', '/query', { raw, headers: json });
    expect([answer.status, answer.body.error.code]).toEqual([400, 'INVALID_INPUT']);
    expect(answer.body.error.message).toMatch(/must nest at most 64 deep/);
  });
});

describe('a list of more items than any request may have is refused before one is read', () => {
  const items = [{ text: 5 }, ...Array.from({ length: 1000 }, (_, n) => ({ id: `${n}`, text: 'x' }))];

  test.each<[string, Record<string, unknown>]>([
    ['memories', { type: 'memory', memories: items }],
    ['memories', { type: 'memory', memories: JSON.stringify(items) }],
    ['app_knowledge', { app_knowledge: items }],
    ['document_metadata', { document_metadata: items }],
  ])('%s', async (name, fields) => {
    const answer = await server.rest('POST', '/context/ingest', { json: { database, ...fields } });
    expect([answer.status, answer.body.error]).toEqual([
      400,
      { code: 'INVALID_INPUT', message: `${name} has 1001 items; at most 1000 a request` },
    ]);
    const list = await server.rest('GET', `/context/list?database=${database}&type=memory&ids=0,999`);
    expect(list.body.data.total).toBe(0);
  });

  test('but after what is wrong with its database', async () => {
    const body = { database: 'nowhere', type: 'memory', memories: items };
    const answer = await server.rest('POST', '/context/ingest', { json: body });
    expect([answer.status, answer.body.error.code]).toEqual([404, 'DATABASE_NOT_FOUND']);
  });
});
