import { invalidInput } from '../errors.js';

/** Where a list continues: behind a row, and which position that row had. */
export interface ListCursor {
  /** The list's name, with what its rows depend on. */
  readonly list: string;
  readonly offset: number;
  /** The values of that row by which the list is ordered. */
  readonly key: readonly string[];
}

/**
 * How a list is ordered. A cursor says behind which row it continues, whatever is added or removed meanwhile.
 */
export interface ListOrder<Row> {
  /** The list's name: cursors of other lists are refused. */
  readonly list: string;
  /** The values that rows are ordered by, down to one that is unique. */
  readonly keyOf: (row: Row) => readonly string[];
  /** The form of each value of a key, so that invented cursors do not reach Postgres. */
  readonly forms: readonly RegExp[];
}

/** Forms of values in keys. */
export const KEY_FORMS = {
  text: /^[^\0]*$/,
  /** A column of type bigint. */
  whole: /^\d{1,18}$/,
  /** Microseconds since 1970, of a time that Postgres has. */
  microseconds: /^-?\d{1,17}$/,
  /** Milliseconds since 1970, of a time that this server wrote. */
  milliseconds: /^\d{1,14}$/,
  uuid: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/,
} as const;

const notOfThisList = () => invalidInput('after', 'is not a cursor that this list returned');

/** @throws AppError INVALID_INPUT for a text that no list returned */
export function readCursor(after: string): ListCursor {
  const [list, offset, ...key] = parse(after);
  if (typeof list !== 'string' || !isCount(offset) || !key.every((value) => typeof value === 'string'))
    throw notOfThisList();
  return { list, offset, key };
}

/**
 * The key behind which a list continues, if it has a cursor. @throws AppError INVALID_INPUT for the cursor of
 * another list
 */
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

/** A cursor as clients get it: opaque text in base64url. */
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
