import { expect, test } from '@jest/globals';
import pg from 'pg';
import { parseTimestamp } from '../../src/postgres/timestamps.js';

const timestamptz = 1184;
const parseOfPg = pg.types.getTypeParser(timestamptz) as unknown as (text: string) => Date | number;

test.each([
  ['2026-11-22 22:30:25+00', '2026-11-22T22:30:25.000Z'],
  ['2026-11-22 22:30:25.3+00', '2026-11-22T22:30:25.300Z'],
  ['2026-11-22 22:30:25.31+00', '2026-11-22T22:30:25.310Z'],
  ['2026-01-02 03:04:05.000001+00', '2026-01-02T03:04:05.000Z'],
  ['2026-01-02 03:04:05.999999+00', '2026-01-02T03:04:05.999Z'],
  ['1969-12-31 23:59:59.9995+00', '1969-12-31T23:59:59.999Z'],
  ['1000-02-28 00:00:00+00', '1000-02-28T00:00:00.000Z'],
  ['9999-12-31 23:59:59.999+00', '9999-12-31T23:59:59.999Z'],
  ['2024-02-29 12:00:00+00', '2024-02-29T12:00:00.000Z'],
  // What pg reads.
  ['2026-11-22 22:30:25.31+01', '2026-11-22T21:30:25.310Z'],
  ['2026-11-22 22:30:25-05:30', '2026-11-23T04:00:25.000Z'],
  ['0099-11-22 22:30:25+00', '0099-11-22T22:30:25.000Z'],
  ['12026-11-22 22:30:25+00', '+012026-11-22T22:30:25.000Z'],
  ['0044-03-15 12:00:00+00 BC', '-000043-03-15T12:00:00.000Z'],
])('%s is %s', (text, iso) => {
  expect((parseTimestamp(text) as Date).toISOString()).toBe(iso);
});

test('all milliseconds are what pg makes of them', () => {
  for (let n = 0; n < 1000; n += 1) {
    const text = `2026-11-22 22:30:25.${String(n).padStart(3, '0')}+00`;
    expect(parseTimestamp(text)).toEqual(parseOfPg(text));
  }
});

test.each(['infinity', '-infinity'])('%s is no time', (text) => {
  expect(parseTimestamp(text)).toBe(parseOfPg(text));
});
