import type { DataSource } from 'typeorm';
import { planOf } from '../postgres/plan-cost.js';
import { query, queryOne, tableExists } from '../postgres/query.js';
import { storeName, storeTable, storeTemplates } from '../postgres/stores.js';
import type { Store } from '../postgres/stores.js';
import { findVectorTables } from '../postgres/vector-tables.js';
import type { KeywordStatistics } from './keyword-statistics/keyword-statistics.js';

interface MaintenanceOptions {
  readonly postgres: DataSource;
  readonly keywordStatistics: KeywordStatistics;
  /** True on the embedded Postgres, which has no autovacuum. */
  readonly vacuums: boolean;
  /** Called for every store that is written to. */
  readonly onWritten?: (store: Store) => void;
}

const tidyAboveRows = 200;
const vacuumAboveShare = 0.2;
// A factor by which a table has grown. Not a share of changed rows: an item changes its row of sources four
// times until it is indexed.
const analyzeAboveGrowth = 2;
// The planner knows a database if it expects at least a tenth of its items; with fewer its plans go wrong.
const knownShare = 0.1;
// With this many expected, no plan begins by reading all of them.
const knownItemsMin = 1000;

/** Maintains the stores that this process has written to, when indexing leaves time for it. */
export class StoreMaintenance {
  private readonly touched = new Map<string, Store>();
  /** How many items a database had when the planner was found not to know it. */
  private readonly unknownAt = new Map<number, number>();

  constructor(private readonly options: MaintenanceOptions) {}

  /** Records that rows of a store were written or removed. */
  touch(store: Store): void {
    const name = storeName(store);
    this.touched.delete(name);
    this.touched.set(name, { ...store });
    this.options.onWritten?.(store);
  }

  /**
   * Does some of what is due for one store; false when nothing is due. A store that fails goes behind the
   * others.
   */
  async maintainSome(): Promise<boolean> {
    const [next] = this.touched;
    if (!next) return false;
    const [name, store] = next;
    try {
      return await this.maintain(name, store);
    } catch (error) {
      if (this.touched.delete(name)) this.touched.set(name, store);
      throw error;
    }
  }

  private async maintain(name: string, store: Store): Promise<boolean> {
    const { postgres, keywordStatistics } = this.options;
    // A database that was purged meanwhile needs nothing any more.
    if (await tableExists(postgres.manager, storeTable('chunks', store))) {
      if (await keywordStatistics.reweighSome(store)) return true;
      if (await keywordStatistics.foldSome(store)) return true;
      await this.tidy(store);
    }
    // Unless it was written to meanwhile.
    if (this.touched.get(name) === store) this.touched.delete(name);
    return true;
  }

  // Vacuums and analyses a store's tables: dead rows would be read by every scan, and without statistics the
  // planner takes every table for a small one. A native Postgres does both by itself, but looks only once a
  // minute, when a new table may long have been large; so there only growth is followed. Index builds are not
  // waited for.
  private async tidy(store: Store): Promise<void> {
    const { manager } = this.options.postgres;
    const { vacuums } = this.options;
    const ofVectors = await findVectorTables(manager, store);
    const ofStore = [...storeTemplates.map((table) => storeTable(table, store)), ...ofVectors];
    // Statistics of rows are otherwise up to a second old.
    await query(manager, 'select pg_stat_force_next_flush()');
    const [found, most, share] = vacuums
      ? ['greatest(n_dead_tup, n_mod_since_analyze)', 'n_live_tup', vacuumAboveShare]
      : ['n_live_tup', 'reltuples', analyzeAboveGrowth];
    const due = await query<{ name: string }>(
      manager,
      `select relid::regclass::text as name from pg_stat_all_tables join pg_class on pg_class.oid = relid
        where relid = any(array(select to_regclass(name) from unnest($1::text[]) as name))
          and ${found} > greatest($2, ${most} * $3::float8)`,
      [[...ofStore, 'sources', 'metadata_vectors'], tidyAboveRows, share],
    );
    if (due.every(({ name }) => name !== 'sources') && (await this.isUnknown(store)))
      due.push({ name: 'sources' });
    for (const { name } of due)
      await query(manager, `${vacuums ? 'vacuum (analyze)' : 'analyze (skip_locked)'} ${name}`);
    if (!vacuums) return;
    // Index pages that one vacuum has emptied become free only in the next, which finds little else to do.
    for (const { name } of due) await query(manager, `vacuum ${name}`);
  }

  /**
   * Whether the planner expects hardly any items of a database that has many. Beside those of other databases
   * they are few, so the table itself has not grown much. If a sample misses them, this is not checked again
   * before they have doubled.
   */
  private async isUnknown({ databaseId }: Store): Promise<boolean> {
    const { manager } = this.options.postgres;
    const ofDatabase = 'select from sources where database_id = $1';
    const expected = (await planOf(manager, ofDatabase, [databaseId]))?.['Plan Rows'] ?? 0;
    if (expected >= knownItemsMin) return false;
    const most = Math.max(
      tidyAboveRows,
      expected / knownShare,
      analyzeAboveGrowth * (this.unknownAt.get(databaseId) ?? 0),
    );
    const counted = await queryOne<{ items: number }>(
      manager,
      `select count(*)::int as items from (${ofDatabase} limit $2) s`,
      [databaseId, Math.floor(most) + 1],
    );
    const items = counted?.items ?? 0;
    if (items <= most) return false;
    this.unknownAt.set(databaseId, items);
    return true;
  }
}
