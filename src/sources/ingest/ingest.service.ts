import type { DataSource, EntityManager } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import type { Caller } from '../../accounts/caller.js';
import { collectionName } from '../../databases/collections.service.js';
import type { CollectionsService } from '../../databases/collections.service.js';
import type { Database } from '../../databases/database.entity.js';
import { holdDatabase } from '../../databases/databases.service.js';
import type { DatabasesService } from '../../databases/databases.service.js';
import { AppError, INGESTION_ERRORS } from '../../errors.js';
import type { Wake } from '../../jobs/define-job.js';
import type { Clock } from '../../lib/clock.js';
import { forEachConcurrently } from '../../lib/for-each-concurrently.js';
import { retryOnDeadlock } from '../../postgres/deadlock.js';
import { isConnectionLost } from '../../postgres/outage.js';
import { isUniqueViolation } from '../../postgres/query.js';
import type { Corpus } from '../../postgres/stores.js';
import { lockByName } from '../../postgres/transaction-lock.js';
import type { IncomingFile } from '../../storage/incoming-file.js';
import type { Originals } from '../../storage/originals.js';
import { readAcl, readReaders } from '../acl.js';
import type { Readers } from '../acl.js';
import { readCorpus } from '../read-corpus.js';
import type { SourceScope } from '../sources.queries.js';
import { largeBytesMin } from '../status/indexing-queue.js';
import { IndexingStatus } from '../status/indexing-status.js';
import type { StatusChange, StatusFeed } from '../status/status-feed.js';
import type { OutboxSql } from '../status/status-outbox.js';
import { readItems } from './ingest-request.js';
import type { Candidate, ReceivedDocument } from './ingest-request.js';
import { IngestResult } from './ingest.types.js';
import type { IngestInput, IngestItemResult } from './ingest.types.js';
import { findExisting, insertQueued } from './new-versions.queries.js';
import type { ExistingVersions } from './new-versions.queries.js';
import type { QueueRoom } from './queue-room.js';
import { readSyncedItem } from './synced-item.js';
import type { SyncedItem } from './synced-item.js';

interface IngestOptions {
  readonly postgres: DataSource;
  readonly clock: Clock;
  readonly databases: DatabasesService;
  readonly collections: CollectionsService;
  readonly originals: Originals;
  readonly statusFeed: StatusFeed;
  readonly room: QueueRoom;
  readonly outbox: OutboxSql;
  readonly wake: Wake;
  /** Whether a file of this name and content type can be parsed. */
  readonly isSupported: (filename: string, contentType: string | undefined) => boolean;
}

/** Who sends a request, and how it makes ids. */
export interface IngestContext {
  readonly caller: Caller;
  readonly newId: () => string;
}

/** Where the items of a request go. */
interface IngestTarget {
  readonly database: Database;
  readonly collection: string;
  readonly corpus: Corpus;
  readonly upsert: boolean;
  /** The principals that the request answers as. */
  readonly readers: Readers;
}

/** How an item that a connector brought fared. */
export type SyncedResult =
  { readonly id: string; readonly problem?: undefined } | { readonly problem: string };

const conflictAttemptsMax = 10;
const filesAtOnce = 8;

/** Accepts content: checks a whole request, stores it in one transaction, and leaves the rest to indexing. */
export class IngestService {
  constructor(private readonly options: IngestOptions) {}

  /** Accepts the items of a request, or stores none of them when any part is malformed. */
  async ingest(
    { caller, newId }: IngestContext,
    input: IngestInput,
    files: readonly IncomingFile[],
  ): Promise<IngestResult> {
    const { clock, isSupported, room } = this.options;
    const received = await Promise.all(files.map((file) => file.take()));
    const corpus = readCorpus(input.type);
    const database = await this.options.databases.findReady(caller, input.database);
    const collection = collectionName(input.collection);
    const documents = received.flatMap((upload, index): ReceivedDocument[] => {
      const file = files[index];
      return file
        ? [{ file, received: upload, supported: isSupported(file.filename, file.contentType) }]
        : [];
    });
    const candidates = readItems(input, documents, {
      schema: database.metadataSchema,
      database: database.name,
      collection,
      acl: readAcl(input.acl, 'acl'),
      newId,
      now: clock.now(),
    });
    await room.take(database, candidates.length);
    const readers = readReaders(caller, undefined);
    return this.store({ database, collection, corpus, readers, upsert: input.upsert ?? true }, candidates);
  }

  /**
   * Accepts the items that a connector brings, replacing those of the same ids and leaving out malformed
   * ones. No id may occur twice. @returns for each item, in order, its id or why it was refused @throws
   * AppError QUEUE_FULL, DATABASE_NOT_FOUND
   */
  async ingestSynced(
    { database, collection }: Pick<IngestTarget, 'database' | 'collection'>,
    items: readonly SyncedItem[],
  ): Promise<SyncedResult[]> {
    await this.options.room.take(database, items.length);
    const context = {
      schema: database.metadataSchema,
      database: database.name,
      collection,
      acl: undefined,
      graphs: new Map<string, never>(),
      newId: uuidv7,
      now: this.options.clock.now(),
    };
    const read = items.map((item): Candidate | AppError => {
      try {
        return readSyncedItem(item, context);
      } catch (error) {
        if (error instanceof AppError) return error;
        throw error;
      }
    });
    const candidates = read.flatMap((each) => (each instanceof AppError ? [] : [each]));
    const target = { database, collection, corpus: 'knowledge', readers: null, upsert: true } as const;
    if (candidates.length > 0) await this.store(target, candidates);
    return read.map((each) => {
      if (each instanceof AppError) return { problem: each.message };
      return each.refused ? { problem: INGESTION_ERRORS[each.refused] } : { id: each.source.id };
    });
  }

