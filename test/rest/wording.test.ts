import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { TestServer } from '../support/server.js';

// All of a length, and alike but for one stop word.
const places = ['on', 'under', 'above', 'below', 'off'];
const lookAgainSeconds = 2;
// Smaller stores are not taken into memory.
const residentRowsMin = 500;

let server: TestServer;
let database: string;
let chunks: string;

beforeAll(async () => {
  server = await TestServer.start();
  database = await server.database();
  chunks = `chunks_${await server.databaseId(database)}_memory`;
  await server.remember(database, places.map(lampOf));
});
afterAll(async () => server.stop());

const lampOf = (place: string) => ({
  id: place,
  title: 'note',
  text: `The lamp is ${place} the table`,
  metadata: { room: 'hall' },
});

async function search(query: string, more: object = {}): Promise<string[]> {
  const { body } = await server.rest('POST', '/query', {
    json: { database, type: 'memory', query, alpha: 0, ...more },
  });
  return body.data.chunks.map(({ id }: { id: string }) => id);
}

/** The same query of each place, and what is found first. */
async function firstOf(more: object = {}): Promise<(string | undefined)[]> {
  const firsts: (string | undefined)[] = [];
  for (const place of places) firsts.push((await search(`lamp ${place} the table`, more))[0]);
  return firsts;
}

test('of texts alike the one with the stop words of the query comes first', async () => {
  expect(await firstOf()).toEqual(places);
  // Every one of few items is read.
  expect(await firstOf({ metadata_filters: { room: 'hall' } })).toEqual(places);
  expect(await firstOf({ alpha: 'auto' })).toEqual(places);
});

test('of texts with the same words the one comes first that has them side by side', async () => {
  const texts = {
    apart: 'Copper is the pipe, old is the valve',
    together: 'The copper valve is the old pipe',
  };
  for (const [id, text] of Object.entries(texts))
    await server.remember(database, [{ id, title: 'note', text }]);
  expect(await search('copper valve')).toEqual(['together', 'apart']);
  expect((await search('copper valve', { alpha: 'auto' })).slice(0, 2)).toEqual(['together', 'apart']);
});

test('also when the store is in memory, beside what came later', async () => {
  const large = await server.database();
  const fillers = Array.from({ length: residentRowsMin }, (_, n) => ({ id: `f${n}`, text: `filler ${n}` }));
  await server.remember(large, [...places.map(lampOf), ...fillers]);
  server.clock.advance(lookAgainSeconds);
  await search('lamp', { database: large });
  await server.running.app.services.resident.settled();
  // Postgres does not know of the wording any more.
  await server.sql(`update chunks_${await server.databaseId(large)}_memory set word_codes = null`);
  expect(await firstOf({ database: large })).toEqual(places);
  await server.remember(large, [lampOf('in')]);
  expect((await search('lamp in the table', { database: large }))[0]).toBe('in');
  expect((await search('lamp below the table', { database: large }))[0]).toBe('below');
});

test('also where all words must be there', async () => {
  expect(await firstOf({ query_by: 'text', operator: 'and' })).toEqual(places);
});

test('a text whose wording is not known counts as the others do on average', async () => {
  // Filtered, so that Postgres answers, whatever is in memory.
  const filter = { metadata_filters: { room: 'hall' } };
  await server.sql(`update ${chunks} set word_codes = null where content like '% off %'`);
  const found = await search('lamp under the table', filter);
  await server.sql(`update ${chunks} set word_codes = null`);
  const unweighed = await search('lamp under the table', filter);
  expect(found).toEqual(['under', 'off', ...unweighed.filter((id) => id !== 'under' && id !== 'off')]);
  expect(await search('lamp below the table', filter)).toEqual(unweighed);
});
