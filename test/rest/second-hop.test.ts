import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { analyze, termVector } from '../../src/text/analyzer.js';
import {
  averageLengthOfStep,
  averageLengthStep,
  documentWeights,
  inverseDocumentFrequency,
} from '../../src/text/bm25.js';
import { TestServer } from '../support/server.js';

// The order of a second hop is that of a naive model in memory: every seed, every name, every text.

const words = 'amber birch cedar delta ember flint grove haven iris jade kelp lotus maple nectar'.split(' ');
const names = 'Zorin Yarrow Xanthe Wexford Vesper Ulric Tamsin Sorrel Quill Perrin Orla Nyx'.split(' ');
let seed = 7;
const random = (below: number) =>
  Math.floor(((seed = (seed * 1_103_515_245 + 12_345) & 0x7fffffff) / 0x7fffffff) * below);
const pick = (list: readonly string[]) => list[Math.floor((random(1000) / 1000) ** 2 * list.length)] ?? '';
const text = () =>
  Array.from(
    { length: 4 + random(9) },
    () => `${pick(words)}${random(4) === 0 ? ` ${pick(names)}` : ''} ${pick(words)}`,
  ).join(' ');

const items = Array.from({ length: 90 }, (_, n) => ({ id: `i${n}`, title: 'note', text: text() }));
let server: TestServer;
let database: string;
beforeAll(async () => {
  server = await TestServer.start();
  database = await server.database();
  await server.remember(database, items);
});
afterAll(async () => server.stop());

const vectors = items.map((item) => termVector(analyze(`${item.title}\n${item.text}`)));
const mean = vectors.reduce((sum, { length }) => sum + length, 0) / vectors.length;
const weights = vectors.map(({ ids, counts, length }) => {
  const each = documentWeights(counts, length, averageLengthOfStep(averageLengthStep(mean)));
  return new Map([...ids].map((id, at) => [id, each[at] ?? 0]));
});
const idsOf = (of: string) => [...termVector(analyze(of)).ids];
const rarity = (term: number) => {
  const holders = weights.filter((each) => each.has(term)).length;
  return holders === 0 ? 0 : inverseDocumentFrequency(holders, items.length);
};
const total = (terms: readonly number[]) => terms.reduce((sum, term) => sum + rarity(term), 0);
const score = (at: number, terms: readonly number[]) =>
  terms.reduce((sum, term) => sum + rarity(term) * (weights[at]?.get(term) ?? 0), 0);
/** The best of some; undefined where rounding decides which these are. */
const best = (terms: readonly number[], among: readonly number[], count: number) => {
  const sorted = among.toSorted((a, b) => score(b, terms) - score(a, terms));
  const [last, next] = [sorted[count - 1], sorted[count]];
  const isClear = last === undefined || next === undefined || score(last, terms) - score(next, terms) > 1e-3;
  return isClear ? sorted.slice(0, count) : undefined;
};

/** What each item scores; items that are not found have none. Undefined where rounding decides. */
function naive(query: string): Map<string, number> | undefined {
  const asked = idsOf(query);
  const all = items.map((_, at) => at);
  const own = new Map(all.flatMap((at) => (score(at, asked) > 0 ? [[at, score(at, asked)]] : [])));
  const seeds = best(asked, [...own.keys()], 6);
  if (!seeds) return undefined;
  const holds = (at: number, term: number) => weights[at]?.has(term) === true;
  const isAnswered = seeds.some((at) => total(asked.filter((term) => holds(at, term))) >= 0.9 * total(asked));
  const bestAlone = Math.max(...own.values());
  const pairs = new Map<number, number>();
  const lift = (at: number, by: number) => pairs.set(at, Math.max(pairs.get(at) ?? 0, by));
  for (const from of isAnswered ? [] : seeds) {
    const open = asked.filter((term) => !holds(from, term) && rarity(term) > 0);
    for (const name of names.filter((each) => items[from]?.text.includes(each))) {
      const [term = 0] = idsOf(name);
      if (asked.includes(term)) continue;
      const holders = all.filter((at) => holds(at, term));
      const reached = best([...open, term], holders, 4);
      if (!reached) return undefined;
      for (const to of reached.filter((at) => at !== from)) {
        const together = (own.get(from) ?? 0) + score(to, [...open, term]) - bestAlone;
        if (together <= 0) continue;
        lift(to, together);
        if (open.some((each) => holds(to, each))) lift(from, together);
      }
    }
  }
  const first = all.find((at) => own.get(at) === bestAlone);
  if (first !== undefined && pairs.size > 0) lift(first, 0.8 * Math.max(...pairs.values()));
  const found = new Set([...own.keys(), ...pairs.keys()]);
  // No query asks a question: what has enough words is a statement.
  const share = asked.length >= 5 ? 0.5 : 2;
  return new Map([...found].map((at) => [`i${at}`, (own.get(at) ?? 0) + share * (pairs.get(at) ?? 0)]));
}

test('finds what a naive model finds, in its order', async () => {
  let hopped = 0;
  for (let n = 0; n < 70; n += 1) {
    const asked = Array.from({ length: 3 + random(5) }, () => pick(random(4) === 0 ? names : words));
    // With words between them that no text has, none are as near there as they are here (wording).
    const query = [...new Set(asked)].join(' qxz qxz ');
    const json = {
      database,
      type: 'memory',
      query,
      query_by: 'text',
      graph_context: false,
      max_results: 100,
    };
    const scores = naive(query);
    if (!scores) continue;
    const answer = await server.rest('POST', '/query', { json: { ...json, mode: 'thinking' } });
    const found = answer.body.data.chunks.map((chunk: any) => chunk.id) as string[];
    expect([query, found.toSorted()]).toEqual([query, [...scores.keys()].toSorted()]);
    const inOrder = found.map((id) => scores.get(id) ?? 0);
    const misplaced = inOrder.findIndex((each, at) => at > 0 && each > (inOrder[at - 1] ?? 0) + 1e-3);
    expect([query, misplaced]).toEqual([query, -1]);
    const fast = await server.rest('POST', '/query', { json: { ...json, mode: 'fast' } });
    if (fast.body.data.chunks.some((chunk: any, at: number) => chunk.id !== found[at])) hopped += 1;
  }
  // Else it would have shown little.
  expect(hopped).toBeGreaterThan(5);
});
