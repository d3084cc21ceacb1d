import { isDeepStrictEqual } from 'node:util';
import type { Foresight } from '../accounts/accounts.service.js';
import type { Caller } from '../accounts/caller.js';
import type { ScopedDatabase } from './collections.service.js';
import { DatabaseStatus } from './database.entity.js';

/** A database and some of its collections, as Postgres returns them. */
export interface ScopeRow extends ScopedDatabase {
  readonly collections: readonly { readonly id: number; readonly name: string }[];
}

/** What is asked for by name. */
interface ScopeQuestion {
  readonly database: string;
  readonly names: readonly string[];
}

const keysMax = 1000;
const namesMax = 20;
// What was read before a slow body came is read again.
const validMs = 1000;

/** SQL that selects a scope; the arguments are SQL too. The first fact is one look into its index: "exists" may scan those of all databases. */
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
 * A key mostly asks for what it asked for last: that is read in the statement that reads the key, so that a request waits
 * for Postgres once less. From one request to another nothing is kept but what was asked for.
 */
export class ScopeForesight implements Foresight {
  readonly sql = scopeSql({ accountId: 'k.account_id', database: '$3', names: '$4' });
  private readonly lastAsked = new Map<string, ScopeQuestion>();

  /** Says what a key asks for. */
  note({ keyPrefix }: Caller, question: ScopeQuestion): void {
    this.lastAsked.delete(keyPrefix);
    if (question.names.length > namesMax) return;
    if (this.lastAsked.size >= keysMax) this.lastAsked.delete(this.lastAsked.keys().next().value ?? '');
    this.lastAsked.set(keyPrefix, question);
  }

  expect(keyPrefix: string): unknown[] | undefined {
    const asked = this.lastAsked.get(keyPrefix);
    return asked && [asked.database, asked.names];
  }

  /** What was read with the caller's key, if it is what is asked for. */
  recall({ foreseen }: Caller, { database, names }: ScopeQuestion): ScopeRow | undefined {
    if (!foreseen?.row || performance.now() - foreseen.readAtMs > validMs) return undefined;
    const [ofDatabase, ofNames] = foreseen.parameters;
    if (ofDatabase !== database || !isDeepStrictEqual(ofNames, names)) return undefined;
    return foreseen.row as ScopeRow;
  }
}
