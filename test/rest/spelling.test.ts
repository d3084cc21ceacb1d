import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { TestServer } from '../support/server.js';

let server: TestServer;
let database: string;
const texts = {
  german: 'Im Herbst fahren wir nach München und besuchen dort die Großeltern.',
  russian: 'Наша кошка спит на подоконнике.',
  ukrainian: 'Їжак живе у саду біля ґанку.',
  greek: 'Το καλοκαίρι πάμε στην Ελλάδα.',
  hebrew: 'הספרייה פתוחה בערב',
  arabic: 'المكتبة مفتوحة في المساء',
  armenian: 'գրադարանը բաց է երեկոյան',
  georgian: 'ბიბლიოთეკა საღამოს ღიაა',
  hindi: 'पुस्तकालय शाम को खुला है',
  tamil: 'நூலகம் மாலையில் திறந்திருக்கும்',
};
const ask = async (body: Record<string, unknown>): Promise<string[]> => {
  const answer = await server.rest('POST', '/query', { json: { database, type: 'memory', ...body } });
  return answer.body.data.chunks.map(({ id }: { id: string }) => id);
};

beforeAll(async () => {
  server = await TestServer.start();
  database = await server.database();
  const memories = Object.entries(texts).map(([id, text]) => ({ id, text }));
  await server.remember(database, memories);
});
afterAll(async () => server.stop());

test.each([
  ['german', 'Müncehn'],
  ['german', 'Grosseltren'],
  ['russian', 'кошкка'],
  ['russian', 'подаконник'],
  ['ukrainian', 'ґакну'],
  ['greek', 'ελλδάα'],
  ['hebrew', 'הספירייה'],
  ['arabic', 'المكتبث'],
  ['armenian', 'գրադարնը'],
  ['georgian', 'ბიბლიოტეკა'],
  ['hindi', 'पुस्तकलय'],
  ['tamil', 'மாலயில்'],
])('a typing error is forgiven in any script that has letters: %s, %s', async (id, query) => {
  expect(await ask({ query, query_by: 'text' })).toEqual([id]);
  expect((await ask({ query }))[0]).toBe(id);
  expect(await ask({ query, query_by: 'text', operator: 'and' })).toEqual([]);
});
