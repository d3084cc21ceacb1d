import type { DataSource } from 'typeorm';
import type { Caller } from '../accounts/caller.js';
import type { CollectionsService, DatabaseScope, ScopedDatabase } from '../databases/collections.service.js';
import { checkReady } from '../databases/databases.service.js';
import { hasLane } from '../databases/metadata-schema.js';
import { AppError } from '../errors.js';
import { noteRead } from '../lib/background.js';
import { currentSignal } from '../lib/cancellation.js';
import type { Clock } from '../lib/clock.js';
import type { Embedder } from '../inference/embedder.js';
import type { Store } from '../postgres/partitions.js';
import { denseShare, fuse } from './fusion.js';
import type { FusedHit } from './fusion.js';
import { emptyGraphContext, readGraphContext } from './graph-context.js';
import type { GraphContext } from './graph-context.types.js';
import { exploreGraph, nothingExplored } from './graph-lane.js';
import type { GraphExploration } from './graph-lane.js';
import { buildKeywordQuery } from './keyword-query.js';
import { searchIndexed } from './indexed-dense.queries.js';
import {
  findChunks,
  findTermStatistics,
  findUnreplaced,
  isFiltered,
  searchDense,
  searchKeywords,
} from './lanes.queries.js';
import type { ChunkRow, LaneHit, SearchScope } from './lanes.queries.js';
import { searchMetadata } from './metadata-lane.js';
import type { QueryLog } from './query-log.js';
import type { ResidentVectors } from './resident-vectors.js';
import { readCollections, readSearchRequest } from './search-request.js';
import type { SearchRequest } from './search-request.js';
import type { Chunk, SearchArgs, SearchResult, SearchSource } from './search.types.js';

interface SearchOptions {
  readonly postgres: DataSource;
  readonly clock: Clock;
  readonly collections: CollectionsService;
  readonly embedder: Embedder;
  readonly queryLog: QueryLog;
  readonly residentVectors: ResidentVectors;
  readonly exactRowsMax: number;
}

// Each lane looks deeper than what is asked for, so that fusion can lift what both lanes know.
const laneDepthFactor = 3;
const laneDepthMin = 50;
const widening = 4;
// Of a search that keeps meeting items that are just being replaced.
const looksMax = 10;

/** Retrieval: every lane ranks, fusion decides. */
export class SearchService {
  constructor(private readonly options: SearchOptions) {}

  /** Answers a query. Nothing found is an empty answer, not an error. */
  async search(caller: Caller, args: SearchArgs, queryId: string): Promise<SearchResult> {
    noteRead();
    const scope = await this.options.collections.findScope(caller, args.database, readCollections(args));
    const { database, collections } = scope;
    checkReady(database);
    this.checkModel(database);
    const request = readSearchRequest(caller, args, database.metadataSchema);
    const { found, graphContext } = collections.size > 0 ? await this.answer(scope, request) : nothingFound();
    this.options.queryLog.add({
      accountId: caller.accountId,
      requestId: queryId,
      databaseId: database.id,
      query: args.query,
      sourceIds: [...new Set(found.map(({ row }) => row.id))],
    });
    return toResult(found, graphContext, queryId);
  }

  private async answer(scope: DatabaseScope, request: SearchRequest): Promise<Found> {
    const { database, collections } = scope;
    const scopes = request.corpora.map((corpus): SearchScope => ({
      store: { databaseId: database.id, corpus },
      vectorIndex: database.vectorIndexes.find((index) => index.corpus === corpus),
      collectionIds: [...collections.keys()],
      sourceIds: request.sourceIds,
      conditions: request.conditions,
      readers: request.readers,
      now: this.options.clock.now(),
    }));
    const { found, exploration } = await this.find(scope, request, scopes);
    if (!request.graphContext) return { found, graphContext: emptyGraphContext() };
    const graphContext = await readGraphContext(this.options.postgres, scopes, { exploration, found });
    return { found, graphContext };
  }

