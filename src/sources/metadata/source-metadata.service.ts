import type { DataSource } from 'typeorm';
import type { Caller } from '../../accounts/caller.js';
import { collectionName } from '../../databases/collections.service.js';
import type { Database } from '../../databases/database.entity.js';
import type { DatabasesService } from '../../databases/databases.service.js';
import { hasLane } from '../../databases/metadata-schema.js';
import { AppError, invalidInput } from '../../errors.js';
import type { Wake } from '../../jobs/define-job.js';
import type { Clock } from '../../lib/clock.js';
import type { Logger } from '../../lib/logger.js';
import { retryOnDeadlock } from '../../postgres/deadlock.js';
import type { Corpus } from '../../postgres/stores.js';
import { maySee } from '../acl.js';
import { itemNotFound } from '../item-not-found.js';
import { readCorpora } from '../read-corpus.js';
import { readMetadataEdit } from './metadata-edit.js';
import type { MetadataEdit } from './metadata-edit.js';
import { applyEdit, holdCollection, lockVersions } from './source-metadata.queries.js';
import type { EditedVersion } from './source-metadata.queries.js';
import type { SourceMetadataUpdate, UpdateSourceMetadataInput } from './source-metadata.types.js';

/** A version whose metadata is to have vectors. */
interface LaneVersion {
  readonly databaseId: number;
  readonly uid: string;
}

/** The vectors of metadata fields; indexing keeps them. */
export interface MetadataVectors {
  /**
   * Which of the versions have a value in one of these fields that differs from the one its vectors were made
   * of.
   */
  findStale(
    versions: readonly LaneVersion[],
    fields: readonly string[],
  ): Promise<readonly { readonly uid: string }[]>;
  /** Embeds those values. @throws when the embedder fails */
  fill(versions: readonly LaneVersion[], fields: readonly string[]): Promise<void>;
}

interface SourceMetadataOptions {
  readonly postgres: DataSource;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly databases: DatabasesService;
  readonly metadataVectors: MetadataVectors;
  readonly wake: Wake;
}

/** The item to edit: the first of these corpora that has one with this id. */
interface EditTarget {
  readonly databaseId: number;
  readonly collection: string;
  readonly corpora: readonly Corpus[];
  readonly id: string;
}

/** What an edit found and changed. */
interface SavedEdit {
  readonly corpus: Corpus;
  /** As they were before the edit. */
  readonly versions: readonly EditedVersion[];
}

type VectorSync = Pick<
  SourceMetadataUpdate,
  'vectorSyncRequired' | 'vectorSynced' | 'vectorRowsSynced' | 'vectorSyncError' | 'partialCommit'
>;

const noSync: VectorSync = {
  vectorSyncRequired: false,
  vectorSynced: null,
  vectorRowsSynced: null,
  vectorSyncError: null,
  partialCommit: null,
};

/** Edits the metadata and access lists of stored items. */
export class SourceMetadataService {
  constructor(private readonly options: SourceMetadataOptions) {}

  /**
   * Merges metadata into an item and replaces its access list, on the visible version and on the one that is
   * about to replace it. @throws AppError INVALID_INPUT, SOURCE_NOT_FOUND or MEMORY_NOT_FOUND; then nothing
   * is changed
   */
  async update(caller: Caller, input: UpdateSourceMetadataInput): Promise<SourceMetadataUpdate> {
    const corpora = readCorpora(input.type);
    const database = await this.options.databases.findReady(caller, input.database);
    if (input.collection === '') throw invalidInput('collection', 'must not be empty');
    const collection = collectionName(input.collection);
    const edit = readMetadataEdit(input, database.metadataSchema);
    const target = { databaseId: database.id, collection, corpora, id: input.id };
    const saved = await retryOnDeadlock(() => this.save(caller, target, edit));
    this.wakeIndexing(saved);
    const sync = await this.syncVectors(database, saved, edit);
    return { id: input.id, database: database.name, collection, ...savedParts(saved, edit), ...sync };
  }

