import type { DataSource } from 'typeorm';
import type { DatabaseScope } from '../databases/database-scope.js';
import type { Clock } from '../lib/clock.js';
import { emptyGraphContext, readGraphContext } from './context/graph-context.js';
import { findRelated } from './context/related-chunks.js';
import { findChunks, findUnreplaced } from './found-chunks.queries.js';
import type { ChunkRow } from './found-chunks.queries.js';
import { searchApps } from './lanes/app-lane.js';
import { exploreGraph } from './lanes/graph-lane.js';
import type { GraphExploration } from './lanes/graph-lane.js';
import { unwritten } from './question/query-rewriter.js';
import type { QueryRewriter, Rewritten } from './question/query-rewriter.js';
import { askedByTitle } from './ranking/asked-title.js';
import type { FusedHit } from './ranking/fusion.js';
import { byLateInteraction, interactingMax } from './ranking/late-interaction.js';
import type { WordComparison } from './ranking/late-interaction.js';
import { findReplies, isQuoted, partRepeated } from './ranking/quotations.js';
import type { Replies } from './ranking/quotations.js';
import { isActive, liftOf } from './ranking/reordering.js';
import type { Reordering } from './ranking/reordering.js';
import { capped } from './ranking/rerank-order.js';
import type { Reranking } from './ranking/reranking.js';
import { comparedMax, inStanding } from './ranking/standing.js';
import type { Resident } from './resident/resident.js';
import type { LanesFound, SearchLanes } from './search-lanes.js';
import type { SearchRequest } from './search-request.js';
import type { Found, FoundChunk } from './search-result.js';
import type { SearchScope } from './search-scope.js';
import { currentTrace, traceLane, traceStage } from './search-trace.js';
import { QueryMode } from './search-args.types.js';

export interface SearchRunOptions {
  readonly postgres: DataSource;
  readonly clock: Clock;
  readonly lanes: SearchLanes;
  readonly queryRewriter: QueryRewriter;
  readonly reranking: Reranking;
  readonly resident: Resident;
}

type Rows = ReadonlyMap<string, ChunkRow>;

/** What one look found. */
interface LookResult {
  readonly lanes: LanesFound;
  /** As many hits as were wanted, in their order. */
  readonly best: readonly FusedHit[];
  /** Further hits. */
  readonly behind: readonly FusedHit[];
  /** The rows of the best hits that may be shown. */
  readonly rows: Rows;
}

/** What may take the places of quotations in an answer. */
interface Substitutes {
  readonly chunks: readonly FoundChunk[];
  readonly replies: Replies;
}

type Settled = Omit<Found, 'graphContext' | 'related'> & { readonly exploration: GraphExploration };

// Each lane looks deeper than the caller asks for, so that fusion can lift what several lanes know.
const laneDepthFactor = 3;
const laneDepthMin = 50;
const widening = 4;
// A limit for searches that keep meeting items that are just being replaced.
const looksMax = 10;

/** The search for one request: looks into the lanes until it has enough, and brings what it read into order. */
export class SearchRun {
  private readonly scopes: readonly SearchScope[];
  private readonly reordering: Reordering;
  private readonly rewritten: Promise<Rewritten>;
  /** Shared by all looks: the graph finds the same, however deep the lanes look. */
  private exploration: Promise<GraphExploration> | undefined;

  /** Begins at once to have the query rewritten, if its mode asks for that. */
  constructor(
    private readonly options: SearchRunOptions,
    private readonly scope: DatabaseScope,
    private readonly request: SearchRequest,
  ) {
    this.scopes = scopesOf(scope, request, options.clock.now());
    this.reordering = reorderingOf(scope, request);
    const thinks = request.mode === QueryMode.thinking;
    this.rewritten = thinks ? options.queryRewriter.rewrite(request.query) : Promise.resolve(unwritten);
    // It is awaited where it is needed, which may be never; until then a rejection must not go unhandled.
    this.rewritten.catch(() => undefined);
  }

  /** The best chunks in their final order, with the relations and neighbours that were asked for. */
  async answer(): Promise<Found> {
    const { request, scopes } = this;
    const { postgres } = this.options;
    for (let searches = 1; ; searches += 1) {
      const { found, exploration, notices } = await this.find();
      const [graphContext, related] = await Promise.all([
        request.graphContext
          ? traceStage('graph_context', () =>
              readGraphContext(postgres, scopes, { query: request.query, exploration, found }),
            )
          : emptyGraphContext(),
        request.relatedChunks > 0
          ? findRelated(postgres, scopes, { found, perHit: request.relatedChunks })
          : [],
      ]);
      const readsMore = request.relatedChunks > 0 || (request.graphContext && found.some(hasRelations));
      const ids = readsMore ? found.map(({ hit }) => hit.id) : [];
      // Relations and neighbours of chunks that were replaced meanwhile cannot be read any more, so the
      // search starts again.
      if (searches === looksMax || (await this.findReplaced(ids)).length === 0)
        return { found, graphContext, related, notices };
    }
  }

