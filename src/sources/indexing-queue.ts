import type { DataSource, EntityManager } from 'typeorm';
import { v4 as uuidv4 } from 'uuid';
import type { Clock } from '../lib/clock.js';
import { query } from '../postgres/query.js';
import type { Corpus } from '../postgres/partitions.js';
import type { Acl } from './acl.js';
import type { AppContent, MemoryContent } from './source.types.js';

/** A version that a worker holds under a lease. */
export interface QueuedVersion {
  readonly databaseId: number;
  readonly uid: string;
  readonly collectionId: number;
  readonly collection: string;
  readonly corpus: Corpus;
  readonly id: string;
  readonly title: string;
  readonly filename: string | null;
  readonly contentType: string | null;
  readonly contentBytes: number;
  readonly storageKey: string | null;
  readonly memory: MemoryContent | null;
  readonly app: AppContent | null;
  readonly infer: boolean;
  readonly createdAt: Date;
  /** When this version was sent. */
  readonly updatedAt: Date;
  readonly acl: Acl;
  readonly attempts: number;
  /** An earlier attempt may have stored chunks. */
  readonly mayHaveChunks: boolean;
  /** Searchable already: only its graph is missing. */
  readonly visible: boolean;
}

export interface Claim {
  readonly leaseToken: string;
  readonly versions: readonly QueuedVersion[];
}

const claimItemsMax = 64;
/** How long a worker may fall silent before others take over; it extends its lease three times in that time. */
const leaseMs = 30_000;
export const heartbeatMs = leaseMs / 3;
const retryDelayMaxMs = 300_000;

const columns = `s.database_id as "databaseId", s.uid, s.collection_id as "collectionId", c.name as collection, s.corpus, s.id, s.title,
  s.filename, s.content_type as "contentType", s.content_bytes::float8 as "contentBytes",
  s.storage_key as "storageKey", s.memory, s.app, s.infer, s.created_at as "createdAt", s.updated_at as "updatedAt", s.acl, s.attempts, s.attempts > 1 as "mayHaveChunks",
  s.visible`;

/** The rows of sources that wait for indexing are the queue; a lease marks who works on which. */
export class IndexingQueue {
  constructor(
    private readonly postgres: DataSource,
    private readonly clock: Clock,
  ) {}

  /** Takes the versions that are due and that no living worker holds, oldest first. */
  async claim(): Promise<Claim> {
    const leaseToken = uuidv4();
    const now = this.clock.now();
    const versions = await query<QueuedVersion>(
      this.postgres.manager,
      `with due as (
         select database_id, uid from sources
          where latest and indexing_status in ('queued', 'processing', 'graph_creation')
            and next_attempt_at <= $1 and (lease_until is null or lease_until < $1)
          order by next_attempt_at, uid limit $2 for update skip locked)
       update sources s
          set indexing_status = case when s.visible then 'graph_creation' else 'processing' end, lease_token = $3, lease_until = $4, attempts = s.attempts + 1,
              status_updated_at = $1
         from due, collections c
        where s.database_id = due.database_id and s.uid = due.uid and c.id = s.collection_id
       returning ${columns}`,
      [now, claimItemsMax, leaseToken, this.leaseEnd(now)],
    );
    versions.sort((a, b) => Number(BigInt(a.uid) - BigInt(b.uid)));
    return { leaseToken, versions };
  }

  /** Extends the leases of versions that are still ours: the heartbeat of a worker. */
  async extend(versions: readonly QueuedVersion[], leaseToken: string): Promise<void> {
    await this.setLease(versions, leaseToken, this.leaseEnd(this.clock.now()));
  }

  /** Lets go of versions at once, for a worker that stops before it has come to them. */
  async release(versions: readonly QueuedVersion[], leaseToken: string): Promise<void> {
    await this.setLease(versions, leaseToken, null);
  }

  /** Locks versions for a write's own transaction: the uids that are still ours and still the latest version. */
  async hold(
    manager: EntityManager,
    versions: readonly QueuedVersion[],
    leaseToken: string,
  ): Promise<Set<string>> {
    const rows = await query<{ uid: string }>(
      manager,
      `select s.uid from sources s join unnest($1::int[], $2::bigint[]) as v(database_id, uid) using (database_id, uid)
        where s.latest and s.lease_token = $3 order by s.uid for update of s`,
      [versions.map((v) => v.databaseId), versions.map((v) => v.uid), leaseToken],
    );
    return new Set(rows.map((row) => row.uid));
  }

  /** Gives versions back, to be tried again later: twice as late after every attempt, give or take a quarter, at most 5 minutes. */
  async retryLater(
    versions: readonly QueuedVersion[],
    leaseToken: string,
    problem: { errorCode: string; errorMessage: string },
  ): Promise<void> {
    const now = this.clock.now();
    await query(
      this.postgres.manager,
      `update sources s
          set lease_token = null, lease_until = null, error_code = $4, error_message = $5, status_updated_at = $6::timestamptz,
              next_attempt_at = $6::timestamptz + least(1000 * power(2, s.attempts - 1) * (0.75 + random() / 2), $7::float8) * interval '1 millisecond'
         from unnest($1::int[], $2::bigint[]) as v(database_id, uid)
        where s.database_id = v.database_id and s.uid = v.uid and s.lease_token = $3`,
      [
        versions.map((v) => v.databaseId),
        versions.map((v) => v.uid),
        leaseToken,
        problem.errorCode,
        problem.errorMessage,
        now,
        retryDelayMaxMs,
      ],
    );
  }

  private async setLease(
    versions: readonly QueuedVersion[],
    leaseToken: string,
    until: Date | null,
  ): Promise<void> {
    await query(
      this.postgres.manager,
      `update sources s set lease_until = $4
         from unnest($1::int[], $2::bigint[]) as v(database_id, uid)
        where s.database_id = v.database_id and s.uid = v.uid and s.lease_token = $3`,
      [versions.map((v) => v.databaseId), versions.map((v) => v.uid), leaseToken, until],
    );
  }

  private leaseEnd(now: Date): Date {
    return new Date(now.getTime() + leaseMs);
  }
}
