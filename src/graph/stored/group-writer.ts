import type { EntityManager } from 'typeorm';
import { batchesOf } from '../../lib/batches-of.js';
import type { Store } from '../../postgres/stores.js';
import type { NewRelationGroup } from '../item-graph.js';
import { positionOf } from './group-positions.js';
import { findFreePositions, insertGroups } from './graph-rows.queries.js';
import type { GroupRow, OfVersion } from './graph-rows.queries.js';

/** The groups of relations of a version, in the order of its text. */
interface VersionGroups {
  readonly place: OfVersion;
  readonly groups: readonly NewRelationGroup[];
}

/** A group of relations that has no position yet. */
interface WaitingGroup {
  readonly place: OfVersion;
  readonly group: NewRelationGroup;
  /** The lowest position that it may get. */
  readonly from: number;
}

/**
 * Stores the groups of versions, `rowsMax` in a statement, each at a position of its own. Returns the last
 * position of each version that has groups and is still held under the lease, by uid.
 */
export async function writeGroups(
  manager: EntityManager,
  store: Store,
  { graphs, rowsMax }: { graphs: readonly VersionGroups[]; rowsMax: number },
): Promise<ReadonlyMap<string, number>> {
  const last = new Map<string, number>();
  // The first group gets the highest position, so that "newest first" follows the order of the text.
  const all = graphs.flatMap(({ place, groups }) => {
    const from = positionOf(place.statedAt);
    return groups.map((group): WaitingGroup => ({ place, group, from })).reverse();
  });
  for (const batch of batchesOf(all, rowsMax)) {
    let waiting: readonly WaitingGroup[] = batch;
    while (waiting.length > 0) waiting = await writeSome(manager, store, { waiting, last });
  }
  return last;
}

/**
 * Writes the groups for which there was a free position, and notes these in `last`. Returns the groups that
 * have to try a later one.
 */
async function writeSome(
  manager: EntityManager,
  store: Store,
  { waiting, last }: { waiting: readonly WaitingGroup[]; last: Map<string, number> },
): Promise<WaitingGroup[]> {
  const positions = await freePositions(manager, store, waiting);
  const rows = waiting.flatMap(({ group, place }, index): GroupRow[] => {
    const position = positions[index];
    return position === undefined ? [] : [{ ...group, ...place, position }];
  });
  const versions = waiting.map(({ place }) => place);
  const { held, stored } = await insertGroups(manager, store, { rows, versions });
  const tried = new Map<string, number>();
  return waiting.flatMap((each, index): WaitingGroup[] => {
    const { uid, collectionId } = each.place;
    const position = Number(positions[index] ?? tried.get(momentOf(each)) ?? each.from - 1);
    tried.set(momentOf(each), position);
    const isStored = positions[index] !== undefined && stored.has(`${collectionId}:${position}`);
    if (isStored) last.set(uid, Math.max(last.get(uid) ?? position, position));
    return isStored || !held.has(uid) ? [] : [{ ...each, from: position + 1 }];
  });
}

/** Positions that have just been free, one for each group; undefined for groups beyond those found. */
async function freePositions(
  manager: EntityManager,
  store: Store,
  waiting: readonly WaitingGroup[],
): Promise<readonly (string | undefined)[]> {
  const wanted = new Map<string, { collectionId: number; from: number; count: number }>();
  for (const each of waiting) {
    const known = wanted.get(momentOf(each));
    const { collectionId } = each.place;
    wanted.set(momentOf(each), { collectionId, from: each.from, count: (known?.count ?? 0) + 1 });
  }
  const free = await findFreePositions(manager, store, [...wanted.values()]);
  const places = new Map([...wanted.keys()].map((key, index) => [key, (free[index] ?? []).values()]));
  return waiting.map((each) => places.get(momentOf(each))?.next().value);
}

/** A key that is equal for groups that look for positions together. */
function momentOf({ place, from }: WaitingGroup): string {
  return `${place.collectionId} ${from}`;
}
