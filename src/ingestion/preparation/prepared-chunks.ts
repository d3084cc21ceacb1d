import { closeSync, openSync, writeSync } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { deserialize, serialize } from 'node:v8';

/** A chunk with what the keyword lane stores of it; `terms` ascend. */
export interface PreparedChunk {
  readonly position: number;
  readonly text: string;
  readonly headings: string[];
  readonly layout: Record<string, unknown>;
  readonly terms: Int32Array;
  readonly counts: Int32Array;
  readonly length: number;
  /** The codes of all its words, in order; see packCodes. */
  readonly wordCodes: Uint8Array;
}

/** The chunks of an item, as a child process hands them over. */
export interface WrittenChunks {
  readonly count: number;
  /** The sum of their lengths in terms. */
  readonly length: number;
  /** The size of the spool file; 0 when there is none. */
  readonly spooledBytes: number;
  /** The chunks after the spooled ones. */
  readonly last: readonly PreparedChunk[];
}

// How many chunks are sent, written and read at a time: some 200 kB, which occupy the server's thread for
// less than a millisecond.
const chunksAtOnce = 50;
const sizeBytes = 4;

/**
 * Takes the chunks of an item one by one. A few are returned in the answer; of many, all but the last go to a
 * spool file, so that a large item need fit neither into this process nor into a message.
 */
export class ChunkWriter {
  private count = 0;
  private length = 0;
  private window: PreparedChunk[] = [];
  private file: number | undefined;
  private spooledBytes = 0;

  constructor(private readonly spoolPath: string) {}

  add(chunk: PreparedChunk): void {
    if (this.window.length === chunksAtOnce) this.spool();
    this.window.push(chunk);
    this.count += 1;
    this.length += chunk.length;
  }

  finish(): WrittenChunks {
    const { count, length, spooledBytes, window: last } = this;
    return { count, length, spooledBytes, last };
  }

  close(): void {
    if (this.file !== undefined) closeSync(this.file);
  }

  private spool(): void {
    this.file ??= openSync(this.spoolPath, 'w', 0o600);
    const frame = serialize(this.window);
    const size = Buffer.alloc(sizeBytes);
    size.writeUInt32LE(frame.length);
    for (const part of [size, frame]) {
      for (let written = 0; written < part.length;) written += writeSync(this.file, part, written);
      this.spooledBytes += part.length;
    }
    this.window = [];
  }
}

/** The chunks of a prepared item, a few at a time; to be read once and closed. */
export class PreparedChunks implements AsyncIterable<readonly PreparedChunk[]> {
  readonly count: number;
  readonly length: number;

  private constructor(
    private readonly written: WrittenChunks,
    private readonly file: FileHandle | undefined,
  ) {
    this.count = written.count;
    this.length = written.length;
  }

  /** Takes over the spool file: it loses its name here, so whatever happens it leaves nothing behind. */
  static async open(written: WrittenChunks, spoolPath: string): Promise<PreparedChunks> {
    if (written.spooledBytes === 0) return new PreparedChunks(written, undefined);
    const file = await open(spoolPath, 'r');
    await rm(spoolPath, { force: true });
    return new PreparedChunks(written, file);
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<readonly PreparedChunk[]> {
    let position = 0;
    while (this.file && position < this.written.spooledBytes) {
      const size = (await readExactly(this.file, sizeBytes, position)).readUInt32LE();
      const frame = await readExactly(this.file, size, position + sizeBytes);
      yield deserialize(frame) as PreparedChunk[];
      position += sizeBytes + size;
    }
    if (this.written.last.length > 0) yield this.written.last;
  }

  async close(): Promise<void> {
    await this.file?.close();
  }
}

async function readExactly(file: FileHandle, bytes: number, position: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(bytes), 0, bytes, position);
  if (bytesRead < bytes) throw new Error('a file of prepared chunks is shorter than it was written');
  return buffer;
}
