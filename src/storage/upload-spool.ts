import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { access, mkdir, open, rm } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { v7 as uuidv7 } from 'uuid';
import { hourMs } from '../lib/units.js';
import { namesOlderThan } from './older-files.js';
import { toDiskFailure } from './storage-failure.js';

// Far longer than the longest pause within an upload; other processes may be using the folder.
const abandonedAfterMs = hourMs;
const probeBytes = 1_048_576;

/** An upload on disk that nothing refers to yet. */
export interface ReceivedFile {
  readonly temporaryPath: string;
  readonly bytes: number;
  /** SHA-256 of its content, in hexadecimal. */
  readonly sha256: string;
  /** The upload exceeded its limit, and the file on disk is cut off. */
  readonly tooLarge: boolean;
}

/** `DATA_DIR/incoming`: files while a request runs; copies of originals and chunks on their way while items are indexed. */
export class UploadSpool {
  private readonly folder: string;

  constructor(dataDir: string) {
    this.folder = join(dataDir, 'incoming');
  }

  /**
   * Creates the folder and removes what killed processes left there: those requests were never answered 202.
   */
  async prepare(): Promise<void> {
    await mkdir(this.folder, { recursive: true, mode: 0o700 });
    await this.removeAbandoned();
  }

  /** Removes files that have not been written to for an hour. */
  async removeAbandoned(): Promise<void> {
    for (const name of await namesOlderThan(this.folder, abandonedAfterMs)) {
      await rm(join(this.folder, name), { force: true });
    }
  }

  /** A new path for a file to be written. */
  newPath(): string {
    return join(this.folder, uuidv7());
  }

  /**
   * Writes a stream to disk and flushes it, never holding more than a buffer of it. The stream is always read
   * to its end.
   */
  async receive(stream: Readable, bytesMax: number): Promise<ReceivedFile> {
    const temporaryPath = this.newPath();
    let bytes = 0;
    const hash = createHash('sha256');
    const file = new TemporaryFile(temporaryPath);
    try {
      for await (const chunk of stream as AsyncIterable<Buffer>) {
        bytes += chunk.length;
        if (bytes > bytesMax) continue;
        hash.update(chunk);
        await file.write(chunk);
      }
      await file.finish();
    } catch (error) {
      await file.remove();
      throw toDiskFailure(error);
    }
    return { temporaryPath, bytes, sha256: hash.digest('hex'), tooLarge: bytes > bytesMax };
  }

  /** Writes a file and removes it. @throws StorageFailure when there is no room for it, or the folder takes none */
  async probe(): Promise<void> {
    await this.discard(await this.receive(Readable.from([Buffer.alloc(probeBytes)]), probeBytes));
  }

  /** @throws when the folder is not there, or nothing can be written to it */
  async checkWritable(): Promise<void> {
    await access(this.folder, constants.W_OK);
  }

  /** Removes a received file, unless it has been kept. */
  async discard(file: ReceivedFile): Promise<void> {
    await rm(file.temporaryPath, { force: true });
  }
}

/**
 * A file being written. After a write has failed the rest is not written, but the sender is still read to the
 * end.
 */
class TemporaryFile {
  private handle: FileHandle | undefined;
  private failure: { readonly cause: unknown } | undefined;

  constructor(private readonly path: string) {}

  async write(chunk: Buffer): Promise<void> {
    await this.attempt(async () => (await this.open()).writeFile(chunk));
  }

  /** Flushes and closes it. @throws the first failure. */
  async finish(): Promise<void> {
    await this.attempt(async () => (await this.open()).sync());
    await this.attempt(async () => this.handle?.close());
    if (this.failure) throw this.failure.cause;
  }

  /** What cannot be removed now `removeAbandoned` removes later. */
  async remove(): Promise<void> {
    await this.handle?.close().catch(() => undefined);
    await rm(this.path, { force: true }).catch(() => undefined);
  }

  private async open(): Promise<FileHandle> {
    return (this.handle ??= await open(this.path, 'wx', 0o600));
  }

  private async attempt(step: () => Promise<unknown>): Promise<void> {
    if (this.failure) return;
    await step().catch((cause: unknown) => (this.failure = { cause }));
  }
}
