import type { Store } from '../../postgres/stores.js';
import type { Source } from '../../sources/lists/source-list.types.js';
import type { RelationsService } from './relations.service.js';
import type { RelationGroup } from './relations.types.js';

type ByVersion = ReadonlyMap<string, RelationGroup[]>;

/** The items of one store whose relations are read together. */
interface Batch {
  readonly store: Store;
  readonly uids: Set<string>;
  readonly found: Promise<ByVersion>;
}

/** Reads the relations of all items of a list in one query, although each item asks for its own. */
export class ListedRelations {
  private readonly batches = new WeakMap<object, Batch[]>();

  constructor(private readonly relations: Pick<RelationsService, 'ofVersions'>) {}

  /** The newest relations of an item. `request` identifies the request, within which reads are combined. */
  async of(request: object, { version }: Pick<Source, 'version'>): Promise<RelationGroup[]> {
    if (!version) return [];
    const { databaseId, corpus, uid } = version;
    const batches = this.batches.get(request) ?? [];
    this.batches.set(request, batches);
    let batch = batches.find(({ store }) => store.databaseId === databaseId && store.corpus === corpus);
    if (!batch) {
      batch = this.open({ databaseId, corpus }, batches);
      batches.push(batch);
    }
    batch.uids.add(uid);
    return (await batch.found).get(uid) ?? [];
  }

  // All items of a list ask in one turn of the event loop; later ones open a new batch.
  private open(store: Store, batches: Batch[]): Batch {
    const uids = new Set<string>();
    const found = new Promise<ByVersion>((resolve, reject) => {
      setImmediate(() => {
        batches.splice(0);
        this.relations.ofVersions(store, [...uids]).then(resolve, reject);
      });
    });
    return { store, uids, found };
  }
}
