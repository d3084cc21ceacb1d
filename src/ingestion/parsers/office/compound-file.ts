import { bufferOf } from '../../../lib/buffer-of.js';
import { mislabelledFile, ParseError } from '../parser.js';

/** A folder in a compound file (MS-CFB), the container format of Outlook messages and of old Office files. */
export interface CompoundStorage {
  /** By name, as written in the file. */
  readonly storages: ReadonlyMap<string, CompoundStorage>;
  readonly streams: ReadonlyMap<string, CompoundStream>;
}

/** A file in a compound file. */
export interface CompoundStream {
  /** @throws ParseError E1001 when the file has been read several times over: its streams share their bytes */
  read(): Uint8Array;
}

const signature = Buffer.from('d0cf11e0a1b11ae1', 'hex');
const entryBytes = 128;
const miniSectorBytes = 64;
const none = -1;
const [storageType, streamType, rootType] = [1, 2, 5];
/**
 * Streams do not share bytes in a sound file, so all reading together is at most the file and what is read
 * twice.
 */
const readFactorMax = 3;

interface Entry {
  readonly name: string;
  readonly type: number;
  readonly left: number;
  readonly right: number;
  readonly child: number;
  readonly start: number;
  readonly size: number;
}

/** Whether a file begins like a compound file. */
export function isCompoundFile(bytes: Uint8Array): boolean {
  return signature.equals(bytes.subarray(0, signature.length));
}

/**
 * Opens the root of a compound file. Chains and trees that lead back into themselves end there. @throws
 * ParseError E1001
 */
export function openCompoundFile(bytes: Uint8Array): CompoundStorage {
  if (!isCompoundFile(bytes)) {
    throw mislabelledFile('it is no compound file');
  }
  if (bytes.length < 512) throw new ParseError('E1001', 'The file is cut off.');
  return new CompoundFile(bytes).root();
}

class CompoundFile {
  private readonly file: Buffer;
  private readonly sectorBytes: number;
  private readonly cutoffBytes: number;
  private readonly sectors: readonly number[];
  private readonly miniSectors: readonly number[];
  private readonly entries: readonly Entry[];
  private readonly miniStream: Buffer;
  private bytesLeft: number;

  constructor(bytes: Uint8Array) {
    this.file = bufferOf(bytes);
    this.sectorBytes = this.file.readUInt16LE(30) === 12 ? 4096 : 512;
    this.cutoffBytes = this.file.readUInt32LE(56);
    this.bytesLeft = this.file.length * readFactorMax;
    this.sectors = this.allocationTable();
    this.entries = entriesOf(this.chain(this.file.readInt32LE(48)));
    this.miniSectors = numbersOf(this.chain(this.file.readInt32LE(60)));
    this.miniStream = this.chain(this.entries[0]?.start ?? none);
  }

  root(): CompoundStorage {
    const [root] = this.entries;
    if (root?.type !== rootType) throw new ParseError('E1001', 'The file is damaged: it has no directory.');
    const seen = new Set<number>([0]);
    return this.storage(root, seen);
  }

  /**
   * Reads the children of an entry, which form a binary tree. `seen` lets each entry have only one place,
   * which also bounds the depth.
   */
  private storage(folder: Entry, seen: Set<number>): CompoundStorage {
    const storages = new Map<string, CompoundStorage>();
    const streams = new Map<string, CompoundStream>();
    const waiting = [folder.child];
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      const entry = this.entries[next];
      if (entry === undefined || seen.has(next)) continue;
      seen.add(next);
      if (entry.type === streamType) streams.set(entry.name, { read: () => this.content(entry) });
      if (entry.type === storageType) storages.set(entry.name, this.storage(entry, seen));
      waiting.push(entry.right, entry.left);
    }
    return { storages, streams };
  }

  private content({ start, size }: Entry): Buffer {
    return size < this.cutoffBytes ? this.miniChain(start, size) : this.chain(start).subarray(0, size);
  }

  private chain(start: number): Buffer {
    const parts: Buffer[] = [];
    for (const sector of walk(start, this.sectors)) parts.push(this.spend(this.sector(sector)));
    return Buffer.concat(parts);
  }

  private miniChain(start: number, size: number): Buffer {
    const parts: Buffer[] = [];
    let bytes = 0;
    for (const index of walk(start, this.miniSectors)) {
      if (bytes >= size) break;
      const from = index * miniSectorBytes;
      parts.push(this.spend(this.miniStream.subarray(from, from + miniSectorBytes)));
      bytes += miniSectorBytes;
    }
    return Buffer.concat(parts).subarray(0, size);
  }

  private sector(index: number): Buffer {
    const from = (index + 1) * this.sectorBytes;
    return this.file.subarray(from, from + this.sectorBytes);
  }

  private spend(part: Buffer): Buffer {
    this.bytesLeft -= part.length;
    if (this.bytesLeft < 0) throw new ParseError('E1001', 'The file is damaged: its parts overlap.');
    return part;
  }

  /**
   * Reads the allocation table: the next sector of every sector. The table's own sectors are listed in the
   * header and, in large files, also in a chain of sectors.
   */
  private allocationTable(): number[] {
    const sectorsMax = Math.ceil(this.file.length / this.sectorBytes);
    const own = numbersOf(this.file.subarray(76, 512));
    let more = this.file.readInt32LE(68);
    for (let count = 0; more >= 0 && more < sectorsMax && count < sectorsMax; count += 1) {
      const numbers = numbersOf(this.sector(more));
      more = numbers.pop() ?? none;
      own.push(...numbers);
    }
    const used = [...new Set(own)].filter((sector) => sector >= 0 && sector < sectorsMax);
    return used.flatMap((sector) => numbersOf(this.sector(sector)));
  }
}

/** The links of a chain. A chain that returns to itself ends there. */
function* walk(start: number, next: readonly number[]): Generator<number> {
  const seen = new Set<number>();
  for (
    let index = start;
    index >= 0 && index < next.length && !seen.has(index);
    index = next[index] ?? none
  ) {
    seen.add(index);
    yield index;
  }
}

function numbersOf(bytes: Buffer): number[] {
  return Array.from({ length: Math.floor(bytes.length / 4) }, (_, index) => bytes.readInt32LE(index * 4));
}

function entriesOf(directory: Buffer): Entry[] {
  return Array.from({ length: Math.floor(directory.length / entryBytes) }, (_, index) => {
    const entry = directory.subarray(index * entryBytes, (index + 1) * entryBytes);
    const nameBytes = Math.min(Math.max(entry.readUInt16LE(64) - 2, 0), 62);
    return {
      name: entry.toString('utf16le', 0, nameBytes),
      type: entry.readUInt8(66),
      left: entry.readInt32LE(68),
      right: entry.readInt32LE(72),
      child: entry.readInt32LE(76),
      start: entry.readInt32LE(116),
      size: entry.readUInt32LE(120),
    };
  });
}
