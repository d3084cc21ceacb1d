import type { DataSource, EntityManager } from 'typeorm';
import type { Caller } from '../../accounts/caller.js';
import { collectionName } from '../../databases/collections.service.js';
import type { CollectionsService } from '../../databases/collections.service.js';
import type { DatabasesService } from '../../databases/databases.service.js';
import { AppError } from '../../errors.js';
import type { Clock } from '../../lib/clock.js';
import { readItemAccess } from '../acl.js';
import { SourceType } from '../source.types.js';
import { IndexingStatus } from './indexing-status.js';
import { countChunks, countStatuses, findStatuses } from './indexing-status.queries.js';
import type { StatusRow } from './indexing-status.queries.js';
import { DatabaseStats } from './indexing-status.types.js';
import type { IndexingCounts, IndexingStatusList, ItemIndexingStatus } from './indexing-status.types.js';
import type { LeasedVersion } from './lease.js';
import type { StatusChange, StatusFeed } from './status-feed.js';
import { readStatusIds } from './status-ids.js';
import type { OutboxSql } from './status-outbox.js';
import { endIndexing, showVersions } from './status-transitions.queries.js';
import type { FinalStatus, SearchableVersion } from './status-transitions.queries.js';

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

/** Reads indexing_status, and alone writes it once an item has been queued. */
export class IndexingStatusService {
  constructor(private readonly options: IndexingStatusOptions) {}

  /**
   * Ends versions, where the transition table allows it and their lease is still held. Returns the changes, which
   * were announced; publish them once the transaction has committed.
   */
  async end(
    manager: EntityManager,
    versions: readonly LeasedVersion[],
    status: FinalStatus,
  ): Promise<StatusChange[]> {
    const changes = await endIndexing(manager, versions, { ...status, ...this.announced });
    await this.options.statusFeed.announce(manager, changes);
    return changes;
  }

  /**
   * Makes versions searchable, or completed where they wait for no graph (passing graph_creation in the same
   * statement). Returns the changes of those still held, which were announced; publish them once the
   * transaction has committed.
   */
  async makeSearchable(
    manager: EntityManager,
    versions: readonly SearchableVersion[],
  ): Promise<StatusChange[]> {
    const changes = await showVersions(manager, versions, this.announced);
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

  private get announced() {
    const { clock, outbox } = this.options;
    return { now: clock.now(), outbox };
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
