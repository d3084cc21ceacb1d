import type { DataSource } from 'typeorm';
import type { Caller } from '../accounts/caller.js';
import type { CollectionsService, DatabaseScope } from '../databases/collections.service.js';
import { noteRead } from '../lib/background.js';
import type { Clock } from '../lib/clock.js';
import { emptyGraphContext, readGraphContext } from './context/graph-context.js';
import { findRelated } from './context/related-chunks.js';
import { findChunks, findUnreplaced } from './found-chunks.queries.js';
import type { ChunkRow } from './found-chunks.queries.js';
import { searchApps } from './lanes/app-lane.js';
import { exploreGraph } from './lanes/graph-lane.js';
import type { GraphExploration } from './lanes/graph-lane.js';
import type { QueryLog } from './query-log.js';
import type { QueryEmbedder } from './question/query-embedder.js';
import { unwritten } from './question/query-rewriter.js';
import type { QueryRewriter, Rewritten } from './question/query-rewriter.js';
import { askedByTitle } from './ranking/asked-title.js';
import type { FusedHit } from './ranking/fusion.js';
import { findReplies, isQuoted, partRepeated } from './ranking/quotations.js';
import type { Replies } from './ranking/quotations.js';
import { isActive, liftOf } from './ranking/reordering.js';
import type { Reordering } from './ranking/reordering.js';
import { capped } from './ranking/rerank-order.js';
import type { Reranking } from './ranking/reranking.js';
import { comparedMax, inStanding } from './ranking/standing.js';
import type { Resident } from './resident/resident.js';
import { explainSearch } from './search-explain.js';
import { SearchLanes } from './search-lanes.js';
import type { LanesFound } from './search-lanes.js';
import { readCollections, readSearchRequest } from './search-request.js';
import type { SearchRequest } from './search-request.js';
import { nothingFound, toResult } from './search-result.js';
import type { Found, FoundChunk } from './search-result.js';
import type { SearchScope } from './search-scope.js';
import { SearchTrace, currentTrace, traceLane, traceStage } from './search-trace.js';
import { QueryMode } from './search.types.js';
import type { SearchArgs, SearchResult } from './search.types.js';

interface SearchOptions {
  readonly postgres: DataSource;
  readonly clock: Clock;
  readonly collections: CollectionsService;
  readonly queryEmbedder: QueryEmbedder;
  readonly queryLog: QueryLog;
  readonly queryRewriter: QueryRewriter;
  readonly reranking: Reranking;
  readonly resident: Resident;
  readonly exactRowsMax: number;
}

const hasRelations = ({ row }: FoundChunk): boolean => row.hasRelations;

/** What may take the places of quotations in an answer. */
interface Beside {
  readonly hits: readonly FusedHit[];
  readonly rows: ReadonlyMap<string, ChunkRow>;
  readonly replies: Replies;
}

const nothingBeside: Beside = { hits: [], rows: new Map(), replies: new Map() };

type Settled = Omit<Found, 'graphContext' | 'related'> & { readonly exploration: GraphExploration };

// Each lane looks deeper than the caller asks for, so that fusion can lift what several lanes know.
const laneDepthFactor = 3;
const laneDepthMin = 50;
const widening = 4;
// A limit for searches that keep meeting items that are just being replaced.
const looksMax = 10;

/** Retrieval: every lane ranks chunks, fusion merges them, and what is read decides the final order. */
export class SearchService {
  private readonly lanes: SearchLanes;

  constructor(private readonly options: SearchOptions) {
    this.lanes = new SearchLanes(options);
  }

  /**
   * Answers a query and logs it under `queryId`. Finding nothing is an empty answer, no error. @throws
   * AppError for arguments that are not valid, or a database that is not there
   */
  async search(caller: Caller, args: SearchArgs, queryId: string): Promise<SearchResult> {
    noteRead();
    const scope = await this.options.collections.findReadyScope(caller, args.database, readCollections(args));
    const { database, collections } = scope;
    const now = this.options.clock.now();
    const request = readSearchRequest(caller, args, { schema: database.metadataSchema, now });
    const answer = collections.size > 0 ? await this.answer(scope, request) : nothingFound();
    this.options.queryLog.add({
      accountId: caller.accountId,
      requestId: queryId,
      databaseId: database.id,
      query: args.query,
      sourceIds: [...new Set(answer.found.map(({ row }) => row.id))],
    });
    return toResult(answer, queryId);
  }

  /** Answers a query like search(), and adds how the answer came about. */
  async explain(caller: Caller, args: SearchArgs, queryId: string): Promise<SearchResult> {
    const trace = new SearchTrace();
    const result = await trace.run(() => this.search(caller, args, queryId));
    return { ...result, explain: await explainSearch(this.options.postgres, trace) };
  }