  /** Finds the best visible chunks. Looks deeper when hidden ones take up too many places. */
  private async find(): Promise<Settled> {
    const { request } = this;
    // The content of chunks decides their final order, so even a search for one hit compares several.
    let wanted = Math.max(request.limit, comparedMax, this.options.reranking.wanted(request));
    let replacedBefore = '';
    this.exploration = undefined;
    for (let looks = 1; ; looks += 1) {
      const look = await this.look(wanted);
      const { best, behind, rows, lanes } = look;
      const missing = best.filter(({ id }) => !rows.has(id)).map(({ id }) => id);
      const replaced = (await this.findReplaced(missing)).join();
      if (replaced !== replacedBefore && looks < looksMax) {
        // Replaced after the lanes had looked: only another look finds the new version.
        replacedBefore = replaced;
        this.exploration = undefined;
        continue;
      }
      const found = this.shown(best, rows);
      const isAll = lanes.exhausted && behind.length === 0;
      if (found.length >= request.limit || isAll) return this.settle(found, look);
      wanted *= widening;
    }
  }

  /** Searches the lanes once, deep enough for so many hits, and reads the best. */
  private async look(wanted: number): Promise<LookResult> {
    const { scope, request, scopes, reordering, rewritten } = this;
    const depth = Math.ceil(liftOf(request) * Math.max(laneDepthMin, wanted * laneDepthFactor));
    currentTrace()?.noteLook();
    const explore = () => (this.exploration ??= exploreGraph(this.options.postgres, scopes, request.query));
    const lanes = await traceStage('lanes', () =>
      this.options.lanes.find(scope.database, request, { scopes, depth, reordering, explore, rewritten }),
    );
    const isReordered = isActive(reordering);
    const wordComparison = isReordered ? undefined : await this.comparisonFor(lanes);
    const readMin = wordComparison ? Math.max(wanted, interactingMax) : wanted;
    const { hits: fused, rows } = await traceStage('chunks', () => this.readBest(lanes, readMin));
    const said = wordComparison ? await this.interact(fused, rows, wordComparison) : fused;
    const ranksAlone = request.alpha === 0 || request.alpha === 1 || isReordered;
    const named = { query: request.asked, wholeOnly: lanes.holdsCode };
    const hits = ranksAlone ? said : askedByTitle(said, rows, named);
    return { lanes, best: hits.slice(0, wanted), behind: hits.slice(wanted, depth), rows };
  }

  /** None for what a language model asks instead: that is in other words already, and its hits need none of these. */
  private async comparisonFor({ wordComparison }: LanesFound): Promise<WordComparison | undefined> {
    const found = wordComparison();
    return found && (await this.rewritten).queries === undefined ? found : undefined;
  }

  private async interact(
    fused: readonly FusedHit[],
    rows: Rows,
    words: WordComparison,
  ): Promise<readonly FusedHit[]> {
    const { hits, said } = await traceStage('late_interaction', async () =>
      byLateInteraction(fused, rows, words),
    );
    currentTrace()?.noteSaid(said);
    return hits;
  }

  /** Reads the rows of the best hits, and adds the hits of the app lane, which needs these rows. */
  private async readBest(
    { hits, holdsCode, withApps }: LanesFound,
    wanted: number,
  ): Promise<{ hits: readonly FusedHit[]; rows: Rows }> {
    const { query, apps: searchesApps } = this.request;
    const rows = await this.findRows(hits.slice(0, wanted));
    if (!searchesApps) return { hits, rows };
    const apps = await traceLane('app', () =>
      searchApps(this.options.postgres, this.scopes, { query, hits, holdsCode, rows }),
    );
    if (apps.app.length + apps.around.length + apps.answers.length === 0) return { hits, rows };
    const lifted = await withApps(apps);
    const unread = lifted.slice(0, wanted).filter(({ id }) => !rows.has(id));
    const more = await this.findRows(unread);
    return { hits: lifted, rows: new Map([...rows, ...more]) };
  }

