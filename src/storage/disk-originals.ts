import { constants, createReadStream } from 'node:fs';
import {
  access,
  copyFile,
  mkdir,
  open,
  readFile,
  readdir,
  rename,
  rm,
  stat,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import { errorCodeOf } from '../postgres/query.js';
import { cutOf } from './byte-range.js';
import type { ByteRange } from './byte-range.js';
import { namesOlderThan } from './older-files.js';
import { newOriginalKey, unclaimedAfterMs } from './originals.js';
import type { OpenedFile, Originals } from './originals.js';
import { StorageFailure, toDiskFailure } from './storage-failure.js';
import type { ReceivedFile } from './upload-spool.js';

/** Originals in `DATA_DIR/files`: a received file is only moved there, if both folders are on one disk. */
export class DiskOriginals implements Originals {
  readonly isShared = false;
  private readonly files: string;
  /** Whether the folder was seen with an owner. One without is then another folder: that which a mount stood in place of. */
  private isOwned = false;

  constructor(dataDir: string) {
    this.files = join(dataDir, 'files');
  }

  async prepare(): Promise<void> {
    await mkdir(this.files, { recursive: true, mode: 0o700 });
  }

  async keep(file: ReceivedFile): Promise<string> {
    const key = newOriginalKey();
    const folder = join(this.files, key, '..');
    await this.probe();
    try {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      // Its age counts from now: a file that no row names for long is removed.
      await utimes(file.temporaryPath, new Date(), new Date());
      await move(file.temporaryPath, join(this.files, key));
      await flush(folder);
    } catch (error) {
      throw toDiskFailure(error);
    }
    return key;
  }

  async open(key: string, range?: ByteRange): Promise<OpenedFile | undefined> {
    const path = join(this.files, key);
    const found = await this.unlessMissing(() => stat(path));
    if (!found) return undefined;
    const cut = range && cutOf(range, found.size);
    const stream = createReadStream(path, cut && { start: cut.first, end: cut.last });
    return { sizeBytes: found.size, cut, stream };
  }

  async withCopy<Result>(key: string, use: (path: string) => Promise<Result>): Promise<Result | undefined> {
    const path = join(this.files, key);
    const isThere = await this.unlessMissing(() => access(path).then(() => true));
    return isThere ? use(path) : undefined;
  }

  async remove(keys: readonly string[]): Promise<void> {
    try {
      for (const key of keys) await rm(join(this.files, key), { force: true });
    } catch (error) {
      throw toDiskFailure(error);
    }
  }

  async *keysKeptLongAgo(): AsyncGenerator<string[]> {
    for (const folder of (await readdir(this.files)).filter((name) => /^[0-9a-f]{2}$/.test(name))) {
      const names = await namesOlderThan(join(this.files, folder), unclaimedAfterMs);
      yield names.map((name) => `${folder}/${name}`);
    }
  }

  async owner(): Promise<string | undefined> {
    // An empty mark is nobody's: whoever made it was killed, or found no room, before it was written.
    const owner = (await this.readOwner()) || undefined;
    this.isOwned ||= owner !== undefined;
    return owner;
  }

  async claim(owner: string): Promise<void> {
    if (this.isOwned) return;
    const flag = (await this.readOwner()) === '' ? 'w' : 'wx';
    // Fails when there is an owner, or nothing can be written: owner() tells which.
    await writeFile(this.ownerPath, owner, { flag, mode: 0o600 }).catch(() => undefined);
  }

  async probe(): Promise<void> {
    try {
      await stat(this.isOwned ? this.ownerPath : this.files);
      await access(this.files, constants.W_OK);
    } catch (cause) {
      throw new StorageFailure(cause);
    }
  }

  close(): void {
    // It holds nothing open.
  }

  private readOwner(): Promise<string | undefined> {
    return this.unlessMissing(() => readFile(this.ownerPath, 'utf8'));
  }

  private get ownerPath(): string {
    return join(this.files, 'owner');
  }

  /**
   * Undefined for a file that does not exist. Where the whole folder is missing, or another stands in its place, nothing is
   * known about a file, and a StorageFailure is thrown.
   */
  private async unlessMissing<Found>(look: () => Promise<Found>): Promise<Found | undefined> {
    try {
      return await look();
    } catch (error) {
      if (errorCodeOf(error) !== 'ENOENT') throw toDiskFailure(error);
      await this.probe();
      return undefined;
    }
  }
}

/** To another disk a file is copied; whoever received it discards what stays behind. */
async function move(from: string, to: string): Promise<void> {
  try {
    await rename(from, to);
  } catch (error) {
    if (errorCodeOf(error) !== 'EXDEV') throw error;
    await copy(from, to).catch(async (cause: unknown) => {
      await rm(to, { force: true });
      throw cause;
    });
  }
}

async function copy(from: string, to: string): Promise<void> {
  await copyFile(from, to, constants.COPYFILE_EXCL);
  await flush(to);
}

/** Flushes a file, or the names in a folder. */
async function flush(path: string): Promise<void> {
  const handle = await open(path);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
