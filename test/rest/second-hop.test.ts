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

const itemsOf = (count: number, name: string) =>
  Array.from({ length: count }, (_, n) => ({ id: `${name}${n}`, title: 'note', text: text() }));
const items = itemsOf(90, 'i');
// What may not be found, in other collections or by its access list, leads nowhere and takes nobody its place.
const [secrets, others] = [itemsOf(25, 'secret'), itemsOf(25, 'other')];
let server: TestServer;
let open: string;
let restricted: string;
beforeAll(async () => {
  server = await TestServer.start();
  [open, restricted] = [await server.database(), await server.database()];
  for (const database of [open, restricted]) {
    await server.remember(database, items);
    await server.remember(database, others, { collection: 'other' });
  }
  await server.remember(
    restricted,
    secrets.map((item) => ({ ...item, acl: ['ann'] })),
  );
});
afterAll(async () => server.stop());

const idsOf = (of: string) => [...termVector(analyze(of)).ids];

/** The items beside what else is stored, which counts only by its number and length. */
class Model {
  private readonly weights: readonly ReadonlyMap<number, number>[];
  private readonly stored: readonly (readonly number[])[];
  private readonly rarities = new Map<number, number>();

  /** With `isHiding`, a rare word counts only where it may be read. */
  constructor(
    beside: typeof items,
    private readonly isHiding: boolean,
  ) {
    const vectors = [...items, ...beside].map((item) => termVector(analyze(`${item.title}\n${item.text}`)));
    this.stored = vectors.map(({ ids }) => [...ids]);
    const mean = vectors.reduce((sum, { length }) => sum + length, 0) / vectors.length;
    this.weights = vectors.slice(0, items.length).map(({ ids, counts, length }) => {
      const each = documentWeights(counts, length, averageLengthOfStep(averageLengthStep(mean)));
      return new Map([...ids].map((id, at) => [id, each[at] ?? 0]));
    });
  }

  holds(at: number, term: number): boolean {
    return this.weights[at]?.has(term) === true;
  }

  rarity(term: number): number {
    const known = this.rarities.get(term) ?? this.rarityOf(term);
    this.rarities.set(term, known);
    return known;
  }

  private rarityOf(term: number): number {
    const stored = this.stored.filter((ids) => ids.includes(term)).length;
    const holders =
      stored > 100 || !this.isHiding ? stored : this.weights.filter((each) => each.has(term)).length;
    return holders === 0 ? 0 : inverseDocumentFrequency(holders, this.stored.length);
  }

  total(terms: readonly number[]): number {
    return terms.reduce((sum, term) => sum + this.rarity(term), 0);
  }

  score(at: number, terms: readonly number[]): number {
    return terms.reduce((sum, term) => sum + this.rarity(term) * (this.weights[at]?.get(term) ?? 0), 0);
  }

  /** The best of some; undefined where rounding decides which these are. */
  best(terms: readonly number[], among: readonly number[], count: number): number[] | undefined {
    const sorted = among.toSorted((a, b) => this.score(b, terms) - this.score(a, terms));
    const [last, next] = [sorted[count - 1], sorted[count]];
    const isClear =
      last === undefined || next === undefined || this.score(last, terms) - this.score(next, terms) > 1e-3;
    return isClear ? sorted.slice(0, count) : undefined;
  }
}

/** What each item scores; items that are not found have none. Undefined where rounding decides. */
function naive(model: Model, query: string): Map<string, number> | undefined {
  const asked = idsOf(query);
  const all = items.map((_, at) => at);
  const own = new Map(
    all.flatMap((at) => (model.score(at, asked) > 0 ? [[at, model.score(at, asked)]] : [])),
  );
  const seeds = model.best(asked, [...own.keys()], 6);
  if (!seeds) return undefined;
  const holds = model.holds.bind(model);
  const isAnswered = seeds.some(
    (at) => model.total(asked.filter((term) => holds(at, term))) >= 0.9 * model.total(asked),
  );
  const bestAlone = Math.max(...own.values());
  const pairs = new Map<number, number>();
  const lift = (at: number, by: number) => pairs.set(at, Math.max(pairs.get(at) ?? 0, by));
  for (const from of isAnswered ? [] : seeds) {
    const lacking = asked.filter((term) => !holds(from, term) && model.rarity(term) > 0);
    for (const name of names.filter((each) => items[from]?.text.includes(each))) {
      const [term = 0] = idsOf(name);
      if (asked.includes(term)) continue;
      const holders = all.filter((at) => holds(at, term));
      const reached = model.best([...lacking, term], holders, 4);
      if (!reached) return undefined;
      for (const to of reached.filter((at) => at !== from)) {
        const together = (own.get(from) ?? 0) + model.score(to, [...lacking, term]) - bestAlone;
        if (together <= 0) continue;
        lift(to, together);
        if (lacking.some((each) => holds(to, each))) lift(from, together);
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
  const hopped = [0, 0];
  const models = [new Model(others, false), new Model([...others, ...secrets], true)];
  for (let n = 0; n < 120; n += 1) {
    const asked = Array.from({ length: 3 + random(5) }, () => pick(random(4) === 0 ? names : words));
    // With words between them that no text has, none are as near there as they are here (wording).
    const query = [...new Set(asked)].join(' qxz qxz ');
    const where = n % 2 === 0 ? { database: open } : { database: restricted, acl: ['bob'] };
    const json = {
      ...where,
      type: 'memory',
      query,
      query_by: 'text',
      graph_context: false,
      max_results: 100,
    };
    const scores = naive(models[n % 2] as Model, query);
    if (!scores) continue;
    const answer = await server.rest('POST', '/query', { json: { ...json, mode: 'thinking' } });
    const found = answer.body.data.chunks.map((chunk: any) => chunk.id) as string[];
    expect([query, found.toSorted()]).toEqual([query, [...scores.keys()].toSorted()]);
    const inOrder = found.map((id) => scores.get(id) ?? 0);
    const misplaced = inOrder.findIndex((each, at) => at > 0 && each > (inOrder[at - 1] ?? 0) + 1e-3);
    expect([query, misplaced]).toEqual([query, -1]);
    const fast = await server.rest('POST', '/query', { json: { ...json, mode: 'fast' } });
    if (fast.body.data.chunks.some((chunk: any, at: number) => chunk.id !== found[at]))
      hopped[n % 2] = (hopped[n % 2] ?? 0) + 1;
  }
  // Else it would have shown little.
  expect(Math.min(...hopped)).toBeGreaterThan(5);
});
