const months = 'january february march april may june july august september october november december'.split(
  ' ',
);
/** By the first three letters of its name. */
const monthNumbers = new Map(months.map((name, index) => [name.slice(0, 3), index + 1]));
const month = String.raw`(${months.map((name) => `${name.slice(0, 3)}(?:${name.slice(3)})?`).join('|')}|sept)\.?`;
const short = months.map((name) => name.slice(0, 3)).join('|');
const day = String.raw`(\d{1,2})(?:st|nd|rd|th)?`;
const year = String.raw`((?:19|20)\d{2})(?![\d\p{L}])`;
const begins = String.raw`(?<![\d\p{L}]|\d[.,/-])`;
const gap = String.raw`[\s-]{1,2}`;
const numberEnds = String.raw`(?![\d\p{L}]|[./-]\d)`;

/** With the name of the month: behind it the day, or before it, or none. */
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
/** A month that is shortened: Sept wherever it stands, the others, which may be words or names, beside a day or a year. */
const shortMonth = new RegExp(
  String.raw`(?<![\p{L}\d])(?:sept(?![\p{L}\d])|(?<=\d(?:st|nd|rd|th)?[\s-])(?:${short})(?![\p{L}\d])|(?:${short})(?=\.?[\s-](?:\d{1,2}(?:st|nd|rd|th)?|(?:19|20)\d\d)(?![\d%\p{L}]|[.,]\d)))`,
  'giu',
);
const mayHaveDates = /\d[-/.]\d|(?:19|20)\d\d/;
/** Of years of two digits those from here on are of the last century. */
const centuryFrom = 50;

/**
 * Dates and months of years as ISO 8601 writes them, of a date its month too: 2024-03-03 and 2024-03 for "March 3, 2024",
 * "3rd of March 2024", "3/3/24". What may be either way round (3/4/2024) is both.
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
  for (const [written, name = '', onDay, inYear = ''] of text.matchAll(monthFirst))
    add(written, [inYear, monthOf(name), onDay]);
  for (const [written, onDay, name = '', inYear = ''] of text.matchAll(dayFirst))
    add(written, [inYear, monthOf(name), onDay]);
  for (const [written, inYear = '', , inMonth, onDay] of text.matchAll(yearFirst))
    add(written, [inYear, Number(inMonth), onDay]);
  for (const [written, first, mark, second, year = ''] of text.matchAll(yearLast)) {
    // 2.10.14 may be the number of a section.
    if (mark === '.' && year.length === 2) continue;
    const inYear = inFull(year);
    if (mark !== '.' && first !== second) add(written, [inYear, Number(first), second]);
    add(written, [inYear, Number(second), first]);
  }
  for (const [written, yearOne, monthTwo, monthOne, yearTwo = ''] of text.matchAll(monthInNumbers))
    add(written, [yearOne ?? yearTwo, Number(monthTwo ?? monthOne), undefined]);
  return found;
}

/** The names of months that are written in short. */
export function monthsIn(text: string): string[] {
  return [...text.matchAll(shortMonth)].flatMap(([written]) => {
    const name = months[monthOf(written) - 1] ?? '';
    return name === written.toLowerCase() ? [] : [name];
  });
}

/** A date and its month, or a month; nothing where it cannot be one. */
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
