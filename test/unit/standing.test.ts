import { describe, expect, test } from '@jest/globals';
import type { ChunkRow } from '../../src/retrieval/found-chunks.queries.js';
import { saysMore } from '../../src/retrieval/ranking/says-more.js';
import { comparedMax, inStanding } from '../../src/retrieval/ranking/standing.js';
import type { FoundChunk } from '../../src/retrieval/search-result.js';

type Tense = 'now' | 'former' | null;

/** Memories in the order of an answer, each with the day on which it was said. */
function found(...memories: readonly (readonly [uid: string, day: string, content: string])[]): FoundChunk[] {
  return memories.map(([uid, day, content], index) => chunk(1 - index / 100, { uid, day, content }));
}

function chunk(
  score: number,
  { uid, day, content, ...row }: { uid: string; day: string; content: string } & Partial<ChunkRow>,
): FoundChunk {
  return {
    hit: { id: uid, score, ranks: {} },
    collection: 'default',
    row: {
      corpus: 'memory',
      sourceUid: uid,
      itemTime: new Date(day),
      content,
      collectionId: 1,
      layout: {},
      ...row,
    } as ChunkRow,
  };
}

function order(
  chunks: readonly FoundChunk[],
  query: string,
  tense: Tense = null,
  dates: string[] = [],
): string {
  return orderAt(chunks, query, { time: { tense, isPast: tense === 'former', since: '' }, dates });
}

function orderAt(
  chunks: readonly FoundChunk[],
  query: string,
  asked: Omit<Parameters<typeof inStanding>[1], 'query'>,
): string {
  return inStanding(chunks, { query, ...asked })
    .map(({ row }) => row.sourceUid)
    .join(' ');
}

