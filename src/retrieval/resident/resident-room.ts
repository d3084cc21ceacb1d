/** Who has a share of a room. */
interface Sharer {
  /** What it takes of it. */
  bytes(): number;
  /** Gives back what has not been used for a while. */
  dropIdle(): Promise<void>;
}

/** Memory that several share. */
export class ResidentRoom {
  private readonly sharers: Sharer[] = [];

  constructor(private readonly bytesMax: number) {}

  share(sharer: Sharer): void {
    this.sharers.push(sharer);
  }

  has(bytes: number): boolean {
    return this.sharers.reduce((sum, sharer) => sum + sharer.bytes(), bytes) <= this.bytesMax;
  }

  async dropIdle(): Promise<void> {
    await Promise.all(this.sharers.map(async (sharer) => sharer.dropIdle()));
  }
}
