import type { EntityManager } from 'typeorm';
import { query } from './query.js';

/** Waits until no other transaction holds the lock of this name, and holds it until this one ends. */
export async function lockByName(manager: EntityManager, name: string): Promise<void> {
  await query(manager, 'select pg_advisory_xact_lock(hashtextextended($1, 0))', [name]);
}
