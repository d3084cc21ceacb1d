import { MoreThan } from 'typeorm';
import type { DataSource, EntityManager } from 'typeorm';
import type { Caller } from '../accounts/caller.js';
import { invalidInput } from '../errors.js';
import type { Wake } from '../jobs/define-job.js';
import type { Clock } from '../lib/clock.js';
import { KEY_FORMS, keyBehind } from '../lib/list-cursor.js';
import type { ListOrder } from '../lib/list-cursor.js';
import { connection, pageRange, rowsOf } from '../lib/page.types.js';
import type { Connection, PageArgs } from '../lib/page.types.js';
import { boundedText, hasControlCharacter } from '../lib/text-check.js';
import { LIMITS } from '../limits.js';
import { prepared } from '../postgres/prepared-statements.js';
import { query, queryOne } from '../postgres/query.js';
import { Collection } from './collection.entity.js';
import { scopeSql } from './database-scope.js';
import type { DatabaseScope, ScopeRow, ScopedDatabase } from './database-scope.js';
import { checkReady, databaseNotFound, refuseForeign } from './databases.service.js';
import type { DatabasesService } from './databases.service.js';
import type { ScopePrefetch } from './scope-prefetch.js';

/** The collection of calls that name none. */
export const defaultCollection = 'default';

interface CollectionsOptions {
  readonly postgres: DataSource;
  readonly clock: Clock;
  readonly databases: DatabasesService;
  readonly prefetch: ScopePrefetch;
  readonly wake: Wake;
  /** What else happens in the transaction that hides a collection. */
  readonly onDeleted: (manager: EntityManager, databaseId: number, name: string) => Promise<void>;
}

/** The collections of databases, and which of them calls mean. */
export class CollectionsService {
  constructor(private readonly options: CollectionsOptions) {}

  async list(caller: Caller, database: string, args: PageArgs): Promise<Connection<Collection>> {
    const range = pageRange(args);
    const { id } = await this.options.databases.find(caller, database);
    const order: ListOrder<Collection> = {
      list: `collections.${id}`,
      keyOf: ({ name }) => [name],
      forms: [KEY_FORMS.text],
    };
    const [behind] = keyBehind(range.cursor, order) ?? [];
    const listed = { databaseId: id, deleting: false };
    const rows = await this.collections.find({
      where: behind === undefined ? listed : { ...listed, name: MoreThan(behind) },
      order: { name: 'asc' },
      ...rowsOf(range),
    });
    return connection(rows, await this.collections.countBy(listed), { range, order });
  }

  /**
   * findScope for calls that need the database to be ready. @throws AppError DATABASE_NOT_FOUND,
   * TENANT_INFRA_NOT_READY
   */
  async findReadyScope(caller: Caller, database: string, names: readonly string[]): Promise<DatabaseScope> {
    const scope = await this.findScope(caller, database, names);
    checkReady(scope.database);
    return scope;
  }

  /** The same for one collection, whose id is undefined until a write has made it. */
  async findReadyCollection(
    caller: Caller,
    name: string,
    collection: string,
  ): Promise<{ readonly database: ScopedDatabase; readonly collectionId: number | undefined }> {
    const { database, collections } = await this.findReadyScope(caller, name, [collection]);
    const [collectionId] = collections.keys();
    return { database, collectionId };
  }

  /**
   * A database, ready or not, and some of its collections by name, read in one statement, or already with the
   * key. A collection that no write has made yet is left out. @throws AppError DATABASE_NOT_FOUND
   */
  async findScope(caller: Caller, database: string, names: readonly string[]): Promise<DatabaseScope> {
    refuseForeign(caller, database);
    const { postgres, prefetch } = this.options;
    const question = { database, names };
    const row =
      prefetch.find(caller, question) ??
      (await queryOne<ScopeRow>(
        postgres.manager,
        prepared(scopeSql({ accountId: '$1', database: '$2', names: '$3' })),
        [caller.accountId, database, names],
      ));
    if (!row) throw databaseNotFound(database);
    prefetch.remember(caller, question);
    return { database: row, collections: new Map(row.collections.map(({ id, name }) => [id, name])) };
  }

  /** The id of a collection, which is made by its first write; its row stays until the transaction ends. */
  async ensure(manager: EntityManager, databaseId: number, name: string): Promise<number> {
    const insert = `insert into collections (database_id, name, deleting, created_at) values ($1, $2, false, $3)
                    on conflict (database_id, name) where not deleting do nothing`;
    const lock = 'select id from collections where database_id = $1 and name = $2 and not deleting for share';
    for (;;) {
      const [found] = await query<{ id: number }>(manager, lock, [databaseId, name]);
      if (found) return found.id;
      await query(manager, insert, [databaseId, name, this.options.clock.now()]);
    }
  }

  /**
   * Hides a collection at once and removes its content in the background; its name is free at once. Returns
   * the name.
   */
  async delete(caller: Caller, database: string, collection: string): Promise<string> {
    // Elsewhere an empty name means the default collection; to delete that one, it has to be named.
    if (collection === '') throw invalidInput('collection', 'must not be empty');
    const { id } = await this.options.databases.findWhole(caller, database, 'deleting a collection');
    const name = collectionName(collection);
    await this.options.postgres.transaction(async (manager) => {
      await manager.update(Collection, { databaseId: id, name, deleting: false }, { deleting: true });
      await this.options.onDeleted(manager, id, name);
    });
    this.options.wake('purge-collections');
    return name;
  }

  private get collections() {
    return this.options.postgres.getRepository(Collection);
  }
}

/** The collection's name as given, or the default one. @throws AppError INVALID_INPUT naming the limit */
export function collectionName(given: string | null | undefined, path = 'collection'): string {
  if (given == null || given === '') return defaultCollection;
  boundedText(given, path, LIMITS.collectionNameCharactersMax);
  if (given.includes(',') || hasControlCharacter(given)) {
    throw invalidInput(path, 'must not hold a comma or control characters');
  }
  return given;
}
