import { describe, expect, test } from '@jest/globals';
import type { Voices } from '../../src/graph/extraction/speakers.js';
import { voicesOf } from '../../src/sources/app-items/speakers.js';
import { readGraph, statementsOf } from '../support/read-graph.js';

const saidIn = (text: string, voices: Voices = {}) => statementsOf(readGraph(text, voices)).sort();

const words = 'My sister Nadia lives in Cardiff. I work as a nurse at Southmead Hospital.';
const rafis = ['Nadia lives_in Cardiff', 'Nadia sibling_of Rafi', 'Rafi works_for Southmead Hospital'];

describe('"I" is whoever speaks', () => {
  test.each([
    ['in a line', `Rafi: ${words}`],
    ['in bold', `**Rafi:** ${words}`],
    ['at a time', `[09:12] Rafi: ${words}`],
  ])('%s', (_, text) => {
    expect(saidIn(text)).toEqual(rafis);
  });

  test('each in his own lines', () => {
    const text = `Rafi: I work for Globex Ltd.\nOttilie: I moved to Ghent. I'm based in Belgium.\nRafi: My boss is Tom Larsen.`;
    expect(saidIn(text)).toEqual(
      expect.arrayContaining([
        'Rafi works_for Globex Ltd',
        'Ottilie moved_to Ghent',
        'Ottilie based_in Belgium',
        'Tom Larsen manages Rafi',
      ]),
    );
  });

  test('the author of a message, but in what others say', () => {
    const author = 'Kofi Mensah';
    expect(saidIn('I work for Globex Ltd.', { author })).toEqual(['Kofi Mensah works_for Globex Ltd']);
    expect(saidIn(`Rafi: Hello.\n\nI work for Globex Ltd.`, { author, people: ['Rafi'] })).toEqual([]);
    expect(saidIn('She said "I work for Globex Ltd".', { author })).toEqual([]);
    const mail = 'From: Kofi Mensah\nTo: Tom Larsen\n\nI work for Globex Ltd.';
    expect(saidIn(mail, { author })).toEqual(['Kofi Mensah works_for Globex Ltd']);
    const app = { fields: { author: 'Kofi Mensah <kofi@acme.com>' }, comments: [] };
    expect(voicesOf({ app })).toEqual({ people: [author], author });
    expect(voicesOf({ app: { fields: { author: 'kofi@acme.com' }, comments: [] } })).toEqual({ people: [] });
  });

  test('but not whose words are read as facts', () => {
    expect(saidIn('Rafi: I work for Globex Ltd.', voicesOf({ memory: { userName: 'Rafi' } }))).toEqual([]);
  });

  test.each([
    ['nobody', 'I work for Globex Ltd.'],
    ['a note', 'Note: I work for Globex Ltd.'],
    ['a month', 'May: I work for Globex Ltd.'],
    ['an assistant', 'Assistant: I work for Globex Ltd.'],
  ])('nor %s', (_, text) => {
    expect(saidIn(text)).toEqual([]);
  });
});
