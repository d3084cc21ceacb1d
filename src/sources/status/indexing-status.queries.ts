import type { EntityManager } from 'typeorm';
import type { Caller } from '../../accounts/caller.js';
import { query } from '../../postgres/query.js';
import { SqlParameters } from '../../postgres/sql-parameters.js';
import type { AddParameter } from '../../postgres/sql-parameters.js';
import type { Corpus } from '../../postgres/stores.js';
import { maySeeSql, readItemAccess } from '../acl.js';
import type { ItemAccess } from '../acl.js';
import { unexpiredSql } from '../sources.queries.js';
import type { IndexingStatus } from './indexing-status.js';

export interface StatusRow {
  readonly id: string;
  readonly indexing_status: IndexingStatus;
  readonly error_code: string;
  readonly error_message: string;
  readonly status_updated_at: Date;
}

/**
 * The indexing statuses, by id, of items that the caller may know of. Without a corpus both are searched; of
 * two items with one id the less advanced counts, and if both are done the one ingested last, so that nothing
 * looks done that is not.
 */
export async function findStatuses(
  manager: EntityManager,
  scope: { databaseId: number; collectionId: number; corpus: Corpus | null },
  { ids, access, now }: { ids: readonly string[]; access: ItemAccess; now: Date },
): Promise<StatusRow[]> {
  const parameters = new SqlParameters([scope.databaseId, scope.collectionId, scope.corpus, ids, now]);
  const known = maySeeSql('acl', access, parameters.add);
  return query<StatusRow>(
    manager,
    `select distinct on (id) id, indexing_status, error_code, error_message, status_updated_at
       from sources s
      where database_id = $1 and collection_id = $2 and ($3::text is null or corpus = $3) and id = any($4) and latest
        and ${unexpiredSql('s', '$5')} and ${known}
      order by id, array_position('{queued,processing,graph_creation}'::text[], indexing_status), uid desc`,
    parameters.values,
  );
}

/** Whose items are counted: with a key that has principals those that it may know of, else all. */
interface Counting {
  readonly caller: Pick<Caller, 'principals' | 'scopes'>;
  readonly now: Date;
}

function countedSql(caller: Counting['caller'], add: AddParameter): string {
  if (!caller.principals) return 'true';
  return maySeeSql('s.acl', readItemAccess(caller, undefined), add);
}

/** The number of chunks that readers see, by corpus. */
export async function countChunks(
  manager: EntityManager,
  databaseId: number,
  { caller, now }: Counting,
): Promise<Record<Corpus, number>> {
  const parameters = new SqlParameters([databaseId, now]);
  const rows = await query<{ corpus: Corpus; chunks: string }>(
    manager,
    `select s.corpus, sum(s.chunk_count)::bigint as chunks
       from sources s join collections c on c.id = s.collection_id and not c.deleting
      where s.database_id = $1 and s.visible and ${unexpiredSql('s', '$2')} and ${countedSql(caller, parameters.add)}
      group by s.corpus`,
    parameters.values,
  );
  const counts: Record<Corpus, number> = { knowledge: 0, memory: 0 };
  for (const row of rows) counts[row.corpus] = Number(row.chunks);
  return counts;
}

/**
 * The number of items by indexing status, over all collections and both corpora; statuses without items are
 * left out.
 */
export async function countStatuses(
  manager: EntityManager,
  databaseId: number,
  { caller, now }: Counting,
): Promise<ReadonlyMap<IndexingStatus, number>> {
  const parameters = new SqlParameters([databaseId, now]);
  const rows = await query<{ status: IndexingStatus; items: number }>(
    manager,
    `select s.indexing_status as status, count(*)::int as items
       from sources s join collections c on c.id = s.collection_id and not c.deleting
      where s.database_id = $1 and s.latest and ${unexpiredSql('s', '$2')} and ${countedSql(caller, parameters.add)}
      group by s.indexing_status`,
    parameters.values,
  );
  return new Map(rows.map(({ status, items }) => [status, items]));
}
