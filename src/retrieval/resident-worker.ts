import { ResidentStore } from './resident-store.js';
import type { ResidentHit, ResidentRows } from './resident-store.js';

// Runs in the thread of ResidentVectors; what it holds are the vectors of stores, by the name of their table.
const stores = new Map<string, ResidentStore>();

export function append(task: { store: string; dimensions: number; rows: ResidentRows }): void {
  let store = stores.get(task.store);
  if (!store) stores.set(task.store, (store = new ResidentStore(task.dimensions)));
  store.append(task.rows);
}

/** Undefined when the store is not known up to that chunk. */
export function nearest(task: {
  store: string;
  upTo: number;
  collectionIds: readonly number[];
  vector: Float32Array;
  limit: number;
}): ResidentHit[] | undefined {
  const store = stores.get(task.store);
  if (!store || store.upTo < task.upTo) return undefined;
  return store.nearest(task.collectionIds, task.vector, task.limit);
}

export function keepOnly(task: { store: string; ids: Float64Array }): void {
  stores.get(task.store)?.keepOnly(task.ids);
}

export function drop(task: { store: string }): void {
  stores.delete(task.store);
}
