import { invalidInput } from '../errors.js';
import type { ListKey } from './source-list.queries.js';
import type { SourceScope } from './sources.queries.js';

/** Where a list goes on: behind a row, which was its so-manyth. */
interface ListCursor {
  /** Names the list, with which its rows have to do. */
  readonly list: string;
  readonly offset: number;
  readonly key: ListKey;
}

const notOfThisList = () => invalidInput('after', 'is not a cursor that this list returned');

/** @throws AppError INVALID_INPUT when it is none that a list of items returned. */
export function readListCursor(after: string): ListCursor {
  const text = Buffer.from(after, 'base64url').toString('utf8');
  const [, list, offset, createdAtMicros, uid] =
    /^(\d+\.\d+\.[a-z]+)\.(\d{1,9})\.(-?\d{1,17})\.(\d{1,18})$/.exec(text) ?? [];
  if (list === undefined || offset === undefined || createdAtMicros === undefined || uid === undefined)
    throw notOfThisList();
  return { list, offset: Number(offset), key: { createdAtMicros, uid } };
}

/** @throws AppError INVALID_INPUT when another list returned it. */
export function checkListCursor({ list }: ListCursor, scope: SourceScope): void {
  if (list !== listName(scope)) throw notOfThisList();
}

export function writeListCursor(scope: SourceScope, { offset, key }: Omit<ListCursor, 'list'>): string {
  const text = `${listName(scope)}.${offset}.${key.createdAtMicros}.${key.uid}`;
  return Buffer.from(text).toString('base64url');
}

function listName({ databaseId, collectionId, corpus }: SourceScope): string {
  return `${databaseId}.${collectionId}.${corpus}`;
}