  private async store(target: IngestTarget, candidates: readonly Candidate[]): Promise<IngestResult> {
    const keys = new Map<Candidate, string>();
    let stored: Candidate[];
    try {
      await forEachConcurrently(candidates, filesAtOnce, async (candidate) => {
        const { file, refused } = candidate;
        if (file && !refused) keys.set(candidate, await this.options.originals.keep(file));
      });
      const kept = candidates.map((candidate) => ({
        ...candidate,
        source: { ...candidate.source, storageKey: keys.get(candidate) ?? null },
      }));
      stored = await this.insertWithRetry(target, kept);
    } catch (error) {
      // When the answer to the commit is lost it may have succeeded; `remove-orphaned-files` finds out.
      if (!isConnectionLost(error)) await this.removeFiles([...keys.values()]);
      throw error;
    }
    const refused = stored.filter((candidate) => candidate.refused);
    await this.removeFiles(refused.flatMap(({ source }) => source.storageKey ?? []));
    return this.answer(target, stored);
  }

  private async insertWithRetry(
    target: IngestTarget,
    candidates: readonly Candidate[],
  ): Promise<Candidate[]> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await retryOnDeadlock(() => this.insert(target, candidates, { inTurn: attempt > 1 }));
      } catch (error) {
        // Another request stored one of the ids after we had looked: look again.
        if (!isUniqueViolation(error) || attempt === conflictAttemptsMax) throw error;
      }
    }
  }

  private insert(
    target: IngestTarget,
    candidates: readonly Candidate[],
    { inTurn }: { inTurn: boolean },
  ): Promise<Candidate[]> {
    const { database, collection, corpus } = target;
    const { postgres, clock, collections, outbox, statusFeed } = this.options;
    return postgres.transaction(async (manager) => {
      // After a conflict requests take turns: of 40 concurrent writers of one item some had met others 10
      // times.
      if (inTurn) await lockByName(manager, `ingest:${database.id}`);
      // A deletion of the database either waits for us or is seen here.
      await holdDatabase(manager, database);
      const ids = accepted(candidates).map(({ source }) => source.id);
      if (ids.length === 0) return [...candidates];
      const collectionId = await collections.ensure(manager, database.id, collection);
      const scope = { databaseId: database.id, collectionId, corpus };
      const now = clock.now();
      const existing = await findStanding(manager, scope, { target, ids, now });
      const checked = existing ? candidates.map(refuseTaken(existing)) : candidates;
      // In the order of their ids, so that two requests never wait for each other.
      const sources = accepted(checked)
        .map(({ source }) => source)
        .sort((a, b) => (a.id < b.id ? -1 : 1));
      if (sources.length === 0) return [...checked];
      const acls = await insertQueued(manager, scope, { sources, outbox, now, over: existing?.uids });
      const stored = checked.map((candidate) => ({
        ...candidate,
        source: { ...candidate.source, acl: acls.get(candidate.source.id) ?? candidate.source.acl },
      }));
      await statusFeed.announce(manager, toChanges(target, stored));
      return stored;
    });
  }

  private answer(
    target: Pick<IngestTarget, 'database' | 'collection' | 'corpus'>,
    candidates: readonly Candidate[],
  ): IngestResult {
    const queued = accepted(candidates);
    if (queued.length > 0) {
      this.options.statusFeed.publish(toChanges(target, candidates));
      this.options.wake('index-sources');
      if (queued.some(({ source }) => source.contentBytes > largeBytesMin))
        this.options.wake('index-large-sources');
    }
    return Object.assign(new IngestResult(), {
      results: candidates.map((candidate) => toResult(candidate, target.corpus)),
    });
  }

  /**
   * A file that cannot be removed now does not change the answer: `remove-orphaned-files` removes it later.
   */
  private async removeFiles(keys: readonly string[]): Promise<void> {
    await this.options.originals.remove(keys).catch(() => undefined);
  }
}

/** The items that nothing has been found against. */
function accepted(candidates: readonly Candidate[]): Candidate[] {
  return candidates.filter(({ refused }) => !refused);
}

/**
 * The versions that stand under some ids and which of them a request may not replace: any without `upsert`,
 * else those that its key may not read. Undefined for a request that may replace all.
 */
async function findStanding(
  manager: EntityManager,
  scope: SourceScope,
  { target, ids, now }: { target: IngestTarget; ids: readonly string[]; now: Date },
): Promise<ExistingVersions | undefined> {
  const { upsert, readers } = target;
  if (upsert && !readers) return undefined;
  return findExisting(manager, scope, { ids, replaceableBy: upsert ? readers : null, now });
}

function refuseTaken({ taken }: ExistingVersions): (candidate: Candidate) => Candidate {
  return (candidate) =>
    !candidate.refused && taken.has(candidate.source.id) ? { ...candidate, refused: 'E9003' } : candidate;
}

function toChanges(
  { database, collection, corpus }: Pick<IngestTarget, 'database' | 'collection' | 'corpus'>,
  candidates: readonly Candidate[],
): StatusChange[] {
  return accepted(candidates).map(({ source }) => ({
    databaseId: database.id,
    collection,
    corpus,
    id: source.id,
    indexingStatus: IndexingStatus.queued,
    errorCode: '',
    errorMessage: '',
    acl: source.acl ?? null,
  }));
}

function toResult({ source, refused }: Candidate, corpus: Corpus): IngestItemResult {
  return {
    id: source.id,
    filename: source.filename,
    title: source.title,
    infer: corpus === 'memory' || source.infer ? source.infer : null,
    status: refused ? 'failed' : 'queued',
    error: refused ? INGESTION_ERRORS[refused] : null,
    errorCode: refused ?? null,
    relationsCreated: refused ? 0 : source.declaredRelations.length,
    relationsError: null,
  };
}
