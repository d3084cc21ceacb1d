import { describe, expect, test } from '@jest/globals';
import { readAskedTime, statedDay } from '../../src/retrieval/question/asked-time.js';
import { relativeDates } from '../../src/text/relative-dates.js';

// A Wednesday.
const day = new Date('2026-05-13T15:00:00Z');
const datesOf = (text: string, direction?: 'past' | 'future') => relativeDates(text, day, direction).dates;

describe('what a text says of time by its own day', () => {
  test.each([
    ['I had lunch with Malin yesterday.', ['2026-05-12']],
    ['The dog died last night', ['2026-05-12']],
    ['the day before yesterday', ['2026-05-11']],
    ['Sold the car two days ago', ['2026-05-11']],
    ['I fly tomorrow morning', ['2026-05-14']],
    ['Elsa started last Monday', ['2026-05-11']],
    ['the talk on Thursday last week', ['2026-05-07']],
    ['see you on Friday', ['2026-05-08', '2026-05-15']],
    ['last weekend', ['2026-05-09', '2026-05-10']],
    ['three months ago', ['2026-02']],
    ['last year', ['2025']],
    ['the day after tomorrow', ['2026-05-15']],
    ['a couple of days ago', ['2026-05-11']],
    ['an exam 2 years from now', ['2028']],
    ['We move in three days', ['2026-05-16']],
    ['see you next Monday', ['2026-05-18']],
    ['see you this Friday', ['2026-05-15']],
    ['the talk this Monday', ['2026-05-18']],
    ['last March', ['2026-03']],
    ['next March', ['2027-03']],
    ['last May', ['2025-05']],
    ['this May', ['2026-05']],
    ['next May', ['2027-05']],
    ['this summer', ['2026-06', '2026-07', '2026-08']],
    ['this winter', ['2026-12', '2027-01', '2027-02']],
    ['next spring', ['2027-03', '2027-04', '2027-05']],
    ['a trip to Lisbon in July', ['2026-07']],
    ['moved to the 17th of June', ['2026-06-17']],
    ['last summer', ['2025-06', '2025-07', '2025-08']],
    ['the summer of 2024', ['2024-06', '2024-07', '2024-08']],
    ['this winter', ['2026-12', '2027-01', '2027-02']],
    ['in May 2024', []],
    ['I may go', []],
    ['I go to the gym on Mondays', []],
    ['once in a week', []],
  ])('%s', (text, dates) => {
    expect(datesOf(text)).toEqual(dates);
  });

  test('a week is seven days; so is what was weeks ago', () => {
    expect(datesOf('last week')).toEqual(
      ['04', '05', '06', '07', '08', '09', '10'].map((number) => `2026-05-${number}`),
    );
    expect(datesOf('two weeks ago')[0]).toBe('2026-04-26');
    expect(datesOf('two weeks ago')).toHaveLength(7);
  });

  test('the past and the future of a month', () => {
    expect(datesOf('in September', 'past')).toEqual(['2025-09']);
    expect(datesOf('in April', 'future')).toEqual(['2027-04']);
    expect(datesOf('on 20 May', 'past')).toEqual(['2025-05-20']);
    expect(datesOf('on May 2', 'future')).toEqual(['2027-05-02']);
    expect(datesOf('on 20 May', 'future')).toEqual(['2026-05-20']);
  });
});

describe('what a question says of time', () => {
  test.each([
    ['Where do I live now?', 'now', 'Where do I live ?'],
    ['What is my current job?', 'now', 'What is my job?'],
    ['Where did I use to live?', 'former', 'Where did I live?'],
    ['Who was my previous manager?', 'former', 'Who was my manager?'],
    ['Where did I live before?', 'former', 'Where did I live ?'],
    ['What did I do yesterday?', null, 'What did I do ?'],
    ['What do I have to do before Christmas?', null, 'What do I have to do before Christmas?'],
    ['What do I use to cook?', null, 'What do I use to cook?'],
  ])('%s', (question, tense, query) => {
    const asked = readAskedTime(question, day);
    expect(asked.tense).toBe(tense);
    expect(asked.query.replace(/\s+/g, ' ')).toBe(query);
  });

  test('what holds by now may be named', () => {
    expect(readAskedTime('Who was my manager before Petra?', day)).toMatchObject({
      tense: 'former',
      since: 'Petra',
    });
  });

  test('the day on which it is asked may be said', () => {
    const dayOf = (text: string) => statedDay(text)?.day;
    expect(dayOf('Today is 3 May 2023.')).toEqual(new Date('2023-05-03'));
    expect(dayOf('Current date: 2023/05/30 (Tue) 10:00')).toEqual(new Date('2023-05-30'));
    expect(dayOf("Today's date is 2023-05-30.")).toEqual(new Date('2023-05-30'));
    expect(statedDay('What is today?')).toBeUndefined();
  });
});
