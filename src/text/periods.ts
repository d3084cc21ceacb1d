const ordinals: Readonly<Record<string, number>> = {
  ...{ first: 1, second: 2, third: 3, fourth: 4 },
  ...{ '1st': 1, '2nd': 2, '3rd': 3, '4th': 4 },
};
const ordinal = `(${Object.keys(ordinals).join('|')})`;
const quarter = new RegExp(String.raw`\b${ordinal}[\s-](?:(?:fiscal|financial)\s)?quarter\b`, 'gi');
// A match or a book has a first half too.
const half =
  /\b(first|second|1st|2nd)[\s-]half\s(?=of\s(?:the\s(?:fiscal\s|financial\s)?year|fiscal|financial|fy|20\d\d))/gi;
const fiscalYear =
  /(?<!\p{L})(?:(?:fiscal|financial)(?:\syear)?\s|fy[\s'’-]?)((?:19|20)\d{2}|(?<=fy[\s'’-]?)\d{2})(?!\d)/giu;
// Annual reports name a year by the day on which it ends.
const yearEnd =
  /(?<!\p{L})year\s(?:ended|ending)\s(?:on\s)?(?:\p{L}{3,9}\.?\s\d{1,2}(?:st|nd|rd|th)?|\d{1,2}(?:st|nd|rd|th)?\s\p{L}{3,9}\.?),?\s((?:19|20)\d{2})(?!\d)/giu;
/** "Quarter 3" and "Q 3", as further spellings of "third quarter". */
const numberedQuarter = /(?<![\p{L}\d])(?:quarter|q)\s([1-4])(?![\d\p{L}]|[.,/:-]\d)/giu;
/** "Week 25", "calendar week 25", "wk25", "KW 25", "w 25". "kW" is a unit. */
const week = /(?<![\p{L}\d]|\d\s)(?:weeks?|wks?\.?|[kc]w|w)[\s-]?0?(\d{1,2})(?![\d\p{L}]|[.,/:]\d)/giu;
const weeksOfYear = 53;
const mayHavePeriods =
  /quarter|half|f(?:iscal|inancial|y)|year\send|\bq\s\d|\b(?:w(?:eeks?|ks?\.?)?|[kc]w)[\s-]?\d/i;

/**
 * Business periods in one short spelling: q3 for "third quarter", w25 for "calendar week 25", fy2023 for
 * "fiscal year 2023", "FY 23" and "year ended June 30, 2023".
 */
export function periodsIn(text: string): string[] {
  if (!mayHavePeriods.test(text)) return [];
  const numbered = (pattern: RegExp, letter: string) =>
    [...text.matchAll(pattern)].map(([, which = '']) => `${letter}${ordinals[which.toLowerCase()] ?? ''}`);
  const years = [...text.matchAll(fiscalYear)].map(([written, year = '']) => [
    written.toLowerCase(),
    `fy${year.length === 4 ? year : `20${year}`}`,
  ]);
  const weeks = [...text.matchAll(week)].flatMap(([written, number]) => {
    const term = `w${Number(number)}`;
    const isWeek = Number(number) >= 1 && Number(number) <= weeksOfYear;
    return isWeek && !written.startsWith('kW') && written.toLowerCase() !== term ? [term] : [];
  });
  const ended = [...text.matchAll(yearEnd)].map(([, year = '']) => `fy${year}`);
  return [
    ...numbered(quarter, 'q'),
    ...numbered(half, 'h'),
    ...[...text.matchAll(numberedQuarter)].map(([, number = '']) => `q${number}`),
    ...weeks,
    ...years.flatMap(([written = '', year = '']) => (written === year ? [] : [year])),
    ...ended,
  ];
}
