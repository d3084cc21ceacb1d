import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { TestServer } from '../support/server.js';

let server: TestServer;
let database: string;

beforeAll(async () => {
  server = await TestServer.start();
  database = await server.database();
  await server.remember(database, [
    { id: 'rent', title: 'flat', text: 'The rent of the flat falls due on the third working day.' },
    {
      id: 'thanks',
      title: 'note',
      text: 'Thanks a lot for your help! I want to know you better, please tell me.',
    },
    { id: 'home', title: 'Please come home', text: 'A song that Ada wrote in winter.' },
    { id: 'rhyme', title: 'Do you know the muffin man', text: 'Children sing it.' },
    { id: 'baker', title: 'note', text: 'The muffin man sells a muffin to every man.' },
    { id: 'way', title: 'note', text: 'They come home when the buses run.' },
  ]);
});
afterAll(async () => server.stop());

async function search(query: string, more: object = {}) {
  const { body } = await server.rest('POST', '/query', {
    json: { database, type: 'memory', query, mode: 'fast', ...more },
  });
  return body.data.chunks.map(({ id, relevancy_score }: { id: string; relevancy_score: number }) => ({
    id,
    relevancy_score,
  }));
}

test('what is said around a question finds nothing', async () => {
  const bare = await search('when is the rent due?');
  expect(bare[0].id).toBe('rent');
  for (const alpha of ['auto', 0, 1])
    expect(
      await search('Hi, could you please tell me when is the rent due? Thanks a lot for your help!', {
        alpha,
      }),
    ).toEqual(await search('when is the rent due?', { alpha }));
});

test('a query that is about such words finds them, and a title is known whole', async () => {
  expect((await search('help and thanks'))[0].id).toBe('thanks');
  expect((await search('Please come home'))[0].id).toBe('home');
  expect((await search('Do you know the muffin man'))[0].id).toBe('rhyme');
  expect(await search('please tell me', { query_by: 'text', operator: 'phrase' })).toMatchObject([
    { id: 'thanks' },
  ]);
});

test('where all words are asked for, these are words like any other', async () => {
  const query = 'please tell me the rent of the flat';
  expect((await search(query, { query_by: 'text' }))[0].id).toBe('rent');
  for (const operator of ['and', 'phrase'])
    expect(await search(query, { query_by: 'text', operator })).toEqual([]);
});
