import type { DataSource } from 'typeorm';
import { partition, storeTables } from '../postgres/partitions.js';
import type { Store } from '../postgres/partitions.js';
import { query, tableExists } from '../postgres/query.js';
import type { KeywordStatistics } from './keyword-statistics.js';

interface MaintenanceOptions {
  readonly postgres: DataSource;
  readonly keywordStatistics: KeywordStatistics;
  /** The embedded Postgres has no autovacuum. */
  readonly vacuums: boolean;
  /** Told of every store that is written to. */
  readonly onWritten?: (store: Store) => void;
}

const vacuumAboveRows = 1000;
const vacuumAboveShare = 0.2;

/** Looks after stores that this process has written to, when indexing leaves time for it. */
export class StoreMaintenance {
  private readonly touched = new Map<string, Store>();
  /** Rows changed since the last vacuum, by store. */
  private readonly changedRows = new Map<string, number>();

  constructor(private readonly options: MaintenanceOptions) {}

  /** Notes that rows of a store were written or removed. */
  touch(store: Store, rows: number): void {
    const name = partition('chunks', store);
    this.touched.delete(name);
    this.touched.set(name, { ...store });
    this.changedRows.set(name, (this.changedRows.get(name) ?? 0) + rows);
    this.options.onWritten?.(store);
  }

  /** Does some of what is due for one store; false when nothing is due for any. */
  async maintainSome(): Promise<boolean> {
    const [next] = this.touched;
    if (!next) return false;
    const [name, store] = next;
    const { keywordStatistics } = this.options;
    // A database that was purged meanwhile needs nothing any more.
    if (await tableExists(this.options.postgres.manager, name)) {
      if ((await keywordStatistics.reweighSome(store)) || (await keywordStatistics.foldSome(store)))
        return true;
      if (this.options.vacuums) await this.vacuum(name, store);
    } else {
      this.changedRows.delete(name);
    }
    // Unless it was written to meanwhile.
    if (this.touched.get(name) === store) this.touched.delete(name);
    return true;
  }

  // Dead rows would be read by every scan, and without statistics the planner takes every table for a small one.
  private async vacuum(name: string, store: Store): Promise<void> {
    const changed = this.changedRows.get(name) ?? 0;
    if (changed < vacuumAboveRows) return;
    const { manager } = this.options.postgres;
    const [row] = await query<{ rows: number }>(
      manager,
      `select count(*)::int as rows from ${partition('chunk_vectors', store)}`,
    );
    if (changed < (row?.rows ?? 0) * vacuumAboveShare) return;
    this.changedRows.set(name, 0);
    for (const table of storeTables) {
      await query(manager, `vacuum (analyze) ${partition(table, store)}`);
    }
    for (const table of ['sources', 'metadata_vectors']) await query(manager, `vacuum (analyze) ${table}`);
  }
}
