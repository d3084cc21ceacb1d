import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { analyze, termVector } from '../../src/text/analyzer.js';
import {
  averageLengthOfStep,
  averageLengthStep,
  documentWeights,
  inverseDocumentFrequency,
} from '../../src/text/bm25.js';
import { TestServer } from '../support/server.js';

const words =
  'amber birch cedar delta ember flint grove haven iris jade kelp lotus maple nectar olive pearl'.split(' ');
let seed = 42;
const random = () => (seed = (seed * 1_103_515_245 + 12_345) & 0x7fffffff) / 0x7fffffff;
const text = (length: number) =>
  Array.from({ length }, () => words[Math.floor(random() ** 2 * words.length)] ?? '').join(' ');

let server: TestServer;
let database: string;
const items = new Map<string, string>();

async function remember(ids: readonly string[], length: () => number): Promise<void> {
  const memories = ids.map((id) => ({ id, title: 'note', text: text(length()) }));
  await server.remember(database, memories);
  for (const memory of memories) items.set(memory.id, memory.text);
}

beforeAll(async () => {
  server = await TestServer.start();
  database = await server.database();
  await remember(
    Array.from({ length: 150 }, (_, n) => `a${n}`),
    () => 5 + Math.floor(random() * 10),
  );
  // Much longer ones move the average length, so that what was written before must be weighed anew.
  await remember(
    Array.from({ length: 150 }, (_, n) => `b${n}`),
    () => 40 + Math.floor(random() * 80),
  );
  // Replaced ones must leave no counts behind.
  await remember(
    Array.from({ length: 60 }, (_, n) => `a${n}`),
    () => 20,
  );
});
afterAll(async () => server.stop());

/** BM25 of every item by its definition, with the average length as the server rounds it. */
function bruteForce(query: string): Map<string, number> {
  const vectors = new Map([...items].map(([id, body]) => [id, termVector(analyze(`note\n${body}`))]));
  const lengths = [...vectors.values()].map((vector) => vector.length);
  const mean = lengths.reduce((sum, length) => sum + length, 0) / lengths.length;
  const average = averageLengthOfStep(averageLengthStep(mean));
  const scores = new Map<string, number>();
  const asked = termVector(analyze(query));
  for (const [at, term] of asked.ids.entries()) {
    const holders = [...vectors].filter(([, vector]) => vector.ids.includes(term));
    // A term that a query repeats counts by the square root.
    const rarity = inverseDocumentFrequency(holders.length, vectors.size) * Math.sqrt(asked.counts[at] ?? 0);
    for (const [id, vector] of holders) {
      const weights = documentWeights(vector.counts, vector.length, average);
      scores.set(id, (scores.get(id) ?? 0) + rarity * (weights[vector.ids.indexOf(term)] ?? 0));
    }
  }
  return scores;
}

describe('the keyword lane', () => {
  test('ranks as an exact BM25 over the items as they are now', async () => {
    for (let round = 0; round < 12; round += 1) {
      // With words between them that no text has, none are as near there as they are here (wording).
      const query = text(1 + (round % 4)).replaceAll(' ', ' qxz qxz ');
      const answer = await server.rest('POST', '/query', {
        json: { database, query, type: 'memory', alpha: 0, max_results: 20 },
      });
      const scores = bruteForce(query);
      const best = [...scores.values()].sort((a, b) => b - a).slice(0, 20);
      const found = answer.body.data.chunks.map((chunk: { id: string }) => scores.get(chunk.id) ?? 0);
      expect(found).toHaveLength(Math.min(20, scores.size));
      // Ties may stand in any order, so scores are compared, not ids.
      found.forEach((score: number, place: number) => expect(score).toBeCloseTo(best[place] ?? 0, 4));
    }
  });

  test('reaches its candidates through the index', async () => {
    const statements: { sql: string; parameters: unknown[] }[] = [];
    const { dataSource } = server.running.app.postgres;
    const runner = Object.getPrototypeOf(dataSource.createQueryRunner());
    const original = runner.query;
    runner.query = function (sql: string, parameters: unknown[], structured: boolean) {
      statements.push({ sql, parameters });
      return original.call(this, sql, parameters, structured);
    };
    await server.rest('POST', '/query', { json: { database, query: 'pearl olive', type: 'memory' } });
    runner.query = original;
    const lane = statements.find(({ sql }) => sql.includes('keyword <#>'));
    // So few rows fit a page or two: take the cheap scan away and see that the index can serve.
    const plan = await dataSource.transaction(async (manager): Promise<{ 'QUERY PLAN': string }[]> => {
      await manager.query('set local enable_seqscan = off');
      return manager.query(`explain ${lane?.sql}`, lane?.parameters);
    });
    expect(plan.map((row) => row['QUERY PLAN']).join('\n')).toMatch(
      /Bitmap Index Scan on chunks_\d+_memory_terms_idx/,
    );
  });
});

