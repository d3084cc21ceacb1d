import pg from 'pg';

const [dash, dot, plus, zero] = [0x2d, 0x2e, 0x2b, 0x30];
// From 2026-11-22 22:30:25+00 to 2026-11-22 22:30:25.123456+00; Date.UTC takes years from 100 on as they are.
const [charactersMin, charactersMax] = [22, 29];
const fractionAt = 19;
const { TIMESTAMPTZ } = pg.types.builtins;
const parseAny = pg.types.getTypeParser(TIMESTAMPTZ) as unknown as (text: string) => Date | number | null;

/**
 * Parses a timestamptz as Postgres writes it; pages of thousands of rows spend a tenth of their time on this.
 * What is not of this or the last millennium, or not in UTC, is left to pg's parser, which takes four times
 * as long.
 */
export function parseTimestamp(text: string): Date | number | null {
  const end = text.length - 3;
  const isUtc =
    text.charCodeAt(end) === plus && text.charCodeAt(end + 1) === zero && text.charCodeAt(end + 2) === zero;
  const isUsual = text.length >= charactersMin && text.length <= charactersMax && text.charCodeAt(4) === dash;
  if (!isUtc || !isUsual || text.charCodeAt(0) === zero) return parseAny(text);
  const two = (at: number) => 10 * text.charCodeAt(at) + text.charCodeAt(at + 1) - 11 * zero;
  let milliseconds = 0;
  if (text.charCodeAt(fractionAt) === dot) {
    let share = 100;
    for (let at = fractionAt + 1; at < end && share >= 1; at += 1, share /= 10)
      milliseconds += share * (text.charCodeAt(at) - zero);
  }
  const year = 100 * two(0) + two(2);
  return new Date(Date.UTC(year, two(5) - 1, two(8), two(11), two(14), two(17), milliseconds));
}

/** Makes every connection of this process parse timestamps this way. */
export function registerTimestampParser(): void {
  pg.types.setTypeParser(TIMESTAMPTZ, parseTimestamp as (text: string) => unknown);
}
