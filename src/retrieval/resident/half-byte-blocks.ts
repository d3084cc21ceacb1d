import { grown } from './grown-array.js';
import type { VectorMemory } from './vector-memory.js';
import type { Room } from './vector-room.js';
import { blockRows } from './vector-sketch.js';

const columns = blockRows / 2;
const halfByteBits = 4;
const halfByteMask = 15;
const scaleBytes = 4;

/** Rows of half bytes, each row with a scale, stored in blocks in the layout that sumSketches reads. */
export class HalfByteBlocks {
  private blocks = new Uint32Array(1);
  private taken = 0;

  constructor(
    private readonly memory: VectorMemory,
    private readonly room: Room,
    private readonly pairs: number,
  ) {}

  /** The bytes of a block whose rows have so many half bytes. */
  static blockBytes(pairs: number): number {
    return pairs * columns + blockRows * scaleBytes;
  }

  /** Where the blocks begin in memory. */
  get pointers(): Uint32Array {
    return this.blocks.subarray(0, this.taken);
  }

  /** Writes a row: an existing one, or the next. */
  write(row: number, halfBytes: Uint8Array, scale: number): void {
    if (row === this.taken * blockRows) this.add();
    const { bytes, scales } = this.blockOf(row);
    const shift = shiftOf(row);
    const others = ~(halfByteMask << shift);
    let at = row % columns;
    for (let nth = 0; nth < halfBytes.length; nth += 1) {
      bytes[at] = (bytes[at]! & others) | (halfBytes[nth]! << shift);
      at += columns;
    }
    scales[row % blockRows] = scale;
  }

  read(row: number): { halfBytes: Uint8Array; scale: number } {
    const { bytes, scales } = this.blockOf(row);
    const shift = shiftOf(row);
    const halfBytes = new Uint8Array(this.pairs);
    let at = row % columns;
    for (let nth = 0; nth < halfBytes.length; nth += 1) {
      halfBytes[nth] = (bytes[at]! >> shift) & halfByteMask;
      at += columns;
    }
    return { halfBytes, scale: scales[row % blockRows]! };
  }

  /** Frees the blocks behind the first `row` rows. */
  cut(row: number): void {
    for (; (this.taken - 1) * blockRows >= row; this.taken -= 1)
      this.room.giveBack(this.blocks[this.taken - 1] ?? 0);
  }

  private add(): void {
    if (this.taken === this.blocks.length)
      this.blocks = grown(this.blocks, new Uint32Array(2 * this.blocks.length));
    this.blocks[this.taken] = this.room.take();
    this.taken += 1;
  }

  private blockOf(row: number): { bytes: Uint8Array; scales: Float32Array } {
    const pointer = this.blocks[Math.floor(row / blockRows)] ?? 0;
    const bytes = this.memory.bytesAt(pointer, HalfByteBlocks.blockBytes(this.pairs));
    return { bytes, scales: new Float32Array(bytes.buffer, pointer + this.pairs * columns, blockRows) };
  }
}

/** The low halves of a block's bytes belong to its first 16 rows, the high halves to the other 16. */
function shiftOf(row: number): number {
  return row % blockRows < columns ? 0 : halfByteBits;
}
