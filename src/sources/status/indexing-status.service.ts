import type { DataSource, EntityManager } from 'typeorm';
import type { Caller } from '../../accounts/caller.js';
import { collectionName } from '../../databases/collections.service.js';
import type { CollectionsService } from '../../databases/collections.service.js';
import type { DatabasesService } from '../../databases/databases.service.js';
import { AppError } from '../../errors.js';
import type { IngestionErrorCode } from '../../errors.js';
import type { Clock } from '../../lib/clock.js';
import { query } from '../../postgres/query.js';
import { readItemAccess } from '../acl.js';
import { DatabaseStats } from '../ingest/ingest.types.js';
import type { IndexingCounts, IndexingStatusList, ItemIndexingStatus } from '../ingest/ingest.types.js';
import { SourceType } from '../source.types.js';
import { countChunks, countStatuses, findStatuses } from '../sources.queries.js';
import type { StatusRow } from '../sources.queries.js';
import { IndexingStatus, transitions } from './indexing-status.js';
import { leaseParameters, leasedRows } from './lease.js';
import type { LeasedVersion } from './lease.js';
import { changeColumns } from './status-changes.queries.js';
import type { StatusChange, StatusFeed } from './status-feed.js';
import { readStatusIds } from './status-ids.js';
import type { OutboxSql } from './status-outbox.js';

interface IndexingStatusOptions {
  readonly postgres: DataSource;
  readonly clock: Clock;
  readonly databases: DatabasesService;
  readonly collections: CollectionsService;
  readonly statusFeed: StatusFeed;
  readonly outbox: OutboxSql;
  /** Called after status changes were stored. */
  readonly onChanged: () => void;
}

/** Which items' status is asked for. */
export interface StatusRequest {
  readonly database: string;
  readonly collection?: string | null | undefined;
  readonly type?: SourceType | null | undefined;
  readonly ids: readonly string[];
}

/** A version whose chunks are stored. */
interface SearchableVersion extends LeasedVersion {
  readonly chunkCount: number;
  /** Whether its graph is built later: until then it is searchable, not completed. */
  readonly awaitsGraph: boolean;
  /** As its file says; it counts where whoever sent the file named no time. */
  readonly sentAt?: string | undefined;
  /** What of it could not be indexed. */
  readonly errorMessage?: string | undefined;
}

interface Transition {
  readonly to: IndexingStatus.completed | IndexingStatus.errored;
  readonly errorCode?: IngestionErrorCode | '';
  readonly errorMessage?: string;
}

// A version that was searchable has already passed graph_creation.
const sequenceOfEnd = `values ("indexingStatus", case when visible then 4 else 3 end)`;
const stepsPassed = `select 'graph_creation', 3 union all select 'completed', 4 where "indexingStatus" = 'completed'`;

/** Reads indexing_status, and alone writes it once an item has been queued. */
export class IndexingStatusService {
  constructor(private readonly options: IndexingStatusOptions) {}

  /**
   * Moves versions to another status, where the transition table allows it and their lease is still held.
   * Returns the changes, which were announced; publish them once the transaction has committed.
   */
  async transition(
    manager: EntityManager,
    versions: readonly LeasedVersion[],
    { to, errorCode = '', errorMessage = '' }: Transition,
  ): Promise<StatusChange[]> {
    const changes = await query<StatusChange>(
      manager,
      `with changed as (
       update sources s
          set indexing_status = $4, error_code = $5, error_message = $6, status_updated_at = $7,
              lease_token = null, lease_until = null, blocked_since = null
         from ${leasedRows}, collections c
        where s.database_id = v.database_id and s.uid = v.uid and c.id = s.collection_id
          and s.latest and s.lease_token = v.lease_token and s.indexing_status = any($8)
      returning ${changeColumns}, s.uid, s.status_updated_at, s.visible)${this.withOutbox(sequenceOfEnd)}`,
      [...leaseParameters(versions), to, errorCode, errorMessage, this.options.clock.now(), transitions[to]],
    );
    await this.options.statusFeed.announce(manager, changes);
    return changes;
  }

