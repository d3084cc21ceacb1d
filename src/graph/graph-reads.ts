import type { Caller } from '../accounts/caller.js';
import { collectionName } from '../databases/collections.service.js';
import type { CollectionsService } from '../databases/collections.service.js';
import { SqlParameters } from '../postgres/sql-parameters.js';
import { storeTable } from '../postgres/stores.js';
import type { Corpus } from '../postgres/stores.js';
import { mayReadSql, readReaders } from '../sources/acl.js';
import type { Readers } from '../sources/acl.js';
import { unexpiredSql, versionSql, visibleVersionSql } from '../sources/sources.queries.js';
import type { SourceScope } from '../sources/sources.queries.js';

/** Which graph is read, as which readers, and at what time. */
export interface GraphRead {
  readonly scope: SourceScope;
  readonly readers: Readers;
  readonly now: Date;
}

/** The arguments of every read of a graph. */
export interface GraphQuestion {
  readonly database: string;
  readonly collection?: string | null | undefined;
  readonly acl?: readonly string[] | null | undefined;
}

/**
 * The graph that a question is about; undefined while nothing has been written to its collection.
 * @throws AppError DATABASE_NOT_FOUND, TENANT_INFRA_NOT_READY
 */
export async function findGraph(
  collections: CollectionsService,
  caller: Caller,
  { question, corpus, now }: { question: GraphQuestion; corpus: Corpus; now: Date },
): Promise<GraphRead | undefined> {
  const readers = readReaders(caller, question.acl);
  const name = collectionName(question.collection);
  const found = await collections.findReadyCollection(caller, question.database, name);
  const { database, collectionId } = found;
  if (collectionId === undefined) return undefined;
  return { scope: { databaseId: database.id, collectionId, corpus }, readers, now };
}

type StoreTable = Parameters<typeof storeTable>[0];

/**
 * The parameters of a statement about a graph, and its conditions for the versions that may be read. Hidden
 * items are excluded at every hop, so that nothing is found through them.
 */
export class GraphStatement extends SqlParameters {
  readonly scope: SourceScope;
  private readonly readers: (column: string) => string;

  constructor({ scope, readers, now }: GraphRead) {
    super([scope.databaseId, scope.collectionId, scope.corpus, now]);
    this.scope = scope;
    const placed: string[] = [];
    this.readers = (column) => mayReadSql(column, readers, (value) => (placed[0] ??= this.add(value)));
  }

  /** SQL: rows of a table, each with its version `s`, as far as the reader may see that. */
  seenIn(table: StoreTable, alias: string): string {
    return `${storeTable(table, this.scope)} ${alias} cross join lateral ${this.seen(`${alias}.source_uid`)} s`;
  }

  /** SQL: a subquery for the version with a uid, which has no row if the reader may not see that. */
  seen(uid: string): string {
    return `(select v.* from ${versionSql('$1', uid)} v where ${this.readable('v')})`;
  }

  /** SQL: the same for the item with an id. */
  seenById(id: string): string {
    const scope = { databaseId: '$1', collectionId: '$2', corpus: '$3' };
    return `(select v.* from ${visibleVersionSql(scope, id)} v where ${this.readable('v')})`;
  }

  /** SQL condition: the version is of this collection and readable. */
  readable(alias: string): string {
    return `${alias}.database_id = $1 and ${alias}.collection_id = $2 and ${alias}.corpus = $3 and ${alias}.visible
      and ${unexpiredSql(alias, '$4')} and ${this.readers(`${alias}.acl`)}`;
  }
}