  private async answer(scope: DatabaseScope, request: SearchRequest): Promise<Found> {
    const { database, collections } = scope;
    const scopes = request.corpora.map((corpus): SearchScope => ({
      store: { databaseId: database.id, corpus, generation: database.vectorGeneration },
      vectorIndex: database.vectorIndexes.find((index) => index.corpus === corpus),
      collectionIds: [...collections.keys()],
      sourceIds: request.sourceIds,
      conditions: request.conditions,
      readers: request.readers,
      hidesItems: database.hidesItems,
      hasFacts: database.hasFacts,
      now: this.options.clock.now(),
    }));
    const { postgres } = this.options;
    for (let looks = 1; ; looks += 1) {
      const { found, exploration, notices } = await this.find(scope, request, scopes);
      const [graphContext, related] = await Promise.all([
        request.graphContext
          ? traceStage('graph_context', () => readGraphContext(postgres, scopes, { exploration, found }))
          : emptyGraphContext(),
        request.relatedChunks > 0
          ? findRelated(postgres, scopes, { found, perHit: request.relatedChunks })
          : [],
      ]);
      const readsMore = request.relatedChunks > 0 || (request.graphContext && found.some(hasRelations));
      const ids = readsMore ? found.map(({ hit }) => hit.id) : [];
      // Relations and neighbours of chunks that were replaced meanwhile cannot be read any more, so the
      // search starts again.
      if (looks === looksMax || (await this.findReplaced(scopes, ids)) === '')
        return { found, graphContext, related, notices };
    }
  }

  /** Finds the best visible chunks. Looks deeper when hidden ones take up too many places. */
  private async find(
    { database, collections }: DatabaseScope,
    request: SearchRequest,
    scopes: readonly SearchScope[],
  ): Promise<Settled> {
    const { reranking, queryRewriter } = this.options;
    // The content of chunks decides their final order, so even a search for one hit compares several.
    let wanted = Math.max(request.limit, comparedMax, reranking.wanted(request));
    let replacedBefore = '';
    const weights = request.weights && weightsById(collections, request.weights);
    const reordering = { recencyBias: request.recencyBias, weights };
    // Shared by all looks: the graph finds the same, however deep the lanes look.
    let explored: Promise<GraphExploration> | undefined;
    const explore = () => (explored ??= exploreGraph(this.options.postgres, scopes, request.query));
    const thinks = request.mode === QueryMode.thinking;
    const rewritten = thinks ? queryRewriter.rewrite(request.query) : Promise.resolve(unwritten);
    // It is awaited where it is needed, which may be never; until then a rejection must not go unhandled.
    rewritten.catch(() => undefined);
    for (let looks = 1; ; looks += 1) {
      const depth = Math.ceil(liftOf(request) * Math.max(laneDepthMin, wanted * laneDepthFactor));
      currentTrace()?.noteLook();
      const look = { scopes, depth, reordering, explore, rewritten };
      const lanes = await traceStage('lanes', () => this.lanes.find(database, request, look));
      const read = await traceStage('chunks', () => this.readBest(scopes, request, { lanes, wanted }));
      const { rows } = read;
      const ranksAlone = request.alpha === 0 || request.alpha === 1 || isActive(reordering);
      const hits = ranksAlone ? read.hits : askedByTitle(read.hits, rows, request.asked);
      const { exhausted, exploration, notices } = lanes;
      const best = hits.slice(0, wanted);
      const missing = best.filter((hit) => !rows.has(hit.id)).map((hit) => hit.id);
      const replaced = await this.findReplaced(scopes, missing);
      if (replaced !== replacedBefore && looks < looksMax) {
        // Replaced after the lanes had looked: only another look finds the new version.
        replacedBefore = replaced;
        explored = undefined;
        continue;
      }
      const found = shown(best, rows, collections);
      if (found.length >= request.limit || (exhausted && hits.length <= wanted)) {
        const others = found.some(isQuoted)
          ? await this.findBeside(scopes, request, { found, behind: hits.slice(wanted, depth) })
          : nothingBeside;
        const answer = {
          found: [...found, ...shown(others.hits, others.rows, collections)],
          replies: others.replies,
          exploration,
          notices,
          rewritten,
        };
        return this.settle(request, answer, (chunks) => this.reorder(chunks, scopes, reordering));
      }
      wanted *= widening;
    }
  }

  /**
   * What may take the places of quotations: hits further back, and what the mails that quote say themselves.
   */
  private async findBeside(
    scopes: readonly SearchScope[],
    request: SearchRequest,
    { found, behind }: { found: readonly FoundChunk[]; behind: readonly FusedHit[] },
  ): Promise<Beside> {
    const [rows, replies] = await Promise.all([
      this.findRows(scopes, request, behind),
      // A reply might not contain what chunks have to.
      request.match ? nothingBeside.replies : findReplies(this.options.postgres, scopes, found),
    ]);
    return { hits: behind, rows, replies };
  }

