import type { DataSource } from 'typeorm';
import { runInBackground } from '../../lib/background.js';
import type { Clock } from '../../lib/clock.js';
import type { Logger } from '../../lib/logger.js';
import { isSettled } from '../../postgres/settled.js';
import type { VectorStore } from '../../postgres/vector-tables.js';
import type { CopyHolder } from './resident-copies.js';
import type { MemoryBudget } from './memory-budget.js';
import { readChunkIds } from './resident.queries.js';
import type { ChunkRange, Newest } from './resident.queries.js';

/** What the stores in memory need of their surroundings. */
export interface ResidentOptions {
  readonly postgres: DataSource;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** A form in which a table may be copied. */
export interface ResidentForm<Rows> {
  readonly holder: CopyHolder;
  /** A table of more rows is not kept in this form. */
  readonly rowsMax?: number;
  /** A limit for all copies of this form together; without it, they may take what room there is. */
  readonly bytesMax?: number;
  /** The bytes that a copy up to the newest chunk takes. */
  bytesOf(newest: Newest): number;
  /** Adds rows that follow the chunk `after`. False when the holder's copy does not end with that chunk. */
  append(wanted: { readonly table: string; readonly after: number; readonly rows: Rows }): Promise<boolean>;
}

/** A kind of table of which copies may be kept. */
export interface ResidentKind<Rows extends { readonly ids: readonly number[] }> {
  tableOf(store: VectorStore): string;
  findNewest(postgres: DataSource, store: VectorStore): Promise<Newest | undefined>;
  /** The next rows of a range; undefined when there are none left. */
  read(postgres: DataSource, store: VectorStore, range: ChunkRange): Promise<Rows | undefined>;
  /** The preferred form first. */
  readonly forms: readonly ResidentForm<Rows>[];
}

/** What is known of a table's copy. */
interface Copy<Rows> {
  /** Every chunk up to this one is in the copy, or has been deleted. */
  upTo: number;
  /**
   * Whether it has been read to its end. Until then Postgres is searched: it searches a whole store faster
   * than most of one.
   */
  isComplete: boolean;
  form: ResidentForm<Rows> | undefined;
  bytes: number;
  /** The end of what is read next, once no open transaction is left that could still add an earlier chunk. */
  newest: Newest | undefined;
  /** Chunks of the copy have been deleted in Postgres. */
  hasGone: boolean;
  /**
   * Unix time before which deleted chunks stay in the copy: in a large table, the ids of all chunks are not
   * to be read again and again.
   */
  keepsAllUntilMs: number;
  lookedMs: number;
  usedMs: number;
  looking: Promise<void> | undefined;
}

const idleMs = 60_000;
const lookAgainMs = 2000;
// How many times as long as the last removal of deleted chunks took, to wait before the next one.
const restShare = 20;
// Postgres searches fewer rows at once anyway.
const rowsMin = 500;

/**
 * Copies of the tables of the stores that are searched. A copy is read when its store is searched, and no
 * search waits for that. Chunks that Postgres has deleted or replaced may still be found here for a while:
 * whoever reads the chunks found leaves them out.
 */
export class ResidentTables<Rows extends { readonly ids: readonly number[] }> {
  private readonly copies = new Map<string, Copy<Rows>>();
  private closed = false;

  constructor(
    private readonly options: ResidentOptions,
    private readonly budget: MemoryBudget,
    private readonly kind: ResidentKind<Rows>,
  ) {
    budget.add(this);
  }

  /** The bytes that its copies take, or only those of one form. */
  bytes(form?: ResidentForm<Rows>): number {
    const counted = [...this.copies.values()].filter((copy) => !form || copy.form === form);
    return counted.reduce((sum, copy) => sum + copy.bytes, 0);
  }

  /** Drops the copies that have not been searched for a while. */
  async dropIdle(): Promise<void> {
    const idleSince = this.options.clock.now().getTime() - idleMs;
    const idle = [...this.copies].filter(([, { usedMs, looking }]) => usedMs < idleSince && !looking);
    await Promise.all(idle.map(([table]) => this.discard(table)));
  }

  /**
   * The last chunk up to which a store is held; 0 while its copy is not complete. Begins to read it
   * if so.
   */
  upTo(store: VectorStore): number {
    const table = this.kind.tableOf(store);
    let copy = this.copies.get(table);
    if (!copy) this.copies.set(table, (copy = unknownTable()));
    copy.usedMs = this.options.clock.now().getTime();
    if (!copy.isComplete) this.look(store, copy);
    return copy.isComplete ? copy.upTo : 0;
  }

  /** Who holds the copy of a store; undefined without one. */
  holderOf(store: VectorStore): CopyHolder | undefined {
    return this.copies.get(this.kind.tableOf(store))?.form?.holder;
  }

