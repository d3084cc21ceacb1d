import { grown } from './grown-array.js';
import type { VectorMemory } from './vector-memory.js';
import type { SlotAllocator } from './slot-allocator.js';
import { blockRows } from './vector-sketch.js';

const columns = blockRows / 2;
const nibbleBits = 4;
const nibbleMask = 15;
const scaleBytes = 4;

/** Rows of nibbles, each row with a scale, stored in blocks in the layout that sumSketches reads. */
export class NibbleBlocks {
  private blocks = new Uint32Array(1);
  private taken = 0;

  constructor(
    private readonly memory: VectorMemory,
    private readonly slots: SlotAllocator,
    private readonly pairs: number,
  ) {}

  /** The bytes of a block whose rows have so many nibbles. */
  static blockBytes(pairs: number): number {
    return pairs * columns + blockRows * scaleBytes;
  }

  /** Where the blocks begin in memory. */
  get pointers(): Uint32Array {
    return this.blocks.subarray(0, this.taken);
  }

  /** Writes a row: an existing one, or the next. */
  write(row: number, nibbles: Uint8Array, scale: number): void {
    if (row === this.taken * blockRows) this.add();
    const { bytes, scales } = this.blockOf(row);
    const shift = shiftOf(row);
    const others = ~(nibbleMask << shift);
    let at = row % columns;
    for (let nth = 0; nth < nibbles.length; nth += 1) {
      bytes[at] = (bytes[at]! & others) | (nibbles[nth]! << shift);
      at += columns;
    }
    scales[row % blockRows] = scale;
  }

  read(row: number): { nibbles: Uint8Array; scale: number } {
    const { bytes, scales } = this.blockOf(row);
    const shift = shiftOf(row);
    const nibbles = new Uint8Array(this.pairs);
    let at = row % columns;
    for (let nth = 0; nth < nibbles.length; nth += 1) {
      nibbles[nth] = (bytes[at]! >> shift) & nibbleMask;
      at += columns;
    }
    return { nibbles, scale: scales[row % blockRows]! };
  }

  /** Frees the blocks behind the first `row` rows. */
  cut(row: number): void {
    for (; (this.taken - 1) * blockRows >= row; this.taken -= 1)
      this.slots.free(this.blocks[this.taken - 1] ?? 0);
  }

  private add(): void {
    if (this.taken === this.blocks.length)
      this.blocks = grown(this.blocks, new Uint32Array(2 * this.blocks.length));
    this.blocks[this.taken] = this.slots.allocate();
    this.taken += 1;
  }

  private blockOf(row: number): { bytes: Uint8Array; scales: Float32Array } {
    const pointer = this.blocks[Math.floor(row / blockRows)] ?? 0;
    const bytes = this.memory.bytesAt(pointer, NibbleBlocks.blockBytes(this.pairs));
    return { bytes, scales: new Float32Array(bytes.buffer, pointer + this.pairs * columns, blockRows) };
  }
}

/** The low halves of a block's bytes belong to its first 16 rows, the high halves to the other 16. */
function shiftOf(row: number): number {
  return row % blockRows < columns ? 0 : nibbleBits;
}
