import type { DataSource, EntityManager } from 'typeorm';
import { v4 as uuidv4 } from 'uuid';
import { withDatabase } from '../../databases/ready-databases.queries.js';
import { databaseVectorsSql } from '../../databases/reembedding.js';
import type { DatabaseVectors } from '../../databases/reembedding.js';
import type { IngestionErrorCode } from '../../errors.js';
import { unbelievableFrom } from '../../lib/clock.js';
import type { Clock } from '../../lib/clock.js';
import { query } from '../../postgres/query.js';
import type { Corpus } from '../../postgres/stores.js';
import type { Acl } from '../acl.js';
import type { DeclaredRelation } from '../ingest/declared-relations.js';
import type { AppContent, MemoryContent } from '../source.types.js';
import { leaseParameters, leasedRows } from './lease.js';
import type { LeasedVersion } from './lease.js';
import type { OutboxSql } from './status-outbox.js';

/** A version that a worker holds under a lease. */
export interface QueuedVersion extends LeasedVersion {
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
  /** When this version was ingested. */
  readonly updatedAt: Date;
  readonly acl: Acl;
  readonly attempts: number;
  /** Whether an earlier attempt may have stored chunks. */
  readonly mayHaveChunks: boolean;
  /** Whether it is searchable already, so that only its graph is missing. */
  readonly visible: boolean;
  /** Whether its database has metadata fields with a dense or sparse lane. */
  readonly hasLanes: boolean;
  /** The vectors that its database keeps. */
  readonly vectors: DatabaseVectors;
  /** Whether another version of the item may be visible. */
  readonly replaces: boolean;
  readonly declaredRelations: readonly DeclaredRelation[] | null;
  /** Whether a graph was sent with it, or inherited. */
  readonly hasGraph: boolean;
}

/** Larger items have a worker of their own. */
export const largeBytesMin = 1_000_000;
/** Bytes that one claim takes at most, over all databases. */
const claimBytesMax = 4_000_000;
const hopelessMax = 200;
/**
 * How long a worker may fall silent before others take over. It extends its lease three times in that time.
 */
const leaseMs = 30_000;
export const heartbeatMs = leaseMs / 3;
const retryDelayMaxMs = 300_000;

/** In SQL, the versions that are not searchable yet. */
export const toIndex = `latest and indexing_status in ('queued', 'processing')`;
/** In SQL, the versions that are searchable and wait only for their graph. */
export const withoutGraph = `latest and indexing_status = 'graph_creation'`;
const waiting = `latest and indexing_status in ('queued', 'processing', 'graph_creation')`;

interface ClaimScope {
  readonly which: string;
  /** How many databases share a claim. */
  readonly databasesMax: number;
  /** Items that one claim takes at most, over all databases. */
  readonly itemsMax: number;
}

/**
 * What each kind of claim takes. Items that wait only for their graph never hold up items that are not
 * searchable yet.
 */
const scopes = {
  small: { which: `large = false and ${toIndex}`, databasesMax: 16, itemsMax: 200 },
  /** Larger items have a worker of their own. */
  large: { which: `large = true and ${toIndex}`, databasesMax: 1, itemsMax: 1 },
  graphs: { which: withoutGraph, databasesMax: 16, itemsMax: 200 },
  /** Only one, for a worker that takes long: an item that is held can be neither deleted nor waited for. */
  nextGraph: { which: withoutGraph, databasesMax: 1, itemsMax: 1 },
  /** Those whose status does not say yet what they wait for. */
  unheldGraphs: { which: `${withoutGraph} and blocked_since is null`, databasesMax: 16, itemsMax: 200 },
} satisfies Record<string, ClaimScope>;
export type ClaimKind = keyof typeof scopes;

const columns = `s.database_id as "databaseId", s.uid, s.lease_token as "leaseToken", s.collection_id as "collectionId", c.name as collection, s.corpus, s.id, s.title,
  s.filename, s.content_type as "contentType", s.content_bytes::float8 as "contentBytes",
  s.storage_key as "storageKey", s.memory, s.app, s.infer, s.updated_at as "updatedAt", s.acl, s.attempts, s.attempts > 1 or s.blocked_since is not null as "mayHaveChunks",
  s.declared_relations as "declaredRelations", s.supplied_graph is not null as "hasGraph",
  s.visible, exists (select from sources o where o.database_id = s.database_id and o.collection_id = s.collection_id
    and o.corpus = s.corpus and o.id = s.id and o.visible and o.uid <> s.uid) as replaces,
  (select coalesce(jsonb_path_exists(d.metadata_schema,
     '$[*] ? (@.enableDenseEmbedding == true || @.enableSparseEmbedding == true)'), false)
     from databases d where d.id = s.database_id) as "hasLanes",
  (select ${databaseVectorsSql('d')} from databases d where d.id = s.database_id) as vectors`;

