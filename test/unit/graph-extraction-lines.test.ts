import { describe, expect, test } from '@jest/globals';
import { namesIn, readGraph, statementsOf } from '../support/read-graph.js';

describe('no name runs across the lines of what is no prose', () => {
  test.each<[string, string[], string[]]>([
    [
      'a ticket',
      [
        'PAY-1432: Refunds fail when the currency is JPY',
        'Reporter: Nina Alvarez',
        'Assignee: Tomasz Zielinski',
        'Priority: High',
      ],
      ['PAY-1432', 'Nina Alvarez', 'Tomasz Zielinski'],
    ],
    [
      'minutes',
      [
        'Present: Sir Alan Whitmore (Chair), Mrs. Joan Peters, Ms. Fiona Doyle',
        'Apologies: Peter Lindqvist',
        'Next meeting: soon.',
      ],
      ['Alan Whitmore', 'Joan Peters', 'Fiona Doyle', 'Peter Lindqvist'],
    ],
    [
      'a list of names behind a label, then prose',
      ['Attendees: Sarah Connor (Cyberdyne), Miles Dyson, Kyle Reese', 'Petra sent the budget to Oslo.'],
      ['Cyberdyne', 'Sarah Connor', 'Miles Dyson', 'Kyle Reese', 'Petra', 'Oslo'],
    ],
    [
      'a team page',
      [
        'Fjord Labs was started by Aksel Lund in a garage in Oslo.',
        'Board of Directors',
        'Aksel Lund, Chair',
        'Ingrid Solberg, Director',
        'Press contact',
      ],
      ['Aksel Lund', 'Ingrid Solberg', 'Fjord Labs', 'Oslo'],
    ],
    [
      'a signature',
      [
        'Lisa Marsh will call you on Monday, when she is back from Oslo.',
        'Victor Hale',
        'Account Executive',
        'Bluewater Systems Inc.',
        'Boston Office',
      ],
      ['Bluewater Systems Inc.', 'Victor Hale', 'Lisa Marsh', 'Oslo'],
    ],
    [
      'a chat',
      [
        'Ravi: Chloe Martin does, she joined the team from Adyen last month',
        'Tanya: then we wait for her until she is in',
        "Chloe: hey! she said that I'm on vacation, Ravi can merge it with",
        'Chloe: the other one',
      ],
      ['Ravi', 'Chloe Martin', 'Adyen', 'Tanya'],
    ],
    [
      'a log',
      [
        '09:02 the job of Anna Berg has failed again, now it waits for Oslo',
        '09:04 Tom Larsen has started it',
      ],
      ['Anna Berg', 'Oslo', 'Tom Larsen'],
    ],
  ])('%s', (_, lines, names) => {
    expect(namesIn(lines.join('\n'))).toEqual(names);
  });
});

describe('the full stop of an abbreviation ends a name, and its sentence where another begins', () => {
  test.each<[string, string[]]>([
    [
      'Mary Smith works for Acme Corp. John Smith works for Globex.',
      ['Mary Smith works_for Acme Corp', 'John Smith works_for Globex'],
    ],
    [
      'Ivan Petrov works for Gazprom Ltd. Olga Ivanova lives in Oslo.',
      ['Ivan Petrov works_for Gazprom Ltd', 'Olga Ivanova lives_in Oslo'],
    ],
    [
      'Ann Hill works for Tyson Foods Inc. Workers protested in Omaha.',
      ['Ann Hill works_for Tyson Foods Inc'],
    ],
    [
      'Ann Hill works for Acme Corp. Globex Systems acquired Initech.',
      ['Ann Hill works_for Acme Corp', 'Globex Systems acquired Initech'],
    ],
    [
      'Ann Hill works for Acme Co., Ltd. Globex acquired Initech.',
      ['Ann Hill works_for Acme Co., Ltd', 'Globex acquired Initech'],
    ],
    ['Howard Aiken built the Mark I. In 1949, she joined Acme Corp.', ['Howard Aiken created Mark I.']],
    ['Acme Corp. President Tom Larsen spoke.', ['Tom Larsen works_for Acme Corp.']],
    ['George W. Bush joined J. P. Morgan & Co. in 1990.', ['George W. Bush works_for J. P. Morgan & Co.']],
    ['Acme Co. Ltd. acquired Globex Inc.', ['Acme Co. Ltd. acquired Globex Inc']],
  ])('%s', (text, relations) => {
    expect(statementsOf(readGraph(text)).sort()).toEqual([...relations].sort());
  });

  test('a letter that counts is no initial', () => {
    expect(namesIn('The fees stand in Exhibit A. Customer shall pay Ann Hill.')).toEqual([
      'Exhibit A.',
      'Ann Hill',
    ]);
    expect(namesIn('It was proposed by J. Peters and seconded by K. Mensah.')).toEqual([
      'J. Peters',
      'K. Mensah',
    ]);
  });
});

test.each([60, 64, 68, 72, 76, 80])('prose that is cut at %i columns says what it says uncut', (columns) => {
  const text =
    'In the spring of 2019, when nobody thought of it, Maria Garcia founded DataWorks Corp. in Madrid. ' +
    'Four years later the company was acquired by the International Polar Institute of Northern Norway, ' +
    'which is based in Bergen. Wei Zhang, the former chief executive officer of Nimbus Systems, lives in Berlin. ' +
    'He was born in Boone, North Carolina, and studied at the University of Bergen.';
  const cut = text.replace(new RegExp(`(.{1,${columns}})(?: |$)`, 'g'), '$1\n');
  expect(cut.split('\n').length).toBeGreaterThan(5);
  const [whole, wrapped] = [readGraph(text), readGraph(cut)];
  expect(whole.relations.length).toBeGreaterThan(7);
  expect(wrapped).toEqual(whole);
});