describe('items of several chunks', () => {
  /** So long that it is a chunk. */
  const paragraph = (start: string, filler: string) =>
    `${start} ${Array.from({ length: 180 }, (_, n) => `${filler}${n % 60}`).join(' ')}.`;
  const files = {
    'a.txt': [paragraph('pearl olive', 'quartz')],
    'b.txt': [1, 2, 3].map((n) => paragraph('pearl olive', `slate${n}x`)),
    'c.txt': Array.from({ length: 12 }, (_, n) =>
      paragraph(n === 0 ? 'pearl olive' : 'gravel sand', `chalk${n}x`),
    ),
    'd.txt': Array.from({ length: 12 }, (_, n) =>
      paragraph(n < 4 ? 'pearl olive' : 'gravel sand', `basalt${n}x`),
    ),
  };

  test('rank by their best chunk, and by what all of them say for their number', async () => {
    const other = await server.database();
    const texts = Object.entries(files).map(([name, parts]) => [name, parts.join('\n\n')]);
    await server.upload(other, Object.fromEntries(texts));
    await server.idle();
    const answer = await server.rest('POST', '/query', {
      json: { database: other, query: 'pearl olive', alpha: 0, max_results: 20 },
    });
    const titles = answer.body.data.chunks.map((chunk: { source_title: string }) => chunk.source_title);
    // The whole of b is about it and a as well; of d a third, of c a twelfth.
    expect([...new Set(titles)].map((title) => String(title)[0])).toEqual(['b', 'a', 'd', 'c']);
    expect(titles).toHaveLength(1 + 3 + 1 + 4);
  });

  test('put the section about a person before the others, however the query writes her name', async () => {
    const other = await server.database();
    const people = ['Mina Duarte', 'Yusuf Haddad', 'Greta Holm', 'Femi Adeyemi'];
    const page = people.map((name, n) =>
      paragraph(`${name} joined in ${2015 + n} and leads group ${n}.`, 'slate'),
    );
    const notes = [1, 2, 3, 4, 5, 6].map((n): [string, string] => [
      `${n}.txt`,
      `Cranes lift stones of kind ${n}.`,
    ]);
    await server.upload(other, { 'team.txt': page.join('\n\n'), ...Object.fromEntries(notes) });
    await server.idle();
    for (const name of people)
      for (const query of [`When did ${name} join?`, `when did ${name.toLowerCase()} join?`]) {
        const answer = await server.rest('POST', '/query', { json: { database: other, query } });
        expect(answer.body.data.chunks[0].chunk_content).toContain(name);
      }
  });
});

describe('what the keyword lane holds nearly alike', () => {
  const told = 'the harbour company paid its pilots a bonus for night shifts in rough winter weather.';
  const files = {
    'right.txt': `In fiscal 2023 ${told} Geese, goats and a donkey sleep in the barn.`,
    'near.txt': `In fiscal 2022 ${told}`,
    'cider.txt': 'In 2023 the orchard sold cider, and in 2023 it sold pears.',
    'choir.txt': 'The 2023 programme of the choir: songs of 2023.',
    'hills.txt': 'Fiscal 2023 was a year of drought for farmers in the hills.',
    'tools.txt': 'The library of 2023 lends tools and maps.',
  };

  test('meaning decides only among what has the figures of the query', async () => {
    const other = await server.database();
    await server.upload(other, files);
    await server.idle();
    const firstOf = async (query: string) => {
      const answer = await server.rest('POST', '/query', {
        json: { database: other, query },
      });
      return answer.body.data.chunks[0].source_title;
    };
    expect(await firstOf('What bonus did the harbour company pay its pilots in 2023?')).toMatch(/^right/);
    expect(await firstOf('What bonus did the harbour company pay its pilots in winter?')).toMatch(/^near/);
  });
});

