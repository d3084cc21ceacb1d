import { addToList } from '../lib/add-to-list.js';
import type { SearchScope } from './search-scope.js';

/** Searches all scopes at the same time, and returns all results in one list. */
export async function inEach<Found>(
  scopes: readonly SearchScope[],
  find: (scope: SearchScope) => Promise<Found[]>,
): Promise<Found[]> {
  return (await Promise.all(scopes.map(find))).flat();
}

// Each group costs one statement per lane.
const groupsMax = 8;

/**
 * Splits scopes by the weights of their collections. So each weight gets candidates of its own, and a heavy
 * collection is not found only among the best of a large light one. If there are more than 8 weights,
 * neighbouring ones share a scope.
 */
export function scopesByWeight(
  scopes: readonly SearchScope[],
  weights: ReadonlyMap<number, number>,
): SearchScope[] {
  const groups = groupByWeight(weights);
  return scopes.flatMap((scope) => groups.map((collectionIds) => ({ ...scope, collectionIds })));
}

/** How many hits a lane keeps: as many for each weight of collections. */
export function perWeight(limit: number, scopes: readonly SearchScope[]): number {
  const corpora = new Set(scopes.map(({ store }) => store.corpus)).size;
  return (limit * scopes.length) / Math.max(1, corpora);
}

function groupByWeight(weights: ReadonlyMap<number, number>): number[][] {
  const byWeight = new Map<number, number[]>();
  for (const [id, weight] of weights) addToList(byWeight, weight, id);
  const groups = [...byWeight].sort(([a], [b]) => b - a).map(([, ids]) => ids);
  const perGroup = Math.ceil(groups.length / groupsMax);
  return Array.from({ length: Math.ceil(groups.length / perGroup) }, (_, index) =>
    groups.slice(index * perGroup, (index + 1) * perGroup).flat(),
  );
}
