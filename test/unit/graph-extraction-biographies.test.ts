import { describe, expect, test } from '@jest/globals';
import { readGraph, statementsOf } from '../support/read-graph.js';

const said = (text: string) => statementsOf(readGraph(text)).sort();

describe('what stands in brackets behind a name', () => {
  test.each<[string, ...string[]]>([
    ['Ann Hill (1931–2009) was a chemist at Keele University.', 'Ann Hill works_for Keele University'],
    ['Ann Hill (born 4 May 1972) is the founder of Zentra GmbH.', 'Ann Hill founded Zentra GmbH'],
    ['Ann Hill (born 4 May 1972 in Ghent) is a judge.', 'Ann Hill born_in Ghent'],
    ['Zentra GmbH (founded by Ann Hill in 1990) grew.', 'Ann Hill founded Zentra GmbH'],
    ['Zentra GmbH (founded in 1990 by Ann Hill) grew.', 'Ann Hill founded Zentra GmbH'],
    ['Zentra GmbH, founded in 1990 by Ann Hill, grew.', 'Ann Hill founded Zentra GmbH'],
  ])('does not part it from what is said: %s', (text, ...relations) => {
    expect(said(text)).toEqual([...relations].sort());
  });
});

test('when somebody lived is not when what is said of him held', () => {
  const times = (text: string) => readGraph(text).relations.map(({ temporalDetails }) => temporalDetails);
  expect(times('Ann Hill (1931–2009) was a chemist at Keele University.')).toEqual([null]);
  expect(times('Ann Hill (born 4 May 1972) is the founder of Zentra GmbH.')).toEqual([null]);
  expect(times('Ann Hill (born 4 May 1972 in Ghent) left.')).toEqual(['4 May 1972']);
  expect(times('Ann Hill (CFO of Zentra GmbH since 2019) left.')).toEqual(['since 2019']);
});

describe('where somebody was born, lived and died', () => {
  test.each<[string, ...string[]]>([
    ['Ann Hill died on Sunday at her home in Ghent.', 'Ann Hill died_in Ghent'],
    ['Ann Hill died at the age of 83 in Ghent.', 'Ann Hill died_in Ghent'],
    ['Ann Hill died in a car crash near Ghent.', 'Ann Hill died_in Ghent'],
    ["It is 130 miles from Ann Hill's native Ewell.", 'Ann Hill from Ewell'],
    [
      'Ann Hill was born in Hull, Wexmoor.',
      'Ann Hill born_in Hull',
      'Ann Hill born_in Wexmoor',
      'Hull located_in Wexmoor',
    ],
    [
      'Ann Hill left. She is survived by her son, Tom Hill of Ghent.',
      'Tom Hill child_of Ann Hill',
      'Tom Hill from Ghent',
    ],
  ])('is told behind what else is: %s', (text, ...relations) => {
    expect(said(text)).toEqual([...relations].sort());
  });

  test('but a title in capitals tells no place', () => {
    expect(said('It was released as "Live in Japan, Vol. 2" in May.')).toEqual([]);
  });

  test('somebody who is called a son is not his father', () => {
    expect(said('The youngest son of Tom Hill, he was born in Ghent.')).toEqual([]);
  });
});

describe('careers', () => {
  test.each<[string, ...string[]]>([
    ['Ann Hill began her career at Zentra GmbH.', 'Ann Hill works_for Zentra GmbH'],
    ['Ann Hill spent nine years at Zentra GmbH.', 'Ann Hill works_for Zentra GmbH'],
    ['Ann Hill just got a job at Zentra.', 'Ann Hill works_for Zentra'],
    ['Ann Hill accepted a position with Zentra GmbH.', 'Ann Hill works_for Zentra GmbH'],
    ['Ann Hill joins us from Zentra as a planner.', 'Ann Hill left Zentra'],
    ['Ann Hill trained at Keele University.', 'Ann Hill studied_at Keele University'],
    [
      'Ann Hill co-founded Zentra GmbH with Bob Lee.',
      'Ann Hill founded Zentra GmbH',
      'Bob Lee founded Zentra GmbH',
    ],
  ])('%s', (text, ...relations) => {
    expect(said(text)).toEqual([...relations].sort());
  });

  test('of what is over it is said', () => {
    const [relation] = readGraph('Ann Hill began her career at Zentra GmbH.').relations;
    expect(relation?.temporalDetails).toBe('former');
  });

  test.each([
    'Ann Hill spent two years at Keele University.',
    'Ann Hill applied for a job at Zentra GmbH.',
    'Ann Hill has not accepted a position at Zentra GmbH.',
  ])('nothing is said by: %s', (text) => {
    expect(said(text)).toEqual([]);
  });

  test('nobody founded what somebody launched with him as its chairman', () => {
    expect(said('Ann Hill launched Zentra GmbH with Bob Lee as chairman.')).not.toContain(
      'Bob Lee founded Zentra GmbH',
    );
  });
});