  /** The best visible chunks. When hidden ones take up too many places, looks deeper. */
  private async find(
    { database, collections }: DatabaseScope,
    request: SearchRequest,
    scopes: readonly SearchScope[],
  ): Promise<{ found: FoundChunk[]; exploration: GraphExploration }> {
    let wanted = request.limit;
    let replacedBefore = '';
    // The graph finds the same however deep the lanes look.
    let explored: Promise<GraphExploration> | undefined;
    const explore = () => (explored ??= exploreGraph(this.options.postgres, scopes, request.query));
    for (let looks = 1; ; looks += 1) {
      const depth = Math.max(laneDepthMin, wanted * laneDepthFactor);
      const { hits, exhausted, exploration } = await this.findHits(database, request, {
        scopes,
        depth,
        explore,
      });
      const best = hits.slice(0, wanted);
      const rows = await this.findRows(database.id, request, best);
      const missing = best.filter((hit) => !rows.has(hit.id)).map((hit) => hit.id);
      const replaced = await this.findReplaced(database.id, request, missing);
      if (replaced !== replacedBefore && looks < looksMax) {
        // Replaced after the lanes had looked: only another look finds what is there instead.
        replacedBefore = replaced;
        explored = undefined;
        continue;
      }
      const found = best.flatMap((hit) => {
        const row = rows.get(hit.id);
        return row ? [{ hit, row, collection: collections.get(row.collectionId) ?? '' }] : [];
      });
      if (found.length >= request.limit || (exhausted && hits.length <= wanted))
        return { found: found.slice(0, request.limit), exploration };
      wanted *= widening;
    }
  }

  /** Which of the chunks that cannot be shown belong to versions that have been replaced. */
  private async findReplaced(
    databaseId: number,
    { corpora }: SearchRequest,
    chunkIds: readonly string[],
  ): Promise<string> {
    if (chunkIds.length === 0) return '';
    const stores = corpora.map((corpus): Store => ({ databaseId, corpus }));
    const known = await Promise.all(
      stores.map((store) => findUnreplaced(this.options.postgres, store, chunkIds)),
    );
    const unreplaced = new Set(known.flat());
    const replaced = chunkIds.filter((id) => !unreplaced.has(id));
    if (replaced.length > 0)
      for (const store of stores) this.options.residentVectors.noteOutdated(store, { hasGone: true });
    return replaced.join();
  }

  // Vectors of two models share no space: better a clear refusal than a ranking of nonsense.
  private checkModel(database: ScopedDatabase): void {
    const { model } = this.options.embedder;
    if (database.embeddingModel === model) return;
    throw new AppError(
      'SERVICE_UNAVAILABLE',
      `database "${database.name}" was embedded with the model ${database.embeddingModel}, this server runs ${model}`,
    );
  }

  private async findHits(
    { metadataSchema }: ScopedDatabase,
    request: SearchRequest,
    {
      scopes,
      depth,
      explore,
    }: { scopes: readonly SearchScope[]; depth: number; explore: () => Promise<GraphExploration> },
  ): Promise<{ hits: FusedHit[]; exhausted: boolean; exploration: GraphExploration }> {
    const { postgres, embedder } = this.options;
    const { alpha, query } = request;
    const weighing = { alpha, query, denseWeight: embedder.denseWeight };
    let embedding: Promise<Float32Array> | undefined;
    const vector = () => (embedding ??= embedder.embedQuery(query, currentSignal()));
    const fields = metadataSchema?.filter(hasLane) ?? [];
    // Keywords first: while the dense lane scans, the statistics that they begin with are on their way back.
    const [sparse, dense, exploration, metadata] = await Promise.all([
      alpha === 1 ? [] : this.keywordLane(query, scopes, depth),
      alpha === 0 ? [] : this.denseLane(vector, scopes, depth),
      request.graphContext ? explore() : nothingExplored,
      fields.length === 0
        ? []
        : searchMetadata(postgres, scopes, {
            fields,
            query,
            denseShare: denseShare(weighing),
            vector,
            limit: depth,
          }),
    ]);
    const hits = fuse({ dense, sparse, graph: exploration.hits, metadata, ...weighing });
    // The graph nominates as many however deep the others look.
    const exhausted = [dense, sparse, metadata].every((lane) => lane.length < depth);
    return { hits, exhausted, exploration };
  }

  private async denseLane(
    embedding: () => Promise<Float32Array>,
    scopes: readonly SearchScope[],
    limit: number,
  ): Promise<LaneHit[]> {
    const vector = await embedding();
    if (vector.every((value) => value === 0)) return [];
    const { postgres, exactRowsMax } = this.options;
    const found = await Promise.all(
      scopes.map((scope) =>
        scope.vectorIndex
          ? searchIndexed(postgres, scope, { index: scope.vectorIndex, vector, limit, exactRowsMax })
          : this.scan(scope, vector, limit),
      ),
    );
    return best(found.flat(), limit);
  }

