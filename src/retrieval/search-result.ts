import { withHeadings } from '../ingestion/chunking/chunk-headings.js';
import { emptyGraphContext } from './context/graph-context.js';
import type { GraphContext } from './context/graph-context.types.js';
import { neighboursOf } from './context/related-chunks.js';
import type { RelatedChunk } from './context/related-chunks.js';
import type { ChunkRow } from './found-chunks.queries.js';
import type { FusedHit } from './ranking/fusion.js';
import type { Chunk, SearchResult, SearchSource } from './search.types.js';

/** A hit with the row of its chunk. */
export interface FoundChunk {
  readonly hit: FusedHit;
  readonly row: ChunkRow;
  /** The name of the chunk's collection. */
  readonly collection: string;
}

/** What a search found, before it is put into the form of the API. */
export interface Found {
  readonly found: readonly FoundChunk[];
  readonly graphContext: GraphContext;
  /** Neighbours of the chunks found. */
  readonly related: readonly RelatedChunk[];
  readonly notices: readonly string[];
}

/** The answer of a search that found nothing. */
export function nothingFound(): Found {
  return { found: [], graphContext: emptyGraphContext(), related: [], notices: [] };
}

/**
 * Puts what was found into the form of the API. Each item is in `sources` once, in the order of its best
 * chunk.
 */
export function toResult({ found, graphContext, related, notices }: Found, queryId: string): SearchResult {
  const chunks: Chunk[] = [];
  const sources = new Map<string, SearchSource>();
  for (const each of found) {
    const { row, collection } = each;
    chunks.push(toChunk(each, neighboursOf(each, related)));
    const key = JSON.stringify([row.corpus, collection, row.id]);
    if (!sources.has(key)) sources.set(key, toSource(row, collection));
  }
  return {
    chunks,
    sources: [...sources.values()],
    graphContext,
    // Nothing has ranked the neighbours, so their score is 0.
    additionalContext: related.map(({ row, collection }) =>
      toChunk({ hit: { id: row.chunkId, score: 0, ranks: {} }, row, collection }, []),
    ),
    notices: [...notices],
    queryId,
  };
}

function toChunk({ row, hit, collection }: FoundChunk, extraContextIds: string[]): Chunk {
  return {
    chunkUuid: row.chunkUuid,
    id: row.id,
    chunkContent: withHeadings(row),
    sourceType: row.corpus,
    sourceTitle: row.title,
    sourceUploadTime: row.createdAt,
    sourceLastUpdatedTime: row.updatedAt,
    layout: row.layout,
    relevancyScore: hit.score,
    metadata: row.metadata,
    additionalMetadata: row.additionalMetadata,
    collection,
    extraContextIds,
    lanes: {
      dense: hit.ranks.dense ?? null,
      sparse: hit.ranks.sparse ?? null,
      graph: hit.ranks.graph ?? null,
      metadata: hit.ranks.metadata ?? null,
      app: hit.ranks.app ?? null,
      around: hit.ranks.around ?? null,
      parts: hit.ranks.parts ?? null,
      forced: hit.ranks.forced ?? null,
    },
  };
}

function toSource(row: ChunkRow, collection: string): SearchSource {
  return {
    id: row.id,
    title: row.title,
    type: row.type ?? row.corpus,
    description: row.description,
    url: row.url,
    timestamp: row.itemTime,
    metadata: row.metadata,
    additionalMetadata: row.additionalMetadata,
    collection,
    appKind: row.appKind,
    appProvider: row.appProvider,
    appExternalId: row.appExternalId,
  };
}
