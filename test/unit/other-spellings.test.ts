import { describe, expect, test } from '@jest/globals';
import { analyze, analyzeQuery, analyzeText, stem } from '../../src/text/analyzer.js';
import { datesIn, monthsIn } from '../../src/text/dates.js';
import { measuresIn } from '../../src/text/measures.js';
import { otherSpellings } from '../../src/text/other-spellings.js';
import { periodsIn } from '../../src/text/periods.js';

/** What both are found by beside their own words: the one spelling that they have in common. */
function isFoundBy(text: string, query: string): string[] {
  const { terms, beside } = analyzeQuery(query);
  const indexed = analyzeText(text, 'index').terms;
  return [...new Set(terms)].filter(
    (term) => indexed.includes(term) && (beside.has(term) || /\d\D|\D\d/.test(term)),
  );
}

test.each([
  ['class HttpRequestHandler extends Base', ['http', 'request', 'handler']],
  ['call getUser or maxPoolSize2', ['get', 'user', 'max', 'pool', 'size2']],
  ['parseXMLDocument', ['parse', 'xml', 'document']],
  ['JavaScript, YouTube, iPhone, macOS, PostgreSQL and McDonald', []],
  ['ABCDEF and abcdef, foo_barBazQux', []],
])('names in programs are found by their words: %s', (text, words) => {
  expect(otherSpellings(text)).toEqual(words);
});

test.each([
  ['Signed NDAs as PDFs', ['nda', 'pdf']],
  // The stems of their plurals are those of their singulars.
  ['APIs and IRAs', []],
  ['the GPS of a PDF in CAPITALS, Visas, PhDs', []],
])('abbreviations are found in the singular too: %s', (text, singulars) => {
  expect(otherSpellings(text)).toEqual(singulars);
});

test('so `request handler` finds HttpRequestHandler, and the other way round', () => {
  expect(analyzeText('HttpRequestHandler', 'index').terms).toEqual(
    expect.arrayContaining([...analyze('request handler')]),
  );
  expect(analyze('HttpRequestHandler')).toEqual(expect.arrayContaining([...analyze('request handler')]));
  expect(analyze('HttpRequestHandler', 'vector')).toEqual(['httprequesthandl']);
});

describe('a figure is found in its other spellings', () => {
  test.each([
    ['120 MW', '120MW'],
    ['120 megawatts', '120MW(ac)'],
    ['12.50 MW', '12.5MW'],
    ['5 GB', '5GB'],
    ['5 gigabytes', '5GB'],
    ['10 mg', '10mg/kg'],
    ['4,000 psi', '4000psi'],
    ['48-hour notice', '48h'],
    ['1,200 square feet', '1200 sq. ft.'],
    ['30%', '30 per cent'],
    ['5.50 %', '5.5 pct'],
    ['275 bps', '275bp'],
    ['275 basis points', '275bp'],
    ['3.4x', '3.4 times'],
  ])('measures: %s, %s', (one, other) => {
    expect(isFoundBy(one, other)).not.toEqual([]);
    expect(isFoundBy(other, one)).not.toEqual([]);
  });

  const day = [
    ...[
      'March 4, 2024',
      '4 March 2024',
      'Mar. 4th, 2024',
      '4th of March 2024',
      '4th day of March, 2024',
      '4-Mar-2024',
    ],
    ...['2024-03-04', '2024/3/4', '2024-03-04T10:30:00', '03/04/2024', '3/4/24', '04.03.2024', '4/3/2024'],
  ];
  test.each(day)('dates: %s', (written) => {
    for (const other of day) expect(isFoundBy(other, written)).toContain('2024-03-04');
    expect(isFoundBy(written, 'March 2024')).toEqual(['2024-03']);
  });

  const anyYear = [
    '30 March',
    'March 30',
    'March 30th',
    '30th March',
    '30th of March',
    'the 30th day of March',
    'Mar 30',
  ];
  test.each(anyYear)('days of any year: %s', (written) => {
    for (const other of [...anyYear, '30 March 2025', 'March 30th, 2025', '30/03/2025', '2025-03-30T10:00'])
      expect(isFoundBy(other, written)).toContain('--03-30');
    for (const other of ['March 20, 2025', '3 March', 'March 30%', 'March 3.30', '30', 'the 30th'])
      expect(isFoundBy(other, written)).not.toContain('--03-30');
  });

  test('an ordinal number is the day of its month, and else itself', () => {
    expect(analyze('30th of March')).toEqual(analyze('30 of March'));
    expect(analyze('March the 30th, 2025')).toEqual(analyze('March the 30, 2025'));
    expect(analyze('on the 30th')).toEqual(['30th']);
    // Of vectors as they are stored.
    expect(analyze('March 30th', 'vector')).toEqual(['march', '30th']);
  });

  test.each(['March 2020', '2020-03', '03/2020', 'Mar. 2020', 'March of 2020'])('months: %s', (written) => {
    expect(isFoundBy(written, 'in March 2020')).toEqual(['2020-03']);
    expect(isFoundBy('2020-03-15', written)).toEqual(['2020-03']);
  });

  test.each([
    ['third quarter of 2022', 'Q3 2022', 'q3'],
    ['third fiscal quarter', '3Q22', 'q3'],
    ['3rd quarter of 2022', 'Quarter 3', 'q3'],
    ['Q 3', 'the third quarter', 'q3'],
    ['first half of 2022', 'H1 2022', 'h1'],
    ['fiscal year 2023', 'FY2023', 'fy2023'],
    ['fiscal 2023', "FY'23", 'fy2023'],
    ['financial year 2023', 'Q2FY23', 'fy2023'],
    ['FISCAL YEAR ENDED JANUARY 31, 2023', 'fiscal 2023', 'fy2023'],
    ['the year ended 31st December 2023', 'FY23', 'fy2023'],
  ])('periods: %s, %s', (one, other, term) => {
    expect(isFoundBy(one, other)).toContain(term);
    expect(isFoundBy(other, one)).toContain(term);
  });
});