  private async reorder(
    chunks: readonly FoundChunk[],
    scopes: readonly SearchScope[],
    reordering: Reordering,
  ): Promise<readonly FoundChunk[]> {
    const byId = new Map(chunks.map((chunk) => [chunk.hit.id, chunk]));
    const hits = await this.lanes.reorder(
      chunks.map(({ hit }) => hit),
      scopes,
      reordering,
    );
    return hits.flatMap((hit) => {
      const chunk = byId.get(hit.id);
      return chunk ? [{ ...chunk, hit }] : [];
    });
  }

  /** Reads the rows of the best hits, and adds the hits of the app lane, which needs these rows. */
  private async readBest(
    scopes: readonly SearchScope[],
    request: SearchRequest,
    { lanes: { hits, holdsCode, withApps }, wanted }: { lanes: LanesFound; wanted: number },
  ): Promise<{ hits: readonly FusedHit[]; rows: ReadonlyMap<string, ChunkRow> }> {
    const rows = await this.findRows(scopes, request, hits.slice(0, wanted));
    if (!request.apps) return { hits, rows };
    const apps = await traceLane('app', () =>
      searchApps(this.options.postgres, scopes, { query: request.query, hits, holdsCode, rows }),
    );
    if (apps.app.length + apps.around.length + apps.answers.length === 0) return { hits, rows };
    const lifted = await withApps(apps);
    const unread = lifted.slice(0, wanted).filter(({ id }) => !rows.has(id));
    const more = await this.findRows(scopes, request, unread);
    return { hits: lifted, rows: new Map([...rows, ...more]) };
  }

  /**
   * Brings the chunks of an answer into their final order (standing, repetitions, reranking), and collects
   * the notices of all that was left out.
   */
  private async settle(
    request: SearchRequest,
    { rewritten, replies, ...answer }: Settled & { rewritten: Promise<Rewritten>; replies: Replies },
    reorder: Parameters<Reranking['rerank']>[2],
  ): Promise<Settled> {
    const { reranking } = this.options;
    const { query, limit } = request;
    const enough = Math.max(limit, reranking.wanted(request));
    const standing = inStanding(answer.found, request);
    const { said, repeated } = partRepeated(standing, { query, replies, enough });
    const { found: reranked, notice } = await reranking.rerank(request, said, reorder);
    // Without reranking, the order by standing holds already.
    const best = reranked === said ? said : inStanding(reranked, request);
    const lowest = best.at(-1)?.hit.score ?? 1;
    const found = [...best, ...repeated.map((chunk) => capped(chunk, lowest))].slice(0, limit);
    const notices = [...answer.notices, (await rewritten).notice, notice];
    currentTrace()?.noteShown(found.map(({ hit, row }) => ({ id: hit.id, chunkUuid: row.chunkUuid })));
    return { ...answer, found, notices: notices.filter((each) => each !== undefined) };
  }

  /**
   * Which of the chunks that cannot be shown belong to replaced versions: their ids, joined. Tells the copies
   * in memory of them.
   */
  private async findReplaced(scopes: readonly SearchScope[], chunkIds: readonly string[]): Promise<string> {
    if (chunkIds.length === 0) return '';
    const stores = storesOf(scopes);
    const known = await Promise.all(
      stores.map((store) => findUnreplaced(this.options.postgres, store, chunkIds)),
    );
    const unreplaced = new Set(known.flat());
    const replaced = chunkIds.filter((id) => !unreplaced.has(id));
    if (replaced.length > 0) for (const store of stores) this.options.resident.noteGone(store);
    return replaced.join();
  }

  private async findRows(
    scopes: readonly SearchScope[],
    { readers, graphContext: withRelations }: SearchRequest,
    hits: readonly FusedHit[],
  ): Promise<Map<string, ChunkRow>> {
    const chunkIds = hits.map((hit) => hit.id);
    const wanted = { chunkIds, readers, now: this.options.clock.now(), withRelations };
    const rows = await Promise.all(
      scopes.map(({ store, hasFacts }) =>
        findChunks(this.options.postgres, store, { ...wanted, withFacts: hasFacts }),
      ),
    );
    return new Map(rows.flat().map((row) => [row.chunkId, row]));
  }
}

function storesOf(scopes: readonly SearchScope[]): SearchScope['store'][] {
  return scopes.map(({ store }) => store);
}

/** Hits with their rows; hits that may not be shown, and so have no row, are left out. */
function shown(
  hits: readonly FusedHit[],
  rows: ReadonlyMap<string, ChunkRow>,
  collections: ReadonlyMap<number, string>,
): FoundChunk[] {
  return hits.flatMap((hit) => {
    const row = rows.get(hit.id);
    return row ? [{ hit, row, collection: collections.get(row.collectionId) ?? '' }] : [];
  });
}

/** The weights by the number of the collection; a collection without a weight counts as 1. */
function weightsById(
  collections: ReadonlyMap<number, string>,
  weights: ReadonlyMap<string, number>,
): Map<number, number> {
  return new Map([...collections].map(([id, name]) => [id, weights.get(name) ?? 1]));
}
