import type { EntityManager } from 'typeorm';
import { query } from './query.js';
import type { Store } from './stores.js';

/** The vectors of a store that one model made. Re-embedding a database makes another generation of them. */
export interface VectorStore extends Store {
  readonly generation: number;
}

// Longer vectors do not fit into a page of 8 KiB, and are stored out of line.
export const inlineDimensionsMax = 1990;

/** The table of a generation; a statement that names it never meets vectors of another model. */
export function vectorTable({ generation, ...store }: VectorStore): string {
  return generation === 0 ? firstTable(store) : `${firstTable(store)}_g${generation}`;
}

/** Creates the table of a generation, or completes what an interrupted creation left. */
export async function createVectorTable(
  manager: EntityManager,
  store: VectorStore,
  dimensions: number,
): Promise<void> {
  const name = vectorTable(store);
  await query(
    manager,
    `create table if not exists ${name} (like chunk_vectors including defaults including indexes including storage,
       check (vector_dims(embedding) = ${dimensions}))`,
  );
  // Statistics would be costly and only mislead the planner.
  const storage = dimensions > inlineDimensionsMax ? ', alter column embedding set storage external' : '';
  await query(manager, `alter table ${name} alter column embedding set statistics 0${storage}`);
}

/** The tables of all generations of a store. */
export async function findVectorTables(manager: EntityManager, store: Store): Promise<string[]> {
  const first = firstTable(store);
  const rows = await query<{ name: string }>(
    manager,
    `select relname as name from pg_class
      where relname >= $1::name and relname < $2::name and relkind = 'r'
        and relnamespace = current_schema()::regnamespace and relname ~ '^chunk_vectors_\\d+_(knowledge|memory)(_g\\d+)?$'`,
    [first, `${first}~`],
  );
  return rows.map(({ name }) => name);
}

function firstTable({ databaseId, corpus }: Store): string {
  return `chunk_vectors_${databaseId}_${corpus}`;
}
