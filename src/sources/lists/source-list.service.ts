import type { DataSource } from 'typeorm';
import type { Caller } from '../../accounts/caller.js';
import { collectionName } from '../../databases/collections.service.js';
import type { CollectionsService } from '../../databases/collections.service.js';
import { addToList } from '../../lib/add-to-list.js';
import { checkCount } from '../../lib/bounded-number.js';
import type { Clock } from '../../lib/clock.js';
import { counted } from '../../lib/counted.js';
import { KEY_FORMS, keyBehind } from '../../lib/list-cursor.js';
import type { ListOrder } from '../../lib/list-cursor.js';
import { connection, emptyConnection, pageRange, rowsOf } from '../../lib/page.types.js';
import type { Connection, PageRange } from '../../lib/page.types.js';
import { LIMITS } from '../../limits.js';
import type { Corpus } from '../../postgres/stores.js';
import { mayReadSql, maySeeSql, readItemAccess, readReaders } from '../acl.js';
import type { DeclaredRelation } from '../ingest/declared-relations.js';
import { readCorpus } from '../read-corpus.js';
import type { JsonObject } from '../source.types.js';
import type { SourceScope } from '../sources.queries.js';
import { findShown } from './shown-items.queries.js';
import type { ShownItem } from './shown-items.queries.js';
import { readSourceFilters } from './source-filters.js';
import type { SourceCondition } from './source-filters.js';
import { countListed, findComments, findListedPage } from './source-list.queries.js';
import type { ListKey, ListedItems, ListedRow } from './source-list.queries.js';
import { listPageSizes } from './source-list.types.js';
import type { ItemListArgs, Source, SourceConnection, SourceListArgs } from './source-list.types.js';

interface SourceListOptions {
  readonly postgres: DataSource;
  readonly clock: Clock;
  readonly collections: CollectionsService;
}

/** What identifies one item. */
export interface WantedItem {
  readonly database: string;
  readonly id: string;
  readonly collection: string | null;
}

/** An item as it is shown, with its row. */
export interface ListedItem {
  readonly item: ShownItem;
  readonly source: Source;
}

/** A list together with the rows that it was made of. */
export type ListedSources = SourceConnection & {
  readonly rows: readonly ListedItem[];
  readonly databaseId: number;
};

/** Where items of a list are. */
interface Place {
  readonly databaseId: number;
  readonly database: string;
  readonly collection: string;
}

/** Lists and shows the items of a collection. */
export class SourceListService {
  constructor(private readonly options: SourceListOptions) {}

  /** A page of items of one corpus, newest first; their total is counted only if `counted`. */
  async list(
    caller: Caller,
    args: SourceListArgs,
    { counted }: { counted: boolean },
  ): Promise<ListedSources> {
    const corpus = readCorpus(args.type);
    const range = pageRange(args, listPageSizes);
    const known = this.known(caller, args.acl);
    const name = collectionName(args.collection);
    const ids = readIds(args);
    const { collections } = this.options;
    const { database, collectionId } = await collections.findReadyCollection(caller, args.database, name);
    const conditions = [...known, ...readSourceFilters(args.filters, database.metadataSchema)];
    const place = { databaseId: database.id, database: database.name, collection: name };
    if (collectionId === undefined)
      return this.answer(emptyConnection(range), [], { corpus, databaseId: database.id });
    const scope = { databaseId: database.id, collectionId, corpus };
    const order = orderOf(scope);
    const [createdAtMicros, id] = keyBehind(range.cursor, order) ?? [];
    const behind = createdAtMicros === undefined || id === undefined ? undefined : { createdAtMicros, id };
    const items: ListedItems = {
      scope,
      ids,
      conditions,
      withoutComments: args.groupThreads ?? false,
      now: this.options.clock.now(),
    };
    const { found, total } = await this.findPage(items, range, { behind, counted });
    const page = connection(found, total, { range, order });
    const comments = args.groupThreads
      ? await this.commentsOn(items, page.nodes, { allowed: all(known), place })
      : undefined;
    const rows = page.nodes.map((item) => ({
      item,
      source: toSource(item, { ...place, comments: comments && (comments.get(threadKey(item)) ?? []) }),
    }));
    const shown = { ...page, nodes: rows.map(({ source }) => source) };
    return this.answer(shown, rows, { corpus, databaseId: database.id });
  }

  /**
   * The rows of a page, one more where there are more, and the number of all items. A page by number walks to
   * the page and counts what is behind it: the index is read once, whichever the page.
   */
  private async findPage(
    items: ListedItems,
    range: PageRange,
    { behind, counted }: { behind: ListKey | undefined; counted: boolean },
  ): Promise<{ found: ListedRow[]; total: number }> {
    const { manager } = this.options.postgres;
    const { offset, limit } = range;
    const found = await findListedPage(manager, items, { ...rowsOf(range), behind });
    const row = found[Math.min(found.length, limit) - 1];
    const last = row && { createdAtMicros: row.listedAt, id: row.id };
    const count = async () => {
      // Behind a cursor the offset is only what it once was; and a page beyond the end does not know where
      // the end is.
      if (behind || (!row && offset > 0)) return countListed(manager, items);
      if (found.length <= limit) return offset + found.length;
      return offset + limit + (await countListed(manager, items, last));
    };
    return { found, total: counted ? await count() : offset + found.length };
  }

