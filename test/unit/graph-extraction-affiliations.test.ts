import { describe, expect, test } from '@jest/globals';
import { namesIn, wordedIn } from '../support/read-graph.js';

const said = (...lines: string[]) => wordedIn(lines.join('\n'));
const namesOf = (...lines: string[]) => namesIn(lines.join('\n'));

describe('signatures and lists say who works where', () => {
  const platform = 'Anna Berg works_for (Head of Platform) Nimbus Systems';
  test.each<[string, string[], string[]]>([
    ['lines', ['Thanks!', '', 'Anna Berg', 'Head of Platform', 'Nimbus Systems'], [platform]],
    ['two lines', ['Best,', 'Dr. Anna Berg', 'Head of Platform, Nimbus Systems', '+47 22 33'], [platform]],
    ['one line', ['Anna Berg | Head of Platform | Nimbus Systems | anna@nimbus.example'], [platform]],
    ['a dash', ['Anna Berg – Head of Platform, Nimbus Systems'], [platform]],
    ['at', ['* Anna Berg, Head of Platform at Nimbus Systems'], [platform]],
    ['of', ['Anna Berg: CEO of Nimbus Systems'], ['Anna Berg works_for (CEO) Nimbus Systems']],
    ['brackets', ['- Anna Berg (Head of Platform, Nimbus Systems)'], [platform]],
    ['a company alone', ['- Tom Larsen, Globex Ltd'], ['Tom Larsen works_for (at) Globex Ltd']],
    [
      'attendees',
      ['Attendees: Anna Berg (CEO), Tom Larsen (Globex), Wei Zhang (Head of Data, Initech)'],
      ['Tom Larsen works_for (at) Globex', 'Wei Zhang works_for (Head of Data) Initech'],
    ],
  ])('%s', (_, lines, relations) => {
    expect(said(...lines)).toEqual(relations);
  });

  test('who has a role is named, wherever he has it', () => {
    expect(namesOf('Speakers:', '- Wei Zhang, Chief Scientist', '- Tom Larsen (CFO)')).toEqual([
      'Wei Zhang',
      'Tom Larsen',
    ]);
  });
});

test('whom a signature names is not "she" of the letter, but is "Ms. Berg"', () => {
  const [named, letter] = [['Anna Berg', 'Head of Platform', 'Nimbus Systems'], 'She moved to Oslo in 2019.'];
  const works = 'Anna Berg works_for (Head of Platform) Nimbus Systems';
  expect(said(letter, '', ...named)).toEqual([works]);
  expect(said('Ms. Berg moved to Oslo in 2019.', '', ...named)).toEqual([
    works,
    'Anna Berg moved_to (moved to) Oslo',
    'Anna Berg lives_in (moved to) Oslo',
  ]);
});

test.each([
  ['a place', 'Anna Berg, Senior Engineer, Oslo'],
  ['a part of a company', 'Anna Berg, Vice President, Sales'],
  ['a team', 'Anna Berg, Director, Falcon Team'],
  ['a region', 'Anna Berg, Director, EMEA'],
  ['a subject', 'Anna Berg, Professor of Botany'],
  ['a date', 'Anna Berg, Director, May 2019'],
  ['what is said', 'Anna Berg: Lead engineer at Initech quit'],
  ['a title', 'Harper Lee - Go Set a Watchman'],
  ['no person', 'New York – Head Office, Nimbus'],
  ['a list of words', 'Deep Learning, Head of Data, Initech'],
  ['what stands in brackets', 'Present: Anna Berg (Chair), Joan Peters (Oslo), Peter Lindqvist (Minutes)'],
])("%s is nobody's employer", (_, line) => {
  expect(said(line)).toEqual([]);
});
