const slotsMin = 1024;
const fullestShare = 2 / 3;

/** How many rows each item has, by its uid: a table of open addressing, a third of what a Map takes. Uids are whole and above 0. */
export class ItemSizes {
  /** About the bytes that an item takes. */
  static readonly itemBytes = 24;
  private uids = new Float64Array(slotsMin);
  private sizes = new Uint32Array(slotsMin);
  private items = 0;

  add(uid: number, rows = 1): void {
    if (this.items >= this.uids.length * fullestShare) this.grow();
    const slot = this.slotOf(uid);
    if (this.uids[slot] === 0) this.items += 1;
    this.uids[slot] = uid;
    this.sizes[slot] = (this.sizes[slot] ?? 0) + rows;
  }

  /** 0 for an item that has none. */
  of(uid: number): number {
    return this.sizes[this.slotOf(uid)] ?? 0;
  }

  /** Where an item is, or would be. */
  private slotOf(uid: number): number {
    const { uids } = this;
    // Neighbouring numbers to neighbouring slots: items are read in about the order of their numbers.
    let slot = uid % uids.length;
    while (uids[slot] !== 0 && uids[slot] !== uid) slot = (slot + 1) % uids.length;
    return slot;
  }

  private grow(): void {
    const { uids, sizes } = this;
    this.uids = new Float64Array(uids.length * 2);
    this.sizes = new Uint32Array(uids.length * 2);
    this.items = 0;
    uids.forEach((uid, slot) => {
      if (uid !== 0) this.add(uid, sizes[slot]);
    });
  }
}
