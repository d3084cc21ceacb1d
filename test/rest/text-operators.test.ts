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

  test('a phrase may be the key that an item has in its application', async () => {
    const name = await server.database();
    const ticket = (id: string, key: string) => ({
      ...{ id, kind: 'ticket', provider: 'desk', external_id: key },
      fields: { title: 'The door sticks', description: 'It does so in winter.' },
    });
    const json = { database: name, app_knowledge: [ticket('one', 'DOOR-17'), ticket('other', 'DOOR-18')] };
    expect((await server.rest('POST', '/context/ingest', { json })).status).toBe(202);
    await server.idle();
    const asked = { type: 'knowledge', operator: 'phrase' };
    expect(idsOf(await ask({ ...asked, query: 'DOOR-17' }, name))).toEqual(['one']);
    expect(idsOf(await ask({ ...asked, query: 'DOOR-17 sticks' }, name))).toEqual([]);
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

  describe('a query of stop words alone is looked for as it is written', () => {
    let name: string;
    const find = async (query: string, more: object = {}) => idsOf(await ask({ query, ...more }, name));
    beforeAll(async () => {
      name = await server.database();
      const filler = 'The kelp forest sways in the cold current. '.repeat(20);
      await server.remember(name, [
        { id: 'hamlet', text: 'Hamlet asks: to be, or not to be, that is the question.' },
        { id: 'long', text: `${filler} To be or not to be. ${filler}` },
        { id: 'band', text: 'Pete Townshend wrote most songs of The Who.' },
        { id: 'doctor', title: 'Who are you', text: 'The doctor never answers.' },
        { id: 'bare', text: 'you are' },
        { id: 'greeting', text: 'who are you?' },
        { id: 'other', text: 'Whoever you are, be not afraid to swim or to dive.' },
        { id: 'hidden', text: 'They shouted to be or not to be.', acl: [] },
      ]);
    });

    test.each([{ query_by: 'text' }, { query_by: 'text', operator: 'and' }])('%j', async (asked) => {
      // The shorter text before the longer one.
      expect(await find('To be or not to be', asked)).toEqual(['hamlet', 'long']);
      expect((await find('the who', asked))[0]).toBe('band');
      const whoAreYou = await find('Who are you?', asked);
      expect(whoAreYou.slice(0, 2).toSorted()).toEqual(['doctor', 'greeting']);
      expect(whoAreYou).not.toContain('other');
      expect(await find('to be', { ...asked, ids: ['long', 'other'] })).toEqual(['long']);
      expect(await find('from below', asked)).toEqual([]);
    });

    test('a hybrid search has it first', async () => {
      const hybrid = { query_by: 'hybrid' };
      expect((await find('To be or not to be', hybrid)).slice(0, 2)).toEqual(['hamlet', 'long']);
      expect((await find('The Who', hybrid))[0]).toBe('band');
      expect((await find('Who are you?', hybrid)).slice(0, 2).toSorted()).toEqual(['doctor', 'greeting']);
    });

    test('texts of stop words alone are found by each, behind those that have them in a row', async () => {
      expect(await find('who are you')).toEqual(['greeting', 'doctor', 'bare']);
      expect(await find('are you', { operator: 'and' })).toEqual(['greeting', 'doctor', 'bare']);
    });

    test('they are no typing errors', async () => {
      await server.remember(name, [{ id: 'three', text: 'three whales' }]);
      expect(await find('there')).toEqual([]);
    });

    test('beside another word they are left out as before', async () => {
      expect(await find('the question')).toEqual(['hamlet']);
    });

    test('among many, also what was stored without the codes of its words', async () => {
      const many = await server.database();
      const filler = Array.from({ length: 600 }, (_, n) => ({
        id: `f${n}`,
        text: `Barnacle ${n} is of the hull.`,
      }));
      await server.remember(many, [...filler, { id: 'last', text: 'It is what it is, said the barnacle.' }]);
      expect(idsOf(await ask({ query: 'it is what it is' }, many))).toEqual(['last']);
      expect(idsOf(await ask({ query: 'it is what it is', operator: 'phrase' }, many))).toEqual(['last']);
      await server.sql(`update chunks_${await server.databaseId(many)}_memory set word_codes = null`);
      expect(idsOf(await ask({ query: 'it is what it is', operator: 'phrase' }, many))).toEqual(['last']);
    });
  });
});