describe('where texts hold few of the words of a query', () => {
  const rules =
    ' The council keeps a list of rules, forms, hours and fees, which its members change each spring.';
  const files = (more: string) => ({
    'hens.txt': `Hens may be kept on the plots, cockerels may not.${more}`,
    'hall.txt': `Chairs in the hall are stacked after concerts.${more}`,
    'bus.txt': `Buses run until midnight and on Sundays until ten.${more}`,
    'bin.txt': `Bins for glass and paper are emptied on Tuesdays.${more}`,
    'pool.txt': `Lanes of the pool are open before breakfast.${more}`,
    'vet.txt': `A puppy with diarrhoea must be given water.${more}`,
    'lamp.txt': `Tell us about a lamp that has gone out during the night.${more}`,
    'cheque.txt': `Cheques are paid in by photographing them.${more}`,
  });

  test('meaning counts more where they are short, unless a name is asked for; the right one is found all the same', async () => {
    const weightOf = async (other: string, query: string) => {
      const asked = `{ search(database: "${other}", query: "${query}") {
        explain { fusion { weights { dense } } } chunks { sourceTitle } } }`;
      const { explain, chunks } = (await server.graphql(asked, {})).body.data.search;
      expect(chunks[0].sourceTitle).toBe('hens.txt');
      return explain.fusion.weights.dense as number;
    };
    const short = await server.database();
    await server.upload(short, files(''));
    const long = await server.database();
    await server.upload(long, files(rules.repeat(4)));
    await server.idle();
    const asked = 'May we raise poultry in the hall garden';
    const ofShort = await weightOf(short, asked);
    const ofLong = await weightOf(long, asked);
    expect(ofShort).toBeGreaterThan(ofLong);
    expect(await weightOf(short, asked.replace('we', 'Rex'))).toBe(ofLong);
  });
});

describe('a query that is what an item is called', () => {
  const policy = (year: number, more: string) =>
    `# Travel and expenses policy (${year})\n\nEffective from ${year}. ${more} Flights under six hours are economy.`;
  const files = {
    'travel-2023.md': policy(2023, 'Hotels up to GBP 180 a night, GBP 250 in London.'),
    'travel-2025.md': policy(2025, 'This policy supersedes the Travel and expenses policy (2023).'),
    'gifts.md': '# Gifts and hospitality policy\n\nGifts above GBP 50 must be registered with Compliance.',
  };

  test.each([{}, { mode: 'thinking' }, { max_results: 1 }])('finds it first: %j', async (more) => {
    const other = await server.database();
    await server.upload(other, files);
    await server.idle();
    for (const query of [
      'Travel and expenses policy (2023)',
      'travel and expenses policy 2023',
      'travel-2023',
    ]) {
      const answer = await server.rest('POST', '/query', { json: { database: other, query, ...more } });
      const [first, second = first] = answer.body.data.chunks;
      expect(first.source_title).toBe('travel-2023.md');
      expect(first.relevancy_score).toBeGreaterThanOrEqual(second.relevancy_score);
    }
  });
});

