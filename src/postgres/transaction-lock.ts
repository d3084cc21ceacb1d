import type { EntityManager } from 'typeorm';
import { query, queryOne } from './query.js';

/** Waits until no other transaction holds the lock of this name, and holds it until this one ends. */
export async function lockByName(manager: EntityManager, name: string): Promise<void> {
  await query(manager, 'select pg_advisory_xact_lock(hashtextextended($1, 0))', [name]);
}

/** Takes the lock of this name until the transaction ends, if no other one holds it. */
export async function tryLockByName(manager: EntityManager, name: string): Promise<boolean> {
  const sql = 'select pg_try_advisory_xact_lock(hashtextextended($1, 0)) as held';
  return (await queryOne<{ held: boolean }>(manager, sql, [name]))?.held ?? false;
}
