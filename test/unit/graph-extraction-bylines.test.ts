import { describe, expect, test } from '@jest/globals';
import { extractGraph } from '../../src/graph/extraction/extract-graph.js';
import { saidIn } from '../support/read-graph.js';

const statedIn = (text: string, title = '') => saidIn(text, { title }, (time) => ` (${time})`);

describe('the authors of a paper work where its first lines say', () => {
  test('by numbers', () => {
    const text =
      'Soil carbon\n\nAnna Berg¹, Björn Ek², and Wei Zhang¹,³\n\n¹ Department of Soil Science, University of Padua, Italy\n² SLU, Umeå, Sweden\n³ Kolben University, Ghana';
    expect(statedIn(text)).toEqual([
      'Anna Berg works_for University of Padua',
      'Björn Ek works_for SLU',
      'Wei Zhang works_for University of Padua',
      'Wei Zhang works_for Kolben University',
    ]);
  });

  test('in brackets', () => {
    expect(
      statedIn('Anna Berg (Trinity College Dublin), Wei Zhang (TomTom), and Tom Hill (Aarhus University)'),
    ).toEqual([
      'Anna Berg works_for Trinity College Dublin',
      'Wei Zhang works_for TomTom',
      'Tom Hill works_for Aarhus University',
    ]);
  });

  test.each([
    'Anna Berg (London), Tom Hill (Paris)',
    'Anna Berg (12), Tom Hill (9)',
    'Anna Berg1, Tom Hill2',
  ])('silent: %s', (text) => {
    expect(statedIn(text)).toEqual([]);
  });
});

describe('CVs', () => {
  test('a post below its years and company; a heading is no company', () => {
    const text =
      'Anna Berg\n\nEXPERIENCE\nSenior Associate, Kinnaird Bridges, London\nMarch 2019 – present\n\n2015–2019   Kolben Labs, Barcelona\n            Lead Product Manager';
    expect(statedIn(text, 'CV')).toEqual([
      'Anna Berg works_for Kinnaird Bridges (March 2019 – present)',
      'Anna Berg works_for Kolben Labs (2015–2019)',
    ]);
  });

  test('where somebody worked before is not the employer', () => {
    expect(statedIn('Anna Berg\nStaff Engineer at Kolben Energy | ex-Shopify')).toEqual([
      'Anna Berg works_for Kolben Energy',
    ]);
  });
});

test.each<[string, string[]]>([
  ['Anna Berg works at the library. How is your aunt? She lives in Bergen.', []],
  ['Tom Hill called his son. He lives in Aarhus.', []],
  [
    'Anna Berg and her husband Tom Hill run a farm. She lives in Hull.',
    ['Tom Hill married_to Anna Berg', 'Anna Berg lives_in Hull'],
  ],
])('whoever may be a relative without a name is nobody: %s', (text, stated) => {
  expect(statedIn(text)).toEqual(stated);
});

test('"me" is whoever writes a message', () => {
  const chunks = [{ text: 'Tom Hill reports to me. Did Jo Lee report to me?' }];
  const { entities, relations } = extractGraph({
    title: '',
    chunks,
    people: ['Anna Berg'],
    author: 'Anna Berg',
  });
  expect(relations.map(({ source, target }) => [entities[source]?.name, entities[target]?.name])).toEqual([
    ['Tom Hill', 'Anna Berg'],
  ]);
});

test.each<[string, string[]]>([
  ['Anna Berg from Kolben called today.', ['Anna Berg works_for Kolben']],
  ['Anna Berg started at Kolben Labs in 2021.', ['Anna Berg works_for Kolben Labs (2021)']],
  ['Anna Berg from Berlin called today.', []],
  ['Anna Berg started with a joke.', []],
])('%s', (text, stated) => {
  expect(statedIn(text)).toEqual(stated);
});
