import type { DataSource } from 'typeorm';
import { inEach } from '../collection-scopes.js';
import { findChunks } from '../found-chunks.queries.js';
import type { ChunkRow } from '../found-chunks.queries.js';
import { hasConversation } from '../lanes/app-lane.js';
import { findConversations } from '../lanes/app-lane.queries.js';
import type { FoundChunk } from '../search-result.js';
import type { SearchScope } from '../search-scope.js';
import { findNeighbours } from './related-chunks.queries.js';

/** A neighbour of hits: of the same item, or of the same conversation. */
export interface RelatedChunk {
  readonly row: ChunkRow;
  /** The name of the chunk's collection. */
  readonly collection: string;
  /** The ids of the hits that it is a neighbour of, each with its place among the neighbours of that hit. */
  readonly places: ReadonlyMap<string, number>;
}

/** A neighbour of a hit; the neighbours of one hit come nearest first. */
interface Neighbour {
  readonly hitId: string;
  readonly row: ChunkRow;
}

interface Wanted {
  readonly found: readonly FoundChunk[];
  readonly perHit: number;
}

/**
 * The nearest neighbours of each hit, at most `perHit`, that are not hits themselves; each neighbour once.
 * First come chunks of its item (at equal distance the one before), then, if these are not enough, what is
 * nearest in its conversation.
 */
export async function findRelated(
  postgres: DataSource,
  scopes: readonly SearchScope[],
  { found, perHit }: Wanted,
): Promise<RelatedChunk[]> {
  const neighbours = await inEach(scopes, async (scope) => {
    const wanted = { found: found.filter(({ row }) => row.corpus === scope.store.corpus), perHit };
    const [inItems, inTalks] = await Promise.all([
      findInItems(postgres, scope, wanted),
      findInConversations(postgres, scope, wanted),
    ]);
    return [...inItems, ...inTalks];
  });
  const hits = new Map(found.map((each) => [each.row.chunkId, each]));
  const related = new Map<string, RelatedChunk & { readonly places: Map<string, number> }>();
  const taken = new Map<string, number>();
  for (const { hitId, row } of neighbours) {
    const collection = hits.get(hitId)?.collection;
    const nth = taken.get(hitId) ?? 0;
    if (collection === undefined || hits.has(row.chunkId) || nth >= perHit) continue;
    const known = related.get(row.chunkId) ?? { row, collection, places: new Map<string, number>() };
    if (known.places.has(hitId)) continue;
    taken.set(hitId, nth + 1);
    known.places.set(hitId, nth);
    related.set(row.chunkId, known);
  }
  return [...related.values()];
}

/** The UUIDs of the related chunks that are neighbours of a hit, nearest first. */
export function neighboursOf({ row }: FoundChunk, related: readonly RelatedChunk[]): string[] {
  return related
    .flatMap((each) => {
      const nth = each.places.get(row.chunkId);
      return nth === undefined ? [] : [{ uuid: each.row.chunkUuid, nth }];
    })
    .sort((a, b) => a.nth - b.nth)
    .map(({ uuid }) => uuid);
}

async function findInItems(
  postgres: DataSource,
  scope: SearchScope,
  { found, perHit }: Wanted,
): Promise<Neighbour[]> {
  const positionOf = ({ layout }: ChunkRow) => Number(layout['position']);
  const rows = await findNeighbours(postgres, scope, { chunkIds: found.map(({ hit }) => hit.id), perHit });
  return found.flatMap(({ hit, row: own }) =>
    rows
      .filter((row) => row.hitIds.includes(hit.id))
      .map((row) => ({ row, away: positionOf(row) - positionOf(own) }))
      .sort((a, b) => Math.abs(a.away) - Math.abs(b.away) || a.away - b.away)
      .map(({ row }) => ({ hitId: hit.id, row })),
  );
}

async function findInConversations(
  postgres: DataSource,
  scope: SearchScope,
  { found, perHit }: Wanted,
): Promise<Neighbour[]> {
  const hits = found.filter(({ row }) => hasConversation(row));
  const uids = [...new Set(hits.map(({ row }) => row.sourceUid))];
  const members = await findConversations(postgres, scope, { uids, perSide: perHit });
  const chunkIds = [...new Set(members.map(({ chunkId }) => chunkId))];
  const { readers, now } = scope;
  const wanted = { chunkIds, readers, now, withRelations: false, withFacts: false };
  const rows = await findChunks(postgres, scope.store, wanted);
  const byId = new Map(rows.map((row) => [row.chunkId, row]));
  return hits.flatMap(({ hit, row: own }) =>
    members.flatMap(({ anchorUid, chunkId }) => {
      const row = byId.get(chunkId);
      return row && anchorUid === own.sourceUid ? [{ hitId: hit.id, row }] : [];
    }),
  );
}
