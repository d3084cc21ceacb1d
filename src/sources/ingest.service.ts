import { readAcl, readReaders } from './acl.js';
import type { Readers } from './acl.js';
import type { DataSource } from 'typeorm';
import type { Caller } from '../accounts/caller.js';
import { collectionName } from '../databases/collections.service.js';
import type { CollectionsService } from '../databases/collections.service.js';
import type { Database } from '../databases/database.entity.js';
import type { DatabasesService } from '../databases/databases.service.js';
import { AppError, INGESTION_ERRORS, invalidInput } from '../errors.js';
import type { IngestionErrorCode } from '../errors.js';
import type { Wake } from '../jobs/define-job.js';
import type { Clock } from '../lib/clock.js';
import { LIMITS } from '../limits.js';
import type { Corpus } from '../postgres/partitions.js';
import { isUniqueViolation, query } from '../postgres/query.js';
import type { IncomingFile } from '../storage/incoming-file.js';
import type { LocalStorage, ReceivedFile } from '../storage/local-storage.js';
import { IngestResult } from './ingest.types.js';
import type { IngestInput, IngestItemResult } from './ingest.types.js';
import { IndexingStatus } from './indexing-status.js';
import { readItemFields, readMemory } from './new-source.js';
import type { ItemContext, NewSource } from './new-source.js';
import { SourceType } from './source.types.js';
import { findExistingIds, findHiddenIds, insertQueued } from './sources.queries.js';
import type { StatusFeed } from './status-feed.js';

interface IngestOptions {
  readonly postgres: DataSource;
  readonly clock: Clock;
  readonly databases: DatabasesService;
  readonly collections: CollectionsService;
  readonly storage: LocalStorage;
  readonly statusFeed: StatusFeed;
  readonly wake: Wake;
  /** Whether a file of this name and content type can be parsed. */
  readonly isSupported: (filename: string, contentType: string | undefined) => boolean;
}

/** Who sends a request, and how ids of its items are made. */
export interface IngestContext {
  readonly caller: Caller;
  readonly newId: () => string;
}

/** An item of the request with what is answered for it; a refused one is not stored. */
interface Candidate {
  readonly source: NewSource;
  readonly refused: IngestionErrorCode | undefined;
}

/** Where the items of a request go, and how. */
interface IngestTarget {
  readonly database: Database;
  readonly collection: string;
  readonly corpus: Corpus;
  readonly upsert: boolean;
  /** Whom the request answers as. */
  readonly readers: Readers;
}

const conflictAttemptsMax = 10;

/** Takes content in: checks all of a request, stores it in one transaction and leaves the rest to indexing. */
export class IngestService {
  constructor(private readonly options: IngestOptions) {}

  /** Accepts documents or memories. Nothing of a request is stored when any part of it is malformed. */
  async ingest(
    { caller, newId }: IngestContext,
    input: IngestInput,
    files: readonly IncomingFile[],
  ): Promise<IngestResult> {
    const received = await Promise.all(files.map((file) => file.received));
    const corpus = readCorpus(input.type);
    const database = await this.options.databases.findReady(caller, input.database);
    const collection = collectionName(input.collection);
    checkCounts(input, corpus, files);
    refuseTooLarge(files, received);
    const acl = readAcl(input.acl, 'acl');
    const readers = readReaders(caller, undefined);
    const context: ItemContext = { schema: database.metadataSchema, acl, newId };
    const candidates =
      corpus === 'knowledge'
        ? this.readDocuments(input, context, { files, received })
        : (input.memories ?? []).map((memory, index) => ({
            source: readMemory(memory, `memories[${index}]`, context),
            refused: undefined,
          }));
    refuseRepeatedIds(candidates, corpus);
    const target = { database, collection, corpus, readers, upsert: input.upsert ?? true };
    return this.store(target, candidates, received);
  }

  private readDocuments(
    input: IngestInput,
    context: ItemContext,
    { files, received }: { files: readonly IncomingFile[]; received: readonly ReceivedFile[] },
  ): Candidate[] {
    return files.map((file, index) => {
      const item = input.documentMetadata?.[index] ?? {};
      const fields = readItemFields(item, `document_metadata[${index}]`, context);
      const supported = this.options.isSupported(file.filename, file.contentType);
      return {
        refused: supported ? undefined : 'E1002',
        source: {
          ...fields,
          title: file.filename || fields.id,
          filename: file.filename,
          contentType: file.contentType ?? null,
          contentBytes: received[index]?.bytes ?? 0,
          storageKey: null,
          memory: null,
          app: null,
          expiresAt: null,
        },
      };
    });
  }

  private async store(
    target: IngestTarget,
    candidates: readonly Candidate[],
    received: readonly ReceivedFile[],
  ): Promise<IngestResult> {
    const { storage } = this.options;
    const kept: Candidate[] = [];
    for (const [index, candidate] of candidates.entries()) {
      const file = received[index];
      const storageKey = file && !candidate.refused ? await storage.keep(file) : null;
      kept.push({ ...candidate, source: { ...candidate.source, storageKey } });
    }
    try {
      const stored = await this.insertWithRetry(target, kept);
      await this.removeFiles(stored.filter((candidate) => candidate.refused));
      return this.answer(target, stored);
    } catch (error) {
      await this.removeFiles(kept);
      throw error;
    }
  }

