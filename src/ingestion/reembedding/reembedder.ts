import type { DataSource } from 'typeorm';
import { holdReady } from '../../databases/ready-databases.queries.js';
import type { CorpusProgress, ReembeddingState } from '../../databases/reembedding.js';
import { AppError } from '../../errors.js';
import { RefusedTextError } from '../../inference/embedder.js';
import type { Embedder } from '../../inference/embedder.js';
import type { JobOutcome, Wake } from '../../jobs/define-job.js';
import { runCancellable } from '../../lib/cancellation.js';
import { unbelievableFrom } from '../../lib/clock.js';
import type { Clock } from '../../lib/clock.js';
import { underHeartbeat } from '../../lib/heartbeat.js';
import type { Logger } from '../../lib/logger.js';
import { reasonOf } from '../../lib/reason-of.js';
import { isStoreUnavailable } from '../../postgres/outage.js';
import { errorCodeOf } from '../../postgres/query.js';
import { isSettled } from '../../postgres/settled.js';
import { CORPORA, dropTable } from '../../postgres/stores.js';
import type { Corpus } from '../../postgres/stores.js';
import { vectorTypes } from '../../postgres/vector-parameters.js';
import { createVectorTable, findVectorTables, vectorTable } from '../../postgres/vector-tables.js';
import type { VectorStore } from '../../postgres/vector-tables.js';
import type { EmbeddingCache } from '../embedding-cache.js';
import type { StoredMetadataVectors } from '../metadata-vectors.js';
import { searchableText } from '../preparation/searchable-text.js';
import type { VectorIndexes } from '../vector-index/vector-indexes.js';
import * as queries from './reembedding.queries.js';
import type { ReembeddedDatabase, UnembeddedChunk } from './reembedding.queries.js';

interface ReembedderOptions {
  readonly postgres: DataSource;
  readonly embedded: boolean;
  readonly clock: Clock;
  readonly logger: Logger;
  /** The configured one: databases are moved to its model. */
  readonly embedder: Embedder;
  readonly embeddings: EmbeddingCache;
  readonly metadataVectors: StoredMetadataVectors;
  /** Undefined on the embedded Postgres. */
  readonly vectorIndexes: VectorIndexes | undefined;
  /** How long a read may continue with what it knew of a database when it began. */
  readonly readMsMax: number;
  readonly wake: Wake;
}

/** The outcome of a step. `wait`: nothing can be done for a moment. */
interface Step {
  readonly next: ReembeddingState;
  readonly waitMs?: number;
  /** Whether the state has already been saved, together with what was done. */
  readonly saved?: boolean;
}

const leaseMs = 60_000;
const retryMs = 15_000;
const lockedMs = 1000;
const lockNotAvailable = '55P03';
const keptMsMin = 60_000;
// Chunks in one transaction: on the embedded Postgres, searches wait for it.
const batchRows = { embedded: 32, native: 128 };
const valuesRows = 100;
const deletedRows = 500;

/**
 * Re-embeds a database with another model, beside the vectors that searches read. All progress is saved in
 * the database's row together with what was done, so a killed worker loses one batch at most. New content
 * gets both vectors (vectorTargets); once no chunk lacks its new one, one update makes searches read those.
 */
export class Reembedder {
  /** How long the earlier vectors stay, for those who still read them. */
  private readonly keptMs: number;

  constructor(private readonly options: ReembedderOptions) {
    this.keptMs = Math.max(keptMsMin, options.readMsMax);
  }

  /** Does one batch of the database that was worked on longest ago. */
  async reembedSome(signal: AbortSignal): Promise<JobOutcome> {
    const { postgres, clock, embedder, logger } = this.options;
    const now = clock.now();
    const leaseEnd = new Date(now.getTime() + leaseMs);
    // Nothing waits longer than the earlier vectors are kept.
    const unbelievable = unbelievableFrom(new Date(now.getTime() + this.keptMs));
    const database = await queries.claimDatabase(postgres, embedder, { now, leaseEnd, unbelievable });
    if (!database) return 'idle';
    try {
      const { next, waitMs = 0, saved } = await runCancellable(signal, () => this.advance(database, signal));
      if (saved) return 'worked';
      const due = new Date(clock.now().getTime() + waitMs);
      await queries.saveState(postgres.manager, database, { next: { ...next, error: '' }, due });
      return waitMs > 0 ? 'idle' : 'worked';
    } catch (error) {
      if (signal.aborted) return this.waitFor(database, 0);
      if (errorCodeOf(error) === lockNotAvailable) return this.waitFor(database, lockedMs);
      if (isStoreUnavailable(error)) throw error;
      const reason = reasonOf(error);
      logger.warn({ database: database.name, reason }, 'embedding a database anew waits');
      const shown = error instanceof AppError ? error.message : 'internal error; see the log of the server';
      const due = new Date(clock.now().getTime() + retryMs);
      const next = { ...database.state, error: shown };
      await queries.saveState(postgres.manager, database, { next, due });
      return 'idle';
    }
  }

