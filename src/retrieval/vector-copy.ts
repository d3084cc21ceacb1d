import { BestHits } from './best-hits.js';
import type { ResidentHit } from './best-hits.js';
import type { VectorMemory } from './vector-memory.js';

/** The chunks of one collection: their numbers, and where their vectors begin. */
class Rows {
  ids = new Float64Array(rowsMin);
  pointers = new Uint32Array(rowsMin);
  count = 0;

  add(id: number, pointer: number): void {
    if (this.count === this.ids.length) {
      const [ids, pointers] = [this.ids, this.pointers];
      this.ids = new Float64Array(ids.length * 2);
      this.pointers = new Uint32Array(pointers.length * 2);
      this.ids.set(ids);
      this.pointers.set(pointers);
    }
    this.ids[this.count] = id;
    this.pointers[this.count] = pointer;
    this.count += 1;
  }

  /** Forgets the others; returns where their vectors were. */
  keep(wanted: (id: number) => boolean): number[] {
    const { ids, pointers, count } = this;
    const freed: number[] = [];
    this.count = 0;
    for (let row = 0; row < count; row += 1) {
      const id = ids[row] ?? 0;
      const pointer = pointers[row] ?? 0;
      if (wanted(id)) this.add(id, pointer);
      else freed.push(pointer);
    }
    return freed;
  }
}

/** Rows as Postgres hands them out: `vectors` holds one after another what vector_send makes. */
export interface VectorRows {
  readonly dimensions: number;
  readonly ids: readonly number[];
  readonly collectionIds: readonly number[];
  readonly vectors: Uint8Array;
}

const rowsMin = 64;
// Of vector_send: the number of dimensions and an unused number, 16 bits each.
const headerBytes = 4;
const valueBytes = 4;

/** The vectors of one store in memory, by collection. */
export class VectorCopy {
  private readonly collections = new Map<number, Rows>();
  private readonly pages: number[] = [];
  /** Where vectors may be written. */
  private free: number[] = [];
  /** The last chunk that has been appended. */
  upTo = 0;

  constructor(
    private readonly dimensions: number,
    private readonly memory: VectorMemory,
  ) {}

  /** `ids` ascend, and are later than those before. */
  append({ ids, collectionIds, vectors }: VectorRows): void {
    const { dimensions } = this;
    const view = new DataView(vectors.buffer, vectors.byteOffset, vectors.byteLength);
    const rowBytes = headerBytes + dimensions * valueBytes;
    const vector = new Float32Array(dimensions);
    ids.forEach((id, row) => {
      const from = row * rowBytes + headerBytes;
      for (let n = 0; n < dimensions; n += 1) vector[n] = view.getFloat32(from + n * valueBytes);
      const pointer = this.takeRoom();
      this.memory.write(pointer, vector);
      this.rowsOf(collectionIds[row] ?? 0).add(id, pointer);
      this.upTo = id;
    });
  }

  /** Forgets every chunk but these. */
  keepOnly(ids: Float64Array): void {
    const wanted = new Set(ids);
    for (const rows of this.collections.values())
      for (const pointer of rows.keep((id) => wanted.has(id))) this.free.push(pointer);
  }

  /** The nearest of some collections, best first; of equals the older. */
  nearest(collectionIds: readonly number[], vector: Float32Array, limit: number): ResidentHit[] {
    const best = new BestHits(limit);
    for (const id of collectionIds) {
      const rows = this.collections.get(id);
      if (!rows) continue;
      const { ids } = rows;
      this.memory.multiply(rows.pointers.subarray(0, rows.count), vector, (scores, from) => {
        for (let row = 0; row < scores.length; row += 1) {
          const score = scores[row] ?? 0;
          if (score >= best.threshold) best.add(ids[from + row] ?? 0, score);
        }
      });
    }
    return best.sorted();
  }

  /** Gives its memory back; it is not to be used any more. */
  release(): void {
    for (const page of this.pages) this.memory.freePage(page);
  }

  private takeRoom(): number {
    if (this.free.length === 0) {
      this.free = this.memory.takePage(this.dimensions).reverse();
      this.pages.push(this.free.at(-1) ?? 0);
    }
    return this.free.pop() ?? 0;
  }

  private rowsOf(collectionId: number): Rows {
    let rows = this.collections.get(collectionId);
    if (!rows) this.collections.set(collectionId, (rows = new Rows()));
    return rows;
  }
}
