import { mebibyte } from '../../lib/units.js';
import { errorCodeOf } from '../../postgres/query.js';
import { indexedOperators, indexedType } from '../../postgres/vector-index.js';
import type { Run } from './vector-index-recall.js';

interface BuiltIndex {
  readonly name: string;
  readonly table: string;
  /** The last chunk that it covers. */
  readonly indexedUpTo: string;
  readonly dimensions: number;
  /** In MiB; a graph that does not fit is built slowly. */
  readonly memory: number;
}

const memoryMin = 64;
const memoryMax = 2048;
// The size of a graph's element besides its vector: 32 neighbours, and the links of higher levels.
const elementBytes = 1000;
const parallelSafeSince = '0,8,2';

/** How many MiB the graph of this many vectors needs, within what a build may take of its Postgres. */
export function graphMemory(rows: number, dimensions: number): number {
  const needed = Math.ceil((rows * (dimensions * 4 + elementBytes)) / mebibyte);
  return Math.min(Math.max(needed, memoryMin), memoryMax);
}

/** Prepares a session for builds; the settings end with it. */
export async function prepareForBuilds(run: Run): Promise<void> {
  await run('set statement_timeout = 0');
  // The build ends with this process, however that ends.
  await run(`set client_connection_check_interval = '5s'`);
  const [vector] = await run<{ parallel: boolean }>(
    `select string_to_array(extversion, '.')::int[] >= array[${parallelSafeSince}] as parallel
       from pg_extension where extname = 'vector'`,
  );
  // Older versions of pgvector write past the end of their shared memory.
  if (!vector?.parallel) await buildAlone(run);
}

/**
 * Builds an HNSW index of a table's vectors beside reads and writes. Its workers need shared memory, of which
 * containers often have only 64 MiB; where it does not suffice the index is built without workers.
 */
export async function buildVectorIndex(run: Run, index: BuiltIndex): Promise<void> {
  await run(`set maintenance_work_mem = '${index.memory}MB'`);
  try {
    await createIndex(run, index);
  } catch (error) {
    if (!isMemoryRefused(error)) throw error;
    await run(`drop index concurrently if exists ${index.name}`);
    await buildAlone(run);
    await createIndex(run, index);
  }
}

async function createIndex(run: Run, { name, table, indexedUpTo, dimensions }: BuiltIndex): Promise<void> {
  await run(
    `create index concurrently ${name} on ${table}
       using hnsw ((embedding::${indexedType(dimensions)}) ${indexedOperators(dimensions)})
       where chunk_id <= ${indexedUpTo}`,
  );
}

async function buildAlone(run: Run): Promise<void> {
  await run('set max_parallel_maintenance_workers = 0');
}

/**
 * Shared memory is a file system: when it is full the error is disk_full; limits of the system give
 * out_of_memory.
 */
function isMemoryRefused(error: unknown): boolean {
  return ['53100', '53200'].includes(errorCodeOf(error) ?? '');
}
