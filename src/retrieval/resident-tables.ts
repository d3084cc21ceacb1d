import type { DataSource } from 'typeorm';
import { runInBackground } from '../lib/background.js';
import type { Clock } from '../lib/clock.js';
import type { Logger } from '../lib/logger.js';
import { isSettled } from '../postgres/settled.js';
import type { VectorStore } from '../postgres/vector-tables.js';
import type { ResidentThread } from './resident-thread.js';
import { readChunkIds } from './resident.queries.js';
import type { ChunkRange, Newest } from './resident.queries.js';

export interface ResidentOptions {
  readonly postgres: DataSource;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** A kind of table that the thread may hold copies of. */
export interface ResidentKind<Rows extends { readonly ids: readonly number[] }> {
  /** Of all copies together. */
  readonly bytesMax: number;
  tableOf(store: VectorStore): string;
  findNewest(postgres: DataSource, store: VectorStore): Promise<Newest | undefined>;
  /** What a copy up to the newest chunk takes. */
  bytesOf(newest: Newest): number;
  /** The next rows of a range, undefined when there are none. */
  read(postgres: DataSource, store: VectorStore, range: ChunkRange): Promise<Rows | undefined>;
  /** False when the thread's copy does not end there. */
  append(
    thread: ResidentThread,
    wanted: { readonly table: string; readonly after: number; readonly rows: Rows },
  ): Promise<boolean>;
}

/** What is known here of a table that the thread holds. */
interface Copy {
  /** Every chunk up to this one is there, or gone for ever. */
  upTo: number;
  bytes: number;
  /** Later ones that may be read when no transaction is left that could bring one before them. */
  newest: Newest | undefined;
  hasGone: boolean;
  lookedMs: number;
  usedMs: number;
  looking: Promise<void> | undefined;
}

const idleMs = 60_000;
const lookAgainMs = 2000;
// Postgres searches fewer at once.
const rowsMin = 500;

/**
 * Copies of the tables of stores that are searched. They are read when a store is searched, and nothing waits for that.
 * What Postgres has removed may still be found here for a while, like what it has replaced: whoever reads the chunks
 * leaves it out.
 */
export class ResidentTables<Rows extends { readonly ids: readonly number[] }> {
  private readonly copies = new Map<string, Copy>();
  private closed = false;

  constructor(
    private readonly options: ResidentOptions,
    private readonly thread: ResidentThread,
    private readonly kind: ResidentKind<Rows>,
  ) {}

  /** Up to which chunk the thread knows a store; 0 while it knows nothing. */
  upTo(store: VectorStore): number {
    const table = this.kind.tableOf(store);
    let copy = this.copies.get(table);
    if (!copy) this.copies.set(table, (copy = unknownTable()));
    copy.usedMs = this.options.clock.now().getTime();
    if (copy.upTo === 0) this.look(store, copy);
    return copy.upTo;
  }

  /** Says that Postgres has chunks that are not here yet, or has some no more that are. */
  noteOutdated(store: VectorStore, { hasGone }: { hasGone: boolean }): void {
    const copy = this.copies.get(this.kind.tableOf(store));
    if (!copy) return;
    copy.hasGone ||= hasGone;
    this.look(store, copy);
  }

  /** Says that the thread does not hold what it was taken for: it is read from the beginning when it is searched again. */
  forget(store: VectorStore): void {
    const table = this.kind.tableOf(store);
    if (this.copies.get(table)?.looking) return;
    this.copies.delete(table);
  }

  /** Resolves when everything is read that was to be read. */
  async settled(): Promise<void> {
    for (const { looking } of [...this.copies.values()]) await looking;
  }

  /** Reads nothing any more. */
  async close(): Promise<void> {
    this.closed = true;
    await this.settled();
  }

  private look(store: VectorStore, copy: Copy): void {
    const now = this.options.clock.now().getTime();
    if (this.closed || copy.looking || now - copy.lookedMs < lookAgainMs) return;
    copy.lookedMs = now;
    copy.looking = runInBackground(() => this.refresh(store, copy))
      .catch((error: unknown) =>
        this.options.logger.warn({ error, table: this.kind.tableOf(store) }, 'not read into memory'),
      )
      .finally(() => {
        copy.looking = undefined;
      });
  }

  private async refresh(store: VectorStore, copy: Copy): Promise<void> {
    const { postgres } = this.options;
    copy.newest ??= await this.kind.findNewest(postgres, store);
    if (copy.newest && (await isSettled(postgres.manager, copy.newest.begunBefore))) {
      const { newest } = copy;
      copy.newest = undefined;
      if (newest.rows >= rowsMin && (await this.hasRoom(copy, this.kind.bytesOf(newest)))) {
        copy.bytes = this.kind.bytesOf(newest);
        await this.read(store, copy, newest.chunkId);
      }
    }
    if (!copy.hasGone || copy.upTo === 0) return;
    copy.hasGone = false;
    const ids = await readChunkIds(postgres, store, copy.upTo);
    await this.thread.run('keepOnly', { table: this.kind.tableOf(store), ids });
  }

  private async read(store: VectorStore, copy: Copy, upTo: number): Promise<void> {
    const table = this.kind.tableOf(store);
    while (!this.closed && this.copies.get(table) === copy) {
      const rows = await this.kind.read(this.options.postgres, store, { after: copy.upTo, upTo });
      if (!rows) return;
      let isAppended = false;
      try {
        isAppended = await this.kind.append(this.thread, { table, after: copy.upTo, rows });
      } finally {
        if (!isAppended) await this.discard(table);
      }
      if (isAppended) copy.upTo = rows.ids.at(-1) ?? copy.upTo;
    }
  }

  private async discard(table: string): Promise<void> {
    this.copies.delete(table);
    await this.thread.run('drop', { table });
  }

  /** Whether a copy may take so many bytes; lets go of what has not been searched for a while. */
  private async hasRoom(copy: Copy, bytes: number): Promise<boolean> {
    const idleSince = this.options.clock.now().getTime() - idleMs;
    const idle = [...this.copies].filter(([, { usedMs, looking }]) => usedMs < idleSince && !looking);
    await Promise.all(idle.map(([table]) => this.discard(table)));
    const others = [...this.copies.values()].filter((other) => other !== copy);
    return others.reduce((sum, other) => sum + other.bytes, bytes) <= this.kind.bytesMax;
  }
}

function unknownTable(): Copy {
  return {
    upTo: 0,
    bytes: 0,
    newest: undefined,
    hasGone: false,
    lookedMs: -Infinity,
    usedMs: 0,
    looking: undefined,
  };
}