  private async waitFor(database: ReembeddedDatabase, ms: number): Promise<JobOutcome> {
    const { postgres, clock } = this.options;
    const due = new Date(clock.now().getTime() + ms);
    await queries.saveState(postgres.manager, database, { next: database.state, due });
    return 'idle';
  }

  private async advance(database: ReembeddedDatabase, signal: AbortSignal): Promise<Step> {
    if (database.state.step === 'tables') return this.makeTables(database);
    if (database.state.step === 'cleanup') return this.cleanUp(database);
    for (const corpus of CORPORA) {
      const step = await this.embedChunks(database, corpus);
      if (step) return step;
    }
    return (await this.fillValues(database)) ?? this.makeLive(database, signal);
  }

  private async makeTables(database: ReembeddedDatabase): Promise<Step> {
    const { postgres } = this.options;
    let total = 0;
    for (const corpus of CORPORA) {
      const store = this.storeOf(database, corpus);
      await postgres.transaction(async (manager) => {
        // A deletion of the database waits, and then finds the table.
        if (await holdReady(manager, database.id))
          await createVectorTable(manager, store, database.state.dimensions);
      });
      total += await queries.countChunks(postgres, store);
    }
    return { next: { ...database.state, step: 'vectors', total } };
  }

  /**
   * Embeds the next chunks of a corpus; undefined when none is left from before new ones got both vectors.
   */
  private async embedChunks(database: ReembeddedDatabase, corpus: Corpus): Promise<Step | undefined> {
    const { postgres, embedded } = this.options;
    const store = this.storeOf(database, corpus);
    const { upTo, bound, newest } = database.state.progress[corpus];
    if (upTo >= bound) return this.findBound(database, corpus);
    const limit = embedded ? batchRows.embedded : batchRows.native;
    const chunks = await queries.findUnembedded(postgres, store, { after: upTo, upTo: bound, limit });
    const vectors = await this.embed(database.id, chunks);
    const last = chunks.length < limit ? bound : (chunks.at(-1)?.id ?? bound);
    const next = withProgress(database.state, corpus, { upTo: last, bound, newest });
    await this.store(database, store, {
      chunks,
      vectors,
      next: { ...next, error: '', done: next.done + chunks.length },
    });
    return { next, saved: true };
  }

  /** Stores vectors and progress in one transaction, so that neither exists without the other. */
  private async store(
    database: ReembeddedDatabase,
    store: VectorStore,
    {
      chunks,
      vectors,
      next,
    }: {
      chunks: readonly UnembeddedChunk[];
      vectors: readonly (Float32Array | undefined)[];
      next: ReembeddingState;
    },
  ): Promise<void> {
    const { postgres, clock } = this.options;
    const embedded = chunks.flatMap((chunk, index) => {
      const vector = vectors[index];
      return vector ? [{ ...chunk, vector }] : [];
    });
    // Looked up before, because within a transaction the embedded Postgres answers nobody else.
    const types = await vectorTypes(postgres);
    await postgres.transaction(async (manager) => {
      await queries.insertVectors(manager, store, { chunks: embedded, types });
      const saved = await queries.saveState(manager, database, { next, due: clock.now() });
      if (!saved) throw new AppError('SERVICE_UNAVAILABLE', 'another worker has taken over');
    });
  }

  /** Undefined when no later chunk lacks its vector. */
  private async findBound(database: ReembeddedDatabase, corpus: Corpus): Promise<Step | undefined> {
    const { postgres } = this.options;
    const { state } = database;
    const { upTo, bound, newest } = state.progress[corpus];
    if (!newest) {
      // A process with both models writes both vectors: there is nothing to wait for.
      if (!(await queries.lacksVectors(postgres.manager, this.storeOf(database, corpus), upTo)))
        return undefined;
      const found = await queries.findNewestChunk(postgres, this.storeOf(database, corpus), upTo);
      return found && { next: withProgress(state, corpus, { upTo, bound, newest: found }) };
    }
    if (!(await isSettled(postgres.manager, newest.begunBefore))) return { next: state, waitMs: 1000 };
    return { next: withProgress(state, corpus, { upTo, bound: newest.chunkId, newest: null }) };
  }

