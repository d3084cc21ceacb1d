import type { DataSource } from 'typeorm';
import { storeName } from '../../postgres/stores.js';
import type { VectorStore } from '../../postgres/vector-tables.js';
import type { Resident } from '../resident/resident.js';
import type { SearchScope } from '../search-scope.js';
import { findTermStatistics } from './lanes.queries.js';
import type { StoreTerms, TermStatistics } from './lanes.queries.js';

/** How the terms of a store, or of several that are searched together, are looked up. */
export interface TermLookup {
  /** How often terms occur in all that is searched, so that scores of several stores can be compared. */
  lookUp(terms: readonly number[]): Promise<TermStatistics>;
  /** How often the terms looked up so far occur in the store itself. */
  readonly here: ReadonlyMap<number, number>;
  /** The terms that may occur; asked first, because most of many do not. */
  mayHold(terms: readonly number[]): Promise<readonly number[]>;
}

/** What one search learns of its stores. Nothing is looked up twice. */
export class StoreStatistics {
  /** By store and terms: in a search of several stores, each asks for the same. */
  private readonly lookUps = new Map<string, Promise<StoreTerms>>();
  /** The latest look-up of each store. */
  private readonly lastLookUp = new Map<string, Promise<StoreTerms>>();

  constructor(
    private readonly postgres: DataSource,
    private readonly resident: Resident,
    private readonly scopes: readonly SearchScope[],
  ) {}

  /**
   * The look-up of terms for a search of one store. The counts of `lookUp` are those of all stores of the
   * search together; `here` collects those of this store.
   */
  of(store: VectorStore): TermLookup {
    const here = new Map<number, number>();
    const lookUp = async (terms: readonly number[]): Promise<TermStatistics> => {
      const found = await Promise.all(this.scopes.map((each) => this.lookUp(each, terms)));
      const frequencies = new Map<number, number>();
      for (const [term, amount] of found.flatMap((each) => [...each.frequencies]))
        frequencies.set(term, (frequencies.get(term) ?? 0) + amount);
      const own = found[this.scopes.findIndex((each) => each.store === store)]?.frequencies ?? [];
      for (const [term, amount] of own) here.set(term, amount);
      return { chunks: found.reduce((sum, { chunks }) => sum + chunks, 0), frequencies };
    };
    const mayHold = async (terms: readonly number[]) => {
      const held = await Promise.all(this.scopes.map((each) => this.mayHold(each, terms)));
      return [...new Set(held.flat())];
    };
    return { lookUp, mayHold, here };
  }

  /** The last chunk of a store, as the latest look-up there has told it; without one, it is looked up. */
  async newest(scope: SearchScope): Promise<number> {
    return (await this.last(scope)).newest;
  }

  /** The average number of terms per chunk, over all stores of the search; it comes with any look-up. */
  async averageLength(): Promise<number> {
    const found = await Promise.all(this.scopes.map((each) => this.last(each)));
    const sum = (of: 'chunks' | 'lengths') => found.reduce((all, each) => all + each[of], 0);
    return sum('lengths') / Math.max(1, sum('chunks'));
  }

  private last(scope: SearchScope): Promise<StoreTerms> {
    return this.lastLookUp.get(storeName(scope.store)) ?? this.lookUp(scope, []);
  }

  private lookUp(scope: SearchScope, terms: readonly number[]): Promise<StoreTerms> {
    const name = storeName(scope.store);
    const key = `${name}:${terms.join()}`;
    const known = this.lookUps.get(key);
    if (known) return known;
    const found = findTermStatistics(this.postgres, scope, terms);
    this.lookUps.set(key, found);
    this.lastLookUp.set(name, found);
    return found;
  }

  /**
   * Drops terms that a store surely does not hold, if all of the store is in memory; otherwise returns all of
   * them.
   */
  private async mayHold(scope: SearchScope, terms: readonly number[]): Promise<readonly number[]> {
    const { store } = scope;
    const { words } = this.resident;
    const upTo = words.upTo(store);
    if (upTo === 0) return terms;
    if ((await this.newest(scope)) <= upTo)
      return (await this.resident.mayHold(store, { upTo, terms })) ?? terms;
    words.noteOutdated(store, { hasGone: false });
    return terms;
  }
}
