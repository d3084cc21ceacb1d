/** One of those that share a room. */
interface Sharer {
  /** How many bytes it takes up. */
  bytes(): number;
  /** Frees what has not been used for a while. */
  dropIdle(): Promise<void>;
}

/** A limit of memory that several sharers have in common. */
export class ResidentRoom {
  private readonly sharers: Sharer[] = [];

  constructor(private readonly bytesMax: number) {}

  share(sharer: Sharer): void {
    this.sharers.push(sharer);
  }

  /** Whether so many bytes more fit into the room. */
  has(bytes: number): boolean {
    return this.sharers.reduce((sum, sharer) => sum + sharer.bytes(), bytes) <= this.bytesMax;
  }

  async dropIdle(): Promise<void> {
    await Promise.all(this.sharers.map(async (sharer) => sharer.dropIdle()));
  }
}