interface QueueOptions {
  readonly postgres: DataSource;
  readonly clock: Clock;
  readonly outbox: OutboxSql;
}

/** The queue of indexing: rows of `sources` that wait, with a lease where a worker has claimed one. */
export class IndexingQueue {
  /** By kind of claim, the database behind which the next one begins; 0 after the last of all. */
  private readonly lastServed = new Map<ClaimKind, number>();

  constructor(private readonly options: QueueOptions) {}

  /**
   * Claims versions that are due and held by no living worker. Databases take turns and share a claim evenly;
   * within one the lowest `queue_at` goes first. No kind of claim waits for another.
   */
  async claim(kind: ClaimKind): Promise<readonly QueuedVersion[]> {
    const after = this.lastServed.get(kind) ?? 0;
    const versions = await this.claimInTurn(kind, { after });
    return versions.length > 0 || after === 0 ? versions : this.claimInTurn(kind, { after: 0, upTo: after });
  }

  /** Claims from the first databases with something to claim, among those whose ids lie in a range. */
  private async claimInTurn(
    kind: ClaimKind,
    { after, upTo = Infinity }: { readonly after: number; readonly upTo?: number },
  ): Promise<readonly QueuedVersion[]> {
    const scope = scopes[kind];
    let last = after;
    do {
      const databases = (await this.databasesInTurn(scope, last)).filter((id) => id <= upTo);
      const versions = databases.length > 0 ? await this.claimFrom(databases, scope) : [];
      last = databases.length === scope.databasesMax ? (databases.at(-1) ?? 0) : 0;
      this.lastServed.set(kind, last);
      if (versions.length > 0) return versions;
    } while (last > 0);
    return [];
  }

  /** Databases with waiting items, by id, beginning behind a given one. */
  private async databasesInTurn({ which, databasesMax }: ClaimScope, after: number): Promise<number[]> {
    const next = (above: string) =>
      `(select database_id from sources where ${which} and database_id > ${above} order by database_id limit 1)`;
    const rows = await query<{ id: number }>(
      this.options.postgres.manager,
      `with recursive turns (id, nth) as (
         select ${next('$1::int')}, 1
         union all select ${next('t.id')}, nth + 1 from turns t where t.id is not null and nth < $2)
       select id from turns where id is not null`,
      [after, databasesMax],
    );
    return rows.map((row) => row.id);
  }

  private async claimFrom(
    databases: readonly number[],
    { which, itemsMax }: ClaimScope,
  ): Promise<QueuedVersion[]> {
    const now = this.options.clock.now();
    const share = 1 / databases.length;
    const versions = await query<QueuedVersion & { queueAt: Date }>(
      this.options.postgres.manager,
      // A version that was given back is claimed again without changing its status.
      `with due as (
         select s.* from unnest($1::int[]) as d(id) cross join lateral (
           select database_id, uid, content_bytes, queue_at, indexing_status as status_before from sources
            where ${which} and database_id = d.id
              and (next_attempt_at <= $2 or next_attempt_at > $7)
              and (lease_until is null or lease_until < $2 or lease_until > $7)
            order by queue_at, uid limit $3 for update skip locked) s),
       fitting as (
         select database_id, uid, status_before from (
           select *, sum(content_bytes) over (partition by database_id order by queue_at, uid) - content_bytes as before
             from due) b where before <= $4),
       claimed as (
       update sources s
          set indexing_status = case when s.visible then 'graph_creation' else 'processing' end, lease_token = $5,
              lease_until = $6, attempts = s.attempts + 1, status_updated_at = $2
         from fitting, collections c
        where s.database_id = fitting.database_id and s.uid = fitting.uid and c.id = s.collection_id
       returning ${columns}, s.queue_at as "queueAt", fitting.status_before),
       told as (${this.options.outbox(`
         select "databaseId" as database_id, collection, corpus, id, uid, null::bigint as previous_uid, 'processing' as indexing_status, 2 as sequence,
                '' as error_code, '' as error_message, $2::timestamptz as status_updated_at
           from claimed where status_before = 'queued'`)})
       select * from claimed`,
      [
        databases,
        now,
        Math.ceil(itemsMax * share),
        claimBytesMax * share,
        uuidv4(),
        this.leaseEnd(now),
        unbelievableFrom(now),
      ],
    );
    return versions.sort(
      (a, b) => a.queueAt.getTime() - b.queueAt.getTime() || Number(BigInt(a.uid) - BigInt(b.uid)),
    );
  }

