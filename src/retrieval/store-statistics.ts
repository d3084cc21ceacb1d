import type { DataSource } from 'typeorm';
import { partition } from '../postgres/partitions.js';
import type { Store } from '../postgres/partitions.js';
import type { VectorStore } from '../postgres/vector-tables.js';
import type { TermLookup } from './keyword-query.js';
import { findTermStatistics } from './lanes.queries.js';
import type { StoreTerms } from './lanes.queries.js';
import type { Resident } from './resident.js';

/** What one search learns of its stores. */
export class StoreStatistics {
  private readonly asked = new Map<string, Promise<StoreTerms>>();

  constructor(
    private readonly postgres: DataSource,
    private readonly resident: Resident,
  ) {}

  of(store: VectorStore): TermLookup {
    return {
      lookUp: (terms) => this.lookUp(store, terms),
      mayHold: (terms) => this.mayHold(store, terms),
    };
  }

  /** The last chunk of a store: comes with what has been looked up there, if anything has. */
  async newest(store: Store): Promise<number> {
    const { newest } = await (this.asked.get(partition('chunks', store)) ?? this.lookUp(store, []));
    return newest;
  }

  private lookUp(store: Store, terms: readonly number[]): Promise<StoreTerms> {
    const statistics = findTermStatistics(this.postgres, store, terms);
    this.asked.set(partition('chunks', store), statistics);
    return statistics;
  }

  /** Where all of a store is in memory, hardly any that it does not hold; else all. */
  private async mayHold(store: VectorStore, terms: readonly number[]): Promise<readonly number[]> {
    const { words } = this.resident;
    const upTo = words.upTo(store);
    if (upTo === 0) return terms;
    if ((await this.newest(store)) <= upTo)
      return (await this.resident.mayHold(store, { upTo, terms })) ?? terms;
    words.noteOutdated(store, { hasGone: false });
    return terms;
  }
}