  /** A chunk that the model refuses gets no vector; it is found by words. */
  private async embed(
    databaseId: number,
    chunks: readonly UnembeddedChunk[],
  ): Promise<(Float32Array | undefined)[]> {
    const { embeddings, embedder, logger } = this.options;
    const texts = chunks.map((chunk) => ({ databaseId, text: searchableText(chunk.title, chunk) }));
    try {
      return await embeddings.embed(texts, embedder);
    } catch (error) {
      if (!(error instanceof RefusedTextError)) throw error;
      if (chunks.length > 1) {
        const half = Math.ceil(chunks.length / 2);
        const [first, second] = [chunks.slice(0, half), chunks.slice(half)];
        return [...(await this.embed(databaseId, first)), ...(await this.embed(databaseId, second))];
      }
      logger.warn(
        { databaseId, chunkId: chunks[0]?.id, reason: error.message },
        'a chunk is left without a vector',
      );
      return [undefined];
    }
  }

  /** Embeds the metadata of the next versions; undefined when all is done. */
  private async fillValues({ id, state, hasLanes }: ReembeddedDatabase): Promise<Step | undefined> {
    if (state.valuesUpTo === null || !hasLanes) return undefined;
    const page = { after: state.valuesUpTo, limit: valuesRows };
    const uids = await queries.findVersions(this.options.postgres, id, page);
    await this.options.metadataVectors.fill(uids.map((uid) => ({ databaseId: id, uid })));
    return { next: { ...state, valuesUpTo: uids.length < valuesRows ? null : (uids.at(-1) ?? null) } };
  }

  /** First builds the index that the new vectors need, so that no search scans them all. */
  private async makeLive(database: ReembeddedDatabase, signal: AbortSignal): Promise<Step> {
    const { postgres, vectorIndexes, clock, logger, embedder } = this.options;
    const { id, name, state } = database;
    const stores = CORPORA.map((corpus) => this.storeOf(database, corpus));
    for (const store of stores)
      await this.underLease(database, () =>
        vectorIndexes?.build({ ...store, dimensions: state.dimensions }, signal),
      );
    const now = clock.now();
    const live = await postgres.transaction(async (manager) => {
      // From here on nobody stores chunks of this database until the switch is done.
      await queries.lockDatabase(manager, id);
      for (const store of stores)
        if (await queries.lacksVectors(manager, store, state.progress[store.corpus].upTo)) return false;
      const next: ReembeddingState = {
        ...state,
        step: 'cleanup',
        valuesUpTo: '0',
        error: '',
        switchedAt: now.toISOString(),
      };
      const due = new Date(now.getTime() + this.keptMs);
      if (!(await queries.saveState(manager, database, { next, due }))) return false;
      await queries.switchGeneration(manager, database, embedder.dimensionsShown);
      return true;
    });
    if (!live) return { next: state, waitMs: 1000 };
    logger.info({ database: name, model: state.model, chunks: state.done }, 'database embedded anew');
    return { next: state, saved: true };
  }

  /**
   * Once nobody reads them any more, removes the earlier vectors, and embeds values that were edited during
   * the switch.
   */
  private async cleanUp(database: ReembeddedDatabase): Promise<Step> {
    const { postgres } = this.options;
    const { id, state } = database;
    const values = await this.fillValues(database);
    if (values) return values;
    for (const corpus of CORPORA) {
      const kept = vectorTable(this.storeOf(database, corpus));
      for (const table of await findVectorTables(postgres.manager, { databaseId: id, corpus }))
        if (table !== kept && !(await dropTable(postgres, table))) return { next: state, waitMs: retryMs };
    }
    const generation = { kept: state.generation, limit: deletedRows };
    if (await queries.deleteOtherGenerations(postgres, id, generation)) return { next: state };
    await queries.clearState(postgres, database);
    return { next: state, saved: true };
  }

  /** Extends the lease while an index is built, which takes longer than a lease. */
  private async underLease(
    database: ReembeddedDatabase,
    work: () => Promise<void> | undefined,
  ): Promise<void> {
    const { postgres, clock, logger } = this.options;
    const extend = () =>
      queries
        .extendLease(postgres, database, new Date(clock.now().getTime() + leaseMs))
        .catch((error: unknown) => logger.warn({ err: error }, 'a lease could not be extended'));
    await underHeartbeat({ everyMs: leaseMs / 3, beat: extend }, async () => work());
  }

  private storeOf({ id, state }: ReembeddedDatabase, corpus: Corpus): VectorStore {
    return { databaseId: id, corpus, generation: state.generation };
  }
}

function withProgress(state: ReembeddingState, corpus: Corpus, progress: CorpusProgress): ReembeddingState {
  return { ...state, progress: { ...state.progress, [corpus]: progress } };
}