  /** Extends the leases of those versions that are still held: a worker's heartbeat. */
  async extend(versions: readonly QueuedVersion[]): Promise<void> {
    const leaseEnd = this.leaseEnd(this.options.clock.now());
    await this.updateHeld(versions, { set: 'lease_until = $4', values: [leaseEnd] });
  }

  /** The versions whose database has not been deleted since they were claimed. */
  withDatabase(versions: readonly QueuedVersion[]): Promise<QueuedVersion[]> {
    return withDatabase(this.options.postgres, versions);
  }

  /**
   * Gives versions back at once, for a worker that stops. Tries are not used up, except that one always counts where
   * work on them had begun: it says that there may be chunks.
   */
  async release(versions: readonly QueuedVersion[], { begun }: { begun: boolean }): Promise<void> {
    const set = 'lease_token = null, lease_until = null, attempts = greatest(s.attempts - 1, $4)';
    await this.updateHeld(versions, { set, values: [begun ? 1 : 0] });
  }

  /**
   * Puts versions aside until the dependency that failed is tried again. No try is used up, and their status
   * shows the reason.
   */
  async block(
    versions: readonly QueuedVersion[],
    { errorCode, errorMessage, until }: { errorCode: string; errorMessage: string; until: Date },
  ): Promise<void> {
    await this.updateHeld(versions, {
      set: `lease_token = null, lease_until = null, attempts = s.attempts - 1, error_code = $4, error_message = $5,
            status_updated_at = $6, blocked_since = coalesce(s.blocked_since, $6), next_attempt_at = $7`,
      values: [errorCode, errorMessage, this.options.clock.now(), until],
    });
  }

  /**
   * Claims versions that a dependency has held up for too long, to be ended as errored or, without a graph,
   * completed.
   */
  async claimHopeless(since: Date): Promise<(QueuedVersion & { readonly errorCode: IngestionErrorCode })[]> {
    const now = this.options.clock.now();
    return query(
      this.options.postgres.manager,
      `with hopeless as (
         select database_id, uid from sources
          where blocked_since < $1 and ${waiting} and (lease_until is null or lease_until < $2 or lease_until > $6)
          order by blocked_since limit $3 for update skip locked)
       update sources s set lease_token = $4, lease_until = $5
         from hopeless, collections c
        where s.database_id = hopeless.database_id and s.uid = hopeless.uid and c.id = s.collection_id
       returning ${columns}, s.error_code as "errorCode"`,
      [since, now, hopelessMax, uuidv4(), this.leaseEnd(now), unbelievableFrom(now)],
    );
  }

  /** The uids of the versions that are still held and still the latest of their item. */
  async findHeld(versions: readonly QueuedVersion[]): Promise<Set<string>> {
    const rows = await query<{ uid: string }>(
      this.options.postgres.manager,
      `select s.uid from sources s join ${leasedRows} using (database_id, uid, lease_token) where s.latest`,
      leaseParameters(versions),
    );
    return new Set(rows.map((row) => row.uid));
  }

  /**
   * Gives a version back to be tried later: after twice as long with every attempt, give or take a quarter,
   * and at most 5 minutes.
   */
  async retryLater(
    version: QueuedVersion,
    { errorCode, errorMessage }: { errorCode: string; errorMessage: string },
  ): Promise<void> {
    await this.updateHeld([version], {
      set: `lease_token = null, lease_until = null, error_code = $4, error_message = $5, status_updated_at = $6::timestamptz,
            next_attempt_at = $6::timestamptz + least(1000 * power(2, s.attempts - 1) * (0.75 + random() / 2), $7::float8) * interval '1 millisecond'`,
      values: [errorCode, errorMessage, this.options.clock.now(), retryDelayMaxMs],
    });
  }

  /** Updates the versions that are still held; the values begin at $4. */
  private async updateHeld(
    versions: readonly QueuedVersion[],
    { set, values }: { set: string; values: readonly unknown[] },
  ): Promise<void> {
    await query(
      this.options.postgres.manager,
      `update sources s set ${set}
         from ${leasedRows}
        where s.database_id = v.database_id and s.uid = v.uid and s.lease_token = v.lease_token`,
      [...leaseParameters(versions), ...values],
    );
  }

  private leaseEnd(now: Date): Date {
    return new Date(now.getTime() + leaseMs);
  }
}

/**
 * Locks a version until the transaction ends, so that nobody takes it over. Returns false, and locks nothing,
 * when it is not held any more or not the latest.
 */
export async function lockHeld(
  manager: EntityManager,
  { databaseId, uid, leaseToken }: LeasedVersion,
): Promise<boolean> {
  const rows = await query(
    manager,
    'select 1 from sources where database_id = $1 and uid = $2 and latest and lease_token = $3 for update',
    [databaseId, uid, leaseToken],
  );
  return rows.length > 0;
}
