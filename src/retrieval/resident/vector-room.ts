import type { VectorMemory } from './vector-memory.js';

/** Room of one kind: pages, and the places in them that are not taken. */
export class Room {
  private readonly pages: number[] = [];
  private free: number[] = [];

  constructor(
    private readonly memory: VectorMemory,
    private readonly bytes: number,
  ) {}

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

  release(): void {
    for (const page of this.pages) this.memory.freePage(page);
  }
}
