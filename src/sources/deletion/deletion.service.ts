import type { DataSource, EntityManager } from 'typeorm';
import type { Caller } from '../../accounts/caller.js';
import { collectionName } from '../../databases/collections.service.js';
import type { CollectionsService } from '../../databases/collections.service.js';
import { AppError } from '../../errors.js';
import type { Wake } from '../../jobs/define-job.js';
import { checkCount } from '../../lib/bounded-number.js';
import type { Clock } from '../../lib/clock.js';
import { LIMITS } from '../../limits.js';
import { retryOnDeadlock } from '../../postgres/deadlock.js';
import type { Corpus } from '../../postgres/stores.js';
import { maySee } from '../acl.js';
import { holdCollection } from '../metadata/source-metadata.queries.js';
import { readCorpus } from '../read-corpus.js';
import type { SourceScope } from '../sources.queries.js';
import { endVersions, lockItems } from './deletion.queries.js';
import type { LockedVersion } from './deletion.queries.js';
import type { DeleteSourcesArgs, DeleteSourcesResult, DeletedSource } from './deletion.types.js';

interface DeletionOptions {
  readonly postgres: DataSource;
  readonly clock: Clock;
  readonly collections: CollectionsService;
  readonly wake: Wake;
}

type Outcome = 'deleted' | 'processing' | 'unknown';

const retryAfterSeconds = 2;

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
    const scope = { databaseId, collectionId, corpus: 'knowledge' } as const;
    const locked = await lockItems(manager, scope, { ids, now: this.options.clock.now() });
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
      const versions = await lockItems(manager, scope, { ids, now: this.options.clock.now() });
      const outcomes = outcomesOf(ids, versions, caller);
      if ([...outcomes.values()].includes('processing')) throw processing(outcomes, corpus);
      const deletable = versions.filter(({ id }) => outcomes.get(id) === 'deleted');
      if (deletable.length === 0) throw notFound(ids, corpus);
      const uids = deletable.map(({ uid }) => uid);
      await endVersions(manager, databaseId, uids);
      return outcomes;
    });
  }
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
  checkCount(given.length, 'ids', { noun: 'ids', min: 1, max: LIMITS.deleteIdsMax });
  return [...new Set(given)];
}
