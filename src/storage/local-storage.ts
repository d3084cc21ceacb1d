import { createHash } from 'node:crypto';
import { mkdir, open, readFile, readdir, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { v7 as uuidv7 } from 'uuid';
import { toDiskFailure } from './disk-failure.js';

// Far longer than the longest pause within an upload; other processes may share the folder.
const abandonedAfterMs = 3_600_000;

// Longer than any request goes on after its files were kept.
const unclaimedAfterMs = 3_600_000;

/** An upload on disk that nothing refers to yet. */
export interface ReceivedFile {
  readonly temporaryPath: string;
  readonly bytes: number;
  /** Of its content, in hexadecimal. */
  readonly sha256: string;
  /** The upload went over its bound; what lies on disk is cut off. */
  readonly tooLarge: boolean;
}

/**
 * Original files in a folder of DATA_DIR: `incoming/` while a request runs, then `files/<two digits>/<uuid>`.
 * `files/owner` names the account whose server wrote there first: another database knows nothing of these files.
 */
export class LocalStorage {
  private readonly incoming: string;
  private readonly files: string;

  constructor(dataDir: string) {
    this.incoming = join(dataDir, 'incoming');
    this.files = join(dataDir, 'files');
  }

  /** Makes the folders and removes what requests of killed processes left in `incoming/`: it was never answered 202. */
  async prepare(): Promise<void> {
    await mkdir(this.incoming, { recursive: true, mode: 0o700 });
    await mkdir(this.files, { recursive: true, mode: 0o700 });
    await this.removeAbandoned();
  }

  /** Removes uploads that nobody has written to for an hour. */
  async removeAbandoned(): Promise<void> {
    for (const name of await olderThan(this.incoming, abandonedAfterMs)) {
      await rm(join(this.incoming, name), { force: true });
    }
  }

  /** Whether the files here are those of this owner; the first to ask owns them. */
  async isOwnedBy(owner: string): Promise<boolean> {
    const path = join(this.files, 'owner');
    // Fails when it stands there already.
    await writeFile(path, owner, { flag: 'wx', mode: 0o600 }).catch(() => undefined);
    return (await readFile(path, 'utf8')) === owner;
  }

  /** Keys of files that were kept more than an hour ago, folder by folder: a row names each by now, or never will. */
  async *keysKeptLongAgo(): AsyncGenerator<string[]> {
    for (const folder of (await readdir(this.files)).filter((name) => /^[0-9a-f]{2}$/.test(name))) {
      const names = await olderThan(join(this.files, folder), unclaimedAfterMs);
      yield names.map((name) => `${folder}/${name}`);
    }
  }

  /** Writes a stream to disk, flushed, never holding more than a buffer of it. The stream is always read to its end. */
  async receive(stream: Readable, bytesMax: number): Promise<ReceivedFile> {
    const temporaryPath = join(this.incoming, uuidv7());
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

  /** Moves a received file to its lasting place and returns its key. */
  async keep(file: ReceivedFile): Promise<string> {
    const id = uuidv7();
    const folder = id.slice(-2);
    try {
      await mkdir(join(this.files, folder), { recursive: true, mode: 0o700 });
      // From now on it counts how long no row has named it.
      await utimes(file.temporaryPath, new Date(), new Date());
      await rename(file.temporaryPath, join(this.files, folder, id));
      await flushFolder(join(this.files, folder));
    } catch (error) {
      throw toDiskFailure(error);
    }
    return `${folder}/${id}`;
  }

  /** Removes a received file unless it was kept. */
  async discard(file: ReceivedFile): Promise<void> {
    await rm(file.temporaryPath, { force: true });
  }

  /** Where a kept file lies. */
  path(key: string): string {
    return join(this.files, key);
  }

  async remove(key: string): Promise<void> {
    await rm(join(this.files, key), { force: true });
  }
}

/** A file being written. Once a write has failed the rest is not written, but its sender is still read to the end. */
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

  async remove(): Promise<void> {
    await this.handle?.close().catch(() => undefined);
    await rm(this.path, { force: true });
  }

  private async open(): Promise<FileHandle> {
    return (this.handle ??= await open(this.path, 'wx', 0o600));
  }

  private async attempt(step: () => Promise<unknown>): Promise<void> {
    if (this.failure) return;
    await step().catch((cause: unknown) => (this.failure = { cause }));
  }
}

/** Names of the files in a folder that were last written longer ago than this. */
async function olderThan(folder: string, ageMs: number): Promise<string[]> {
  const newest = Date.now() - ageMs;
  const names: string[] = [];
  for (const name of await readdir(folder)) {
    const found = await stat(join(folder, name)).catch(() => undefined);
    if (found && found.mtimeMs < newest) names.push(name);
  }
  return names;
}

async function flushFolder(path: string): Promise<void> {
  const folder = await open(path);
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
