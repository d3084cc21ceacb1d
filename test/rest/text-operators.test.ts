import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { LIMITS } from '../../src/limits.js';
import { Random } from '../support/random.js';
import { TestServer } from '../support/server.js';

const vocabulary = 'amber birch cedar delta flint grove the of not ERR-4042 naïve'.split(' ');
const random = new Random(11);
const pick = (count: number) =>
  Array.from({ length: count }, () => vocabulary[random.below(vocabulary.length)] ?? '');
// What a reader takes for words.
const plain = (text: string) => ` ${text.toLowerCase().replaceAll('ï', 'i').replaceAll('-', ' ')} `;

let server: TestServer;
let database: string;
const texts = new Map<string, string>();

const ask = async (body: Record<string, unknown>, name = database) =>
  server.rest('POST', '/query', {
    json: { database: name, type: 'memory', query_by: 'text', max_results: 250, ...body },
  });
const idsOf = (answer: { body: any }): string[] => answer.body.data.chunks.map((chunk: any) => chunk.id);

beforeAll(async () => {
  server = await TestServer.start();
  database = await server.database();
  const memories = Array.from({ length: 200 }, (_, n) => {
    const text = pick(3 + random.below(8)).join(' ');
    texts.set(`n${n}`, text);
    return { id: `n${n}`, title: 'kelp', text };
  });
  await server.remember(database, memories);
});
afterAll(async () => server.stop());

describe('operator', () => {
  test('and finds what holds every word, and all of it', async () => {
    for (let round = 0; round < 25; round += 1) {
      const words = [...pick(1 + (round % 3)), 'cedar'].map(plain).join(' ').trim().split(/\s+/);
      const asked = words.filter((word) => !['the', 'of', 'not'].includes(word));
      const expected = [...texts].filter(([, text]) =>
        asked.every((word) => plain(text).includes(` ${word} `)),
      );
      const answer = await ask({ query: words.join(' '), operator: 'and' });
      expect(idsOf(answer).toSorted()).toEqual(expected.map(([id]) => id).toSorted());
    }
  });

  test('phrase finds what holds the words in a row, and all of it, stop words alone too', async () => {
    let found = 0;
    for (let round = 0; round < 40; round += 1) {
      const phrase = round === 0 ? 'of the' : pick(2 + (round % 2)).join(' ');
      const expected = [...texts].filter(([, text]) => plain(text).includes(plain(phrase)));
      const answer = await ask({ query: phrase, operator: 'phrase' });
      expect(idsOf(answer).toSorted()).toEqual(expected.map(([id]) => id).toSorted());
      found += expected.length;
    }
    expect(found).toBeGreaterThan(40);
  });

  test('order by rank as or does', async () => {
    // So asked that no pairs of words count: how rare they are depends on what else is found (wording).
    const query = 'Which flint is it that has grove?';
    const or = idsOf(await ask({ query }));
    const and = idsOf(await ask({ query, operator: 'and' }));
    expect(and.length).toBeLessThan(or.length);
    expect(and).toEqual(or.filter((id) => and.includes(id)));
  });

  test('and and phrase allow no typing error, or does', async () => {
    expect(idsOf(await ask({ query: 'amver', operator: 'or' }))).not.toEqual([]);
    for (const operator of ['and', 'phrase']) {
      expect(idsOf(await ask({ query: 'amver', operator }))).toEqual([]);
      expect(idsOf(await ask({ query: 'amver birch', operator }))).toEqual([]);
    }
  });

  test('what the title says counts, not together with the text in a phrase', async () => {
    expect(idsOf(await ask({ query: 'kelp', operator: 'phrase' }))).toHaveLength(200);
    expect(idsOf(await ask({ query: 'kelp amber', operator: 'phrase' }))).toEqual([]);
    expect(idsOf(await ask({ query: 'kelp amber', operator: 'and' }))).not.toEqual([]);
  });

  test('a query without any word finds nothing', async () => {
    for (const operator of ['and', 'phrase']) expect(idsOf(await ask({ query: '…!', operator }))).toEqual([]);
  });

  test('only with text search', async () => {
    for (const operator of ['or', 'and', 'phrase']) {
      const answer = await ask({ query: 'amber', query_by: 'hybrid', operator });
      expect([answer.status, answer.body.error.message]).toEqual([400, 'operator is only for query_by text']);
    }
  });

  test('GraphQL has it too', async () => {
    const answer = await server.graphql(
      `query ($database: String!) {
        search(database: $database, type: memory, query: "of the", queryBy: text, operator: phrase, maxResults: 250) {
          chunks { id }
        }
      }`,
      { database },
    );
    const expected = [...texts].flatMap(([id, text]) => (plain(text).includes(' of the ') ? [id] : []));
    expect(answer.body.data.search.chunks.map(({ id }: { id: string }) => id).toSorted()).toEqual(
      expected.toSorted(),
    );
  });

  test('a phrase among many that have its words is found, however far down they rank', async () => {
    const name = await server.database();
    // The right ones are the longest, so they rank last.
    const wrong = Array.from({ length: 400 }, (_, n) => ({ id: `w${n}`, text: 'door red' }));
    const right = Array.from({ length: 5 }, (_, n) => ({
      id: `r${n}`,
      text: `door ${'filler '.repeat(40)} red door`,
    }));
    await server.remember(name, [...wrong, ...right]);
    const answer = await ask({ query: 'red door', operator: 'phrase', max_results: 3 }, name);
    expect(idsOf(answer)).toHaveLength(3);
    expect(idsOf(answer).every((id) => id.startsWith('r'))).toBe(true);
    expect(LIMITS.phraseCandidatesMax).toBeGreaterThan(400);
    const filtered = await ask({ query: 'red door', operator: 'phrase', ids: ['w1', 'r4'] }, name);
    expect(idsOf(filtered)).toEqual(['r4']);
  });

  test('metadata lifts nothing that does not match', async () => {
    const name = await server.database({
      database_metadata_schema: [{ name: 'topic', enable_sparse_embedding: true }],
    });
    await server.remember(name, [
      { id: 'text', text: 'A red door.' },
      { id: 'topic', text: 'A blue window.', metadata: { topic: 'red door' } },
    ]);
    expect(idsOf(await ask({ query: 'red door' }, name)).toSorted()).toEqual(['text', 'topic']);
    for (const operator of ['and', 'phrase'])
      expect(idsOf(await ask({ query: 'red door', operator }, name))).toEqual(['text']);
  });

  test('an emoji is a word', async () => {
    const name = await server.database();
    await server.remember(name, [
      { id: 'party', text: 'We shipped the release 🎉 at noon' },
      { id: 'alone', text: '🎉' },
      { id: 'heart', text: 'I ❤️ the release' },
      { id: 'plain', text: 'We shipped the release at noon' },
    ]);
    for (const operator of ['or', 'and', 'phrase'])
      expect(idsOf(await ask({ query: '🎉', operator }, name)).toSorted()).toEqual(['alone', 'party']);
    expect(idsOf(await ask({ query: '🎉', query_by: 'hybrid' }, name)).toSorted()).toEqual([
      'alone',
      'party',
    ]);
    expect(idsOf(await ask({ query: '❤' }, name))).toEqual(['heart']);
    expect(idsOf(await ask({ query: 'release 🎉' }, name))[0]).toBe('party');
    expect(idsOf(await ask({ query: 'release 🎉 at noon', operator: 'phrase' }, name))).toEqual(['party']);
    expect(idsOf(await ask({ query: '🦔' }, name))).toEqual([]);
  });
});