  /**
   * Brings the chunks of an answer into their final order (standing, repetitions, reranking), and collects
   * the notices of all that was left out.
   */
  private async settle(
    found: readonly FoundChunk[],
    { lanes: { exploration, notices }, behind }: LookResult,
  ): Promise<Settled> {
    const { request } = this;
    const { reranking } = this.options;
    const { query, limit } = request;
    const { chunks, replies } = await this.findSubstitutes(found, behind);
    const enough = Math.max(limit, reranking.wanted(request));
    const standing = inStanding([...found, ...chunks], request);
    const { said, repeated } = partRepeated(standing, { query, replies, enough });
    const { found: reranked, notice } = await reranking.rerank(request, said, (ranked) =>
      this.reorder(ranked),
    );
    // Without reranking, the order by standing holds already.
    const best = reranked === said ? said : inStanding(reranked, request);
    const lowest = best.at(-1)?.hit.score ?? 1;
    const ordered = [...best, ...repeated.map((chunk) => capped(chunk, lowest))].slice(0, limit);
    const allNotices = [...notices, (await this.rewritten).notice, notice];
    currentTrace()?.noteShown(ordered.map(({ hit, row }) => ({ id: hit.id, chunkUuid: row.chunkUuid })));
    return { found: ordered, exploration, notices: allNotices.filter((each) => each !== undefined) };
  }

  /**
   * What may take the places of quotations: hits further back, and what the mails that quote say themselves.
   */
  private async findSubstitutes(
    found: readonly FoundChunk[],
    behind: readonly FusedHit[],
  ): Promise<Substitutes> {
    if (!found.some(isQuoted)) return { chunks: [], replies: new Map() };
    const [rows, replies] = await Promise.all([
      this.findRows(behind),
      // A reply might not contain what chunks have to.
      this.request.match ? new Map() : findReplies(this.options.postgres, this.scopes, found),
    ]);
    return { chunks: this.shown(behind, rows), replies };
  }

  /** Applies age and the weights of collections to chunks. */
  private async reorder(chunks: readonly FoundChunk[]): Promise<readonly FoundChunk[]> {
    const byId = new Map(chunks.map((chunk) => [chunk.hit.id, chunk]));
    const fused = chunks.map(({ hit }) => hit);
    const hits = await this.options.lanes.reorder(fused, this.scopes, this.reordering);
    return hits.flatMap((hit) => {
      const chunk = byId.get(hit.id);
      return chunk ? [{ ...chunk, hit }] : [];
    });
  }

  /** Which of the chunks that cannot be shown belong to replaced versions. Tells the copies in memory of them. */
  private async findReplaced(chunkIds: readonly string[]): Promise<readonly string[]> {
    if (chunkIds.length === 0) return [];
    const { postgres, resident } = this.options;
    const stores = this.scopes.map(({ store }) => store);
    const known = await Promise.all(stores.map((store) => findUnreplaced(postgres, store, chunkIds)));
    const unreplaced = new Set(known.flat());
    const replaced = chunkIds.filter((id) => !unreplaced.has(id));
    if (replaced.length > 0) for (const store of stores) resident.noteGone(store);
    return replaced;
  }

  private async findRows(hits: readonly FusedHit[]): Promise<Rows> {
    const { postgres, clock } = this.options;
    const { readers, graphContext: withRelations } = this.request;
    const chunkIds = hits.map((hit) => hit.id);
    const wanted = { chunkIds, readers, now: clock.now(), withRelations };
    const rows = await Promise.all(
      this.scopes.map(({ store, hasFacts }) =>
        findChunks(postgres, store, { ...wanted, withFacts: hasFacts }),
      ),
    );
    return new Map(rows.flat().map((row) => [row.chunkId, row]));
  }

  /** Hits with their rows; hits that may not be shown, and so have no row, are left out. */
  private shown(hits: readonly FusedHit[], rows: Rows): FoundChunk[] {
    const { collections } = this.scope;
    return hits.flatMap((hit) => {
      const row = rows.get(hit.id);
      return row ? [{ hit, row, collection: collections.get(row.collectionId) ?? '' }] : [];
    });
  }
}

/** Where to search: a scope for each corpus. */
function scopesOf(
  { database, collections }: DatabaseScope,
  request: SearchRequest,
  now: Date,
): SearchScope[] {
  return request.corpora.map((corpus) => ({
    store: { databaseId: database.id, corpus, generation: database.vectorGeneration },
    vectorIndex: database.vectorIndexes.find((index) => index.corpus === corpus),
    collectionIds: [...collections.keys()],
    sourceIds: request.sourceIds,
    conditions: request.conditions,
    readers: request.readers,
    hidesItems: database.hidesItems,
    hasFacts: database.hasFacts,
    now,
  }));
}

/** A collection without a weight counts as 1. */
function reorderingOf({ collections }: DatabaseScope, { recencyBias, weights }: SearchRequest): Reordering {
  const byId = weights && new Map([...collections].map(([id, name]) => [id, weights.get(name) ?? 1]));
  return { recencyBias, weights: byId };
}

function hasRelations({ row }: FoundChunk): boolean {
  return row.hasRelations;
}
