const bitsMin = 10;
// 2^32 divided by the golden ratio: it scatters neighbouring uids, so that ranges of them do not pile up.
const spread = 0x9e3779b1;
const wordSize = 2 ** 32;
const fullestShare = 2 / 3;

/**
 * How many rows each item has, by its uid: a hash table with open addressing that takes a third of the memory
 * of a Map. Uids are whole numbers above 0.
 */
export class ItemSizes {
  /** Roughly the bytes that an item takes. */
  static readonly itemBytes = 24;
  /** The binary logarithm of the number of slots. */
  private bits = bitsMin;
  private uids = new Float64Array(2 ** bitsMin);
  private sizes = new Uint32Array(2 ** bitsMin);
  private items = 0;

  add(uid: number, rows = 1): void {
    if (this.items >= this.uids.length * fullestShare) this.grow();
    const slot = this.slotOf(uid);
    if (this.uids[slot] === 0) this.items += 1;
    this.uids[slot] = uid;
    this.sizes[slot] = (this.sizes[slot] ?? 0) + rows;
  }

  /** How many rows an item has; 0 for an unknown one. */
  of(uid: number): number {
    return this.sizes[this.slotOf(uid)] ?? 0;
  }

  /** The slot where an item is, or would be put. */
  private slotOf(uid: number): number {
    const { uids } = this;
    const high = Math.floor(uid / wordSize);
    let slot = Math.imul((uid ^ high) >>> 0, spread) >>> (32 - this.bits);
    while (uids[slot] !== 0 && uids[slot] !== uid) slot = (slot + 1) % uids.length;
    return slot;
  }

  private grow(): void {
    const { uids, sizes } = this;
    this.bits += 1;
    this.uids = new Float64Array(2 ** this.bits);
    this.sizes = new Uint32Array(2 ** this.bits);
    this.items = 0;
    uids.forEach((uid, slot) => {
      if (uid !== 0) this.add(uid, sizes[slot]);
    });
  }
}
