import type { VectorIndex } from '../postgres/vector-index.js';
import { DatabaseStatus } from './database.entity.js';
import type { Database } from './database.entity.js';

/** What reads need to know of their database. */
export type ScopedDatabase = Pick<
  Database,
  | 'id'
  | 'name'
  | 'status'
  | 'error'
  | 'metadataSchema'
  | 'embeddingModel'
  | 'vectorDimensions'
  | 'vectorGeneration'
> & {
  readonly vectorIndexes: readonly VectorIndex[];
  /** Whether some of its items may be read by nobody. */
  readonly hidesItems: boolean;
  /** Whether facts were found in some of its items. */
  readonly hasFacts: boolean;
};

/** Where a read looks: collections by id, with their names. */
export interface DatabaseScope {
  readonly database: ScopedDatabase;
  readonly collections: ReadonlyMap<number, string>;
}

/** A database and some of its collections, as Postgres returns them. */
export interface ScopeRow extends ScopedDatabase {
  readonly collections: readonly { readonly id: number; readonly name: string }[];
}

/**
 * SQL that selects a ScopeRow; the arguments are SQL too. Whether there are facts is one look into their index: `exists` might scan
 * those of all databases.
 */
export function scopeSql({
  accountId,
  database,
  names,
}: Readonly<Record<'accountId' | 'database' | 'names', string>>): string {
  return `select d.id, d.name, d.status, d.error, d.metadata_schema as "metadataSchema",
              d.embedding_model as "embeddingModel", d.vector_dimensions as "vectorDimensions",
              d.vector_generation as "vectorGeneration",
              array(select jsonb_build_object('id', c.id, 'name', c.name) from collections c
                     where c.database_id = d.id and c.name = any(${names}) and not c.deleting) as collections,
              array(select jsonb_build_object('corpus', v.corpus, 'indexedUpTo', v.indexed_up_to::text,
                                              'wideCollections', v.wide_collections, 'candidates', v.candidates)
                      from vector_indexes v
                     where v.database_id = d.id and v.generation = d.vector_generation) as "vectorIndexes",
              exists(select from sources s where s.database_id = d.id and s.acl = '{}') as "hidesItems",
              (select true from facts f where f.database_id = d.id
                order by f.source_uid, f.position limit 1) is not null as "hasFacts"
         from databases d where d.account_id = ${accountId} and d.name = ${database} and d.status <> '${DatabaseStatus.deleting}'`;
}
