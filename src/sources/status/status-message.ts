import { addToList } from '../../lib/add-to-list.js';
import type { Corpus } from '../../postgres/stores.js';
import type { Acl } from '../acl.js';
import type { IndexingStatus } from './indexing-status.js';
import type { StatusChange } from './status-feed.js';

/** Postgres accepts at most 7,999 bytes. */
const messageBytesMax = 7900;
/** Leaves room for the longest id. */
const headBytesMax = 4000;

/** A change as it was received from another process. */
export interface ReceivedChange extends StatusChange {
  /** The error message and access list did not fit, and have to be read from the row. */
  readonly incomplete: boolean;
}

/** What the changes in one message have in common. */
interface Head {
  readonly database: number;
  readonly collection: string;
  readonly corpus: Corpus;
  readonly status: IndexingStatus;
  readonly code: string;
  /** Left out, both, when they are too long. */
  readonly message?: string;
  readonly acl?: Acl;
}

/** Packs changes into few short messages; those of one item stay in order. */
export function encodeChanges(changes: readonly StatusChange[]): string[] {
  const messages: string[] = [];
  let head = '';
  let ids: string[] = [];
  let bytes = 0;
  const flush = () => {
    if (ids.length > 0) messages.push(`{"head":${head},"ids":[${ids.join(',')}]}`);
    ids = [];
  };
  for (const change of grouped(changes)) {
    const id = JSON.stringify(change.id);
    const idBytes = Buffer.byteLength(id) + 1;
    if (change.head !== head || bytes + idBytes > messageBytesMax) {
      flush();
      head = change.head;
      bytes = Buffer.byteLength(head) + '{"head":,"ids":[]}'.length;
    }
    ids.push(id);
    bytes += idBytes;
  }
  flush();
  return messages;
}

/** The message that a database is gone. */
export function encodeEnd(databaseId: number): string {
  return JSON.stringify({ ended: databaseId } satisfies End);
}

interface End {
  readonly ended: number;
}

/** What a message says: changes, or which database is gone. @throws SyntaxError for what is no message */
export function decodeMessage(message: string): ReceivedChange[] | End {
  const decoded = JSON.parse(message) as { head: Head; ids: readonly string[] } | End;
  if ('ended' in decoded) return decoded;
  const { head, ids } = decoded;
  return ids.map((id) => ({
    databaseId: head.database,
    collection: head.collection,
    corpus: head.corpus,
    id,
    indexingStatus: head.status,
    errorCode: head.code,
    errorMessage: head.message ?? '',
    acl: head.acl ?? null,
    incomplete: head.message === undefined,
  }));
}

/** Groups changes by what they share, in the order in which an item passes the statuses. */
function grouped(changes: readonly StatusChange[]): { head: string; id: string }[] {
  const groups = new Map<string, string[]>();
  for (const change of changes) addToList(groups, toHead(change), change.id);
  return [...groups].flatMap(([head, ids]) => ids.map((id) => ({ head, id })));
}

function toHead({ databaseId, indexingStatus, errorCode, errorMessage, ...rest }: StatusChange): string {
  const head = {
    database: databaseId,
    collection: rest.collection,
    corpus: rest.corpus,
    status: indexingStatus,
    code: errorCode,
  } satisfies Head;
  const whole = JSON.stringify({ ...head, message: errorMessage, acl: rest.acl } satisfies Head);
  return Buffer.byteLength(whole) <= headBytesMax ? whole : JSON.stringify(head);
}
