import type pg from 'pg';
import type { DataSource } from 'typeorm';
import type { Clock } from '../../lib/clock.js';
import type { Logger } from '../../lib/logger.js';
import { reasonOf } from '../../lib/reason-of.js';
import { query, queryOne } from '../../postgres/query.js';
import { storeName } from '../../postgres/stores.js';
import type { Corpus, Store } from '../../postgres/stores.js';
import { indexedType, takeBuildLock, vectorIndexName } from '../../postgres/vector-index.js';
import { vectorTable } from '../../postgres/vector-tables.js';
import type { VectorStore } from '../../postgres/vector-tables.js';
import { buildVectorIndex, graphMemory, prepareForBuilds } from './vector-index-build.js';
import { calibrate } from './vector-index-recall.js';
import type { Run } from './vector-index-recall.js';

interface VectorIndexesOptions {
  readonly postgres: DataSource;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Opens a connection outside of the pool, since a build takes minutes. */
  readonly openSession: () => Promise<pg.Client>;
  /** A store with more rows gets an index; see exactRowsMaxDefault. */
  readonly exactRowsMax: number;
}

/** A table of vectors that may get an index. */
export interface IndexedVectors extends VectorStore {
  readonly dimensions: number;
}

/** What is known about a store's indexes. */
interface IndexState {
  readonly indexedUpTo: string | null;
  readonly indexedRows: number | null;
  /** All indexes of builds, including interrupted ones. */
  readonly indexes: readonly { name: string; valid: boolean }[];
}

/** What is to be done for a store. */
interface Work {
  readonly obsolete: readonly string[];
  readonly build: boolean;
}

const sweepEveryMs = 60_000;
// Every search scans the rows that the index does not cover. They may be this share of the covered ones, so
// that building stays in proportion.
const freshShareMax = 0.2;
const freshRowsMax = 50_000;

/**
 * Builds the vector indexes of stores that have outgrown exact scanning, beside reads and writes. An index
 * covers the chunks up to one number, so that inserting does not touch it; when many chunks have come after
 * it, it is rebuilt.
 */
export class VectorIndexes {
  private readonly touched = new Map<string, Store>();
  private readonly failed = new Map<string, Store>();
  private sweptAt = -Infinity;

  constructor(private readonly options: VectorIndexesOptions) {}

  /** Records that rows were written to a store. */
  touch({ databaseId, corpus }: Store): void {
    const store = { databaseId, corpus };
    this.touched.set(storeName(store), store);
  }

  /** Checks one store; false when none is left. A build that fails is tried again with the next sweep. */
  async buildSome(signal: AbortSignal): Promise<boolean> {
    await this.sweep();
    const [next] = this.touched;
    if (!next || signal.aborted) return false;
    const [name, store] = next;
    this.touched.delete(name);
    try {
      const live = await this.findLive(store);
      if (live) await this.build(live, signal);
    } catch (error) {
      this.failed.set(name, store);
      const reason = reasonOf(error);
      if (!signal.aborted) this.options.logger.warn({ store: name, reason }, 'a vector index was not built');
    }
    return true;
  }

  /** Builds the index of a table of vectors, if it is due. */
  async build(vectors: IndexedVectors, signal: AbortSignal): Promise<void> {
    const { manager } = this.options.postgres;
    const work = await this.findWork(vectors, (sql, parameters) => query(manager, sql, parameters));
    if (isDue(work)) await this.workInSession(vectors, signal);
  }

  /** The vectors that searches of a store read. */
  private async findLive({ databaseId, corpus }: Store): Promise<IndexedVectors | undefined> {
    const live = await queryOne<Pick<IndexedVectors, 'generation' | 'dimensions'>>(
      this.options.postgres.manager,
      'select vector_generation as generation, vector_dimensions as dimensions from databases where id = $1',
      [databaseId],
    );
    return live && { databaseId, corpus, ...live };
  }

  // Finds what this process cannot know of: stores of processes that have ended, and builds that failed.
  private async sweep(): Promise<void> {
    const now = this.options.clock.now().getTime();
    if (now - this.sweptAt < sweepEveryMs) return;
    this.sweptAt = now;
    for (const [name, store] of this.failed) this.touched.set(name, store);
    this.failed.clear();
    const large = await query<{ databaseId: number; corpus: Corpus }>(
      this.options.postgres.manager,
      `select parts[1]::int as "databaseId", parts[2] as corpus
         from pg_class, regexp_match(relname, '^chunk_vectors_(\\d+)_(knowledge|memory)(_g\\d+)?$') as parts
        where relname like 'chunk\\_vectors\\_%' and relkind = 'r' and relnamespace = current_schema()::regnamespace
          and reltuples > $1 and parts is not null`,
      [this.options.exactRowsMax],
    );
    for (const store of large) this.touch(store);
  }

