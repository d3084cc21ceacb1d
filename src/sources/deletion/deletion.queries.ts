import type { EntityManager } from 'typeorm';
import { unbelievableFrom } from '../../lib/clock.js';
import { query } from '../../postgres/query.js';
import type { Acl } from '../acl.js';
import type { SourceScope } from '../sources.queries.js';

/** A version of an item whose row is locked until the transaction ends. */
export interface LockedVersion {
  readonly uid: string;
  readonly id: string;
  readonly latest: boolean;
  readonly visible: boolean;
  readonly acl: Acl;
  /** Waits for indexing, or is being indexed. */
  readonly pending: boolean;
  /** Whether a worker holds it under a lease. */
  readonly held: boolean;
  readonly expired: boolean;
}

// Each look finds what was ingested since the one before.
const looksMax = 100;

/**
 * Locks the versions of items, latest ones first as ingest and workers do. A version that was stored while
 * this waited for a lock is found by looking again; whoever stores one later waits for this transaction.
 */
export async function lockItems(
  manager: EntityManager,
  { databaseId, collectionId, corpus }: SourceScope,
  { ids, now }: { ids: readonly string[]; now: Date },
): Promise<LockedVersion[]> {
  for (let looks = 1; ; looks += 1) {
    const versions = await query<LockedVersion>(
      manager,
      `select uid, id, latest, visible, acl,
              latest and indexing_status in ('queued', 'processing', 'graph_creation') as pending,
              lease_token is not null and lease_until > $5 and lease_until <= $6 as held,
              expires_at is not null and expires_at <= $5 as expired
         from sources where database_id = $1 and collection_id = $2 and corpus = $3 and id = any($4) and (latest or visible)
        order by latest desc, id for update`,
      [databaseId, collectionId, corpus, ids, now, unbelievableFrom(now)],
    );
    // Whoever holds the latest version of an item holds the item.
    const held = new Set(versions.filter(({ latest }) => latest).map(({ id }) => id));
    const isSettled = versions.every(({ id }) => held.has(id)) && (looks > 1 || held.size === ids.length);
    if (isSettled || looks === looksMax) return versions;
  }
}

/** Hides versions from every read, and leaves them to `remove-old-versions`. */
export async function endVersions(
  manager: EntityManager,
  databaseId: number,
  uids: readonly string[],
): Promise<void> {
  await query(
    manager,
    'update sources set latest = false, visible = false where database_id = $1 and uid = any($2::bigint[])',
    [databaseId, uids],
  );
}
