import { expect, test } from '@jest/globals';
import { extractGraph } from '../../src/graph/extraction/extract-graph.js';

// A Monday.
const monday = { day: '2025-05-12T09:30:00Z' };
const timesOf = (text: string, written: { day?: string } = monday) =>
  extractGraph({ title: '', ...written, chunks: [{ text }] }).relations.map(
    ({ temporalDetails }) => temporalDetails,
  );

test.each([
  ['Karl Berg left Nimbus last month.', 'last month (2025-04)'],
  ['Nimbus acquired Globex today.', 'today (2025-05-12)'],
  ['Nimbus acquired Globex two years ago.', 'two years ago (2023)'],
  ['Karl Berg joined Nimbus two weeks ago.', 'two weeks ago (2025-04-25 to 2025-05-01)'],
  ['Karl Berg replaced Tom Hill in December.', 'December (2024-12)'],
  ['Karl Berg has worked for Nimbus since March.', 'since March (2025-03)'],
  ['Karl Berg moved to Oslo on 20 June.', '20 June (2024-06-20)'],
  ['Karl Berg will join Nimbus on 20 June.', 'planned, 20 June (2025-06-20)'],
  ['Karl Berg left Nimbus on Friday, 9 May.', 'Friday, 9 May (2025-05-09)'],
  ['Karl Berg joined Nimbus on Thursday.', 'Thursday (2025-05-08)'],
])('by the day of its item "%s" is of %s', (text, time) => {
  expect(timesOf(text)[0]).toBe(time);
});

test.each([
  ['Nimbus acquired Globex in May 2021.', 'May 2021'],
  ['Karl Berg worked for Nimbus for two years.', 'for two years'],
  ['Karl Berg joins Nimbus on Thursday.', 'Thursday'],
])('what needs no day, or is not plain by it, stays as worded: %s', (text, time) => {
  expect(timesOf(text)[0]).toBe(time);
});

test('without a day nothing is added', () => {
  expect(timesOf('Karl Berg left Nimbus last month.', {})).toEqual(['last month']);
});