  private async insertWithRetry(
    target: IngestTarget,
    candidates: readonly Candidate[],
  ): Promise<Candidate[]> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.insert(target, candidates);
      } catch (error) {
        // Another request stored one of the ids between our look and our insert: look again.
        if (!isUniqueViolation(error) || attempt === conflictAttemptsMax) throw error;
      }
    }
  }

  private insert(
    { database, collection, corpus, readers, upsert }: IngestTarget,
    candidates: readonly Candidate[],
  ): Promise<Candidate[]> {
    return this.options.postgres.transaction(async (manager) => {
      // Held until the end: a deletion of the database waits for us, or we see it.
      const alive = await query(
        manager,
        `select 1 from databases where id = $1 and status = 'ready' for share`,
        [database.id],
      );
      if (alive.length === 0)
        throw new AppError('DATABASE_NOT_FOUND', `database "${database.name}" does not exist`);
      const wanted = candidates.filter((candidate) => !candidate.refused);
      if (wanted.length === 0) return [...candidates];
      const collectionId = await this.options.collections.ensure(manager, database.id, collection);
      const scope = { databaseId: database.id, collectionId, corpus };
      const ids = wanted.map((candidate) => candidate.source.id);
      // What a limited key may not read, it may not replace either.
      const taken = upsert
        ? await findHiddenIds(manager, scope, { ids, readers })
        : await findExistingIds(manager, scope, ids);
      const decided = candidates.map((candidate): Candidate =>
        !candidate.refused && taken.has(candidate.source.id) ? { ...candidate, refused: 'E9003' } : candidate,
      );
      // In the order of their ids, so that two requests never wait for each other crosswise.
      const sources = decided.filter((candidate) => !candidate.refused).map((candidate) => candidate.source);
      sources.sort((a, b) => (a.id < b.id ? -1 : 1));
      if (sources.length === 0) return decided;
      const acls = await insertQueued(manager, scope, { sources, now: this.options.clock.now() });
      return decided.map(({ source, refused }) => ({
        refused,
        source: { ...source, acl: acls.get(source.id) ?? source.acl },
      }));
    });
  }

  private answer(
    target: { database: Database; collection: string; corpus: Corpus },
    candidates: readonly Candidate[],
  ): IngestResult {
    const queued = candidates.filter((candidate) => !candidate.refused);
    if (queued.length > 0) {
      this.options.statusFeed.publish(
        queued.map(({ source }) => ({
          databaseId: target.database.id,
          collection: target.collection,
          corpus: target.corpus,
          id: source.id,
          indexingStatus: IndexingStatus.queued,
          errorCode: '',
          errorMessage: '',
          acl: source.acl ?? null,
        })),
      );
      this.options.wake('index-sources');
    }
    return Object.assign(new IngestResult(), {
      results: candidates.map((candidate) => toResult(candidate, target.corpus)),
    });
  }

  private async removeFiles(candidates: readonly Candidate[]): Promise<void> {
    for (const { source } of candidates) {
      if (source.storageKey) await this.options.storage.remove(source.storageKey);
    }
  }
}

function readCorpus(type: SourceType | null | undefined): Corpus {
  if (type === SourceType.all) {
    throw new AppError('CORPUS_TYPE_UNSUPPORTED', 'type must be knowledge or memory on ingest, not all', {
      field: 'type',
    });
  }
  return type ?? SourceType.knowledge;
}

function checkCounts(input: IngestInput, corpus: Corpus, files: readonly IncomingFile[]): void {
  const { documentMetadata, memories } = input;
  if (corpus === 'memory') {
    if (files.length > 0) throw invalidInput('documents', 'are only for type knowledge');
    if (!memories?.length) throw invalidInput('memories', 'must hold at least one item');
    if (memories.length > LIMITS.itemsPerRequestMax) {
      throw invalidInput(
        'memories',
        `has ${memories.length} items; at most ${LIMITS.itemsPerRequestMax} a request`,
      );
    }
    return;
  }
  if (memories?.length) throw invalidInput('memories', 'are only for type memory');
  if (files.length === 0) throw invalidInput('documents', 'must hold at least one file');
  if (files.length > LIMITS.filesPerRequestMax) {
    throw invalidInput(
      'documents',
      `has ${files.length} files; at most ${LIMITS.filesPerRequestMax} a request`,
    );
  }
  if (documentMetadata && documentMetadata.length !== files.length) {
    throw invalidInput(
      'document_metadata',
      `has ${documentMetadata.length} items for ${files.length} documents; send one per file`,
    );
  }
}

function refuseTooLarge(files: readonly IncomingFile[], received: readonly ReceivedFile[]): void {
  const index = received.findIndex((file) => file.tooLarge);
  if (index < 0) return;
  throw new AppError(
    'PAYLOAD_TOO_LARGE',
    `documents: "${files[index]?.filename}" is larger than ${LIMITS.fileBytesMax} bytes; nothing of this request was stored`,
  );
}

function refuseRepeatedIds(candidates: readonly Candidate[], corpus: Corpus): void {
  const seen = new Set<string>();
  for (const [index, { source }] of candidates.entries()) {
    const list = corpus === 'knowledge' ? 'document_metadata' : 'memories';
    if (seen.has(source.id))
      throw invalidInput(`${list}[${index}].id`, `"${source.id}" stands twice in this request`);
    seen.add(source.id);
  }
}

function toResult({ source, refused }: Candidate, corpus: Corpus): IngestItemResult {
  return {
    id: source.id,
    filename: source.filename,
    title: source.title,
    infer: corpus === 'memory' ? source.infer : null,
    status: refused ? 'failed' : 'queued',
    error: refused ? INGESTION_ERRORS[refused] : null,
    errorCode: refused ?? null,
    relationsCreated: 0,
    relationsError: null,
  };
}
