/** The English names of the months, in small letters. */
export const months =
  'january february march april may june july august september october november december'.split(' ');
/** The number of a month, from 1, by the first three letters of its name. */
const monthNumbers = new Map(months.map((name, index) => [name.slice(0, 3), index + 1]));
const month = String.raw`(${months.map((name) => `${name.slice(0, 3)}(?:${name.slice(3)})?`).join('|')}|sept)\.?`;
const short = months.map((name) => name.slice(0, 3)).join('|');
const day = String.raw`(\d{1,2})(?:st|nd|rd|th)?`;
const year = String.raw`((?:19|20)\d{2})(?![\d\p{L}])`;
const begins = String.raw`(?<![\d\p{L}]|\d[.,/-])`;
const gap = String.raw`[\s-]{1,2}`;
const numberEnds = String.raw`(?![\d\p{L}]|[./-]\d)`;

/** Dates with the name of a month. The day follows it, precedes it, or is missing. */
const monthFirst = new RegExp(`${begins}${month}${gap}${day},?${gap}${year}`, 'giu');
const dayFirst = new RegExp(
  `(?:${begins}${day}${gap}(?:day )?(?:of )?|${begins})${month},?${gap}(?:of )?${year}`,
  'giu',
);
const yearFirst = new RegExp(
  String.raw`${begins}((?:19|20)\d{2})([-/.])(\d{1,2})\2(\d{1,2})(?:t(?=\d)|(?![\d\p{L}]|[./-]\d))`,
  'giu',
);
const yearLast = new RegExp(
  String.raw`${begins}(\d{1,2})([-/.])(\d{1,2})\2((?:19|20)?\d{2})${numberEnds}`,
  'giu',
);
const monthInNumbers = new RegExp(
  String.raw`${begins}(?:((?:19|20)\d{2})-(\d{2})|(\d{1,2})/((?:19|20)\d{2}))${numberEnds}`,
  'giu',
);
/**
 * The short form of a month. "Sept" counts anywhere; the others may be words or names, and count only
 * beside a day or a year.
 */
const shortMonth = new RegExp(
  String.raw`(?<![\p{L}\d])(?:sept(?![\p{L}\d])|(?<=\d(?:st|nd|rd|th)?[\s-])(?:${short})(?![\p{L}\d])|(?:${short})(?=\.?[\s-](?:\d{1,2}(?:st|nd|rd|th)?|(?:19|20)\d\d)(?![\d%\p{L}]|[.,]\d)))`,
  'giu',
);
const mayHaveDates = /\d[-/.]\d|(?:19|20)\d\d/;
/** A day of a month without regard to the year: "30 March", "March 30th", "the 30th day of March". */
const dayOfMonth = new RegExp(
  String.raw`${begins}(?:${day}${gap}(?:day )?(?:of )?(?:the )?${month}(?!\p{L})|${month}${gap}(?:the )?${day}(?![\d\p{L}%]|[.:/]\d|\s?percent))`,
  'giu',
);
/** The ordinal ending of a day of a month. */
const ordinalEnd = new RegExp(
  String.raw`(?<=${begins}\d{1,2})(?:st|nd|rd|th)(?=${gap}(?:day )?(?:of )?${month}(?!\p{L}))|(?<=(?<!\p{L})${month}${gap}(?:the )?\d{1,2})(?:st|nd|rd|th)(?!\p{L})`,
  'giu',
);
const mayHaveOrdinals = /\d(?:st|nd|rd|th)\b/i;
const mayHaveDays =
  /\d(?:st|nd|rd|th)?[\s-].{0,11}(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)|(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec).{0,12}\d/i;
/** Two-digit years from this one on are in the last century. */
const centuryFrom = 50;

/**
 * The dates in a text, and months with a year, as ISO 8601 writes them. A date also gives its month:
 * 2024-03-03 and 2024-03 for "March 3, 2024", "3rd of March 2024" and "3/3/24". An ambiguous date
 * (3/4/2024) gives both readings. A date in numbers also gives its day of any year: see daysOfMonthsIn.
 */
