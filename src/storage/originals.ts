import type { Readable } from 'node:stream';
import { v7 as uuidv7 } from 'uuid';
import { hourMs } from '../lib/units.js';
import type { ByteRange, Cut } from './byte-range.js';
import type { ReceivedFile } from './upload-spool.js';

// Longer than any request continues after it has kept its files.
export const unclaimedAfterMs = hourMs;

/** An original that is open for reading. */
export interface OpenedFile {
  /** The size of the whole file. */
  readonly sizeBytes: number;
  /** The part that the stream holds; undefined for all of it. */
  readonly cut: Cut | undefined;
  readonly stream: Readable;
}

/**
 * Stores original files for as long as their items exist. Keys have the form `<two digits>/<uuid>` in every
 * store. Every method throws StorageFailure when the store as a whole does not work.
 */
export interface Originals {
  /** Whether all processes of the database reach the same files, on whatever machine they run. */
  readonly isShared: boolean;
  /** Moves a received file into the store and returns its key; by then the file is stored durably. */
  keep(file: ReceivedFile): Promise<string>;
  /**
   * Opens a file, or part of it; undefined when it does not exist. A store that serves no ranges gives the
   * whole file. @throws UnsatisfiableRange
   */
  open(key: string, range?: ByteRange): Promise<OpenedFile | undefined>;
  /** Runs work on a copy on disk; undefined when there is no such original. */
  withCopy<Result>(key: string, use: (path: string) => Promise<Result>): Promise<Result | undefined>;
  /** Removes files; it is no error when some are gone already. */
  remove(keys: readonly string[]): Promise<void>;
  /**
   * Keys of files that were kept more than an hour ago, in batches. By then a row names such a file, or never
   * will.
   */
  keysKeptLongAgo(): AsyncGenerator<string[]>;
  /**
   * The id of whoever owns these files; to another database they mean nothing. Undefined when nobody does.
   */
  owner(): Promise<string | undefined>;
  /** Makes somebody the owner, unless there is one. */
  claim(owner: string): Promise<void>;
  /** Asks the store for something that depends on no particular file. @throws StorageFailure */
  probe(signal?: AbortSignal): Promise<void>;
  close(): void;
}

/** A new key: the last two characters of an id, which spread files over folders, and the id itself. */
export function newOriginalKey(): string {
  const id = uuidv7();
  return `${id.slice(-2)}/${id}`;
}
