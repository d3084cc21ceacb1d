import type { EntityManager } from 'typeorm';
import type { IngestionErrorCode } from '../../errors.js';
import { query } from '../../postgres/query.js';
import { transitions } from './indexing-status.js';
import type { IndexingStatus } from './indexing-status.js';
import { leaseParameters, leasedRows } from './lease.js';
import type { LeasedVersion } from './lease.js';
import { changeColumns } from './status-changes.queries.js';
import type { StatusChange } from './status-feed.js';
import type { OutboxSql } from './status-outbox.js';

/** What a version ends as. */
export interface FinalStatus {
  readonly to: IndexingStatus.completed | IndexingStatus.errored;
  readonly errorCode?: IngestionErrorCode | '';
  readonly errorMessage?: string;
}

/** A version whose chunks are stored. */
export interface SearchableVersion extends LeasedVersion {
  readonly chunkCount: number;
  /** Whether its graph is built later: until then it is searchable, not completed. */
  readonly awaitsGraph: boolean;
  /** As its file says; it counts where whoever sent the file named no time. */
  readonly sentAt?: string | undefined;
  /** What of it could not be indexed. */
  readonly errorMessage?: string | undefined;
}

/** When a change happens, and how the webhook deliveries that it causes are stored with it. */
interface Announced {
  readonly now: Date;
  readonly outbox: OutboxSql;
}

// A version that was searchable has already passed graph_creation.
const sequenceOfEnd = `values ("indexingStatus", case when visible then 4 else 3 end)`;
const stepsPassed = `select 'graph_creation', 3 union all select 'completed', 4 where "indexingStatus" = 'completed'`;

/**
 * Ends versions, where the transition table allows it and their lease is still held, and gives up the leases.
 * Returns the changes.
 */
export function endIndexing(
  manager: EntityManager,
  versions: readonly LeasedVersion[],
  { to, errorCode = '', errorMessage = '', now, outbox }: FinalStatus & Announced,
): Promise<StatusChange[]> {
  return query<StatusChange>(
    manager,
    `with changed as (
     update sources s
        set indexing_status = $4, error_code = $5, error_message = $6, status_updated_at = $7,
            lease_token = null, lease_until = null, blocked_since = null
       from ${leasedRows}, collections c
      where s.database_id = v.database_id and s.uid = v.uid and c.id = s.collection_id
        and s.latest and s.lease_token = v.lease_token and s.indexing_status = any($8)
    returning ${changeColumns}, s.uid, s.status_updated_at, s.visible)${withOutbox(outbox, sequenceOfEnd)}`,
    [...leaseParameters(versions), to, errorCode, errorMessage, now, transitions[to]],
  );
}

/**
 * Hides the earlier versions of items; to be called in the transaction that makes these versions visible.
 */
export async function hidePredecessors(
  manager: EntityManager,
  versions: readonly LeasedVersion[],
): Promise<void> {
  await query(
    manager,
    // Locked, so that none is taken over before it is visible.
    `with ours as materialized (
       select s.database_id, s.collection_id, s.corpus, s.id, s.uid
         from sources s join ${leasedRows} using (database_id, uid, lease_token)
        where s.latest order by s.uid for update of s)
     update sources old set visible = false
       from ours s
      where old.database_id = s.database_id and old.collection_id = s.collection_id and old.corpus = s.corpus
        and old.id = s.id and old.visible and old.uid <> s.uid`,
    leaseParameters(versions),
  );
}

/**
 * Makes versions that are still held searchable, or completed where they wait for no graph, and gives up the
 * leases. Returns the changes. Those that wait for their graph are due at once, with all of their tries.
 */
export function showVersions(
  manager: EntityManager,
  versions: readonly SearchableVersion[],
  { now, outbox }: Announced,
): Promise<StatusChange[]> {
  return query<StatusChange>(
    manager,
    `with changed as (
     update sources s
        set visible = true, chunk_count = v.chunk_count, item_time = coalesce(s.item_time, v.sent_at),
            indexing_status = case when v.awaits_graph then 'graph_creation' else 'completed' end, error_code = '',
            error_message = v.error_message, status_updated_at = $8, blocked_since = null, lease_token = null, lease_until = null,
            attempts = case when v.awaits_graph then 0 else s.attempts end,
            next_attempt_at = case when v.awaits_graph then $8 else s.next_attempt_at end
       from unnest($1::int[], $2::bigint[], $3::uuid[], $4::int[], $5::boolean[], $6::timestamptz[], $7::text[])
              as v(database_id, uid, lease_token, chunk_count, awaits_graph, sent_at, error_message),
            collections c
      where s.database_id = v.database_id and s.uid = v.uid and c.id = s.collection_id
        and s.latest and s.lease_token = v.lease_token and s.indexing_status = any($9)
    returning ${changeColumns}, s.uid, s.status_updated_at)${withOutbox(outbox, stepsPassed)}`,
    [
      ...leaseParameters(versions),
      versions.map(({ chunkCount }) => chunkCount),
      versions.map(({ awaitsGraph }) => awaitsGraph),
      versions.map(({ sentAt }) => sentAt ?? null),
      versions.map(({ errorMessage }) => errorMessage ?? ''),
      now,
      transitions.graph_creation,
    ],
  );
}

/**
 * Completes a statement that begins with the changes: stores the webhook deliveries they cause, and returns
 * the changes.
 */
function withOutbox(outbox: OutboxSql, steps: string): string {
  return `,
     told as (${outbox(`
       select "databaseId" as database_id, collection, corpus, id, uid,
              null::bigint as previous_uid, step.status as indexing_status, step.sequence,
              "errorCode" as error_code, "errorMessage" as error_message, status_updated_at
         from changed cross join lateral (${steps}) as step (status, sequence)`)})
     select "databaseId", collection, corpus, id, "indexingStatus", "errorCode", "errorMessage", acl from changed`;
}