  /** One item; undefined when none exists that the caller may read. */
  async find(
    caller: Caller,
    { database: databaseName, id, collection }: WantedItem,
    corpus: Corpus,
  ): Promise<(ListedItem & { readonly databaseId: number }) | undefined> {
    const name = collectionName(collection);
    const { collections } = this.options;
    const { database, collectionId } = await collections.findReadyCollection(caller, databaseName, name);
    if (collectionId === undefined) return undefined;
    const readers = readReaders(caller, undefined);
    const [item] = await findShown(
      this.options.postgres.manager,
      { databaseId: database.id, collectionId, corpus },
      {
        ids: [id],
        now: this.options.clock.now(),
        condition: (alias, add) => mayReadSql(`${alias}.acl`, readers, add),
      },
    );
    if (!item) return undefined;
    const place = { databaseId: database.id, database: database.name, collection: name };
    const source = toSource(item, { ...place, comments: undefined });
    return { item, source, databaseId: database.id };
  }

  // For a caller who may know everything there is no condition, and only an index is read.
  private known(caller: Caller, acl: readonly string[] | null | undefined): SourceCondition[] {
    const access = readItemAccess(caller, acl);
    if (access.readers === null && access.seesHidden) return [];
    return [(alias, add) => maySeeSql(`${alias}.acl`, access, add)];
  }

  private async commentsOn(
    items: ListedItems,
    rows: readonly ShownItem[],
    { allowed, place }: { allowed: SourceCondition; place: Place },
  ): Promise<Map<string, Source[]>> {
    const parents = rows.filter(
      (row) => row.appKind !== 'comment' && row.appProvider !== null && row.appExternalId !== null,
    );
    const found =
      parents.length > 0
        ? await findComments(this.options.postgres.manager, items, { parents, allowed })
        : [];
    const byParent = new Map<string, Source[]>();
    for (const comment of found) {
      const key = JSON.stringify([comment.appProvider, comment.appParentId]);
      const source = toSource(comment, { ...place, comments: [] });
      addToList(byParent, key, source);
    }
    return byParent;
  }

  private answer(
    page: Connection<Source>,
    rows: readonly ListedItem[],
    { corpus, databaseId }: { corpus: Corpus; databaseId: number },
  ): ListedSources {
    const { totalCount } = page;
    const total =
      corpus === 'memory' ? counted(totalCount, 'memory', 'memories') : counted(totalCount, 'source');
    return {
      ...page,
      rows,
      databaseId,
      sources: corpus === 'knowledge' ? page.nodes : null,
      message: `${page.nodes.length} of ${total}`,
    };
  }
}

function orderOf({ databaseId, collectionId, corpus }: SourceScope): ListOrder<ListedRow> {
  return {
    list: `listed.${databaseId}.${collectionId}.${corpus}`,
    keyOf: ({ listedAt, id }) => [listedAt, id],
    forms: [KEY_FORMS.microseconds, KEY_FORMS.text],
  };
}

function all(conditions: readonly SourceCondition[]): SourceCondition {
  return (alias, parameter) =>
    ['true', ...conditions.map((condition) => `(${condition(alias, parameter)})`)].join(' and ');
}

function threadKey({ appKind, appProvider, appExternalId }: ShownItem): string {
  return appKind === 'comment' ? '' : JSON.stringify([appProvider, appExternalId]);
}

function toSource(
  item: ShownItem,
  { databaseId, database, collection, comments }: Place & { comments: Source[] | undefined },
): Source {
  return {
    ...item,
    database,
    collection,
    comments: comments ?? null,
    type: item.type ?? item.corpus,
    timestamp: item.itemTime,
    // Those who manage an item that nobody may read see it listed, without its content.
    version:
      item.visible && item.acl?.length !== 0 ? { databaseId, corpus: item.corpus, uid: item.uid } : null,
    declaredRelations: (item.declaredRelations ?? []).map(toSent),
  };
}

/** A declared link in the form in which it was sent. */
function toSent({ rawPredicate, target, properties }: DeclaredRelation): JsonObject {
  return {
    predicate: rawPredicate,
    target: 'id' in target ? target : { provider: target.provider, external_id: target.externalId },
    properties,
  };
}

function readIds({ ids }: Pick<ItemListArgs, 'ids'>): readonly string[] | null {
  if (ids == null) return null;
  checkCount(ids.length, 'ids', { noun: 'ids', max: LIMITS.listIdsMax });
  return ids;
}
