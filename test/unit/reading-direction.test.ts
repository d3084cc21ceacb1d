import { describe, expect, test } from '@jest/globals';
import { lineAsRead, piecesAsRead } from '../../src/text/reading-direction.js';

describe('a line as it is read', () => {
  test.each([
    ['a line from left to right', 'one two 3', 'one two 3'],
    ['Hebrew', 'תשע בשעה הישיבה', 'הישיבה בשעה תשע'],
    ['Arabic with numbers', '١٤٣٤ إبريل ١٤', '١٤ إبريل ١٤٣٤'],
    ['Latin words within Hebrew', 'בבוקר Windows 10 את פתחנו', 'פתחנו את Windows 10 בבוקר'],
    ['Hebrew within Latin words', 'they say עולם שלום there', 'they say שלום עולם there'],
    ['what ends a clause of Hebrew', '.תשע בשעה ,הישיבה', 'הישיבה, בשעה תשע.'],
    ['a number at the end of Hebrew', '2024 בשנת', 'בשנת 2024'],
  ])('%s', (_what, seen, read) => {
    expect(lineAsRead(seen)).toBe(read);
  });

  test('takes pieces of it as it takes words', () => {
    const pieces = [{ text: 'עולם' }, { text: 'שלום' }];
    expect(piecesAsRead(pieces, ({ text }) => text)).toEqual([...pieces].reverse());
  });
});