export function datesIn(text: string): string[] {
  if (!mayHaveDates.test(text)) return [];
  const found: string[] = [];
  const add = (
    written: string,
    ...dates: readonly (readonly [year: string, month: number, onDay: string | undefined])[]
  ) => {
    for (const date of dates) found.push(...spelled(...date).filter((term) => term !== written));
  };
  const addInNumbers = (
    written: string,
    date: readonly [year: string, month: number, onDay: string | undefined],
  ) => {
    add(written, date);
    found.push(...ofAnyYear(date[1], date[2]));
  };
  for (const [written, name = '', onDay, inYear = ''] of text.matchAll(monthFirst))
    add(written, [inYear, monthOf(name), onDay]);
  for (const [written, onDay, name = '', inYear = ''] of text.matchAll(dayFirst))
    add(written, [inYear, monthOf(name), onDay]);
  for (const [written, inYear = '', , inMonth, onDay] of text.matchAll(yearFirst))
    addInNumbers(written, [inYear, Number(inMonth), onDay]);
  for (const [written, first, mark, second, year = ''] of text.matchAll(yearLast)) {
    // 2.10.14 may be the number of a section.
    if (mark === '.' && year.length === 2) continue;
    const inYear = inFull(year);
    if (mark !== '.' && first !== second) addInNumbers(written, [inYear, Number(first), second]);
    addInNumbers(written, [inYear, Number(second), first]);
  }
  for (const [written, yearOne, monthTwo, monthOne, yearTwo = ''] of text.matchAll(monthInNumbers))
    add(written, [yearOne ?? yearTwo, Number(monthTwo ?? monthOne), undefined]);
  return found;
}

/** The full names of the months that a text writes in short. */
export function monthsIn(text: string): string[] {
  return [...text.matchAll(shortMonth)].flatMap(([written]) => {
    const name = months[monthOf(written) - 1] ?? '';
    return name === written.toLowerCase() ? [] : [name];
  });
}

/** Days of named months, whatever the year, all in one spelling: --03-30 for "30 March" and "March 30th". */
export function daysOfMonthsIn(text: string): string[] {
  if (!mayHaveDays.test(text)) return [];
  return [...text.matchAll(dayOfMonth)].flatMap(([, dayBefore, monthBehind, monthBefore, dayBehind]) =>
    ofAnyYear(monthOf(monthBehind ?? monthBefore ?? ''), dayBefore ?? dayBehind),
  );
}

function ofAnyYear(inMonth: number, onDay: string | undefined): string[] {
  return onDay === undefined ? [] : spelled('-', inMonth, onDay).slice(0, 1);
}

/**
 * A text without the ordinal endings of its dates: "30 March" for "30th
 * March", "March 30" for "March 30th".
 */
export function withoutOrdinals(text: string): string {
  return mayHaveOrdinals.test(text) ? text.replace(ordinalEnd, '') : text;
}

/** A date and its month, or a month alone, in ISO 8601. Empty for impossible dates. */
function spelled(inYear: string, inMonth: number, onDay: string | undefined): string[] {
  if (inMonth < 1 || inMonth > 12 || Number(onDay ?? 1) < 1 || Number(onDay ?? 1) > 31) return [];
  const ofMonth = `${inYear}-${padded(inMonth)}`;
  return onDay === undefined ? [ofMonth] : [`${ofMonth}-${padded(onDay)}`, ofMonth];
}

function monthOf(name: string): number {
  return monthNumbers.get(name.slice(0, 3).toLowerCase()) ?? 0;
}

function inFull(inYear: string): string {
  if (inYear.length === 4) return inYear;
  return `${Number(inYear) < centuryFrom ? '20' : '19'}${inYear}`;
}

function padded(number: number | string): string {
  return `${number}`.padStart(2, '0');
}
