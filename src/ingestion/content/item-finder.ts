import type { DataSource } from 'typeorm';
import type { Caller } from '../../accounts/caller.js';
import { collectionName } from '../../databases/collections.service.js';
import type { CollectionsService } from '../../databases/collections.service.js';
import type { Clock } from '../../lib/clock.js';
import type { Corpus } from '../../postgres/stores.js';
import { mayReadSql, readReaders } from '../../sources/acl.js';
import { itemNotFound } from '../../sources/item-not-found.js';
import { findShown } from '../../sources/lists/shown-items.queries.js';
import type { ShownOriginal } from '../../sources/lists/shown-items.queries.js';
import { readCorpora } from '../../sources/read-corpus.js';
import type { SourceScope } from '../../sources/sources.queries.js';
import type { SourceContentArgs } from './content.types.js';

/** A collection, as calls name it. */
type Place = Pick<SourceContentArgs, 'database' | 'collection'>;

interface ItemFinderOptions {
  readonly postgres: DataSource;
  readonly clock: Clock;
  readonly collections: CollectionsService;
}

/** Finds the item whose content or chunks are asked for. */
export class ItemFinder {
  constructor(private readonly options: ItemFinderOptions) {}

  /**
   * The item of the first corpus that has one with this id. @throws AppError SOURCE_NOT_FOUND,
   * MEMORY_NOT_FOUND when the caller may read none
   */
  async find(
    caller: Caller,
    { type, id, acl, ...place }: Place & Pick<SourceContentArgs, 'type' | 'id' | 'acl'>,
  ): Promise<{ scope: SourceScope; item: ShownOriginal }> {
    const corpora = readCorpora(type);
    const readers = readReaders(caller, acl);
    for (const scope of await this.findScopes(caller, place, corpora)) {
      const [item] = await findShown(this.options.postgres.manager, scope, {
        ids: [id],
        now: this.options.clock.now(),
        condition: (alias, add) => mayReadSql(`${alias}.acl`, readers, add),
      });
      if (item) return { scope, item };
    }
    throw itemNotFound({ id, collection: collectionName(place.collection) }, corpora[0]);
  }

  /** Where to look in each corpus; empty while no write has made the collection. */
  async findScopes(caller: Caller, place: Place, corpora: readonly Corpus[]): Promise<SourceScope[]> {
    const { collections } = this.options;
    const name = collectionName(place.collection);
    const { database, collectionId } = await collections.findReadyCollection(caller, place.database, name);
    if (collectionId === undefined) return [];
    return corpora.map((corpus) => ({ databaseId: database.id, collectionId, corpus }));
  }
}
