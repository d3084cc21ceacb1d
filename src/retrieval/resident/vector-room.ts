import type { VectorMemory } from './vector-memory.js';

/** Room for values of one size: pages, and the free places in them. */
export class Room {
  private readonly pages: number[] = [];
  private free: number[] = [];

  constructor(
    private readonly memory: VectorMemory,
    private readonly bytes: number,
  ) {}

  /** Takes a place, and returns its pointer. */
  take(): number {
    if (this.free.length === 0) {
      this.free = this.memory.takePage(this.bytes).reverse();
      this.pages.push(this.free.at(-1) ?? 0);
    }
    return this.free.pop() ?? 0;
  }

  giveBack(place: number): void {
    this.free.push(place);
  }

  /** Gives all pages back; no place may be used afterwards. */
  release(): void {
    for (const page of this.pages) this.memory.freePage(page);
  }
}
