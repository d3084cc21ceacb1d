import { invalidInput } from '../errors.js';
import type { ListKey } from './source-list.queries.js';

/** Where a list goes on: behind a row, which was its so-manyth. */
interface ListCursor {
  readonly offset: number;
  readonly key: ListKey;
}

/** @throws AppError INVALID_INPUT when it is none that a list of items returned. */
export function readListCursor(after: string): ListCursor {
  const text = Buffer.from(after, 'base64url').toString('utf8');
  const [, offset, createdAtMicros, uid] = /^(\d{1,9})\.(-?\d{1,17})\.(\d{1,18})$/.exec(text) ?? [];
  if (offset === undefined || createdAtMicros === undefined || uid === undefined)
    throw invalidInput('after', 'is not a cursor that this list returned');
  return { offset: Number(offset), key: { createdAtMicros, uid } };
}

export function writeListCursor({ offset, key }: ListCursor): string {
  return Buffer.from(`${offset}.${key.createdAtMicros}.${key.uid}`).toString('base64url');
}
