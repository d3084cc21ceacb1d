/** Vectors of one collection, one after another, with the numbers of their chunks. */
class Rows {
  ids = new Float64Array(rowsMin);
  vectors: Float32Array;
  count = 0;

  constructor(private readonly dimensions: number) {
    this.vectors = new Float32Array(rowsMin * dimensions);
  }

  /** Makes room for one more; returns where its vector begins. */
  add(id: number): number {
    if (this.count === this.ids.length) {
      const [ids, vectors] = [this.ids, this.vectors];
      this.ids = new Float64Array(ids.length * 2);
      this.vectors = new Float32Array(vectors.length * 2);
      this.ids.set(ids);
      this.vectors.set(vectors);
    }
    this.ids[this.count] = id;
    this.count += 1;
    return (this.count - 1) * this.dimensions;
  }

  keep(wanted: (id: number) => boolean): void {
    const { ids, vectors, dimensions } = this;
    let kept = 0;
    for (let row = 0; row < this.count; row += 1) {
      const id = ids[row] ?? 0;
      if (!wanted(id)) continue;
      ids[kept] = id;
      vectors.copyWithin(kept * dimensions, row * dimensions, (row + 1) * dimensions);
      kept += 1;
    }
    this.count = kept;
  }
}

/** A chunk with the inner product of its vector and the one that was asked with. */
export interface ResidentHit {
  readonly id: number;
  readonly score: number;
}

/** Rows as Postgres hands them out: `vectors` holds one after another what vector_send makes. */
export interface ResidentRows {
  readonly ids: readonly number[];
  readonly collectionIds: readonly number[];
  readonly vectors: Uint8Array;
}

const rowsMin = 64;
// Of vector_send: the number of dimensions and an unused number, 16 bits each.
const headerBytes = 4;
const valueBytes = 4;

/** The vectors of one store in memory, by collection. */
export class ResidentStore {
  private readonly collections = new Map<number, Rows>();
  /** The last chunk that has been appended. */
  upTo = 0;

  constructor(private readonly dimensions: number) {}

  /** `ids` ascend, and are later than those before. */
  append({ ids, collectionIds, vectors }: ResidentRows): void {
    const { dimensions } = this;
    const view = new DataView(vectors.buffer, vectors.byteOffset, vectors.byteLength);
    const rowBytes = headerBytes + dimensions * valueBytes;
    ids.forEach((id, row) => {
      this.upTo = id;
      const rows = this.rowsOf(collectionIds[row] ?? 0);
      const to = rows.add(id);
      const from = row * rowBytes + headerBytes;
      for (let n = 0; n < dimensions; n += 1) {
        rows.vectors[to + n] = view.getFloat32(from + n * valueBytes);
      }
    });
  }

  /** Forgets every chunk but these. */
  keepOnly(ids: Float64Array): void {
    const wanted = new Set(ids);
    for (const rows of this.collections.values()) rows.keep((id) => wanted.has(id));
  }

  /** The nearest of some collections, best first; of equals the older. */
  nearest(collectionIds: readonly number[], vector: Float32Array, limit: number): ResidentHit[] {
    const best = new Nearest(limit);
    const asked = Float64Array.from(vector);
    for (const id of collectionIds) {
      const rows = this.collections.get(id);
      if (rows) scan(rows, asked, best);
    }
    return best.sorted();
  }

  private rowsOf(collectionId: number): Rows {
    let rows = this.collections.get(collectionId);
    if (!rows) this.collections.set(collectionId, (rows = new Rows(this.dimensions)));
    return rows;
  }
}

/** Keeps the best; sorts only when twice as many have come together. */
class Nearest {
  private hits: ResidentHit[] = [];
  /** What is not better than this is not among the best. */
  threshold = -Infinity;

  constructor(private readonly limit: number) {}

  add(id: number, score: number): void {
    this.hits.push({ id, score });
    if (this.hits.length < 2 * this.limit) return;
    this.hits = this.sorted();
    this.threshold = this.hits.at(-1)?.score ?? -Infinity;
  }

  sorted(): ResidentHit[] {
    return this.hits.sort((a, b) => b.score - a.score || a.id - b.id).slice(0, this.limit);
  }
}

/** Sums in four strands, which the processor adds up side by side. */
function scan({ ids, vectors, count }: Rows, asked: Float64Array, best: Nearest): void {
  const dimensions = asked.length;
  const inFours = dimensions - (dimensions % 4);
  let at = 0;
  for (let row = 0; row < count; row += 1) {
    let a = 0;
    let b = 0;
    let c = 0;
    let d = 0;
    let n = 0;
    for (; n < inFours; n += 4, at += 4) {
      // Within bounds; to ask each time costs a third of the time.
      a += asked[n]! * vectors[at]!;
      b += asked[n + 1]! * vectors[at + 1]!;
      c += asked[n + 2]! * vectors[at + 2]!;
      d += asked[n + 3]! * vectors[at + 3]!;
    }
    for (; n < dimensions; n += 1, at += 1) a += asked[n]! * vectors[at]!;
    const score = a + b + c + d;
    if (score >= best.threshold) best.add(ids[row]!, score);
  }
}
