import { describe, expect, test } from '@jest/globals';
import { autoAlpha, isUncovered } from '../../src/retrieval/ranking/lane-weights.js';

const query = 'which company makes the engine';

describe('autoAlpha', () => {
  test.each([
    'ERR-4042',
    'what does error E1001 mean',
    '"exact words" here',
    'foo_bar',
    'user@host.com',
    'v1.2.3',
  ])('%s asks for exact terms', (text) => expect(autoAlpha(text, 0.1)).toBeCloseTo(0.02));

  test.each(['vacation policy', 'high-frequency amplifier'])('%s is terse', (text) => {
    expect(autoAlpha(text, 0.1)).toBeCloseTo(0.05);
  });

  test('a natural question may be a paraphrase, the more so for a trained model', () => {
    expect(autoAlpha(query, 0.1)).toBeCloseTo(0.1);
    expect(autoAlpha('the U.S. and/or the U.K. said so', 0.1)).toBeCloseTo(0.1);
    expect(autoAlpha(query, 0.5)).toBeCloseTo(0.5);
  });

  test('meaning counts more where the texts hold few of the words, unless these are exact or hold a figure', () => {
    expect(autoAlpha(query, 0.1, { coverage: 0.45 })).toBeCloseTo(0.1);
    expect(autoAlpha(query, 0.1, { coverage: 0.44 })).toBeCloseTo(0.4);
    for (const exact of ['is COVID-19 treated with it', '"exact words" here'])
      expect(autoAlpha(exact, 0.1, { coverage: 0.2 })).toBeCloseTo(0.02);
    expect(autoAlpha('what did the engines of 2019 cost', 0.1, { coverage: 0.2 })).toBeCloseTo(0.1);
    expect(autoAlpha(query, 0.5, { coverage: 0 })).toBeCloseTo(0.75);
    expect(autoAlpha(query, 0, { coverage: 0 })).toBe(0);
  });

  test('and the more the shorter these are, unless one item has most of it, they are turns of a dialogue, or it names what it asks for', () => {
    const among = (averageLength: number, asked = query, coverage = 0.4) =>
      autoAlpha(asked, 0.1, { coverage, averageLength });
    expect([among(6), among(20), among(40), among(0)]).toEqual(
      [0.8, 0.6, 0.4, 0.8].map((n) => expect.closeTo(n)),
    );
    expect(among(6, query, 0.6)).toBeCloseTo(0.1);
    expect(autoAlpha(query, 0.1, { coverage: 0.4, averageLength: 6, held: 0.6 })).toBeCloseTo(0.4);
    expect(autoAlpha(query, 0.1, { coverage: 0.4, averageLength: 6, areTurns: true })).toBeCloseTo(0.4);
    expect(among(6, 'Which engine does Volvo make')).toBeCloseTo(0.4);
    expect(among(6, 'Engines of another make')).toBeCloseTo(0.8);
    expect(among(6, '"exact words" here')).toBeCloseTo(0.02);
    expect(autoAlpha(query, 0, { coverage: 0.4, averageLength: 6 })).toBe(0);
    expect(autoAlpha(query, 0.5, { coverage: 0.4, averageLength: 20 })).toBeCloseTo(0.75);
  });

  test('texts that hold few of the words say them otherwise, unless the query asks for exact terms', () => {
    const isOtherwise = (asked: string) =>
      isUncovered({ alpha: 'auto', query: asked, denseWeight: 0.1, coverage: 0.2 });
    expect([query, '"exact words" here'].map(isOtherwise)).toEqual([true, false]);
  });

  test('what begins a text decides, however long it is', () => {
    const prose = 'what the committee said of it '.repeat(40);
    expect(autoAlpha(`ERR-4042 ${prose}`, 0.1)).toBeCloseTo(0.02);
    expect(autoAlpha(`${prose} ERR-4042`, 0.1)).toBeCloseTo(0.1);
    // On so many letters without a space the patterns would take minutes.
    expect(autoAlpha('x'.repeat(1_000_000), 0.1)).toBeCloseTo(0.05);
  });
});
