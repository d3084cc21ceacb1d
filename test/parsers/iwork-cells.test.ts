import { describe, expect, test } from '@jest/globals';
import { cellText, menuOf } from '../../src/ingestion/parsers/iwork/iwa-cell.js';
import { messageOf } from '../../src/ingestion/parsers/iwork/protobuf.js';
import { message } from '../support/files/iwork.js';

const kinds = { number: 2, text: 3, date: 5, boolean: 6, duration: 7, error: 8, richText: 9, currency: 10 };
type Kind = keyof typeof kinds;
/** The values of a cell by their flags, in the order in which they stand. */
type Values = readonly (readonly [flag: number, bytes: Buffer])[];

const integer = (value: number) => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
};
const double = (value: number) => {
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleLE(value);
  return bytes;
};
/** Digits and an exponent, 16 bytes. */
const decimal = (digits: number, exponent: number) => {
  const bytes = Buffer.alloc(16);
  bytes.writeUIntLE(Math.abs(digits), 0, 6);
  bytes.writeUInt16LE(((exponent + 0x1820) << 1) + (digits < 0 ? 0x8000 : 0), 14);
  return bytes;
};
const flagsOf = (values: Values) => values.reduce((flags, [flag]) => flags | flag, 0);

/** A cell as programs since 2018 store it. */
function cell(kind: Kind, values: Values): Buffer {
  const head = Buffer.from([5, kinds[kind], 0, 0, 0, 0, 0, 0]);
  return Buffer.concat([head, integer(flagsOf(values)), ...values.map(([, bytes]) => bytes)]);
}

/** A cell of a former version. */
function olderCell(version: number, kind: Kind, values: Values): Buffer {
  const [inSecond, inThird] = version >= 4 ? [kinds[kind], 0] : [0, kinds[kind]];
  const head = [Buffer.from([version, inSecond, inThird, 0]), integer(flagsOf(values))];
  const more = version > 1 ? [Buffer.alloc(4)] : [];
  return Buffer.concat([...head, ...more, ...values.map(([, bytes]) => bytes)]);
}

const format = (type: number, decimals: number, unit = '') =>
  messageOf(message([1, type], [2, decimals], [3, unit], [39, 4]));
const choice = (text: string) => [2, message([5, message([1, text])])] as [number, Buffer];
const lists = {
  strings: new Map([[7, 'Oslo']]),
  richTexts: new Map([[8, 'Bergen']]),
  formats: new Map([
    [1, format(257, 2, 'EUR')],
    [2, format(258, 1)],
    [3, format(266, 0)],
    [5, format(257, 253, 'NOK')],
    [6, format(256, 2)],
  ]),
  menus: new Map([[4, menuOf(message(choice(''), choice('low'), choice('high')))]]),
};
const [numeric, money, style] = [0x2000, 0x4000, 0x20];
const day = 86_400;

describe('a cell of Numbers shows', () => {
  test.each<readonly [what: string, kind: Kind, values: Values, shown: string]>([
    [
      'a text',
      'text',
      [
        [8, integer(7)],
        [style, integer(9)],
      ],
      'Oslo',
    ],
    ['a text with formats', 'richText', [[0x10, integer(8)]], 'Bergen'],
    ['nothing for a text that is missing', 'text', [[8, integer(99)]], ''],
    ['a number', 'number', [[1, decimal(1250, -2)]], '12.5'],
    ['a number below zero', 'number', [[1, decimal(-3, 2)]], '-300'],
    ['a number of the binary kind', 'number', [[2, double(0.25)]], '0.25'],
    [
      'a number with a format that it needs not',
      'number',
      [
        [1, decimal(125, -1)],
        [style, integer(0)],
        [numeric, integer(6)],
      ],
      '12.5',
    ],
    [
      'an amount with its currency',
      'currency',
      [
        [1, decimal(125, -1)],
        [money, integer(1)],
      ],
      '12.50 EUR',
    ],
    [
      'an amount that was a share before',
      'currency',
      [
        [1, decimal(125, -1)],
        [numeric, integer(2)],
        [money, integer(1)],
      ],
      '12.50 EUR',
    ],
    [
      'an amount with all its decimals',
      'currency',
      [
        [1, decimal(12345, -3)],
        [money, integer(5)],
      ],
      '12.345 NOK',
    ],
    [
      'a share',
      'number',
      [
        [2, double(0.07)],
        [numeric, integer(2)],
      ],
      '7.0%',
    ],
    [
      'the choice of a menu',
      'number',
      [
        [2, double(2)],
        [0x400, integer(9)],
        [numeric, integer(3)],
      ],
      'high',
    ],
    [
      'no choice',
      'number',
      [
        [2, double(0)],
        [numeric, integer(3)],
      ],
      '',
    ],
    ['a day', 'date', [[4, double(59 * day)]], '2001-03-01'],
    ['a day and time', 'date', [[4, double(day / 2 + 90)]], '2001-01-01 12:01:30'],
    ['no day that no calendar has', 'date', [[4, double(1e300)]], ''],
    ['a tick', 'boolean', [[2, double(1)]], 'TRUE'],
    ['no tick', 'boolean', [[2, double(0)]], 'FALSE'],
    ['a duration', 'duration', [[2, double(3_725)]], '1:02:05'],
    ['a duration below zero', 'duration', [[2, double(-90)]], '-0:01:30'],
    ['no duration without a value', 'duration', [], ''],
    ['no mistake of a formula', 'error', [], ''],
  ])('%s', (_what, kind, values, shown) => {
    expect(cellText(cell(kind, values), lists)).toBe(shown);
  });

  test.each<readonly [what: string, version: number, kind: Kind, values: Values, shown: string]>([
    [
      'a text',
      4,
      'text',
      [
        [0x80, integer(9)],
        [0x10, integer(7)],
      ],
      'Oslo',
    ],
    [
      'a text of the second version',
      2,
      'text',
      [
        [0x2000, integer(9)],
        [0x10, integer(7)],
      ],
      'Oslo',
    ],
    [
      'a text of the first version',
      1,
      'text',
      [
        [0x100, integer(9)],
        [0x10, integer(7)],
      ],
      'Oslo',
    ],
    [
      'a text with formats',
      4,
      'richText',
      [
        [0x200, integer(8)],
        [0x1000, integer(9)],
      ],
      'Bergen',
    ],
    [
      'an amount',
      4,
      'number',
      [
        [2, integer(1)],
        [0x20, double(12.5)],
      ],
      '12.50 EUR',
    ],
    ['a day', 3, 'date', [[0x40, double(day)]], '2001-01-02'],
  ])('%s of former programs', (_what, version, kind, values, shown) => {
    expect(cellText(olderCell(version, kind, values), lists)).toBe(shown);
  });
});
