import type { Corpus } from '../postgres/stores.js';

/** Where items of one request go. */
export interface SourceScope {
  readonly databaseId: number;
  readonly collectionId: number;
  readonly corpus: Corpus;
}

/** SQL: whether an item has not expired. */
export function unexpiredSql(alias: string, now: string): string {
  return `(${alias}.expires_at is null or ${alias}.expires_at > ${now}::timestamptz)`;
}

/**
 * SQL: the version with a uid, as a subquery, with its place `ctid`. The limit keeps the planner from joining in another
 * order: where it last counted the items when few were visible, or none of this database, it would begin with all of them.
 */
export function versionSql(databaseId: string, uid: string): string {
  return `(select ctid, * from sources where database_id = ${databaseId} and uid = ${uid} limit 1)`;
}

/** SQL: the visible version of an item, likewise. The places of the values of its scope are given. */
export function visibleVersionSql(scope: Readonly<Record<keyof SourceScope, string>>, id: string): string {
  return `(select ctid, * from sources where database_id = ${scope.databaseId} and collection_id = ${scope.collectionId}
    and corpus = ${scope.corpus} and visible and id = ${id} limit 1)`;
}
