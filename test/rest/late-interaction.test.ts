import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { TestServer } from '../support/server.js';

const told = {
  dog: 'My puppy chewed the couch while we were away at the lake, and the landlord wants money for it.',
  doctor: 'The physician told me to stop eating salt because of my heart.',
  car: 'Our automobile broke down on the motorway and had to be towed to a garage.',
  wedding: 'They tied the knot in a small chapel by the sea last June.',
  job: 'She was hired by a shipyard as an apprentice welder.',
  supper: 'For supper I boiled potatoes and fried some herring.',
  school: 'The pupils learned about volcanoes and made one of clay.',
  gift: 'For her birthday grandmother got a necklace of amber.',
};
const news = [
  'On Monday it rained from morning to evening, so the market was nearly empty.',
  'The new bridge will open in spring, says the mayor, if the steel arrives.',
  'My neighbour sold his boat and bought a telescope to look at Saturn.',
  'The choir sang two songs that nobody knew, and the organ was out of tune.',
  'A film about penguins ran in the cinema for the third week.',
  'The library closes at six and lends maps as well as novels.',
  'Somebody painted the fence green and left the brush in the grass.',
  'The football team lost again, four goals to one.',
  'Prices for coffee went up after the frost in Brazil.',
  'The museum shows coins from the time of the Romans.',
  'We planted tomatoes, beans and a row of sunflowers.',
  'The train to the mountains was late, but the view was worth it.',
];

let server: TestServer;
let database: string;

beforeAll(async () => {
  server = await TestServer.start();
  database = await server.database();
  // Letters that tell one thing among five others.
  const letters = Object.entries(told).map(([id, sentence], nth) => {
    const others = [0, 1, 2, 3, 4].map((other) => news[(nth * 5 + other * 7) % news.length]);
    return [`${id}.txt`, [...others.slice(0, 2), sentence, ...others.slice(2)].join(' ')] as const;
  });
  const ids = JSON.stringify(Object.keys(told).map((id) => ({ id })));
  await server.upload(database, Object.fromEntries(letters), { document_metadata: ids });
  await server.idle();
});
afterAll(async () => server.stop());

async function firstFor(query: string, more: object = {}): Promise<string | undefined> {
  const { body } = await server.rest('POST', '/query', {
    json: { database, query, ...more },
  });
  return body.data.chunks[0]?.id;
}

test('a long text that says what is asked in other words, among much else, comes first', async () => {
  expect(await firstFor('Where did the vehicle get repaired?')).toBe('car');
  expect(await firstFor('Where was the marriage ceremony?')).toBe('wedding');
  expect(await firstFor('What dietary advice came from a medical professional?')).toBe('doctor');
});

test('that is for alpha "auto": who weighs meaning by hand gets the order of whole vectors', async () => {
  const marriage = 'Where was the marriage ceremony?';
  expect(await firstFor(marriage, { alpha: 'auto' })).toBe('wedding');
  expect(await firstFor(marriage, { alpha: 1 })).not.toBe('wedding');
});

test('explain tells how much of the query each text says, and nothing where its words are there', async () => {
  const explained = async (query: string, recencyBias = 0) => {
    const asked = `{ search(database: "${database}", query: "${query}", recencyBias: ${recencyBias}) {
      chunks { id } explain { timings { stage } chunks { lateInteraction } } } }`;
    const { chunks, explain } = (await server.graphql(asked, {})).body.data.search;
    const said = explain.chunks.map(
      ({ lateInteraction }: { lateInteraction: number | null }) => lateInteraction,
    );
    const stages = explain.timings.map(({ stage }: { stage: string }) => stage);
    return { ids: chunks.map(({ id }: { id: string }) => id), said, stages };
  };
  const other = await explained('Where was the marriage ceremony?');
  const ofWedding = other.said[other.ids.indexOf('wedding')] ?? 0;
  expect(ofWedding).toBe(Math.max(...other.said));
  expect(ofWedding).toBeGreaterThan(0.2);
  expect(ofWedding).toBeLessThan(1);
  expect(other.stages).toContain('late_interaction');
  // Age is weighed against how well a text fits, which the order of these comparisons does not say.
  expect((await explained('Where was the marriage ceremony?', 0.1)).stages).not.toContain('late_interaction');
  const same = await explained('Who tied the knot in a small chapel by the sea?');
  expect(same.ids[0]).toBe('wedding');
  expect(same.said.every((said: number | null) => said === null)).toBe(true);
  expect(same.stages).not.toContain('late_interaction');
});
