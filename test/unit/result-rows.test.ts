import { expect, test } from '@jest/globals';
import pg from 'pg';
import { patchRowParsing } from '../../src/postgres/result-rows.js';

interface OpenResult {
  addFields(fields: readonly object[]): void;
  parseRow(texts: readonly (string | Buffer | null)[]): object;
}
const { INT4, JSONB, TEXT, BYTEA } = pg.types.builtins;
const Result = pg.Result as unknown as new (rowMode: string | null, types: typeof pg.types) => OpenResult;
const column = (name: string, dataTypeID: number, format = 'text') => ({ name, dataTypeID, format });

function rowOf(
  columns: readonly object[],
  texts: readonly (string | Buffer | null)[],
  rowMode: string | null = null,
) {
  const result = new Result(rowMode, pg.types);
  result.addFields(columns);
  return result.parseRow(texts);
}

const cases: readonly (readonly [string, readonly object[], readonly (string | Buffer | null)[]])[] = [
  [
    'values by their types',
    [column('id', INT4), column('layout', JSONB), column('name', TEXT)],
    ['7', '{"a":[1]}', 'x'],
  ],
  ['nulls', [column('id', INT4), column('layout', JSONB)], [null, null]],
  [
    'names that are no identifiers',
    [column('?column?', TEXT), column('a"b\\c\n', TEXT), column('', TEXT)],
    ['1', '2', '3'],
  ],
  ['a name that comes twice', [column('id', INT4), column('id', TEXT)], ['1', 'x']],
  ['names of objects', [column('__proto__', TEXT), column('constructor', TEXT)], ['p', 'c']],
  ['no columns', [], []],
  ['binary values', [column('id', INT4), column('bytes', BYTEA, 'binary')], ['1', Buffer.from([1, 2])]],
];
const ofPg = cases.map(([, columns, texts]) => rowOf(columns, texts));

test.each(cases.map(([label, columns, texts], index) => [label, columns, texts, ofPg[index]] as const))(
  '%s are what pg makes of them',
  (_label, columns, texts, expected) => {
    patchRowParsing();
    const row = rowOf(columns, texts);
    expect(Object.entries(row)).toEqual(Object.entries(expected ?? {}));
    expect(Object.getPrototypeOf(row)).toBe(Object.getPrototypeOf(expected));
  },
);

test('statements of the same names have each their own types', () => {
  patchRowParsing();
  expect(rowOf([column('id', INT4)], ['7'])).toEqual({ id: 7 });
  expect(rowOf([column('id', TEXT)], ['7'])).toEqual({ id: '7' });
});

test('rows asked for as lists stay lists', () => {
  patchRowParsing();
  expect(rowOf([column('id', INT4), column('name', TEXT)], ['7', null], 'array')).toEqual([7, null]);
});
