import { BestHits } from './best-hits.js';
import type { ResidentHit } from './best-hits.js';
import { isAmong } from './binary-search.js';
import { grown } from './grown-array.js';
import { NibbleBlocks } from './nibble-blocks.js';
import { Largest } from './largest.js';
import type { VectorMemory } from './vector-memory.js';
import { SlotAllocator } from './slot-allocator.js';
import { eachVector } from './vector-rows.js';
import type { VectorRows } from './vector-rows.js';
import { blockRows, sketchPairs, VectorSketcher } from './vector-sketch.js';
import type { Sketch, SketchTables } from './vector-sketch.js';

const rowsMin = blockRows;
// The bytes that a row takes beside its sketch.
const rowBytes = 8;
const nibbleValues = 16;
const byteValues = 256;

// Five times as many by their coarse halves contain 98 % of the 50 nearest of 60,000 random vectors, and all
// of the nearest 10.
const preselectedPerHit = 5;

/** One thing for each half of the sketches. */
interface Halves<Place> {
  readonly coarse: Place;
  readonly fine: Place;
}

/**
 * The sketches of one collection. The two halves are stored apart, because a search reads only the coarse
 * half of most rows.
 */
class SketchRows {
  ids = new Float64Array(rowsMin);
  count = 0;

  constructor(private readonly blocks: Halves<NibbleBlocks>) {}

  /** Where the blocks of the coarse halves begin in memory. */
  get pointers(): Uint32Array {
    return this.blocks.coarse.pointers;
  }

  add(id: number, { coarse, fine, coarseScale, scale }: Sketch): void {
    const row = this.count;
    if (row === this.ids.length) this.grow();
    this.ids[row] = id;
    this.blocks.coarse.write(row, coarse, coarseScale);
    this.blocks.fine.write(row, fine, scale);
    this.count += 1;
  }

  keep(wanted: (id: number) => boolean): void {
    const { count } = this;
    this.count = 0;
    for (let row = 0; row < count; row += 1) {
      if (!wanted(this.ids[row] ?? 0)) continue;
      if (this.count < row) this.move(row, this.count);
      this.count += 1;
    }
    for (const half of [this.blocks.coarse, this.blocks.fine]) half.cut(this.count);
  }

  /** An estimate, from the whole sketch, of the inner product of a vector and the sketched one. */
  product(row: number, products: SketchTables['products']): number {
    const { nibbles: coarse } = this.blocks.coarse.read(row);
    const { nibbles: fine, scale } = this.blocks.fine.read(row);
    let sum = 0;
    for (let pair = 0; pair < coarse.length; pair += 1)
      sum += products[pair * byteValues + coarse[pair]! * nibbleValues + fine[pair]!]!;
    return sum * scale;
  }

  private move(from: number, to: number): void {
    this.ids[to] = this.ids[from] ?? 0;
    for (const half of [this.blocks.coarse, this.blocks.fine]) {
      const { nibbles, scale } = half.read(from);
      half.write(to, nibbles, scale);
    }
  }

  private grow(): void {
    this.ids = grown(this.ids, new Float64Array(this.ids.length * 2));
  }
}

/**
 * Sketches of a store's vectors, a tenth of their size. They tell which vectors may be the nearest, not which
 * are.
 */
export class SketchCopy {
  private readonly collections = new Map<number, SketchRows>();
  private readonly slots: Halves<SlotAllocator>;
  private readonly pairs: number;
  private readonly sketcher: VectorSketcher;
  /** The last chunk that was added. */
  upTo = 0;

  constructor(
    dimensions: number,
    private readonly memory: VectorMemory,
  ) {
    this.pairs = sketchPairs(dimensions);
    const bytes = NibbleBlocks.blockBytes(this.pairs);
    this.slots = { coarse: new SlotAllocator(memory, bytes), fine: new SlotAllocator(memory, bytes) };
    this.sketcher = new VectorSketcher(dimensions);
  }

  /** The bytes that a chunk takes. */
  static bytesOf(dimensions: number): number {
    return (2 * NibbleBlocks.blockBytes(sketchPairs(dimensions))) / blockRows + rowBytes;
  }

  /** Adds rows; their ids ascend and are greater than those added before. */
  append(rows: VectorRows): void {
    for (const { id, collectionId, vector } of eachVector(rows)) {
      this.rowsOf(collectionId).add(id, this.sketcher.sketch(vector));
      this.upTo = id;
    }
  }

  /** Removes every chunk but these, whose ids ascend. */
  keepOnly(ids: Float64Array): void {
    for (const rows of this.collections.values()) rows.keep((id) => isAmong(ids, id));
  }

  /**
   * The chunks of some collections that are most likely the nearest, likeliest first, with an estimate of
   * their inner product. The coarse halves preselect them; the whole sketches rank them.
   */
  nominate(collectionIds: readonly number[], vector: Float32Array, limit: number): ResidentHit[] {
    const tables = this.sketcher.tables(vector);
    const best = new BestHits(limit);
    for (const rows of collectionIds.flatMap((id) => this.collections.get(id) ?? [])) {
      const largest = new Largest(limit * preselectedPerHit);
      this.memory.findLargest(rows.pointers, { rows: rows.count, tables }, largest);
      for (const row of largest.found()) best.add(rows.ids[row] ?? 0, rows.product(row, tables.products));
    }
    return best.sorted();
  }

  /** Gives its memory back. The copy must not be used afterwards. */
  release(): void {
    for (const slots of [this.slots.coarse, this.slots.fine]) slots.release();
  }

  private rowsOf(collectionId: number): SketchRows {
    let rows = this.collections.get(collectionId);
    if (!rows) {
      const blocksIn = (slots: SlotAllocator) => new NibbleBlocks(this.memory, slots, this.pairs);
      rows = new SketchRows({ coarse: blocksIn(this.slots.coarse), fine: blocksIn(this.slots.fine) });
      this.collections.set(collectionId, rows);
    }
    return rows;
  }
}
