import type { DataSource, EntityManager } from 'typeorm';
import { errorCodeOf, query, tableExists } from './query.js';

/** The two kinds of content; each has a store of its own in every database. */
export type Corpus = 'knowledge' | 'memory';

/** One database's content of one corpus: the three partitions that hold it. */
export interface Store {
  readonly databaseId: number;
  readonly corpus: Corpus;
}

type PartitionedTable = 'chunks' | 'chunk_vectors' | 'term_frequencies';

const indexes: Record<PartitionedTable, (table: string) => string[]> = {
  chunks: (table) => [
    `create unique index on ${table} (id)`,
    `create index on ${table} (source_uid, position)`,
    // Without a list of pending entries: it would be read whole by every search until a vacuum empties it.
    `create index on ${table} using gin (terms) with (fastupdate = off)`,
  ],
  chunk_vectors: (table) => [
    `create index on ${table} (source_uid)`,
    `create index on ${table} (collection_id)`,
  ],
  term_frequencies: (table) => [
    `create index on ${table} (term) include (amount)`,
    `create index on ${table} (term) where not folded`,
  ],
};

/** Columns whose statistics cost much and would only mislead the planner: each is reached by its own index. */
const opaqueColumns: Record<PartitionedTable, string[]> = {
  chunks: ['content', 'layout', 'terms', 'term_counts', 'keyword'],
  chunk_vectors: ['embedding'],
  term_frequencies: [],
};
const partitionedTables = Object.keys(indexes) as PartitionedTable[];

// Longer vectors do not fit a page of 8 KiB and must be kept out of line.
const inlineDimensionsMax = 1990;
const lockTimeoutMs = 2000;
const lockAttemptsMax = 10;
const lockNotAvailable = '55P03';

/** The table of a store's partition: queries name it, so that no other database's partition is ever opened. */
export function partition(table: PartitionedTable, store: Store): string {
  return `${table}_${store.databaseId}_${store.corpus}`;
}

/** Makes a store's partitions, or leaves them as they are. One transaction a partition; none waits long for a lock. */
export async function createStore(
  postgres: DataSource,
  store: Store,
  vectorDimensions: number,
): Promise<void> {
  for (const table of partitionedTables) {
    await withLockTimeout(postgres, (manager) =>
      createPartition(manager, { table, store, vectorDimensions }),
    );
  }
}

interface PartitionRequest {
  readonly table: PartitionedTable;
  readonly store: Store;
  readonly vectorDimensions: number;
}

// A stand-alone table that is attached: CREATE … PARTITION OF would queue behind every open SELECT of the parent.
async function createPartition(
  manager: EntityManager,
  { table, store, vectorDimensions }: PartitionRequest,
): Promise<void> {
  const name = partition(table, store);
  if (await tableExists(manager, name)) return;
  await query(manager, `create table ${name} (like ${table} including defaults)`);
  if (table === 'chunk_vectors') {
    const storage = vectorDimensions <= inlineDimensionsMax ? 'plain' : 'external';
    await query(manager, `alter table ${name} alter column embedding set storage ${storage}`);
    await query(manager, `alter table ${name} add check (vector_dims(embedding) = ${vectorDimensions})`);
  }
  for (const column of opaqueColumns[table]) {
    await query(manager, `alter table ${name} alter column ${column} set statistics 0`);
  }
  for (const statement of indexes[table](name)) await query(manager, statement);
  const [from, to] = bounds(store);
  await query(manager, `alter table ${table} attach partition ${name} for values from (${from}) to (${to})`);
}

function bounds({ databaseId, corpus }: Store): [string, string] {
  return corpus === 'knowledge'
    ? [`${databaseId}, 'knowledge'`, `${databaseId}, 'memory'`]
    : [`${databaseId}, 'memory'`, `${databaseId}, maxvalue`];
}

/** Removes a store's partitions with all that is in them; finishes what an interrupted removal began. */
export async function dropStore(postgres: DataSource, store: Store): Promise<void> {
  for (const table of partitionedTables) {
    const name = partition(table, store);
    const [attached] = await query<{ pending: boolean }>(
      postgres.manager,
      `select inhdetachpending as pending from pg_inherits where inhrelid = to_regclass($1)`,
      [name],
    );
    // Concurrently: a plain DETACH would lock the parent against every other database.
    if (attached) {
      const mode = attached.pending ? 'finalize' : 'concurrently';
      await query(postgres.manager, `alter table ${table} detach partition ${name} ${mode}`);
    }
    await query(postgres.manager, `drop table if exists ${name}`);
  }
}

async function withLockTimeout(
  postgres: DataSource,
  work: (manager: EntityManager) => Promise<void>,
): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await postgres.transaction(async (manager) => {
        await query(manager, `set local lock_timeout = ${lockTimeoutMs}`);
        await work(manager);
      });
    } catch (error) {
      if (errorCodeOf(error) !== lockNotAvailable || attempt === lockAttemptsMax) throw error;
    }
  }
}
