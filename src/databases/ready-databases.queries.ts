import type { DataSource } from 'typeorm';
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