  private async findWork(store: IndexedVectors, run: Run): Promise<Work | undefined> {
    const { dimensions } = store;
    const table = vectorTable(store);
    const [state] = await run<IndexState>(
      `select v.indexed_up_to as "indexedUpTo", v.indexed_rows as "indexedRows",
              array(select jsonb_build_object('name', c.relname, 'valid', x.indisvalid)
                      from pg_index x join pg_class c on c.oid = x.indexrelid
                     where x.indrelid = to_regclass($3) and c.relname ~ '_hnsw_\\d+$') as indexes
         from databases d left join vector_indexes v on v.database_id = d.id and v.corpus = $2 and v.generation = $4
        where d.id = $1 and d.status = 'ready'`,
      [store.databaseId, store.corpus, table, store.generation],
    );
    if (!state || !indexedType(dimensions)) return undefined;
    const { indexedUpTo, indexedRows, indexes } = state;
    const liveName = indexedUpTo === null ? undefined : vectorIndexName(store, indexedUpTo);
    const live = indexes.some(({ name, valid }) => valid && name === liveName);
    const bound = live
      ? Math.max(this.options.exactRowsMax, Math.min((indexedRows ?? 0) * freshShareMax, freshRowsMax))
      : this.options.exactRowsMax;
    const [fresh] = await run<{ rows: number }>(
      `select count(*)::int as rows
         from (select from ${table} ${live ? `where chunk_id > ${indexedUpTo}` : ''} limit $1) fresh`,
      [Math.floor(bound) + 1],
    );
    return {
      obsolete: indexes.map(({ name }) => name).filter((name) => !live || name !== liveName),
      build: (fresh?.rows ?? 0) > bound,
    };
  }

  /**
   * Works over a separate connection that holds the lock: one process at a time, and its settings end with
   * it.
   */
  private async workInSession(store: IndexedVectors, signal: AbortSignal): Promise<void> {
    const session = await this.options.openSession();
    const run: Run = async (sql, parameters = []) => {
      signal.throwIfAborted();
      const { rows } = await session.query(sql, [...parameters]);
      return rows as never[];
    };
    let own: { id: number } | undefined;
    const cancel = () => {
      query(this.options.postgres.manager, 'select pg_cancel_backend($1)', [own?.id]).catch(() => undefined);
    };
    signal.addEventListener('abort', cancel, { once: true });
    try {
      [own] = await run<{ id: number }>('select pg_backend_pid() as id');
      const [lock] = await run<{ taken: boolean }>(takeBuildLock, [vectorTable(store)]);
      if (!lock?.taken) return;
      // Another process may have done it meanwhile.
      const work = await this.findWork(store, run);
      for (const name of work?.obsolete ?? []) await run(`drop index concurrently if exists ${name}`);
      if (work?.build) await this.buildInSession(store, run);
    } finally {
      signal.removeEventListener('abort', cancel);
      await session.end();
    }
  }

  private async buildInSession(store: IndexedVectors, run: Run): Promise<void> {
    const { dimensions } = store;
    const { clock, logger } = this.options;
    const startedAt = performance.now();
    const table = vectorTable(store);
    await prepareForBuilds(run);
    const [last] = await run<{ id: string | null; rows: number }>(
      `select max(chunk_id) as id, count(*)::int as rows from ${table}`,
    );
    if (last?.id == null) return;
    const name = vectorIndexName(store, last.id);
    const memory = graphMemory(last.rows, dimensions);
    await buildVectorIndex(run, { name, table, indexedUpTo: last.id, dimensions, memory });
    const { candidates, recall } = await calibrate(run, { table, indexedUpTo: last.id, dimensions });
    // Statistics of vectors are costly and tell the planner nothing.
    await run(`alter index ${name} alter column 1 set statistics 0`);
    const [built] = await run<{ rows: number }>(
      `with counts as (select collection_id, count(*) as rows from ${table} where chunk_id <= $3 group by collection_id)
       insert into vector_indexes (database_id, corpus, generation, indexed_up_to, indexed_rows, wide_collections, candidates, built_at)
       select $1, $2, $7, $3, coalesce(sum(rows), 0),
              coalesce(array_agg(collection_id) filter (where rows > $4), '{}'), $5, $6 from counts
       on conflict (database_id, corpus, generation) do update
         set indexed_up_to = excluded.indexed_up_to, indexed_rows = excluded.indexed_rows,
             wide_collections = excluded.wide_collections, candidates = excluded.candidates, built_at = excluded.built_at
       returning indexed_rows as rows`,
      [
        store.databaseId,
        store.corpus,
        last.id,
        this.options.exactRowsMax,
        candidates,
        clock.now(),
        store.generation,
      ],
    );
    const seconds = Math.round((performance.now() - startedAt) / 100) / 10;
    logger.info({ table, rows: built?.rows, seconds, candidates, recall }, 'vector index built');
    const replaced = await this.findWork(store, run);
    for (const name of replaced?.obsolete ?? []) await run(`drop index concurrently if exists ${name}`);
  }
}

function isDue(work: Work | undefined): boolean {
  return work !== undefined && (work.build || work.obsolete.length > 0);
}
