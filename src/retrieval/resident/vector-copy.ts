import { BestHits } from './best-hits.js';
import type { ResidentHit } from './best-hits.js';
import { isAmong } from './binary-search.js';
import { grown } from './grown-array.js';
import { queryCodes, storedCodes } from './vector-codes.js';
import { VectorMemory } from './vector-memory.js';
import { SlotAllocator } from './slot-allocator.js';
import { eachVector } from './vector-rows.js';
import type { VectorRows } from './vector-rows.js';

/**
 * What is kept of a chunk: its id, where its vector and its codes begin in memory, and the scale and error of
 * the codes.
 */
interface Row {
  readonly id: number;
  readonly vectorAt: number;
  readonly codesAt: number;
  readonly scale: number;
  readonly error: number;
}

const rowsMin = 64;
// The bytes that a row takes beside its vector and its codes.
const rowBytes = 40;
// A share of the product of the lengths of two vectors; greater than the rounding error of their inner
// product.
const roundingShare = 1e-6;

/** The chunks of one collection. */
class CodedRows {
  ids = new Float64Array(rowsMin);
  vectorsAt = new Uint32Array(rowsMin);
  codesAt = new Uint32Array(rowsMin);
  scales = new Float64Array(rowsMin);
  errors = new Float64Array(rowsMin);
  /** Scratch space for the upper bound of each row's inner product. */
  bounds = new Float64Array(rowsMin);
  count = 0;

  add({ id, vectorAt, codesAt, scale, error }: Row): void {
    const row = this.count;
    if (row === this.ids.length) this.grow();
    this.ids[row] = id;
    this.vectorsAt[row] = vectorAt;
    this.codesAt[row] = codesAt;
    this.scales[row] = scale;
    this.errors[row] = error;
    this.count += 1;
  }

  /** Removes the rows that are not wanted, and returns them. */
  keep(wanted: (id: number) => boolean): Row[] {
    const { count } = this;
    const others: Row[] = [];
    this.count = 0;
    for (let nth = 0; nth < count; nth += 1) {
      const row = this.at(nth);
      if (wanted(row.id)) this.add(row);
      else others.push(row);
    }
    return others;
  }

  private at(row: number): Row {
    return {
      id: this.ids[row] ?? 0,
      vectorAt: this.vectorsAt[row] ?? 0,
      codesAt: this.codesAt[row] ?? 0,
      scale: this.scales[row] ?? 0,
      error: this.errors[row] ?? 0,
    };
  }

  private grow(): void {
    const size = this.ids.length * 2;
    this.ids = grown(this.ids, new Float64Array(size));
    this.vectorsAt = grown(this.vectorsAt, new Uint32Array(size));
    this.codesAt = grown(this.codesAt, new Uint32Array(size));
    this.scales = grown(this.scales, new Float64Array(size));
    this.errors = grown(this.errors, new Float64Array(size));
    this.bounds = new Float64Array(size);
  }
}

/**
 * The vectors of one store in memory, by collection, each also in 8-bit codes. The codes bound each inner
 * product from below and above. Only vectors that may be among the best by these bounds are multiplied in
 * full, so the result is exact.
 */
export class VectorCopy {
  private readonly collections = new Map<number, CodedRows>();
  private readonly vectors: SlotAllocator;
  private readonly codes: SlotAllocator;
  /** At least the length of the longest vector, and of the longest one that codes stand for. */
  private longest = 0;
  /** The last chunk that was added. */
  upTo = 0;

  constructor(
    dimensions: number,
    private readonly memory: VectorMemory,
  ) {
    this.vectors = new SlotAllocator(memory, VectorMemory.vectorBytes(dimensions));
    this.codes = new SlotAllocator(memory, VectorMemory.codesBytes(dimensions));
  }

  /** The bytes that a chunk takes. */
  static bytesOf(dimensions: number): number {
    return VectorMemory.vectorBytes(dimensions) + VectorMemory.codesBytes(dimensions) + rowBytes;
  }

  /** Adds rows; their ids ascend and are greater than those added before. */
  append(rows: VectorRows): void {
    for (const { id, collectionId, vector } of eachVector(rows)) {
      const { values, scale, error } = storedCodes(vector);
      const place = { vectorAt: this.vectors.allocate(), codesAt: this.codes.allocate() };
      this.memory.writeVector(place.vectorAt, vector);
      this.memory.writeCodes(place.codesAt, values);
      this.rowsOf(collectionId).add({ id, ...place, scale, error });
      this.longest = Math.max(this.longest, lengthOf(vector) + error);
      this.upTo = id;
    }
  }

  /** Removes every chunk but these, whose ids ascend. */
  keepOnly(ids: Float64Array): void {
    for (const rows of this.collections.values()) {
      for (const { vectorAt, codesAt } of rows.keep((id) => isAmong(ids, id))) {
        this.vectors.free(vectorAt);
        this.codes.free(codesAt);
      }
    }
  }

  /** The nearest chunks of some collections by inner product, best first; of equal ones the older first. */
  nearest(collectionIds: readonly number[], vector: Float32Array, limit: number): ResidentHit[] {
    const asked = collectionIds.flatMap((id) => this.collections.get(id) ?? []);
    const least = this.boundProducts(asked, vector, limit);
    const best = new BestHits(limit);
    for (const rows of asked) {
      const { ids, bounds, vectorsAt } = rows;
      const nominated: number[] = [];
      for (let row = 0; row < rows.count; row += 1) if (bounds[row]! >= least) nominated.push(row);
      const pointers = Uint32Array.from(nominated, (row) => vectorsAt[row] ?? 0);
      this.memory.multiply(pointers, vector, (products, from) => {
        products.forEach((product, n) => {
          if (product >= best.threshold) best.add(ids[nominated[from + n] ?? 0] ?? 0, product);
        });
      });
    }
    return best.sorted();
  }

  /** Gives its memory back. The copy must not be used afterwards. */
  release(): void {
    this.vectors.release();
    this.codes.release();
  }

  /**
   * Fills in the upper bound of each inner product. Returns what the best `limit` products are at least, or
   * -Infinity when there are fewer rows.
   */
  private boundProducts(asked: readonly CodedRows[], vector: Float32Array, limit: number): number {
    const { values, scale, error } = queryCodes(vector);
    const length = lengthOf(vector);
    const slack = this.longest * (error + length * roundingShare);
    const surest = new BestHits(limit);
    for (const { count, codesAt, scales, errors, bounds } of asked) {
      this.memory.multiplyCodes(codesAt.subarray(0, count), values, (products, from) => {
        for (let n = 0; n < products.length; n += 1) {
          const row = from + n;
          const product = products[n]! * scales[row]! * scale;
          const off = errors[row]! * length + slack;
          bounds[row] = product + off;
          if (product - off >= surest.threshold) surest.add(row, product - off);
        }
      });
    }
    const sure = surest.sorted();
    return sure.length < limit ? -Infinity : (sure.at(-1)?.score ?? -Infinity);
  }

  private rowsOf(collectionId: number): CodedRows {
    let rows = this.collections.get(collectionId);
    if (!rows) this.collections.set(collectionId, (rows = new CodedRows()));
    return rows;
  }
}

function lengthOf(vector: Float32Array): number {
  return Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0));
}
