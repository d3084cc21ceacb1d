import type { ResidentTables } from '../resident/resident-tables.js';
import { isFiltered } from '../search-scope.js';
import type { SearchScope } from '../search-scope.js';
import type { LaneHit } from './lanes.queries.js';
import type { StoreStatistics } from './store-statistics.js';

/** A search in memory, with a search in Postgres for the chunks that came later. */
interface MemorySearch<Hit extends LaneHit> {
  readonly tables: Pick<ResidentTables<never>, 'upTo' | 'noteOutdated'>;
  readonly statistics: StoreStatistics;
  /** Searches the copy up to a chunk. Undefined when the copy does not reach that far. */
  readonly inMemory: (upTo: number) => Promise<Hit[] | undefined>;
  /** Asks Postgres for the chunks after one. */
  readonly later: (after: number) => Promise<Hit[]>;
  /** If more chunks than this came later, Postgres is asked for all. */
  readonly laterMax?: number;
}

/**
 * Searches in memory, and in Postgres only if there are later chunks. Returns the hits of both, unsorted.
 * Undefined when the store is not in memory or the search is filtered: then Postgres has to be asked for
 * everything.
 */
export async function searchMemoryFirst<Hit extends LaneHit>(
  scope: SearchScope,
  { tables, statistics, inMemory, later, laterMax = Infinity }: MemorySearch<Hit>,
): Promise<Hit[] | undefined> {
  const { store } = scope;
  // The copies in memory know nothing about items, so they can answer neither filters nor hidden items.
  const upTo = isFiltered(scope) || scope.hidesItems ? 0 : tables.upTo(store);
  if (upTo === 0) return undefined;
  const findLater = async () => {
    const newest = await statistics.newest(scope);
    if (newest <= upTo) return [];
    tables.noteOutdated(store, { hasGone: false });
    return newest - upTo > laterMax ? undefined : later(upTo);
  };
  const [known, fresh] = await Promise.all([inMemory(upTo), findLater()]);
  if (!known || !fresh) return undefined;
  // The copy may have grown meanwhile, so that both found the same chunks.
  const ids = new Set(known.map(({ id }) => id));
  return [...known, ...fresh.filter(({ id }) => !ids.has(id))];
}
