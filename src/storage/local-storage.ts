import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Transform } from 'node:stream';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { v7 as uuidv7 } from 'uuid';

// Far longer than the longest pause within an upload; other processes may share the folder.
const abandonedAfterMs = 3_600_000;

/** An upload on disk that nothing refers to yet. */
export interface ReceivedFile {
  readonly temporaryPath: string;
  readonly bytes: number;
  /** Of its content, in hexadecimal. */
  readonly sha256: string;
  /** The upload went over its bound; what lies on disk is cut off. */
  readonly tooLarge: boolean;
}

/** Original files in a folder of DATA_DIR: `incoming/` while a request runs, then `files/<two digits>/<uuid>`. */
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
    const oldest = Date.now() - abandonedAfterMs;
    for (const name of await readdir(this.incoming)) {
      const path = join(this.incoming, name);
      const found = await stat(path).catch(() => undefined);
      if (found && found.mtimeMs < oldest) await rm(path, { force: true });
    }
  }

  /** Writes a stream to disk, flushed, never holding more than a buffer of it. The stream is always read to its end. */
  async receive(stream: Readable, bytesMax: number): Promise<ReceivedFile> {
    const temporaryPath = join(this.incoming, uuidv7());
    let bytes = 0;
    const hash = createHash('sha256');
    const meter = new Transform({
      transform(chunk: Buffer, _encoding, done) {
        bytes += chunk.length;
        if (bytes > bytesMax) return done();
        hash.update(chunk);
        return done(null, chunk);
      },
    });
    try {
      await pipeline(stream, meter, createWriteStream(temporaryPath, { flush: true, mode: 0o600 }));
    } catch (error) {
      await rm(temporaryPath, { force: true });
      throw error;
    }
    return { temporaryPath, bytes, sha256: hash.digest('hex'), tooLarge: bytes > bytesMax };
  }

  /** Moves a received file to its lasting place and returns its key. */
  async keep(file: ReceivedFile): Promise<string> {
    const id = uuidv7();
    const folder = id.slice(-2);
    await mkdir(join(this.files, folder), { recursive: true, mode: 0o700 });
    await rename(file.temporaryPath, join(this.files, folder, id));
    await flushFolder(join(this.files, folder));
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

async function flushFolder(path: string): Promise<void> {
  const folder = await open(path);
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
