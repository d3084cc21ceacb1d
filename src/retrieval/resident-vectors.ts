import { Tinypool } from 'tinypool';
import type { DataSource } from 'typeorm';
import { runInBackground } from '../lib/background.js';
import type { Clock } from '../lib/clock.js';
import type { Logger } from '../lib/logger.js';
import { isSettled } from '../postgres/settled.js';
import { vectorTable } from '../postgres/vector-tables.js';
import type { VectorStore } from '../postgres/vector-tables.js';
import type { LaneHit } from './lanes.queries.js';
import type * as worker from './resident-worker.js';
import { findNewest, readChunkIds, readVectors } from './resident-vectors.queries.js';
import type { Newest } from './resident-vectors.queries.js';

interface ResidentVectorsOptions {
  readonly postgres: DataSource;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** What is known here of a store whose vectors the thread holds. */
interface Resident {
  /** Every chunk up to this one is there, or gone for ever. */
  upTo: number;
  rows: number;
  /** Of each vector; 0 while none is read. */
  dimensions: number;
  /** Later ones that may be read when no transaction is left that could bring one before them. */
  newest: Newest | undefined;
  hasGone: boolean;
  lookedMs: number;
  usedMs: number;
  looking: Promise<void> | undefined;
}

/** Of all vectors together. */
const bytesMax = 256 * 1024 * 1024;
const idleMs = 60_000;
const lookAgainMs = 2000;
// Postgres scans fewer at once.
const rowsMin = 500;

/**
 * The vectors of stores that are searched, in the memory of a thread of their own: a search of all that a caller may read
 * scans them there while Postgres looks for words, and asks Postgres only for the chunks that came later. They are read
 * when a store is searched, and nothing waits for that. What Postgres has removed may still be found here for a while,
 * like what it has replaced: whoever reads the chunks leaves it out.
 */
export class ResidentVectors {
  private readonly stores = new Map<string, Resident>();
  private pool: Tinypool | undefined;
  private closed = false;

  constructor(private readonly options: ResidentVectorsOptions) {}

  /** Up to which chunk `nearest` knows a store; 0 while it knows nothing. */
  upTo(store: VectorStore): number {
    const name = vectorTable(store);
    let resident = this.stores.get(name);
    if (!resident) this.stores.set(name, (resident = unknownStore()));
    resident.usedMs = this.options.clock.now().getTime();
    if (resident.upTo === 0) this.look(store, resident);
    return resident.upTo;
  }

  /** Some of the nearest may be later than `upTo`. Undefined when the store is not known that far any more. */
  async nearest(
    store: VectorStore,
    search: { upTo: number; collectionIds: readonly number[]; vector: Float32Array; limit: number },
  ): Promise<LaneHit[] | undefined> {
    const hits = await this.run('nearest', { store: vectorTable(store), ...search });
    return hits?.map(({ id, score }) => ({ id: String(id), score }));
  }

  /** Says that Postgres has found chunks that are not here yet, or has not found some that are. */
  noteOutdated(store: VectorStore, { hasGone }: { hasGone: boolean }): void {
    const resident = this.stores.get(vectorTable(store));
    if (!resident) return;
    resident.hasGone ||= hasGone;
    this.look(store, resident);
  }

  /** Resolves when everything is read that was to be read. */
  async settled(): Promise<void> {
    for (const { looking } of [...this.stores.values()]) await looking;
  }

  async close(): Promise<void> {
    this.closed = true;
    await this.settled();
    await this.pool?.destroy();
  }

  private look(store: VectorStore, resident: Resident): void {
    const now = this.options.clock.now().getTime();
    if (this.closed || resident.looking || now - resident.lookedMs < lookAgainMs) return;
    resident.lookedMs = now;
    resident.looking = runInBackground(() => this.refresh(store, resident))
      .catch((error: unknown) => this.options.logger.warn({ error }, 'vectors not read'))
      .finally(() => {
        resident.looking = undefined;
      });
  }

  private async refresh(store: VectorStore, resident: Resident): Promise<void> {
    const { postgres } = this.options;
    resident.newest ??= await findNewest(postgres, store);
    if (resident.newest && (await isSettled(postgres.manager, resident.newest.begunBefore))) {
      const { newest } = resident;
      resident.newest = undefined;
      resident.dimensions = newest.dimensions;
      if (newest.rows >= rowsMin && (await this.hasRoom(resident, newest.rows)))
        await this.read(store, resident, newest.chunkId);
    }
    if (!resident.hasGone || resident.upTo === 0) return;
    resident.hasGone = false;
    const ids = await readChunkIds(postgres, store, resident.upTo);
    await this.run('keepOnly', { store: vectorTable(store), ids });
    resident.rows = ids.length;
  }

  private async read(store: VectorStore, resident: Resident, upTo: number): Promise<void> {
    const name = vectorTable(store);
    while (!this.closed && this.stores.get(name) === resident) {
      const rows = await readVectors(this.options.postgres, store, { after: resident.upTo, upTo });
      if (!rows) return;
      await this.run('append', { store: name, dimensions: resident.dimensions, rows });
      resident.upTo = rows.ids.at(-1) ?? resident.upTo;
      resident.rows += rows.ids.length;
    }
  }

  /** Whether a store may hold so many rows; lets go of what has not been searched for a while. */
  private async hasRoom(resident: Resident, rows: number): Promise<boolean> {
    const idleSince = this.options.clock.now().getTime() - idleMs;
    const idle = [...this.stores].filter(([, { usedMs, looking }]) => usedMs < idleSince && !looking);
    for (const [name] of idle) {
      this.stores.delete(name);
      await this.run('drop', { store: name });
    }
    const others = [...this.stores.values()].filter((other) => other !== resident);
    const values = others.reduce(
      (sum, other) => sum + other.rows * other.dimensions,
      rows * resident.dimensions,
    );
    return values * Float32Array.BYTES_PER_ELEMENT <= bytesMax;
  }

  private async run<Name extends keyof typeof worker>(
    name: Name,
    task: Parameters<(typeof worker)[Name]>[0],
  ): Promise<ReturnType<(typeof worker)[Name]>> {
    this.pool ??= new Tinypool({
      filename: new URL('./resident-worker.js', import.meta.url).href,
      runtime: 'worker_threads',
      minThreads: 1,
      maxThreads: 1,
    });
    return (await this.pool.run(task, { name })) as ReturnType<(typeof worker)[Name]>;
  }
}

function unknownStore(): Resident {
  return {
    upTo: 0,
    rows: 0,
    dimensions: 0,
    newest: undefined,
    hasGone: false,
    lookedMs: -Infinity,
    usedMs: 0,
    looking: undefined,
  };
}
