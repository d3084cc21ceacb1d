import type { DataSource } from 'typeorm';
import { inEach } from './collection-scopes.js';
import { findNeighbours } from './related-chunks.queries.js';
import type { NeighbourRow } from './related-chunks.queries.js';
import type { FoundChunk } from './search-result.js';
import type { SearchScope } from './search-scope.js';

/** A chunk beside hits of the same item. */
export interface RelatedChunk {
  readonly row: NeighbourRow;
  /** The name of its collection. */
  readonly collection: string;
}

/** The nearest neighbours of each hit, the one before first, that are no hits themselves; each once. */
export async function findRelated(
  postgres: DataSource,
  scopes: readonly SearchScope[],
  { found, perHit }: { found: readonly FoundChunk[]; perHit: number },
): Promise<RelatedChunk[]> {
  const hits = new Map(found.map((each) => [each.row.chunkId, each]));
  const rows = await inEach(scopes, (scope) => {
    const chunkIds = found.flatMap(({ row }) => (row.corpus === scope.store.corpus ? [row.chunkId] : []));
    return findNeighbours(postgres, scope, { chunkIds, perHit });
  });
  return rows.flatMap((row) => {
    const [first] = row.besides;
    const collection = first === undefined ? undefined : hits.get(first)?.collection;
    return collection === undefined || hits.has(row.chunkId) ? [] : [{ row, collection }];
  });
}

/** Of related chunks those beside a hit, the nearest first. */
export function besides({ row }: FoundChunk, related: readonly RelatedChunk[]): string[] {
  const positionOf = ({ layout }: { readonly layout: FoundChunk['row']['layout'] }) =>
    Number(layout['position']);
  const own = positionOf(row);
  return related
    .filter((each) => each.row.besides.includes(row.chunkId))
    .map((each) => ({ uuid: each.row.chunkUuid, away: positionOf(each.row) - own }))
    .sort((a, b) => Math.abs(a.away) - Math.abs(b.away) || a.away - b.away)
    .map(({ uuid }) => uuid);
}
