import type { DataSource, EntityManager } from 'typeorm';
import type { Caller } from '../../accounts/caller.js';
import { collectionName } from '../../databases/collections.service.js';
import type { CollectionsService } from '../../databases/collections.service.js';
import { AppError, invalidInput } from '../../errors.js';
import type { Wake } from '../../jobs/define-job.js';
import type { Clock } from '../../lib/clock.js';
import { LIMITS } from '../../limits.js';
import { retryOnDeadlock } from '../../postgres/deadlock.js';
import type { Corpus } from '../../postgres/partitions.js';
import { query } from '../../postgres/query.js';
import { maySee } from '../acl.js';
import type { Acl } from '../acl.js';
import { holdCollection } from '../metadata/source-metadata.queries.js';
import { readCorpus } from '../read-corpus.js';
import type { SourceScope } from '../sources.queries.js';
import type { DeleteSourcesArgs, DeleteSourcesResult, DeletedSource } from './deletion.types.js';

interface DeletionOptions {
  readonly postgres: DataSource;
  readonly clock: Clock;
  readonly collections: CollectionsService;
  readonly wake: Wake;
}

/** A version of an item whose row is locked until the transaction ends. */
interface LockedVersion {
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

type Outcome = 'deleted' | 'processing' | 'unknown';

const retryAfterSeconds = 2;
// Each look finds what was ingested since the one before.
const looksMax = 100;

/** Hides items from every read at once; their content is removed in the background. */
export class DeletionService {
  constructor(private readonly options: DeletionOptions) {}

  /**
   * Deletes items by id, all or none. @throws AppError SOURCE_PROCESSING when one is being indexed or has
   * never been searchable; NOT_FOUND when none exists. Both list in `data` how each id fared.
   */
  async delete(caller: Caller, args: DeleteSourcesArgs): Promise<DeleteSourcesResult> {
    const corpus = readCorpus(args.type);
    const ids = readIds(args.ids);
    const name = collectionName(args.collection);
    const { collections } = this.options;
    const { database, collectionId } = await collections.findReadyCollection(caller, args.database, name);
    if (collectionId === undefined) throw notFound(ids, corpus);
    const scope = { databaseId: database.id, collectionId, corpus };
    const outcomes = await retryOnDeadlock(() => this.deleteAll(caller, scope, ids));
    this.options.wake('remove-old-versions');
    return toResult(outcomes, corpus);
  }

  /**
   * Deletes, in the caller's transaction, those of some knowledge items that can be deleted now. `findSpared`
   * is called with the locked items and says which of them to keep. @returns the ids that cannot be deleted
   * yet: being indexed, or never searchable so far. Unknown ids count as deleted.
   */
  async deleteSettled(
    manager: EntityManager,
    { databaseId, collection, ids }: { databaseId: number; collection: string; ids: readonly string[] },
    findSpared: () => Promise<ReadonlySet<string>>,
  ): Promise<Set<string>> {
    const collectionId = await holdCollection(manager, databaseId, collection);
    if (collectionId === undefined) return new Set<string>();
    const locked = await this.lock(manager, { databaseId, collectionId, corpus: 'knowledge' }, ids);
    const spared = await findSpared();
    const versions = locked.filter(({ id }) => !spared.has(id));
    const processing = new Set(
      versions
        .filter(
          ({ id, latest, pending, held }) =>
            latest && pending && (held || !versions.some((other) => other.id === id && other.visible)),
        )
        .map(({ id }) => id),
    );
    const deletable = versions.filter(({ id }) => !processing.has(id)).map(({ uid }) => uid);
    await endVersions(manager, databaseId, deletable);
    return processing;
  }

  /** Deletes all or none. @returns how each id fared */
  private deleteAll(
    caller: Caller,
    scope: SourceScope,
    ids: readonly string[],
  ): Promise<ReadonlyMap<string, Outcome>> {
    const { databaseId, corpus } = scope;
    return this.options.postgres.transaction(async (manager) => {
      const versions = await this.lock(manager, scope, ids);
      const outcomes = outcomesOf(ids, versions, caller);
      if ([...outcomes.values()].includes('processing')) throw processing(outcomes, corpus);
      const deletable = versions.filter(({ id }) => outcomes.get(id) === 'deleted');
      if (deletable.length === 0) throw notFound(ids, corpus);
      const uids = deletable.map(({ uid }) => uid);
      await endVersions(manager, databaseId, uids);
      return outcomes;
    });
  }

