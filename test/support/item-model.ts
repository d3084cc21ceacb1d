import type { StoredItem } from './store-view.js';

type Corpus = 'knowledge' | 'memory';
/** A text, or that the item is not there. */
type Content = string | undefined;

/** What a set of items must look like, as far as answers have told: the naive model that a store is held against. */
export class ItemModel {
  private readonly items = new Map<string, Set<Content>>();

  /** What may stand there now; an item nobody has heard of is not there. */
  possible(item: Omit<StoredItem, 'content'>): ReadonlySet<Content> {
    return this.items.get(keyOf(item)) ?? new Set([undefined]);
  }

  /** An acknowledged change: this stands there and nothing else. */
  set(item: Omit<StoredItem, 'content'>, content: Content): void {
    this.items.set(keyOf(item), new Set([content]));
  }

  /** A change whose answer was lost: this may stand there as well. */
  maybe(item: Omit<StoredItem, 'content'>, content: Content): void {
    this.items.set(keyOf(item), new Set([...this.possible(item), content]));
  }

  /** The item was seen to be there. */
  seen(item: Omit<StoredItem, 'content'>): void {
    this.items.set(keyOf(item), new Set([...this.possible(item)].filter((content) => content !== undefined)));
  }

  /** All items under this prefix may be gone, or are. */
  remove(database: string, { collection, sure }: { collection?: string; sure: boolean }): void {
    const prefix = collection === undefined ? `${database}/` : `${database}/${collection}/`;
    for (const [key, possible] of this.items) {
      if (!key.startsWith(prefix)) continue;
      this.items.set(key, sure ? new Set([undefined]) : new Set([...possible, undefined]));
    }
  }

  /** Where a store differs from this model; every item counts as one chunk. */
  differences(stored: readonly StoredItem[]): string[] {
    const found = new Map<string, string[]>();
    for (const item of stored) found.set(keyOf(item), [...(found.get(keyOf(item)) ?? []), item.content]);
    const differences: string[] = [];
    for (const key of new Set([...found.keys(), ...this.items.keys()])) {
      const contents = found.get(key) ?? [];
      const possible = this.items.get(key) ?? new Set([undefined]);
      if (contents.length > 1) differences.push(`doubled ${key}: ${contents.join(' | ')}`);
      else if (!possible.has(contents[0]))
        differences.push(
          `${contents.length === 0 ? 'lost' : 'wrong'} ${key}: ${contents[0]} instead of ${[...possible].join(' | ')}`,
        );
    }
    return differences;
  }
}

function keyOf({ database, collection, corpus, id }: Omit<StoredItem, 'content'>): string {
  return `${database}/${collection}/${corpus as Corpus}/${id}`;
}
