import type { DataSource } from 'typeorm';
import { partition } from '../postgres/partitions.js';
import type { Store } from '../postgres/partitions.js';
import { findTermStatistics } from './lanes.queries.js';
import type { StoreTerms } from './lanes.queries.js';

/** What one search learns of its stores. */
export class StoreStatistics {
  private readonly asked = new Map<string, Promise<StoreTerms>>();

  constructor(private readonly postgres: DataSource) {}

  /** How often terms occur in a store. */
  lookUp(store: Store, terms: readonly number[]): Promise<StoreTerms> {
    const statistics = findTermStatistics(this.postgres, store, terms);
    this.asked.set(partition('chunks', store), statistics);
    return statistics;
  }

  /** The last chunk of a store: comes with what has been looked up there, if anything has. */
  async newest(store: Store): Promise<number> {
    const { newest } = await (this.asked.get(partition('chunks', store)) ?? this.lookUp(store, []));
    return newest;
  }
}