  /**
   * Hides the earlier versions of items; to be called in the transaction that makes these versions visible.
   */
  async hidePredecessors(manager: EntityManager, versions: readonly LeasedVersion[]): Promise<void> {
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
   * Makes versions searchable, or completed where they wait for no graph (passing graph_creation in the same
   * statement). Returns the changes of those still held, which were announced; publish them once the
   * transaction has committed. The others are given back, due at once and with all of their tries.
   */
  async makeSearchable(
    manager: EntityManager,
    versions: readonly SearchableVersion[],
  ): Promise<StatusChange[]> {
    const changes = await query<StatusChange>(
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
      returning ${changeColumns}, s.uid, s.status_updated_at)${this.withOutbox(stepsPassed)}`,
      [
        ...leaseParameters(versions),
        versions.map(({ chunkCount }) => chunkCount),
        versions.map(({ awaitsGraph }) => awaitsGraph),
        versions.map(({ sentAt }) => sentAt ?? null),
        versions.map(({ errorMessage }) => errorMessage ?? ''),
        this.options.clock.now(),
        transitions.graph_creation,
      ],
    );
    const steps = changes.flatMap((change) =>
      change.indexingStatus === IndexingStatus.completed
        ? [{ ...change, indexingStatus: IndexingStatus.graph_creation }, change]
        : [change],
    );
    await this.options.statusFeed.announce(manager, steps);
    return steps;
  }

  /**
   * Publishes that versions were claimed. If this process dies first, they are claimed again and that is
   * published.
   */
  async publishClaimed(changes: readonly StatusChange[]): Promise<void> {
    await this.options.statusFeed.announce(this.options.postgres.manager, changes);
    this.publish(changes);
  }

  /** Whether changes must be announced in the transaction that makes them. */
  get announces(): boolean {
    return this.options.statusFeed.announces;
  }

  /**
   * Completes a statement that begins with the changes: stores the webhook deliveries they cause, and returns
   * the changes.
   */
  private withOutbox(steps: string): string {
    return `,
       told as (${this.options.outbox(`
         select "databaseId" as database_id, collection, corpus, id, uid,
                null::bigint as previous_uid, step.status as indexing_status, step.sequence,
                "errorCode" as error_code, "errorMessage" as error_message, status_updated_at
           from changed cross join lateral (${steps}) as step (status, sequence)`)})
       select "databaseId", collection, corpus, id, "indexingStatus", "errorCode", "errorMessage", acl from changed`;
  }

  /** Tells subscribers; call after the commit. */
  publish(changes: readonly StatusChange[]): void {
    this.options.statusFeed.publish(changes);
    if (changes.length > 0) this.options.onChanged();
  }

  /** @throws AppError FILE_NOT_FOUND when none of the ids is known. */
  async find(caller: Caller, request: StatusRequest): Promise<IndexingStatusList> {
    const ids = readStatusIds(request.ids);
    const corpus = request.type === SourceType.all ? null : (request.type ?? null);
    const name = collectionName(request.collection);
    const { database, collections } = await this.options.collections.findScope(caller, request.database, [
      name,
    ]);
    const [collectionId] = collections.keys();
    const manager = this.options.postgres.manager;
    const rows = collectionId
      ? await findStatuses(
          manager,
          { databaseId: database.id, collectionId, corpus },
          { ids, access: readItemAccess(caller, undefined), now: this.options.clock.now() },
        )
      : [];
    if (rows.length === 0) throw new AppError('FILE_NOT_FOUND', `no status record for ${ids.join(', ')}`);
    const byId = new Map(rows.map((row) => [row.id, row]));
    return { statuses: ids.map((id) => toStatus(id, byId.get(id))) };
  }

  async stats(caller: Caller, name: string): Promise<DatabaseStats> {
    const { postgres, databases, clock } = this.options;
    const database = await databases.find(caller, name);
    const counts = await countChunks(postgres.manager, database.id, { caller, now: clock.now() });
    return Object.assign(new DatabaseStats(), {
      databaseId: database.id,
      database: database.name,
      knowledgeCollection: { rowCount: counts.knowledge },
      memoryCollection: { rowCount: counts.memory },
      message: `${counts.knowledge} knowledge and ${counts.memory} memory chunks`,
    });
  }

  /** How many items of a database are in each state. */
  async counts(caller: Caller, databaseId: number): Promise<IndexingCounts> {
    const { postgres, clock } = this.options;
    const found = await countStatuses(postgres.manager, databaseId, { caller, now: clock.now() });
    const count = (status: IndexingStatus) => found.get(status) ?? 0;
    return {
      queued: count(IndexingStatus.queued),
      processing: count(IndexingStatus.processing),
      graphCreation: count(IndexingStatus.graph_creation),
      completed: count(IndexingStatus.completed),
      errored: count(IndexingStatus.errored),
    };
  }
}

const messages: Record<IndexingStatus, string> = {
  queued: 'Waiting to be indexed',
  processing: 'Being indexed',
  graph_creation: 'Searchable; relations are being built',
  completed: 'Indexed',
  errored: 'Indexing failed for good',
};

function toStatus(id: string, row: StatusRow | undefined): ItemIndexingStatus {
  if (!row) {
    return {
      id,
      indexingStatus: IndexingStatus.errored,
      errorCode: 'FILE_NOT_FOUND',
      errorMessage: `no status record for ${id}`,
      success: false,
      message: 'Unknown id',
      updatedAt: null,
    };
  }
  return {
    id,
    indexingStatus: row.indexing_status,
    errorCode: row.error_code,
    errorMessage: row.error_message,
    success: row.indexing_status !== IndexingStatus.errored,
    message: messages[row.indexing_status],
    updatedAt: row.status_updated_at,
  };
}
