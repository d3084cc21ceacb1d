/** Whoever keeps something within a budget. */
interface Spender {
  /** How many bytes it takes up. */
  bytes(): number;
  /** Frees what has not been used for a while. */
  dropIdle(): Promise<void>;
}

/** A limit of memory that several spenders have in common. */
export class MemoryBudget {
  private readonly spenders: Spender[] = [];

  constructor(private readonly bytesMax: number) {}

  add(spender: Spender): void {
    this.spenders.push(spender);
  }

  /** Whether so many more bytes are within the limit. */
  allows(bytes: number): boolean {
    return this.spenders.reduce((sum, spender) => sum + spender.bytes(), bytes) <= this.bytesMax;
  }

  /** Has all spenders free what has not been used for a while. */
  async dropIdle(): Promise<void> {
    await Promise.all(this.spenders.map((spender) => spender.dropIdle()));
  }
}
