/** One page of a TIFF file, or the Exif data of a JPEG, which has the same format. */
export interface Directory {
  /** The numbers of each tag. */
  readonly values: ReadonlyMap<number, readonly number[]>;
  /** The offset of the next directory; 0 after the last. */
  readonly next: number;
}

/** The tags that are used here, by number (TIFF 6.0). */
export const tiffTags = {
  width: 256,
  height: 257,
  bitsPerSample: 258,
  compression: 259,
  photometric: 262,
  fillOrder: 266,
  stripOffsets: 273,
  samplesPerPixel: 277,
  rowsPerStrip: 278,
  stripByteCounts: 279,
  faxOptions: 292,
  tileWidth: 322,
  jpegTables: 347,
} as const;

const valuesMax = 200_000;
const bytesOfType: Readonly<Record<number, 1 | 2 | 4>> = { 1: 1, 3: 2, 4: 4, 7: 1 };

/**
 * Reads the directory at an offset, by default the first one. Undefined when it is damaged, or the file is a
 * BigTIFF.
 */
export function readDirectory(bytes: Buffer, offset?: number): Directory | undefined {
  try {
    const isLittle = bytes.toString('latin1', 0, 2) === 'II';
    const uint16 = (at: number) => (isLittle ? bytes.readUInt16LE(at) : bytes.readUInt16BE(at));
    const uint32 = (at: number) => (isLittle ? bytes.readUInt32LE(at) : bytes.readUInt32BE(at));
    if (uint16(2) !== 42) return undefined;
    const start = offset ?? uint32(4);
    const count = uint16(start);
    const values = new Map<number, number[]>();
    for (let at = start + 2; at < start + 2 + 12 * count; at += 12) {
      const size = bytesOfType[uint16(at + 2)];
      const length = uint32(at + 4);
      if (size === undefined || length > valuesMax) continue;
      const first = size * length <= 4 ? at + 8 : uint32(at + 8);
      const read = size === 4 ? uint32 : size === 2 ? uint16 : (each: number) => bytes.readUInt8(each);
      values.set(
        uint16(at),
        Array.from({ length }, (_, index) => read(first + index * size)),
      );
    }
    return { values, next: uint32(start + 2 + 12 * count) };
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** The pages of a file, each with its offset. A chain that leads back into itself ends there. */
export function* tiffPages(bytes: Buffer): Generator<Directory & { offset: number }> {
  const isLittle = bytes.toString('latin1', 0, 2) === 'II';
  const seen = new Set<number>();
  let offset = bytes.byteLength < 8 ? 0 : isLittle ? bytes.readUInt32LE(4) : bytes.readUInt32BE(4);
  while (offset !== 0 && !seen.has(offset)) {
    seen.add(offset);
    const directory = readDirectory(bytes, offset);
    if (directory === undefined) return;
    yield { ...directory, offset };
    offset = directory.next;
  }
}

/** A copy of the file that begins with the page at an offset. */
export function startingAt(bytes: Buffer, offset: number): Buffer {
  const copy = Buffer.from(bytes);
  if (copy.toString('latin1', 0, 2) === 'II') copy.writeUInt32LE(offset, 4);
  else copy.writeUInt32BE(offset, 4);
  return copy;
}
