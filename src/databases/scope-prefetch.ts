import { isDeepStrictEqual } from 'node:util';
import type { Prefetch } from '../accounts/accounts.service.js';
import type { Caller } from '../accounts/caller.js';
import type { ScopedDatabase } from './collections.service.js';
import { DatabaseStatus } from './database.entity.js';

/** A database and some of its collections, as Postgres returns them. */
export interface ScopeRow extends ScopedDatabase {
  readonly collections: readonly { readonly id: number; readonly name: string }[];
}

/** What is asked for, by name. */
interface ScopeQuestion {
  readonly database: string;
  readonly names: readonly string[];
}

const keysMax = 1000;
const namesMax = 20;
// A slow body may come long after its key: what was read with the key by then is read again.
const validMs = 1000;

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

/**
 * A key mostly asks for what it asked for last, so that is read in the statement that reads the key, and the
 * request waits for Postgres once less. Only the question is kept from one request to the next, never the
 * answer.
 */
export class ScopePrefetch implements Prefetch {
  readonly sql = scopeSql({ accountId: 'k.account_id', database: '$3', names: '$4' });
  private readonly lastAsked = new Map<string, ScopeQuestion>();

  /** Remembers what a key asks for. */
  remember({ keyPrefix }: Caller, question: ScopeQuestion): void {
    this.lastAsked.delete(keyPrefix);
    if (question.names.length > namesMax) return;
    if (this.lastAsked.size >= keysMax) this.lastAsked.delete(this.lastAsked.keys().next().value ?? '');
    this.lastAsked.set(keyPrefix, question);
  }

  parametersFor(keyPrefix: string): unknown[] | undefined {
    const asked = this.lastAsked.get(keyPrefix);
    return asked && [asked.database, asked.names];
  }

  /** What was read with the caller's key, if it answers this question. */
  find({ prefetched }: Caller, { database, names }: ScopeQuestion): ScopeRow | undefined {
    if (!prefetched?.row || performance.now() - prefetched.readAtMs > validMs) return undefined;
    const [ofDatabase, ofNames] = prefetched.parameters;
    if (ofDatabase !== database || !isDeepStrictEqual(ofNames, names)) return undefined;
    return prefetched.row as ScopeRow;
  }
}
