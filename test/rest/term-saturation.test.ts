import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { TestServer } from '../support/server.js';

// How much the repetition of a word tells depends on how long the texts of a store are.

let server: TestServer;
beforeAll(async () => {
  server = await TestServer.start();
});
afterAll(async () => server.stop());

/** Texts of so many words; two of them are about otters: one says so six times, the other says herons as well. */
async function bestFor(words: number): Promise<string> {
  const database = await server.database();
  const fill = (id: string, own: string[]) => {
    const filler = Array.from({ length: words - own.length }, (_, nth) => `${id}${'bcdfghjklm'[nth % 10]}o`);
    const every = Math.floor(filler.length / Math.max(1, own.length));
    // Words of the query are not side by side, which would tell more.
    return filler.flatMap((word, nth) =>
      nth % every === 0 && own.length > 0 ? [word, own.shift()!] : [word],
    );
  };
  const texts = {
    again: fill('ta', new Array<string>(6).fill('otter')),
    both: fill('ki', ['otter', 'heron']),
    another: fill('ru', ['heron']),
    ...Object.fromEntries(
      Array.from({ length: 8 }, (_, nth) => [`x${nth}`, fill(`${'abcdefgh'[nth]}e`, [])]),
    ),
  };
  await server.remember(
    database,
    Object.entries(texts).map(([id, text]) => ({ id, title: 'note', text: text.join(' ') })),
  );
  const { body } = await server.rest('POST', '/query', {
    json: { database, query: 'heron qxz qxz otter', type: 'memory', query_by: 'text' },
  });
  return body.data.chunks[0].id;
}

test('among long texts one that repeats a word comes before one that has another word too', async () => {
  expect(await bestFor(130)).toBe('again');
});

test('among short texts it does not', async () => {
  expect(await bestFor(20)).toBe('both');
});
