import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { createBuiltInEmbedder } from '../../src/inference/embedders/built-in.js';
import { byLateInteraction, interactingMax } from '../../src/retrieval/ranking/late-interaction.js';
import { termId } from '../../src/text/analyzer.js';

const embedder = createBuiltInEmbedder({ wordVectorsFile: join(process.cwd(), 'dist', 'word-vectors.bin') });
const nearness = (query: string, texts: readonly string[]) => embedder.wordComparer?.(query)?.(texts) ?? [];

afterAll(() => embedder.close());

describe('nearness of words', () => {
  test('is 1 for the word itself, in any form, and more for what means the same than for anything else', () => {
    const [{ term, byText } = { term: 0, byText: [] }] = nearness('physician', [
      'Three physicians came.',
      'My brother sees a doctor.',
      'My brother sees a boat.',
      'xqzzv',
      '',
    ]);
    expect(term).toBe(termId('physician'));
    const [own = 0, doctor = 0, boat = 0, ...nothing] = byText;
    expect(own).toBe(1);
    expect(doctor).toBeGreaterThan(0.6);
    expect(doctor).toBeLessThan(1);
    expect(boat).toBeLessThan(doctor / 2);
    expect(nothing).toEqual([0, 0]);
  });

  test('stays as it is, however long the text is', () => {
    const short = 'My brother sees a doctor.';
    const long = `${short} ${'The mayor opens the bridge in the rain. '.repeat(20)}`;
    const [{ byText = [] } = {}] = nearness('physician', [short, long]);
    expect(byText[1]).toBe(byText[0]);
  });

  test('of an unknown word is 0 where it does not stand; there are as many words as the query has', () => {
    const words = nearness('xqzzv physician xqzzv', ['xqzzv', 'a doctor']);
    // Of too little that is known, nothing is compared.
    expect(nearness('xqzzv qvvxz physician', ['a doctor'])).toEqual([]);
    expect(words.map(({ byText }) => byText.map((near) => near === 1))).toEqual([
      [true, false],
      [false, false],
    ]);
    expect(words[0]?.byText[1]).toBe(0);
    expect(nearness('.,', ['a doctor'])).toEqual([]);
  });
});

describe('order by late interaction', () => {
  const hitsOf = (scores: readonly number[]) =>
    scores.map((score, index) => ({ id: `${index}`, score, ranks: {} }));
  const rowOf = (content: string) => ({ content, title: '', layout: {} });
  /** Each text is what is near to each of two words. */
  const ordered = (
    texts: readonly (readonly number[] | undefined)[],
    weights = [1, 1],
    scores = [0.6, 0.5, 0.4],
    names: readonly number[] = [],
  ) => {
    const rows = new Map(
      texts.flatMap((near, index) => (near ? [[`${index}`, rowOf(JSON.stringify(near))] as const] : [])),
    );
    return byLateInteraction(hitsOf(scores), rows, {
      compare: (read) =>
        [0, 1].map((term) => ({
          term,
          byText: read.map((text) => (JSON.parse(text) as number[])[term] ?? 0),
        })),
      weightOf: (term) => weights[term] ?? 0,
      isName: (term) => names.includes(term),
    }).hits;
  };
  const ids = (hits: readonly { id: string }[]) => hits.map(({ id }) => id);

  test('puts first what says the most of the query; places keep their scores', () => {
    const hits = ordered([
      [1, 0.2],
      [0.8, 0.8],
      [0.3, 0.2],
    ]);
    expect(ids(hits)).toEqual(['1', '0', '2']);
    expect(hits.map(({ score }) => score)).toEqual([0.6, 0.5, 0.4]);
  });

  test('of texts that say as much, what other lanes have put first stays first', () => {
    const alike = [0.5, 0.5];
    expect(ids(ordered([alike, alike, alike]))).toEqual(['0', '1', '2']);
  });

  test('a rare word counts more', () => {
    const texts = [[0.9, 0.1], [0.1, 0.9], undefined];
    expect(ids(ordered(texts, [1, 1])).slice(0, 2)).toEqual(['0', '1']);
    expect(ids(ordered(texts, [1, 5])).slice(0, 2)).toEqual(['1', '0']);
  });

  test('what it says in the same words counts less, unless that is a name', () => {
    const texts = [[1, 0.4], [0.7, 0.7], undefined];
    expect(ids(ordered(texts)).slice(0, 2)).toEqual(['1', '0']);
    expect(ids(ordered(texts, [1, 1], undefined, [0])).slice(0, 2)).toEqual(['0', '1']);
  });

  test('what was not read keeps its place, and so does what comes behind the compared', () => {
    expect(ids(ordered([[0.3, 0.2], undefined, [0.9, 0.9]]))).toEqual(['2', '1', '0']);
    const many = Array.from({ length: interactingMax + 1 }, (_, index) =>
      index < interactingMax ? [0.3, 0.2] : [0.9, 0.9],
    );
    const scores = many.map((_, index) => 1 - index / 100);
    expect(ids(ordered(many, [1, 1], scores)).at(-1)).toBe(`${interactingMax}`);
  });

  test('a query without words changes nothing', () => {
    const hits = hitsOf([0.6, 0.5]);
    const rows = new Map(hits.map(({ id }) => [id, rowOf('text')]));
    expect(
      byLateInteraction(hits, rows, { compare: () => [], weightOf: () => 1, isName: () => false }),
    ).toEqual({
      hits,
      said: new Map(),
    });
  });
});
