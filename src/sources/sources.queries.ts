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
