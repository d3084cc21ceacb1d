import { expect, test } from '@jest/globals';
import { readGraph, saidIn } from '../support/read-graph.js';

const timesOf = (text: string) => readGraph(text).relations.map(({ temporalDetails }) => temporalDetails);

test.each([
  ['Karl Berg, former CEO of Nimbus, resigned.', 'former'],
  ['Nimbus acquired Globex last year.', 'last year'],
  ['Karl Berg used to work for Volvo.', 'former'],
  ['Karl Berg formerly worked for Volvo.', 'former'],
  ['Karl Berg previously led Volvo until 2014.', 'former, until 2014'],
  ['Globex was bought by Nimbus on 5 May 2024.', '5 May 2024'],
  ['Karl Berg has worked for Volvo since March 2017.', 'since March 2017'],
  ['Karl Berg lives in Oslo, and Nimbus closed in 2019.', null],
  ['In May 2021, Nimbus acquired Globex.', 'May 2021'],
  ['Karl Berg worked for Volvo from March to June 2020.', 'from March to June 2020'],
  ['Nimbus will merge with Globex in 2031.', 'planned, 2031'],
])('%s: %s', (text, time) => {
  expect(timesOf(text)[0]).toBe(time);
});

test('where a place is has no time', () => {
  const times = timesOf('Karl Berg lived from 1962 until 1991 in Tampa, Florida.');
  expect(times.toSorted()).toEqual(['from 1962 until 1991', 'from 1962 until 1991', null]);
});

test.each([
  ['Nimbus is based in Berlin and acquired Globex last year.', [null, 'last year']],
  ['Karl Berg, who joined Nimbus in 2019, leads Globex.', ['2019', null]],
  ['In 2019, Karl Berg joined Nimbus and founded Globex in 2021.', ['2019', '2021']],
  ['Kim Ross, CFO of Siemens since 2019, was born in Bonn.', [null, 'since 2019']],
])('%s: each clause has its own time', (text, times) => {
  expect(timesOf(text)).toEqual(times);
});

test.each([
  ['Karl Berg joined Nimbus in May.', 'May'],
  ['Nimbus acquired Globex in early March.', 'early March'],
  ['Nimbus acquired Globex last March.', 'last March'],
  ['In May, Karl Berg joined Nimbus.', 'May'],
  ['Karl Berg has worked for Volvo since October.', 'since October'],
  ['Karl Berg worked for Volvo from March to June.', 'from March to June'],
  ['Karl Berg met April Jones.', null],
  ['GraphQL was developed by August.', null],
])('%s: a month alone is a time only behind a word that makes it one', (text, time) => {
  expect(timesOf(text)[0] ?? null).toBe(time);
});

test.each([
  ['Nimbus acquired Globex in Q3 2024.', 'Q3 2024'],
  ['Nimbus acquired Globex in Q3.', 'Q3'],
  ['Nimbus acquired Globex last quarter.', 'last quarter'],
  ['Nimbus acquired Globex in the third quarter of fiscal 2023.', 'the third quarter of fiscal 2023'],
  ['In fiscal year 2023 Nimbus acquired Globex.', 'fiscal year 2023'],
  ['In the third quarter of 2023 Nimbus acquired Globex.', 'the third quarter of 2023'],
  ['Karl Berg joined Nimbus in FY24.', 'FY24'],
  ['Karl Berg joined Nimbus in H1 2023.', 'H1 2023'],
  ['Karl Berg joined Nimbus in the spring of 2021.', 'the spring of 2021'],
  ['Karl Berg led Nimbus from Q1 2020 to Q3 2022.', 'from Q1 2020 to Q3 2022'],
  ['Karl Berg left Nimbus at the end of 2023.', 'the end of 2023'],
  ['Karl Berg left Nimbus on Monday.', 'Monday'],
  ['Karl Berg left Nimbus on Friday, 3 May 2024.', 'Friday, 3 May 2024'],
  ['On Friday Karl Berg left Nimbus.', 'Friday'],
  ['On Saturdays Karl Berg works at Nimbus.', 'Saturdays'],
  ['Karl Berg has worked for Nimbus since Monday.', 'since Monday'],
  ['Karl Berg succeeded Otto Lang in 1049.', '1049'],
  ['As of May 2024, Karl Berg leads Nimbus.', 'as of May 2024'],
  ['Karl Berg has worked for Nimbus for three years.', 'for three years'],
])('%s: days of the week, quarters and fiscal years are times', (text, time) => {
  const { entities, relations } = readGraph(text);
  expect(relations.map(({ temporalDetails }) => temporalDetails)).toEqual([time]);
  expect(
    entities
      .map(({ name }) => name)
      .filter((name) => !/^(?:Karl Berg|Otto Lang|Nimbus|Globex)$/.test(name.replace(/\.$/, ''))),
  ).toEqual(time === 'Friday, 3 May 2024' ? ['3 May 2024'] : []);
});

test.each([
  ['Karl Berg works for the Sunday Times.', null],
  ['Karl Berg met Anna Hill before Thursday’s talks.', null],
  ['Karl Berg met Anna Hill in 300 towns.', null],
])('%s: no time', (text, time) => {
  expect(timesOf(text)[0] ?? null).toBe(time);
});

test.each<[string, ...string[]]>([
  ['Unused days up to 5 may be carried over.'],
  ['Page 12 march on. You march 3 miles. She may 7 times ask.'],
  ['It opens on 5 may.', '5 may'],
  ['It opened 5 may 2024 and closed 12th march.', '5 may 2024', '12th march'],
  ['It opens 5 May.', '5 May'],
])('%s: "may" and "march" in small letters are months where more says so', (text, ...days) => {
  const { entities } = readGraph(text);
  expect(entities.filter(({ type }) => type === 'DATE').map(({ name }) => name)).toEqual(days);
});

test('a date behind "and" is of the verb that follows', () => {
  expect(saidIn('Anna Berg joined Globex Ltd in 2019 and in 2021 moved to Oslo.')).toEqual([
    'Anna Berg works_for Globex Ltd, 2019',
    'Anna Berg moved_to Oslo, 2021',
    'Anna Berg lives_in Oslo, 2021',
  ]);
});
