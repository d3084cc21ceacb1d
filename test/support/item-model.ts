import type { StoredItem } from './store-view.js';

type Corpus = 'knowledge' | 'memory';
/** A text; undefined for an item that does not exist. */
type Content = string | undefined;

/**
 * What a set of items must look like according to the answers so far: the simple model that a store is
 * compared with.
 */
export class ItemModel {
  private readonly items = new Map<string, Set<Content>>();

  /** What an item may contain now; one that was never heard of does not exist. */
  possible(item: Omit<StoredItem, 'content'>): ReadonlySet<Content> {
    return this.items.get(keyOf(item)) ?? new Set([undefined]);
  }

  /** After an acknowledged change the item contains exactly this. */
  set(item: Omit<StoredItem, 'content'>, content: Content): void {
    this.items.set(keyOf(item), new Set([content]));
  }

  /** After a change whose answer was lost the item may also contain this. */
  maybe(item: Omit<StoredItem, 'content'>, content: Content): void {
    this.items.set(keyOf(item), new Set([...this.possible(item), content]));
  }

  /** The item was seen to exist. */
  seen(item: Omit<StoredItem, 'content'>): void {
    this.items.set(keyOf(item), new Set([...this.possible(item)].filter((content) => content !== undefined)));
  }

  /** All items with this prefix are gone, or may be. */
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