  /**
   * Locks the versions of items, latest ones first as ingest and workers do. A version that was stored while
   * this waited for a lock is found by looking again; whoever stores one later waits for this transaction.
   */
  private async lock(
    manager: EntityManager,
    { databaseId, collectionId, corpus }: SourceScope,
    ids: readonly string[],
  ): Promise<LockedVersion[]> {
    for (let looks = 1; ; looks += 1) {
      const versions = await query<LockedVersion>(
        manager,
        `select uid, id, latest, visible, acl,
                latest and indexing_status in ('queued', 'processing', 'graph_creation') as pending,
                lease_token is not null and lease_until > $5 as held,
                expires_at is not null and expires_at <= $5 as expired
           from sources where database_id = $1 and collection_id = $2 and corpus = $3 and id = any($4) and (latest or visible)
          order by latest desc, id for update`,
        [databaseId, collectionId, corpus, ids, this.options.clock.now()],
      );
      // Whoever holds the latest version of an item holds the item.
      const held = new Set(versions.filter(({ latest }) => latest).map(({ id }) => id));
      const isSettled = versions.every(({ id }) => held.has(id)) && (looks > 1 || held.size === ids.length);
      if (isSettled || looks === looksMax) return versions;
    }
  }
}

async function endVersions(
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

function outcomesOf(
  ids: readonly string[],
  versions: readonly LockedVersion[],
  caller: Caller,
): Map<string, Outcome> {
  const outcomes = new Map<string, Outcome>(ids.map((id) => [id, 'unknown']));
  for (const latest of versions.filter((version) => version.latest && !version.expired)) {
    const visible = versions.find(({ id, visible, expired }) => id === latest.id && visible && !expired);
    if (!maySee((visible ?? latest).acl, caller)) continue;
    const isProcessing = latest.pending && (latest.held || !visible);
    outcomes.set(latest.id, isProcessing ? 'processing' : 'deleted');
  }
  return outcomes;
}

const nouns: Readonly<Record<Corpus, string>> = { knowledge: 'source', memory: 'memory' };

function toResult(outcomes: ReadonlyMap<string, Outcome>, corpus: Corpus): DeleteSourcesResult {
  const deleted = [...outcomes.values()].filter((outcome) => outcome === 'deleted').length;
  return {
    success: deleted === outcomes.size,
    message: `${deleted} of ${outcomes.size} deleted`,
    results: toResults(outcomes, corpus),
    deletedCount: deleted,
    userMemoryDeleted: corpus === 'memory' ? deleted > 0 : null,
  };
}

function toResults(outcomes: ReadonlyMap<string, Outcome>, corpus: Corpus): DeletedSource[] {
  const errors: Record<Outcome, string | null> = {
    deleted: null,
    processing: `this ${nouns[corpus]} is being indexed`,
    unknown: `no ${nouns[corpus]} has this id`,
  };
  return [...outcomes].map(([id, outcome]) => ({
    id,
    deleted: outcome === 'deleted',
    error: errors[outcome],
  }));
}

function notFound(ids: readonly string[], corpus: Corpus): AppError {
  const outcomes = new Map<string, Outcome>(ids.map((id) => [id, 'unknown']));
  return new AppError('NOT_FOUND', `no ${nouns[corpus]} has any of these ids`, {
    data: failureData(toResults(outcomes, corpus), corpus),
  });
}

/** Nothing was deleted, so ids that could have been are listed too. */
function processing(outcomes: ReadonlyMap<string, Outcome>, corpus: Corpus): AppError {
  const busy = [...outcomes].flatMap(([id, outcome]) => (outcome === 'processing' ? [id] : []));
  const results = toResults(outcomes, corpus).map((result) =>
    result.deleted ? { ...result, deleted: false, error: 'not deleted: others are being indexed' } : result,
  );
  const message = `${busy.slice(0, 10).join(', ')}: being indexed; nothing was deleted, try again in ${retryAfterSeconds} seconds`;
  return new AppError('SOURCE_PROCESSING', message, {
    data: failureData(results, corpus),
    retryAfterSeconds,
  });
}

function failureData(results: readonly DeletedSource[], corpus: Corpus): Record<string, unknown> {
  return {
    success: false,
    message: 'nothing was deleted',
    results,
    deleted_count: 0,
    ...(corpus === 'memory' ? { user_memory_deleted: false } : {}),
  };
}

function readIds(given: readonly string[]): string[] {
  const ids = [...new Set(given)];
  if (ids.length === 0 || given.length > LIMITS.deleteIdsMax)
    throw invalidInput('ids', `has ${given.length} ids; it must be 1 to ${LIMITS.deleteIdsMax}`);
  return ids;
}