const week = [
  'week 25',
  'Week 25',
  'wk25',
  'wk. 25',
  'W25',
  'KW 25',
  'KW25',
  'CW 25',
  'calendar week 25',
  '2024-W25',
];
test.each(week)('weeks: %s', (written) => {
  for (const other of week) expect(isFoundBy(other, written)).toContain('w25');
  expect(isFoundBy('week 26', written)).not.toContain('w25');
});

test.each(['Sept', '15 Sep', 'Sep 15', 'sept 2024', '3rd Sep', 'Sep. 2024'])(
  'months in short: %s',
  (written) => {
    expect(analyze(written)).toContain(stem('september'));
    expect(analyzeText(written, 'index').terms).toContain(stem('september'));
  },
);

test.each([
  [
    'months',
    monthsIn,
    ['May 3', 'Jan said so', 'APR 19.9%', 'APR 19%', 'march 3', 'dec', 'septic', 'marsh 3', 'September 2024'],
  ],
  [
    'dates',
    datesIn,
    ['13/25/2020', '2.10.14', '10/10/2020/3', 'v1.2.2024', '1st 2020', 'the year 2020', '2020-13'],
  ],
  ['measures', measuresIn, ['24 months', '$215mm', '10mm USD', 'M5', 'room 12b', '5', 'A4 paper']],
  [
    'periods',
    periodsIn,
    [
      'first half of the match',
      'a quarter of them',
      'fiscal policy',
      'Fyodor 20',
      'the year ended well, in 2023',
      'three months ended June 30, 2023',
      ...[
        'two weeks',
        'week 60',
        'week 2.5',
        'W3C',
        'a heater of 5 kW 3',
        '25 kw 10',
        'a heater (kW 25)',
        'weekend 25',
        'quarter 5',
      ],
    ],
  ],
])('what are no %s', (_, find, texts) => {
  for (const text of texts) expect(find(text)).toEqual([]);
});

test('what may be either day is found as both, what can only be one as that', () => {
  const yearsIn = (text: string) => datesIn(text).filter((date) => !date.startsWith('--'));
  expect(yearsIn('3/4/2024')).toEqual(['2024-03-04', '2024-03', '2024-04-03', '2024-04']);
  expect(yearsIn('11/21/18')).toEqual(['2018-11-21', '2018-11']);
  expect(yearsIn('21.11.98 and 5/6/98')).toEqual(['1998-05-06', '1998-05', '1998-06-05', '1998-06']);
});

test('other spellings count for no word, and are no terms of vectors', () => {
  const text = 'On March 3, 2024 some 120MW; Q3 in third quarter, FY 23';
  expect(analyzeText(text, 'index').length).toBe(analyze(text, 'vector').length);
  expect(analyze(text, 'vector')).not.toContain('2024-03-03');
});