describe('what holds stands first', () => {
  const deadline = found(
    ['1', '2026-03-01', 'The project deadline is 1 May.'],
    ['2', '2026-04-01', 'The project deadline was pushed to 15 May.'],
    ['3', '2026-04-02', 'The party is on 3 May.'],
  );

  test('what says that it has changed, unless the question is about the past', () => {
    expect(order(deadline, 'project deadline')).toBe('2 1 3');
    expect(order(deadline, 'project deadline', 'former')).toBe('1 2 3');
    expect(order(deadline.toReversed(), 'project deadline')).toBe('3 2 1');
  });

  test('what is said of somebody else is no news of the user', () => {
    const homes = found(
      ['1', '2026-01-05', 'I live in Munich.'],
      ['2', '2026-02-05', 'My brother Tom lives in Vienna.'],
      ['3', '2026-03-05', 'Yesterday our boss moved: he lives in Kiel now.'],
    );
    expect(order(homes, 'where do I live', 'now')).toBe('1 2 3');
    const later = found(
      ['1', '2026-01-05', 'My brother lives in Graz.'],
      ['2', '2026-02-05', 'My brother lives in Vienna now.'],
    );
    expect(order(later, 'where does my brother live', 'now')).toBe('2 1');
  });

  test('only what answers the question as well: it has its words, most of the others, and is no long text', () => {
    expect(order(deadline, 'when is the wedding')).toBe('1 2 3');
    const [may, pushed] = [
      ['1', '2026-03-01', 'The project deadline of Orion is 1 May.'],
      ['2', '2026-04-01', 'The project deadline was pushed to 15 May.'],
    ] as const;
    expect(order(found(may, pushed), 'project deadline')).toBe('2 1');
    expect(order(found(may, pushed), 'Orion project deadline')).toBe('1 2');
    const long = ['2', '2026-04-01', `${pushed[2]} ${'More was said of it. '.repeat(50)}`] as const;
    expect(order(found(may, long), 'project deadline')).toBe('1 2');
    const bread = found(
      ['1', '2026-03-01', 'I bake bread on weekends.'],
      ['2', '2026-04-01', 'I dislike bread crusts.'],
    );
    expect(order(bread, 'bread', 'now')).toBe('1 2');
    const changed = found(
      ['1', '2026-03-01', 'Bread comes from Holm.'],
      ['2', '2026-04-01', 'I switched to bread without wheat, salt, sugar, yeast and oil.'],
    );
    expect(order(changed, 'bread')).toBe('2 1');
  });

  test('of one time what was stored last, and nothing where it is asked what has happened', () => {
    const atOnce = found(
      ['9', '2026-03-01', 'The project deadline is 1 May.'],
      ['10', '2026-03-01', 'The project deadline was pushed to 15 May.'],
    );
    expect(order(atOnce, 'project deadline')).toBe('10 9');
    const time = { tense: null, isPast: true, since: '' };
    expect(orderAt(deadline, 'when was the project deadline', { time, dates: [] })).toBe('1 2 3');
  });

  test('what was before something need not say that', () => {
    const homes = found(['2', '2026-04-01', 'I live in Lund now.'], ['1', '2025-01-01', 'I live in Oslo.']);
    const asked = (since: string) => ({ time: { tense: 'former' as const, isPast: true, since }, dates: [] });
    expect(orderAt(homes, 'where did I live before Lund', asked('Lund'))).toBe('1 2');
    expect(orderAt(homes, 'where did I live before Lund', asked(''))).toBe('2 1');
  });

  test('scores fall in the new order', () => {
    const scores = inStanding(deadline, {
      query: 'project deadline',
      time: { tense: 'now', isPast: false, since: '' },
      dates: [],
    }).map(({ hit }) => hit.score);
    expect(scores).toEqual(scores.toSorted((a, b) => b - a));
  });

  test('nothing moves when a day is named, and nothing that stands too far behind', () => {
    expect(order(deadline, 'project deadline', null, ['2026-03-01'])).toBe('1 2 3');
    const others = Array.from(
      { length: comparedMax - 1 },
      (_, index) => [`${index + 10}`, '2026-01-01', `Something else ${index}`] as const,
    );
    const [first, second] = deadline;
    expect(order([first!, ...found(...others), second!], 'project deadline')).toMatch(/^1 /);
  });

  test('what others say, and what is said in another collection, changes nothing', () => {
    const said = { uid: '1', day: '2026-03-01', content: 'My bank is Nordea.', speaker: 'Anna' };
    const later = { uid: '2', day: '2026-04-01', content: 'My bank is Swedbank now.', speaker: 'Anna' };
    expect(order([chunk(1, said), chunk(0.9, later)], 'bank')).toBe('2 1');
    expect(order([chunk(1, said), chunk(0.9, { ...later, speaker: 'Ben' })], 'bank')).toBe('1 2');
    expect(order([chunk(1, said), chunk(0.9, { ...later, collectionId: 2 })], 'bank')).toBe('1 2');
  });

  test('a contradicted fact stands behind what contradicts it', () => {
    const outdatedFacts = [
      {
        attribute: 'lives in',
        statement: 'User lives in Oslo',
        laterStatement: 'User lives in Rome',
        laterUid: '2',
        laterPosition: 0,
        repeats: false,
      },
    ];
    const oslo = chunk(1, { uid: '1', day: '2025-01-01', content: 'I live in Oslo.', outdatedFacts });
    const rome = chunk(0.9, { uid: '2', day: '2024-01-01', content: 'Rome it is.' });
    expect(order([oslo, rome], 'where to live')).toBe('2 1');
    expect(order([rome, oslo], 'where to live', 'former')).toBe('1 2');
    const more = { ...oslo, row: { ...oslo.row, content: 'I live in Oslo, opposite the harbour.' } };
    expect(order([more, rome], 'the harbour')).toBe('1 2');
    expect(order([more, rome], 'where to live')).toBe('2 1');
    expect(order([oslo, rome], 'Oslo')).toBe('2 1');
    const factAt = (position: number) => ({
      ...rome,
      row: { ...rome.row, layout: { inferred: true, position } },
    });
    expect(order([oslo, factAt(0)], 'where to live')).toBe('2 1');
    expect(order([oslo, factAt(1)], 'where to live')).toBe('1 2');
    const repeated = outdatedFacts.map((fact) => ({
      ...fact,
      laterStatement: fact.statement,
      repeats: true,
    }));
    const same = { ...oslo, row: { ...oslo.row, outdatedFacts: repeated } };
    expect(order([same, rome], 'where to live')).toBe('1 2');
  });
});

test('a memory says more than its fact when words are left', () => {
  const facts = [{ statement: "User's dentist is Dr. Lund" }];
  expect(saysMore('My dentist is now Dr. Lund, as I said yesterday.', facts)).toBe(false);
  expect(saysMore('My dentist is Dr. Lund, phone number 040-555 12 34.', facts)).toBe(true);
});