describe('a query that names what an item is called', () => {
  const files = {
    'f1.txt': 'Kestrel\n\nA drone of 800 grams with four rotors. It stays in the air for forty minutes.',
    'f2.txt':
      'Fleet notes\n\nHow long batteries last: the batteries of the Osprey last two hours, which is how long those of the Heron last, and longer than those of the Kestrel.',
    'f3.txt': 'Batteries last long when they are stored cold.',
    'oak-house.txt': 'Guests are asked to be quiet after ten.',
    'f4.txt':
      'When the wifi of a house is slow, the password of the wifi in the oak cupboard of the house helps.',
    'f5.txt': 'The wifi password is changed in each house in May.',
  };
  let other: string;
  beforeAll(async () => {
    other = await server.database();
    await server.upload(other, files);
    await server.idle();
  });
  const firstTitle = async (query: string, more = {}): Promise<string> => {
    const answer = await server.rest('POST', '/query', { json: { database: other, query, ...more } });
    return answer.body.data.chunks[0].source_title;
  };

  test.each([
    ['how long do the batteries of the Kestrel last?', 'f1.txt', 'f2.txt'],
    ['what is the wifi password of Oak House?', 'oak-house.txt', 'f4.txt'],
  ])('finds it before what has more of the words: %s', async (query, named, worded) => {
    expect(await firstTitle(query)).toBe(named);
    expect(await firstTitle(query, { max_results: 1 })).toBe(named);
    expect(await firstTitle(query, { alpha: 0 })).toBe(worded);
  });

  test('is none where the words of the name stand apart', async () => {
    expect(await firstTitle('what is the wifi password of the house with the oak?')).toBe('f4.txt');
  });
});

describe('addresses of people of a company', () => {
  const mail = (id: string, body: string, people: { from: string; to: string[]; cc?: string[] }) => {
    const fields = { kind: 'email', subject: id, body, created_at: '2026-05-01T09:00:00Z', ...people };
    return { id, title: id, kind: 'email', provider: 'gmail', external_id: id, fields };
  };
  const [lund, achebe, ashby] = [
    's.lund@larkspur.example',
    'r.achebe@larkspur.example',
    't.ashby@larkspur.example',
  ] as const;
  const mails = [
    mail('sign', 'Agreed, please sign.', { from: lund, to: [achebe] }),
    mail('lunch', 'See you at noon.', { from: achebe, to: [lund], cc: [ashby] }),
    mail('room', 'Room 4 is booked.', { from: ashby, to: [lund, achebe] }),
  ];
  const body =
    'Larkspur report for 2025. The average number of staff was 148, of whom 61 worked in London. Larkspur paid a dividend.';
  const page = {
    id: 'report',
    title: 'Report 2025',
    kind: 'knowledge_base',
    provider: 'notion',
    external_id: 'report',
    fields: { kind: 'knowledge_base', title: 'Report 2025', body },
  };

  test('make no texts about it of their mails, which are found by its name all the same', async () => {
    const other = await server.database();
    await server.rest('POST', '/context/ingest', {
      json: { database: other, app_knowledge: [...mails, page] },
    });
    await server.idle();
    for (const query of ['Larkspur', 'how many employees does Larkspur have']) {
      const answer = await server.rest('POST', '/query', { json: { database: other, query } });
      const ids = answer.body.data.chunks.map((chunk: { id: string }) => chunk.id);
      expect(ids[0]).toBe('report');
      expect(ids).toEqual(expect.arrayContaining(['sign', 'lunch', 'room']));
    }
  });
});

describe('a question that goes on with another', () => {
  const memories = {
    post: 'Postmortem of the checkout latency incident. Author: Ivo Petrov.',
    shopping: 'I wrote the shopping list.',
    landlord: 'Dana wrote to the landlord.',
    rent: 'The rent of the flat is 900 euros.',
  };

  test.each([
    ['who wrote it?', 'We are talking about the postmortem of the checkout latency incident.', 'post'],
    ['what should I do?', 'checkout latency incident postmortem', 'post'],
    ['how much is the rent of the flat?', 'the postmortem of the checkout latency incident', 'rent'],
  ])('is answered by what its context is about: %s', async (query, context, expected) => {
    const other = await server.database();
    await server.remember(
      other,
      Object.entries(memories).map(([id, body]) => ({ id, text: body })),
    );
    const json = { database: other, query, additional_context: context, type: 'memory' };
    const answer = await server.rest('POST', '/query', { json });
    expect(answer.body.data.chunks[0].id).toBe(expected);
  });
});
