import type { Caller } from '../accounts/caller.js';
import { collectionName } from '../databases/collections.service.js';
import type { CollectionsService } from '../databases/collections.service.js';
import { partition } from '../postgres/partitions.js';
import type { Corpus } from '../postgres/partitions.js';
import { mayReadSql, readReaders } from '../sources/acl.js';
import type { Readers } from '../sources/acl.js';
import { unexpiredSql } from '../sources/sources.queries.js';
import type { SourceScope } from '../sources/sources.queries.js';

/** Whose graph is read, as whom and when. */
export interface GraphRead {
  readonly scope: SourceScope;
  readonly readers: Readers;
  readonly now: Date;
}

/** What every read of the graph is asked with. */
export interface GraphQuestion {
  readonly database: string;
  readonly collection?: string | null | undefined;
  readonly acl?: readonly string[] | null | undefined;
}

/** The place that a question is about; undefined while nothing was ever written there. @throws AppError DATABASE_NOT_FOUND, TENANT_INFRA_NOT_READY */
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

/**
 * Places what a statement about a graph needs: its parameters, and what tells which versions are read. Nothing of an item
 * that is hidden is ever looked at, on no hop.
 */
export class GraphStatement {
  readonly parameters: unknown[];
  readonly scope: SourceScope;
  private readonly readers: (column: string) => string;

  constructor({ scope, readers, now }: GraphRead) {
    this.scope = scope;
    this.parameters = [scope.databaseId, scope.collectionId, scope.corpus, now];
    const placed: string[] = [];
    this.readers = (column) => {
      return mayReadSql(column, readers, (value) => (placed[0] ??= this.place(value)));
    };
  }

  place(value: unknown): string {
    return `$${this.parameters.push(value)}`;
  }

  /** SQL: rows of a table, each beside its version `s`, as far as whoever asks sees that. */
  seenIn(table: Parameters<typeof partition>[0], alias: string): string {
    return `${partition(table, this.scope)} ${alias} join sources s on s.uid = ${alias}.source_uid and ${this.readable('s')}`;
  }

  /** SQL: a version of the collection is seen by whoever asks. */
  readable(alias: string): string {
    return `${alias}.database_id = $1 and ${alias}.collection_id = $2 and ${alias}.corpus = $3 and ${alias}.visible
      and ${unexpiredSql(alias, '$4')} and ${this.readers(`${alias}.acl`)}`;
  }
}
