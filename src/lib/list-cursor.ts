import { invalidInput } from '../errors.js';

/** Where a list goes on: behind a row, which was its so-manyth. */
export interface ListCursor {
  /** Names the list, with which its rows have to do. */
  readonly list: string;
  readonly offset: number;
  /** What the list is ordered by, of that row. */
  readonly key: readonly string[];
}

/** How a list is ordered: a cursor says behind which row it goes on, whatever comes or goes meanwhile. */
export interface ListOrder<Row> {
  /** Names the list: the cursor of another one is refused. */
  readonly list: string;
  /** What rows are ordered by, down to what only one of them has. */
  readonly keyOf: (row: Row) => readonly string[];
  /** How each value of a key looks: who makes up a cursor does not get as far as Postgres. */
  readonly forms: readonly RegExp[];
}

/** Forms of values in keys. */
export const KEY_FORMS = {
  text: /^[^\0]*$/,
  /** Of a column that is a bigint. */
  whole: /^\d{1,18}$/,
  /** Microseconds since 1970 of a time that Postgres knows. */
  microseconds: /^-?\d{1,17}$/,
  /** Milliseconds since 1970 of a time that this server wrote. */
  milliseconds: /^\d{1,14}$/,
  uuid: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/,
} as const;

const notOfThisList = () => invalidInput('after', 'is not a cursor that this list returned');

/** @throws AppError INVALID_INPUT when it is none that a list returned. */
export function readCursor(after: string): ListCursor {
  const [list, offset, ...key] = parse(after);
  if (typeof list !== 'string' || !isCount(offset) || !key.every((value) => typeof value === 'string'))
    throw notOfThisList();
  return { list, offset, key };
}

/** The key behind which a list goes on, if it does. @throws AppError INVALID_INPUT when another list returned the cursor. */
export function keyBehind(
  cursor: ListCursor | undefined,
  { list, forms }: Pick<ListOrder<never>, 'list' | 'forms'>,
): readonly string[] | undefined {
  if (!cursor) return undefined;
  const { key } = cursor;
  const fits = key.length === forms.length && forms.every((form, n) => form.test(key[n] ?? ''));
  if (cursor.list !== list || !fits) throw notOfThisList();
  return key;
}

export function writeCursor({ list, offset, key }: ListCursor): string {
  return Buffer.from(JSON.stringify([list, offset, ...key])).toString('base64url');
}

function parse(after: string): readonly unknown[] {
  try {
    const values = JSON.parse(Buffer.from(after, 'base64url').toString('utf8')) as unknown;
    return Array.isArray(values) ? (values as unknown[]) : [];
  } catch {
    return [];
  }
}

function isCount(offset: unknown): offset is number {
  return Number.isInteger(offset) && (offset as number) >= 0 && (offset as number) < 1_000_000_000;
}