  private save(caller: Caller, target: EditTarget, edit: MetadataEdit): Promise<SavedEdit> {
    const { databaseId, collection, corpora, id } = target;
    const now = this.options.clock.now();
    return this.options.postgres.transaction(async (manager) => {
      const collectionId = await holdCollection(manager, databaseId, collection);
      if (collectionId === undefined) throw itemNotFound(target, corpora[0]);
      for (const corpus of corpora) {
        const versions = await lockVersions(manager, { databaseId, collectionId, corpus }, { id, now });
        if (versions.length === 0 || !versions.every(({ acl }) => maySee(acl, caller))) continue;
        const uids = versions.map(({ uid }) => uid);
        await applyEdit(manager, { databaseId, uids }, { ...edit, now });
        return { corpus, versions };
      }
      throw itemNotFound(target, corpora[0]);
    });
  }

  /** Claims skip rows that an edit has locked: indexing may have just missed the version that is coming. */
  private wakeIndexing({ versions }: SavedEdit): void {
    if (versions.every(({ visible }) => visible)) return;
    for (const job of ['index-sources', 'index-large-sources']) this.options.wake(job);
  }

  /**
   * Runs after the commit, since embedding may take long. A failure is reported in the answer, and repeating
   * the edit makes up for it.
   */
  private async syncVectors(
    { id: databaseId, name, metadataSchema }: Database,
    { versions }: SavedEdit,
    edit: MetadataEdit,
  ): Promise<VectorSync> {
    const fields = (metadataSchema ?? [])
      .filter((field) => hasLane(field) && Object.hasOwn(edit.metadata, field.name))
      .map((field) => field.name);
    if (fields.length === 0) return noSync;
    const ours = versions.map(({ uid }) => ({ databaseId, uid }));
    const { metadataVectors, logger } = this.options;
    const changed = versions.some(({ metadata }) =>
      fields.some((field) => metadata[field] !== edit.metadata[field]),
    );
    try {
      // A version that is not searchable yet gets its vectors when it is indexed.
      const seen = new Set(versions.filter(({ visible }) => visible).map(({ uid }) => uid));
      const stale = await metadataVectors.findStale(ours, fields);
      if (!changed && !stale.some(({ uid }) => seen.has(uid))) return noSync;
      await metadataVectors.fill(ours, fields);
      const vectorRowsSynced = searchableChunks(versions);
      return { ...noSync, vectorSyncRequired: true, vectorSynced: true, vectorRowsSynced };
    } catch (error) {
      logger.warn({ err: error, database: name }, 'metadata vectors could not be refreshed');
      const reason = error instanceof AppError ? error.message : 'unexpected error';
      return {
        ...noSync,
        vectorSyncRequired: true,
        vectorSyncError: `the vectors of ${fields.join(', ')} could not be refreshed: ${reason}; retry the same edit`,
        partialCommit: `the edit is saved, the vectors of ${fields.join(', ')} are not; retry the same edit`,
      };
    }
  }
}

function searchableChunks(versions: readonly EditedVersion[]): number {
  return versions.find(({ visible }) => visible)?.chunkCount ?? 0;
}

/** What the answer says of the edit itself, which is saved. */
function savedParts({ corpus, versions }: SavedEdit, edit: MetadataEdit) {
  const databaseMetadataKeys = Object.keys(edit.metadata);
  const additionalMetadataKeys = Object.keys(edit.additionalMetadata);
  const aclUpdated = edit.acl === undefined ? null : true;
  const chunks = searchableChunks(versions);
  return {
    type: corpus,
    updated: databaseMetadataKeys.length + additionalMetadataKeys.length > 0,
    databaseMetadataKeys,
    additionalMetadataKeys,
    aclUpdated,
    // Search reads the access list of the item itself.
    vectorAclSynced: aclUpdated,
    aclDriftRecorded: null,
    chunkRowsMatched: chunks,
    chunkRowsModified: chunks,
  };
}