  /** Without a filter the chunks that are in memory are scanned there. */
  private async scan(scope: SearchScope, vector: Float32Array, limit: number): Promise<LaneHit[]> {
    const { postgres, residentVectors } = this.options;
    const { store, collectionIds } = scope;
    const upTo = isFiltered(scope) ? 0 : residentVectors.upTo(store);
    if (upTo === 0) return searchDense(postgres, scope, { vector, limit, after: 0 });
    const [earlier, later] = await Promise.all([
      residentVectors.nearest(store, { upTo, collectionIds, vector, limit }),
      searchDense(postgres, scope, { vector, limit, after: upTo }),
    ]);
    if (!earlier) return searchDense(postgres, scope, { vector, limit, after: 0 });
    if (later.length > 0) residentVectors.noteOutdated(store, { hasGone: false });
    const known = new Set(earlier.map(({ id }) => id));
    return [...earlier, ...later.filter(({ id }) => !known.has(id))];
  }

  private async keywordLane(
    query: string,
    scopes: readonly SearchScope[],
    limit: number,
  ): Promise<LaneHit[]> {
    const { postgres } = this.options;
    const found = await Promise.all(
      scopes.map(async (scope) => {
        const lookUp = (terms: readonly number[]) => findTermStatistics(postgres, scope.store, terms);
        const keywords = await buildKeywordQuery(query, lookUp);
        return keywords ? searchKeywords(postgres, scope, { ...keywords, limit }) : [];
      }),
    );
    return best(found.flat(), limit);
  }

  private async findRows(
    databaseId: number,
    { corpora, readers, graphContext: withRelations }: SearchRequest,
    hits: readonly FusedHit[],
  ): Promise<Map<string, ChunkRow>> {
    const chunkIds = hits.map((hit) => hit.id);
    const wanted = { chunkIds, readers, now: this.options.clock.now(), withRelations };
    const stores = corpora.map((corpus): Store => ({ databaseId, corpus }));
    const rows = await Promise.all(stores.map((store) => findChunks(this.options.postgres, store, wanted)));
    return new Map(rows.flat().map((row) => [row.chunkId, row]));
  }
}

function best(hits: LaneHit[], limit: number): LaneHit[] {
  return hits.sort((a, b) => b.score - a.score || (BigInt(a.id) < BigInt(b.id) ? -1 : 1)).slice(0, limit);
}

/** A hit with what is shown of it. */
interface FoundChunk {
  readonly hit: FusedHit;
  readonly row: ChunkRow;
  /** The name of its collection. */
  readonly collection: string;
}

interface Found {
  readonly found: readonly FoundChunk[];
  readonly graphContext: GraphContext;
}

function nothingFound(): Found {
  return { found: [], graphContext: emptyGraphContext() };
}

function toResult(found: readonly FoundChunk[], graphContext: GraphContext, queryId: string): SearchResult {
  const chunks: Chunk[] = [];
  const sources = new Map<string, SearchSource>();
  for (const { hit, row, collection } of found) {
    chunks.push(toChunk({ hit, row, collection }));
    const key = JSON.stringify([row.corpus, collection, row.id]);
    if (!sources.has(key)) sources.set(key, toSource(row, collection));
  }
  return {
    chunks,
    sources: [...sources.values()],
    graphContext,
    additionalContext: {},
    queryId,
  };
}

function toChunk({ row, hit, collection }: FoundChunk): Chunk {
  return {
    chunkUuid: row.chunkUuid,
    id: row.id,
    chunkContent: row.content,
    sourceType: row.corpus,
    sourceTitle: row.title,
    sourceUploadTime: row.createdAt,
    sourceLastUpdatedTime: row.updatedAt,
    layout: row.layout,
    relevancyScore: hit.score,
    metadata: row.metadata,
    additionalMetadata: row.additionalMetadata,
    collection,
    extraContextIds: [],
    lanes: {
      dense: hit.ranks.dense ?? null,
      sparse: hit.ranks.sparse ?? null,
      graph: hit.ranks.graph ?? null,
      metadata: hit.ranks.metadata ?? null,
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
