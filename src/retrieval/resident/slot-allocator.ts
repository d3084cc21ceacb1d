import type { VectorMemory } from './vector-memory.js';

/** Allocates slots of one size in pages of a VectorMemory, which are given back all together. */
export class SlotAllocator {
  private readonly pages: number[] = [];
  private unused: number[] = [];

  constructor(
    private readonly memory: VectorMemory,
    private readonly bytes: number,
  ) {}

  /** Returns the pointer of a free slot. */
  allocate(): number {
    if (this.unused.length === 0) {
      this.unused = this.memory.takePage(this.bytes).reverse();
      this.pages.push(this.unused.at(-1) ?? 0);
    }
    return this.unused.pop() ?? 0;
  }

  free(pointer: number): void {
    this.unused.push(pointer);
  }

  /** Gives all pages back; no slot may be used afterwards. */
  release(): void {
    for (const page of this.pages) this.memory.freePage(page);
  }
}
