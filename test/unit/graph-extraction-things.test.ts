import { describe, expect, test } from '@jest/globals';
import { namedIn, readGraph, statementsOf } from '../support/read-graph.js';

const said = (text: string) => statementsOf(readGraph(text)).sort();

describe('what begins like the name of a person', () => {
  test.each<[string, string]>([
    ['She leads the Bethany Home in Kisumu.', 'Bethany Home'],
    ['The Emma Maersk sank.', 'Emma Maersk'],
    ['Pia goes to the Hermann Böse Gymnasium.', 'Hermann Böse Gymnasium'],
  ])('is none behind "the": %s', (text, name) => {
    expect(namedIn(text)).not.toContain(`${name} PERSON`);
    expect(namedIn(text).some((each) => each.startsWith(`${name} `))).toBe(true);
  });

  test.each([
    'They read the Emma Larsen case.',
    'He is not the Emma Larsen I know.',
    'She is the Emma Larsen who left.',
  ])('but for whom a noun or a clause follows: %s', (text) => {
    expect(namedIn(text)).toContain('Emma Larsen PERSON');
  });
});

describe('what is no name', () => {
  test.each<[string, ...string[]]>([
    ['Gunmen shot Ann Hill.', 'Ann Hill PERSON'],
    ['Policewomen met Ann Hill.', 'Ann Hill PERSON'],
    ['It was signed by Ann Hill, Head of Assays, on Friday.', 'Ann Hill PERSON'],
    ['It was signed by Ann Hill, Director of Sustainability.', 'Ann Hill PERSON'],
    ['Force Majeure releases both parties.'],
    ['Workaround: restart it.'],
    ['Acme Ltd agreed. Notices to Provider are sent by mail.', 'Acme Ltd ORGANIZATION'],
  ])('%s', (text, ...names) => {
    expect(namedIn(text)).toEqual(names);
  });

  test.each<[string, string]>([
    ['The Army Corps of Engineers agreed.', 'Army Corps of Engineers ORGANIZATION'],
    ['They sailed up the Firth of Forth.', 'Firth of Forth'],
    ['It was signed by Ann Hill, CEO of Shell.', 'Shell ORGANIZATION'],
  ])('but: %s', (text, name) => {
    expect(namedIn(text).join(', ')).toContain(name);
  });
});

test.each<[string, ...string[]]>([
  // It may be a partner in business.
  ['Zygmunta Walczak opened a bakery. Their partner Ilona Frycz keeps the books.'],
  ['Ann Hill is an English Puritan minister.'],
  ["Anna Berg's partner is Tom Larsen.", 'Tom Larsen married_to Anna Berg'],
  ['Orbis Optica supplies lenses quickly to Vistar.', 'Orbis Optica supplies Vistar'],
  ['he says ledger-sync calls billing-api every minute.', 'ledger-sync calls billing-api'],
  [
    'This Agreement is made by and between Tamarack Hosting LLC ("Provider") and Oakhurst School District ("Buyer").',
    'Tamarack Hosting LLC has_agreement_with Oakhurst School District',
  ],
  [
    'Minutes of the Annual General Meeting of the Wexcombe Allotment Society\nPresent: Ann Hill (Chair), Tom Berg (Secretary)',
    'Ann Hill works_for Wexcombe Allotment Society',
    'Tom Berg works_for Wexcombe Allotment Society',
  ],
])('who has to do with whom: %s', (text, ...relations) => {
  expect(said(text)).toEqual([...relations].sort());
});
