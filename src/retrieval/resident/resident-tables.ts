import type { DataSource } from 'typeorm';
import { runInBackground } from '../../lib/background.js';
import type { Clock } from '../../lib/clock.js';
import type { Logger } from '../../lib/logger.js';
import { isSettled } from '../../postgres/settled.js';
import type { VectorStore } from '../../postgres/vector-tables.js';
import type { ResidentRoom } from './resident-room.js';
import type { ResidentThread } from './resident-thread.js';
import { readChunkIds } from './resident.queries.js';
import type { ChunkRange, Newest } from './resident.queries.js';

export interface ResidentOptions {
  readonly postgres: DataSource;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Where copies are: in a thread, of whose memory they have a share. */
interface ResidentPlace {
  readonly thread: ResidentThread;
  readonly room: ResidentRoom;
}

/** How a table may be copied. */
export interface ResidentForm<Rows> {
  /** Of all copies of this form together; without it as much as there is room for. */
  readonly bytesMax?: number;
  /** What a copy up to the newest chunk takes. */
  bytesOf(newest: Newest): number;
  /** False when the thread's copy does not end there. */
  append(
    thread: ResidentThread,
    wanted: { readonly table: string; readonly after: number; readonly rows: Rows },
  ): Promise<boolean>;
}

/** A kind of table that the thread may hold copies of. */
export interface ResidentKind<Rows extends { readonly ids: readonly number[] }> {
  tableOf(store: VectorStore): string;
  findNewest(postgres: DataSource, store: VectorStore): Promise<Newest | undefined>;
  /** The next rows of a range, undefined when there are none. */
  read(postgres: DataSource, store: VectorStore, range: ChunkRange): Promise<Rows | undefined>;
  /** The best first, which takes the most room. */
  readonly forms: readonly ResidentForm<Rows>[];
}

/** What is known here of a table that the thread holds. */
interface Copy<Rows> {
  /** Every chunk up to this one is there, or gone for ever. */
  upTo: number;
  /** It has been read to its end. Before, it is not searched: Postgres searches all of a store better than most of it. */
  isComplete: boolean;
  form: ResidentForm<Rows> | undefined;
  bytes: number;
  /** Later ones that may be read when no transaction is left that could bring one before them. */
  newest: Newest | undefined;
  hasGone: boolean;
  /** Until then what is gone stays here: of large tables the numbers of all chunks are not read again and again. */
  keepsAllUntilMs: number;
  lookedMs: number;
  usedMs: number;
  looking: Promise<void> | undefined;
}

const idleMs = 60_000;
const lookAgainMs = 2000;
// Of the time that it takes to forget what is gone, until that is done again.
const restShare = 20;
// Postgres searches fewer at once.
const rowsMin = 500;

/**
 * Copies of the tables of stores that are searched. They are read when a store is searched, and nothing waits for that.
 * What Postgres has removed may still be found here for a while, like what it has replaced: whoever reads the chunks
 * leaves it out.
 */
export class ResidentTables<Rows extends { readonly ids: readonly number[] }> {
  private readonly copies = new Map<string, Copy<Rows>>();
  private closed = false;

  constructor(
    private readonly options: ResidentOptions,
    private readonly place: ResidentPlace,
    private readonly kind: ResidentKind<Rows>,
  ) {
    place.room.share(this);
  }

  /** What its copies take, or those of one form. */
  bytes(form?: ResidentForm<Rows>): number {
    const counted = [...this.copies.values()].filter((copy) => !form || copy.form === form);
    return counted.reduce((sum, copy) => sum + copy.bytes, 0);
  }

  /** Lets go of what has not been searched for a while. */
  async dropIdle(): Promise<void> {
    const idleSince = this.options.clock.now().getTime() - idleMs;
    const idle = [...this.copies].filter(([, { usedMs, looking }]) => usedMs < idleSince && !looking);
    await Promise.all(idle.map(([table]) => this.discard(table)));
  }

  /** Up to which chunk the thread knows a store; 0 while it knows nothing. */
  upTo(store: VectorStore): number {
    const table = this.kind.tableOf(store);
    let copy = this.copies.get(table);
    if (!copy) this.copies.set(table, (copy = unknownTable()));
    copy.usedMs = this.options.clock.now().getTime();
    if (!copy.isComplete) this.look(store, copy);
    return copy.isComplete ? copy.upTo : 0;
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

  private look(store: VectorStore, copy: Copy<Rows>): void {
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
    await this.place.thread.run('keepOnly', { table: this.kind.tableOf(store), ids });
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
        isAppended = await copy.form.append(this.place.thread, { table, after: copy.upTo, rows });
      } finally {
        if (!isAppended) await this.discard(table);
      }
      if (!isAppended) return;
      copy.upTo = rows.ids.at(-1) ?? copy.upTo;
    }
  }

  private async discard(table: string): Promise<void> {
    this.copies.delete(table);
    await this.place.thread.run('drop', { table });
  }

  /**
   * Makes room for a copy up to the newest chunk, in the best form there is room for: what outgrows its form is read anew
   * in the next. False when there is room for none, and the copy stays as it is.
   */
  private async makeRoom(store: VectorStore, copy: Copy<Rows>, newest: Newest): Promise<boolean> {
    await this.place.room.dropIdle();
    const { forms } = this.kind;
    const possible = copy.form ? forms.slice(forms.indexOf(copy.form)) : forms;
    const form = possible.find((other) => {
      const bytes = other.bytesOf(newest);
      const others = this.bytes(other) - (copy.form === other ? copy.bytes : 0);
      return others + bytes <= (other.bytesMax ?? Infinity) && this.place.room.has(bytes - copy.bytes);
    });
    if (!form) return false;
    const outgrown = copy.form !== undefined && copy.form !== form;
    copy.form = form;
    copy.bytes = form.bytesOf(newest);
    if (outgrown) {
      copy.upTo = 0;
      copy.isComplete = false;
      await this.place.thread.run('drop', { table: this.kind.tableOf(store) });
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
