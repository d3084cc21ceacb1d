import type { DataSource } from 'typeorm';
import type { Caller } from '../accounts/caller.js';
import type { CollectionsService, DatabaseScope, ScopedDatabase } from '../databases/collections.service.js';
import { checkReady } from '../databases/databases.service.js';
import { AppError } from '../errors.js';
import { noteRead } from '../lib/background.js';
import type { Clock } from '../lib/clock.js';
import type { Embedder } from '../inference/embedder.js';
import type { Store } from '../postgres/partitions.js';
import type { FusedHit } from './fusion.js';
import { emptyGraphContext, readGraphContext } from './graph-context.js';
import { exploreGraph } from './graph-lane.js';
import type { GraphExploration } from './graph-lane.js';
import { findChunks, findUnreplaced } from './lanes.queries.js';
import type { ChunkRow, SearchScope } from './lanes.queries.js';
import type { QueryLog } from './query-log.js';
import type { ResidentVectors } from './resident-vectors.js';
import { SearchLanes } from './search-lanes.js';
import { readCollections, readSearchRequest } from './search-request.js';
import { explainSearch } from './search-explain.js';
import type { SearchRequest } from './search-request.js';
import { nothingFound, toResult } from './search-result.js';
import type { Found, FoundChunk } from './search-result.js';
import { SearchTrace, currentTrace, traceStage } from './search-trace.js';
import type { SearchArgs, SearchResult } from './search.types.js';

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
  private readonly lanes: SearchLanes;

  constructor(private readonly options: SearchOptions) {
    this.lanes = new SearchLanes(options);
  }

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

  /** The same, with how the answer came about. */
  async explain(caller: Caller, args: SearchArgs, queryId: string): Promise<SearchResult> {
    const trace = new SearchTrace();
    const result = await trace.run(() => this.search(caller, args, queryId));
    return { ...result, explain: await explainSearch(this.options.postgres, trace) };
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
    const graphContext = await traceStage('graph_context', () =>
      readGraphContext(this.options.postgres, scopes, { exploration, found }),
    );
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
      const { hits, exhausted, exploration } = await traceStage('lanes', () =>
        this.lanes.find(database, request, { scopes, depth, explore }),
      );
      const best = hits.slice(0, wanted);
      const rows = await traceStage('chunks', () => this.findRows(database.id, request, best));
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
      if (found.length >= request.limit || (exhausted && hits.length <= wanted)) {
        const shown = found.slice(0, request.limit);
        currentTrace()?.noteShown(shown.map(({ hit, row }) => ({ id: hit.id, chunkUuid: row.chunkUuid })));
        return { found: shown, exploration };
      }
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
