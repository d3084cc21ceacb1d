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
  /** The position of its moment, the lowest that it may get. */
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
 * have to try again.
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
  return waiting.filter((each, index) => {
    const { uid } = each.place;
    const position = positions[index];
    if (position === undefined || !stored.has(placeOf(each, position))) return held.has(uid);
    last.set(uid, Math.max(last.get(uid) ?? -Infinity, Number(position)));
    return false;
  });
}

/**
 * Positions that have just been free, one for each group; undefined for groups beyond those found, and for
 * those whose position is another's, of a moment close by.
 */
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
  const given = new Set<string>();
  return waiting.map((each) => {
    const position = places.get(momentOf(each))?.next().value;
    if (position === undefined || given.has(placeOf(each, position))) return undefined;
    given.add(placeOf(each, position));
    return position;
  });
}

/** A key that is equal for groups that look for positions together. */
function momentOf({ place, from }: WaitingGroup): string {
  return `${place.collectionId} ${from}`;
}

/** A position as `StoredGroups` names it. */
function placeOf({ place }: WaitingGroup, position: string): string {
  return `${place.collectionId}:${position}`;
}
