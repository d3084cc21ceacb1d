import type { Readable } from 'node:stream';
import { v7 as uuidv7 } from 'uuid';
import type { ByteRange, Cut } from './byte-range.js';
import type { ReceivedFile } from './upload-spool.js';

// Longer than any request goes on after its files were kept.
export const unclaimedAfterMs = 3_600_000;

/** An original that is about to be read. */
export interface OpenedFile {
  /** Of the whole file. */
  readonly sizeBytes: number;
  /** What the stream has of it; undefined for all. */
  readonly cut: Cut | undefined;
  readonly stream: Readable;
}

/**
 * Where original files lie for as long as their items do. A key is `<two digits>/<uuid>`, in every store the same.
 * Everything throws StorageFailure when the store as a whole does not work.
 */
export interface Originals {
  /** Whether every process of the database reaches the same files, wherever it runs. */
  readonly isShared: boolean;
  /** Keeps a received file and returns its key; when it returns the file is there to stay. */
  keep(file: ReceivedFile): Promise<string>;
  /** Undefined for a file that is not there. A store that serves no ranges gives the whole file. @throws UnsatisfiableRange */
  open(key: string, range?: ByteRange): Promise<OpenedFile | undefined>;
  /** Runs work on a file on disk; undefined when there is no such original. */
  withCopy<Result>(key: string, use: (path: string) => Promise<Result>): Promise<Result | undefined>;
  /** Removes files; those that are gone already do no harm. */
  remove(keys: readonly string[]): Promise<void>;
  /** Keys of files that were kept more than an hour ago, some at a time: a row names each by now, or never will. */
  keysKeptLongAgo(): AsyncGenerator<string[]>;
  /** Whose files these are: another database knows nothing of them. */
  owner(): Promise<string | undefined>;
  /** Makes somebody the owner unless there is one. */
  claim(owner: string): Promise<void>;
  /** Asks the store for something that has nothing to do with any file. @throws StorageFailure */
  probe(signal?: AbortSignal): Promise<void>;
  close(): void;
}

export function newOriginalKey(): string {
  const id = uuidv7();
  return `${id.slice(-2)}/${id}`;
}