  /** Notes that Postgres has chunks that are not here yet, or has deleted some that are. */
  noteOutdated(store: VectorStore, { hasGone }: { hasGone: boolean }): void {
    const copy = this.copies.get(this.kind.tableOf(store));
    if (!copy) return;
    copy.hasGone ||= hasGone;
    this.look(store, copy);
  }

  /**
   * The holder does not hold what was expected: the store is read from the beginning when it is searched
   * again.
   */
  forget(store: VectorStore): void {
    const table = this.kind.tableOf(store);
    if (this.copies.get(table)?.looking) return;
    this.copies.delete(table);
  }

  /** Resolves when all reading under way is done. */
  async settled(): Promise<void> {
    for (const { looking } of [...this.copies.values()]) await looking;
  }

  /** Stops reading, and resolves when the last read is done. */
  async close(): Promise<void> {
    this.closed = true;
    await this.settled();
  }

  private look(store: VectorStore, copy: Copy<Rows>): void {
    const now = this.options.clock.now().getTime();
    if (this.closed || copy.looking || now - copy.lookedMs < lookAgainMs) return;
    copy.lookedMs = now;
    copy.looking = runInBackground(() => this.refresh(store, copy))
      .catch((error: unknown) =>
        this.options.logger.warn({ err: error, table: this.kind.tableOf(store) }, 'not read into memory'),
      )
      .finally(() => {
        copy.looking = undefined;
      });
  }

  private async refresh(store: VectorStore, copy: Copy<Rows>): Promise<void> {
    const { postgres } = this.options;
    copy.newest ??= await this.kind.findNewest(postgres, store);
    if (copy.newest && (await isSettled(postgres.manager, copy.newest.begunBefore))) {
      const { newest } = copy;
      copy.newest = undefined;
      if (newest.rows >= rowsMin && (await this.makeRoom(store, copy, newest)))
        await this.read(store, copy, newest.chunkId);
    }
    const now = this.options.clock.now().getTime();
    if (!copy.hasGone || !copy.isComplete || now < copy.keepsAllUntilMs) return;
    copy.hasGone = false;
    const begunMs = performance.now();
    const ids = await readChunkIds(postgres, store, copy.upTo);
    await copy.form?.holder.run('keepOnly', { table: this.kind.tableOf(store), ids });
    copy.keepsAllUntilMs = now + (performance.now() - begunMs) * restShare;
  }

  private async read(store: VectorStore, copy: Copy<Rows>, upTo: number): Promise<void> {
    const table = this.kind.tableOf(store);
    while (!this.closed && copy.form && this.copies.get(table) === copy) {
      const rows = await this.kind.read(this.options.postgres, store, { after: copy.upTo, upTo });
      if (!rows) {
        copy.isComplete = true;
        return;
      }
      let isAppended = false;
      try {
        isAppended = await copy.form.append({ table, after: copy.upTo, rows });
      } finally {
        if (!isAppended) await this.discard(table);
      }
      if (!isAppended) return;
      copy.upTo = rows.ids.at(-1) ?? copy.upTo;
    }
  }

  private async discard(table: string): Promise<void> {
    const holder = this.copies.get(table)?.form?.holder;
    this.copies.delete(table);
    await holder?.run('drop', { table });
  }

  /**
   * Reserves room for a copy up to the newest chunk, in the best form for which there is room. A copy that
   * has outgrown its form is read again in the next. False when there is no room for any form; the copy then
   * stays as it is.
   */
  private async makeRoom(store: VectorStore, copy: Copy<Rows>, newest: Newest): Promise<boolean> {
    await this.budget.dropIdle();
    const { forms } = this.kind;
    const possible = copy.form ? forms.slice(forms.indexOf(copy.form)) : forms;
    const form = possible.find((other) => {
      if (newest.rows > (other.rowsMax ?? Infinity)) return false;
      const bytes = other.bytesOf(newest);
      const others = this.bytes(other) - (copy.form === other ? copy.bytes : 0);
      return others + bytes <= (other.bytesMax ?? Infinity) && this.budget.allows(bytes - copy.bytes);
    });
    if (!form) return false;
    const outgrown = copy.form === form ? undefined : copy.form;
    copy.form = form;
    copy.bytes = form.bytesOf(newest);
    if (outgrown) {
      copy.upTo = 0;
      copy.isComplete = false;
      await outgrown.holder.run('drop', { table: this.kind.tableOf(store) });
    }
    return true;
  }
}

function unknownTable<Rows>(): Copy<Rows> {
  return {
    upTo: 0,
    isComplete: false,
    form: undefined,
    bytes: 0,
    newest: undefined,
    hasGone: false,
    keepsAllUntilMs: 0,
    lookedMs: -Infinity,
    usedMs: 0,
    looking: undefined,
  };
}
