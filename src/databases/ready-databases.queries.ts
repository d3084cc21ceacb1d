import type { DataSource, EntityManager } from 'typeorm';
import { query } from '../postgres/query.js';

/** The rows whose database exists, and has not been deleted since they were read. */
export async function withDatabase<Row extends { readonly databaseId: number }>(
  { manager }: DataSource,
  rows: readonly Row[],
): Promise<Row[]> {
  const ready = await query<{ id: number }>(
    manager,
    `select id from databases where id = any($1::int[]) and status = 'ready'`,
    [[...new Set(rows.map(({ databaseId }) => databaseId))]],
  );
  const ids = new Set(ready.map(({ id }) => id));
  return rows.filter(({ databaseId }) => ids.has(databaseId));
}

/** Keeps a database from being deleted until the transaction ends; false when it is not ready any more. */
export async function holdReady(manager: EntityManager, databaseId: number): Promise<boolean> {
  const held = await query(manager, `select id from databases where id = $1 and status = 'ready' for share`, [
    databaseId,
  ]);
  return held.length > 0;
}
