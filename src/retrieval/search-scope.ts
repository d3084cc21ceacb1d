import { prepared } from '../postgres/prepared-statements.js';
import type { SqlParameters } from '../postgres/sql-parameters.js';
import type { VectorIndex } from '../postgres/vector-index.js';
import type { VectorStore } from '../postgres/vector-tables.js';
import { mayReadSql } from '../sources/acl.js';
import type { Readers } from '../sources/acl.js';
import { hasMetadataSql, metadataSql, needsMetadata } from '../sources/metadata/metadata-condition.js';
import type { MetadataCondition } from '../sources/metadata/metadata-condition.js';
import { unexpiredSql, versionSql } from '../sources/sources.queries.js';

/** Which chunks of a store may be found. */
export interface SearchScope {
  readonly store: VectorStore;
  /** Undefined while there are so few vectors that they are scanned. */
  readonly vectorIndex: VectorIndex | undefined;
  readonly collectionIds: readonly number[];
  /** The items that may be found; null for all. */
  readonly sourceIds: readonly string[] | null;
  readonly conditions: readonly MetadataCondition[];
  /** The principals that the search answers as. */
  readonly readers: Readers;
  /** Some items may be read by nobody: an answer must not even show that they take a place. */
  readonly hidesItems: boolean;
  /** Facts were found in some items, so later facts may have outdated earlier ones. */
  readonly hasFacts: boolean;
  readonly now: Date;
}

/**
 * SQL: a row belongs to a collection of the scope. One collection is the common case, and comparing numbers
 * is cheaper than looking into a list.
 */
export function inCollections(
  alias: string,
  { collectionIds }: SearchScope,
  parameters: SqlParameters,
): string {
  const [first, ...more] = collectionIds;
  if (more.length === 0) return `${alias}.collection_id = ${parameters.add(first)}::int`;
  return `${alias}.collection_id = any(${parameters.add(collectionIds)}::int[])`;
}

/** Whether ids, metadata or readers limit which items of the collections may be found. */
export function isFiltered({ sourceIds, conditions, readers }: SearchScope): boolean {
  return sourceIds !== null || conditions.length > 0 || readers !== null;
}

/** Whether the collections may hold items that the search must not show. */
export function hidesSome({ readers, hidesItems }: SearchScope): boolean {
  return readers !== null || hidesItems;
}

/**
 * Has the plan of a search without a filter kept. A search with one is planned every time, because its best
 * plan depends on what the filter leaves.
 */
export function plannedOnce(scope: SearchScope, sql: string): string {
  return isFiltered(scope) ? sql : prepared(sql);
}

/**
 * SQL: a candidate row belongs to an item that may be found. Undefined when this need not be checked here,
 * because reading the best chunks leaves out the others.
 */
export function matchingItems(
  alias: string,
  scope: SearchScope,
  parameters: SqlParameters,
): string | undefined {
  if (isFiltered(scope)) return `${alias}.source_uid in (${matchingSources(scope, parameters)})`;
  if (!scope.hidesItems) return undefined;
  const databaseId = parameters.add(scope.store.databaseId);
  return `${alias}.source_uid not in (select h.uid from sources h where h.database_id = ${databaseId} and h.acl = '{}')`;
}

/** SQL that selects the uid of every visible item that may be found. */
export function matchingSources(scope: SearchScope, parameters: SqlParameters): string {
  return `select m.uid from sources m where ${mayBeFound('m', scope, parameters)}`;
}

/** SQL: a row of sources is a visible item that may be found. */
export function mayBeFound(alias: string, scope: SearchScope, parameters: SqlParameters): string {
  const { store, collectionIds, sourceIds, conditions, readers, now } = scope;
  const clauses = [
    `${alias}.database_id = ${parameters.add(store.databaseId)}`,
    `${alias}.collection_id = any(${parameters.add(collectionIds)}::int[])`,
    `${alias}.corpus = ${parameters.add(store.corpus)}`,
    `${alias}.visible`,
    unexpiredSql(alias, parameters.add(now)),
    mayReadSql(`${alias}.acl`, readers, parameters.add),
    ...(sourceIds ? [`${alias}.id = any(${parameters.add(sourceIds)}::text[])`] : []),
    ...(conditions.some(needsMetadata) ? [hasMetadataSql(alias)] : []),
    ...conditions.map((condition) => metadataSql(condition, alias, parameters.add)),
  ];
  return clauses.join(' and ');
}

/** SQL: a subquery for the version with a uid, which has no row if that is not visible or may not be found. */
export function foundItem(uid: string, scope: SearchScope, parameters: SqlParameters): string {
  const databaseId = parameters.add(scope.store.databaseId);
  return `(select s.* from ${versionSql(databaseId, uid)} s
    where ${mayBeFound('s', scope, parameters)})`;
}
