import type { ResidentHit } from './best-hits.js';
import { grown } from './grown.js';
import { findLargest } from './largest.js';
import type { VectorMemory } from './vector-memory.js';
import { Room } from './vector-room.js';
import { eachVector } from './vector-rows.js';
import type { VectorRows } from './vector-rows.js';
import { blockBytes, blockRows, VectorSketcher } from './vector-sketch.js';
import type { Sketch } from './vector-sketch.js';

const rowsMin = blockRows;
// Of a row all but its sketch.
const rowBytes = 12;
const pairBytes = blockRows / 2;
const halfByteBits = 4;
const halfByteMask = 15;

/** The sketches of one collection. */
class SketchRows {
  ids = new Float64Array(rowsMin);
  scales = new Float32Array(rowsMin);
  blocks = new Uint32Array(1);
  count = 0;

  constructor(
    private readonly memory: VectorMemory,
    private readonly room: Room,
    private readonly bytes: number,
  ) {}

  add(id: number, { halfBytes, scale }: Sketch): void {
    const row = this.count;
    if (row === this.ids.length) this.grow();
    const nth = row / blockRows;
    if (Number.isInteger(nth)) this.blocks[nth] = this.room.take();
    this.ids[row] = id;
    this.scales[row] = scale;
    this.write(row, halfBytes);
    this.count += 1;
  }

  keep(wanted: (id: number) => boolean): void {
    let kept = 0;
    for (let row = 0; row < this.count; row += 1) {
      const id = this.ids[row] ?? 0;
      if (!wanted(id)) continue;
      if (kept < row) {
        this.ids[kept] = id;
        this.scales[kept] = this.scales[row] ?? 0;
        this.write(kept, this.read(row));
      }
      kept += 1;
    }
    for (let nth = Math.ceil(kept / blockRows); nth * blockRows < this.count; nth += 1)
      this.room.giveBack(this.blocks[nth] ?? 0);
    this.count = kept;
  }

  /** Where the blocks that hold rows begin. */
  get blocksAt(): Uint32Array {
    return this.blocks.subarray(0, Math.ceil(this.count / blockRows));
  }

  private write(row: number, halfBytes: Uint8Array): void {
    const { block, column, shift } = this.placeOf(row);
    const others = ~(halfByteMask << shift);
    for (let pair = 0; pair < halfBytes.length; pair += 1) {
      const at = pair * pairBytes + column;
      block[at] = (block[at]! & others) | (halfBytes[pair]! << shift);
    }
  }

  private read(row: number): Uint8Array {
    const { block, column, shift } = this.placeOf(row);
    const halfByte = (pair: number) => ((block[pair * pairBytes + column] ?? 0) >> shift) & halfByteMask;
    return Uint8Array.from({ length: this.bytes / pairBytes }, (_, pair) => halfByte(pair));
  }

  private placeOf(row: number): { block: Uint8Array; column: number; shift: number } {
    const block = this.memory.bytesAt(this.blocks[Math.floor(row / blockRows)] ?? 0, this.bytes);
    const place = row % blockRows;
    return { block, column: place % pairBytes, shift: place < pairBytes ? 0 : halfByteBits };
  }

  private grow(): void {
    const size = this.ids.length * 2;
    this.ids = grown(this.ids, new Float64Array(size));
    this.scales = grown(this.scales, new Float32Array(size));
    this.blocks = grown(this.blocks, new Uint32Array(size / blockRows));
  }
}

/** Sketches of a store's vectors, a twentieth of their size: they tell which may be the nearest. */
export class SketchCopy {
  private readonly collections = new Map<number, SketchRows>();
  private readonly room: Room;
  private readonly blockBytes: number;
  private readonly sketcher: VectorSketcher;
  private scaleMax = 0;
  /** The last chunk that has been appended. */
  upTo = 0;

  constructor(
    dimensions: number,
    private readonly memory: VectorMemory,
  ) {
    this.blockBytes = blockBytes(dimensions);
    this.room = new Room(memory, this.blockBytes);
    this.sketcher = new VectorSketcher(dimensions);
  }

  /** The bytes that a chunk takes. */
  static bytesOf(dimensions: number): number {
    return blockBytes(dimensions) / blockRows + rowBytes;
  }

  /** `ids` ascend, and are later than those before. */
  append(rows: VectorRows): void {
    let row = 0;
    for (const vector of eachVector(rows)) {
      const made = this.sketcher.sketch(vector);
      this.scaleMax = Math.max(this.scaleMax, made.scale);
      this.upTo = rows.ids[row] ?? this.upTo;
      this.rowsOf(rows.collectionIds[row] ?? 0).add(this.upTo, made);
      row += 1;
    }
  }

  /** Forgets every chunk but these. */
  keepOnly(ids: Float64Array): void {
    const wanted = new Set(ids);
    for (const rows of this.collections.values()) rows.keep((id) => wanted.has(id));
  }

  /** Those of some collections that are most likely the nearest, the likeliest first, with what their product is about. */
  nominate(collectionIds: readonly number[], vector: Float32Array, limit: number): ResidentHit[] {
    const { summands, step, offset } = this.sketcher.tables(vector);
    const asked = collectionIds.flatMap((id) => this.collections.get(id) ?? []);
    const hits = asked.flatMap(({ ids, scales, blocksAt, count }) => {
      const products = new Float32Array(count);
      this.memory.sumSketches(blocksAt, summands, (sums, from) => {
        const rows = Math.min(sums.length, count - from);
        for (let n = 0; n < rows; n += 1) products[from + n] = (sums[n]! * step + offset) * scales[from + n]!;
      });
      const bound = Math.abs(offset) * this.scaleMax;
      return findLargest(products, { limit, bound }).map((row) => ({
        id: ids[row] ?? 0,
        score: products[row] ?? 0,
      }));
    });
    return hits.sort((a, b) => b.score - a.score || a.id - b.id).slice(0, limit);
  }

  /** Gives its memory back; it is not to be used any more. */
  release(): void {
    this.room.release();
  }

  private rowsOf(collectionId: number): SketchRows {
    let rows = this.collections.get(collectionId);
    if (!rows) {
      rows = new SketchRows(this.memory, this.room, this.blockBytes);
      this.collections.set(collectionId, rows);
    }
    return rows;
  }
}
