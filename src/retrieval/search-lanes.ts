import type { DataSource } from 'typeorm';
import type { ScopedDatabase } from '../databases/collections.service.js';
import { hasLane } from '../databases/metadata-schema.js';
import { inEach, scopesByWeight } from './collection-scopes.js';
import type { AppHits } from './lanes/app-lane.js';
import { nothingExplored } from './lanes/graph-lane.js';
import type { GraphExploration } from './lanes/graph-lane.js';
import { searchIndexed } from './lanes/indexed-dense.queries.js';
import { creditFigures, creditItems, weighNames } from './lanes/item-credit.js';
import { enoughBesideOthers, findWithCodes, foundShares, nothingAsked } from './lanes/keyword-lane.js';
import type { KeywordsFound } from './lanes/keyword-lane.js';
import { searchKeywords } from './lanes/keyword-lane.queries.js';
import { buildKeywordQuery } from './lanes/keyword-query.js';
import { before, best, onlyOf, withFirst } from './lanes/lane-hits.js';
import { searchDense } from './lanes/lanes.queries.js';
import type { LaneHit } from './lanes/lanes.queries.js';
import { searchMemoryFirst } from './lanes/memory-first.js';
import { nothingValued, searchMetadata } from './lanes/metadata-lane.js';
import type { MetadataFound } from './lanes/metadata-lane.js';
import { searchPhrase } from './lanes/phrase-lane.js';
import { codesFirst } from './lanes/rare-codes.js';
import { steer } from './lanes/steer.js';
import { StoreStatistics } from './lanes/store-statistics.js';
import { weighWording } from './lanes/wording.js';
import type { QueryEmbedder, QueryVector } from './question/query-embedder.js';
import { isShort, looksMultiHop, partsOf } from './question/query-parts.js';
import type { Rewritten } from './question/query-rewriter.js';
import { readWording } from './question/text-match.js';
import type { TextMatch } from './question/text-match.js';
import { fuse } from './ranking/fusion.js';
import type { Fused, FusedHit, PartHits } from './ranking/fusion.js';
import { denseShare, partsWeight, rewrittenWeight } from './ranking/lane-weights.js';
import type { KeywordWeighing } from './ranking/lane-weights.js';
import { scoredByFit } from './ranking/relevancy.js';
import { isActive, reorder } from './ranking/reordering.js';
import type { Reordering } from './ranking/reordering.js';
import { findOrigins } from './ranking/reordering.queries.js';
import { connecting, thinkFurther } from './ranking/thinking.js';
import type { Resident } from './resident/resident.js';
import type { SearchRequest } from './search-request.js';
import type { SearchScope } from './search-scope.js';
import { currentTrace, traceLane, traceStage } from './search-trace.js';
import { QueryMode } from './search.types.js';

interface LanesOptions {
  readonly postgres: DataSource;
  readonly queryEmbedder: QueryEmbedder;
  readonly resident: Resident;
  readonly exactRowsMax: number;
}

/** Where a look searches, and how deep. */
interface Look {
  readonly scopes: readonly SearchScope[];
  readonly depth: number;
  readonly reordering: Reordering;
  readonly explore: () => Promise<GraphExploration>;
  /** The search queries of a language model. */
  readonly rewritten: Promise<Rewritten>;
}

/** What the lanes of a search found. */
export interface LanesFound {
  readonly hits: FusedHit[];
  /** Whether no lane would find more if it looked deeper. */
  readonly exhausted: boolean;
  readonly exploration: GraphExploration;
  /** See Weighing. */
  readonly holdsCode: boolean;
  /** Fuses the hits again, with the app lane, which needs the hits found so far. */
  readonly withApps: (apps: AppHits) => Promise<FusedHit[]>;
  /** What was left out, and why. */
  readonly notices: readonly string[];
}

/** What a lane is asked for. */
interface LaneRequest {
  /** How many hits. */
  readonly limit: number;
  /** Whether only words are searched. */
  readonly alone: boolean;
  /** What the search has learnt of its stores. */
  readonly statistics: StoreStatistics;
}

/** What the keyword lane found, and what fusion needs to know of it. */
interface WordsFound extends KeywordWeighing {
  readonly hits: LaneHit[];
  /** The terms of the query that occur in a store. */
  readonly known: ReadonlySet<number>;
}

/** The input of fusion. */
type Lanes = Fused<string>;

/** What the first pass hands to the second. */
interface Thinking {
  readonly look: Look;
  readonly firstPass: Lanes & { readonly sparse: readonly LaneHit[] };
  readonly exploration: GraphExploration;
}

// A part of a query needs only its best hits.
const partDepth = 20;
const partHitsMax = 5;
const autoPassMsMax = 200;

/** Runs the lanes of a search at the same time, and fuses what they find. */
export class SearchLanes {
  constructor(private readonly options: LanesOptions) {}

  /**
   * Searches with all lanes, and fuses what they find, best first. If a second pass follows, its hits are
   * included.
   */
  async find(database: ScopedDatabase, request: SearchRequest, look: Look): Promise<LanesFound> {
    const { scopes, depth, reordering, explore } = look;
    const startedAt = performance.now();
    const { queryEmbedder } = this.options;
    const { alpha, query, context } = request;
    const weighing = { alpha, query, denseWeight: queryEmbedder.denseWeight(database) };
    const embed = (text: string) =>
      traceStage('embedding', () => queryEmbedder.embed(text, database, alpha === 1));
    let embedding: Promise<QueryVector> | undefined;
    const vector = async () => (await (embedding ??= embed(query))).vector;
    const steered = async () =>
      context === null ? vector() : steer(...(await Promise.all([vector(), embed(context)])));
    const weighed = reordering.weights ? scopesByWeight(scopes, reordering.weights) : scopes;
    const lane = this.laneOf(scopes, { limit: depth, alone: alpha === 0 });
    // Keywords first: their statistics come back while the dense lane scans.
    const [{ hits: words, known, ...ofWords }, dense, exploration, valued] = await Promise.all([
      this.words(request, weighed, lane),
      alpha === 0 ? [] : traceLane('dense', () => this.denseLane(steered, weighed, lane)),
      request.graphContext && request.mode !== QueryMode.fast ? traceLane('graph', explore) : nothingExplored,
      this.metadataLane(database, scopes, { query, denseShare: denseShare(weighing), vector, limit: depth }),
    ]);
    // When the dense lane finds nothing, words have to find everything.
    const mayFindMore = !request.wording && words.length >= enoughBesideOthers && words.length < depth;
    const alone = alpha !== 0 && alpha !== 1 && dense.length === 0 && mayFindMore;
    const sparse = alone ? (await this.words(request, weighed, { ...lane, alone: true })).hits : words;
    const notice = (await embedding)?.notice;
    // Without a vector words count fully, whatever weight was asked for.
    const isValued = alpha === 'auto' && [...valued.terms].some((term) => !known.has(term));
    const metadata = isValued ? valued.hits.filter(({ id }) => valued.ofWords.has(id)) : valued.hits;
    const weights =
      notice === undefined
        ? { ...weighing, ...ofWords, isValued }
        : ({ ...weighing, alpha: 'auto', denseWeight: 0, held: ofWords.held } as const);
    const firstPass = {
      dense,
      sparse,
      graph: exploration.hits,
      metadata: request.match ? onlyOf(sparse, metadata) : metadata,
    };
    // A caller who did not ask for a second pass should not wait for one after a slow first pass.
    const isInTime = request.mode === QueryMode.thinking || performance.now() - startedAt < autoPassMsMax;
    const thought =
      request.thinks && isInTime
        ? await traceStage('second_pass', () =>
            this.think(database, request, { look, firstPass: { ...firstPass, ...weights }, exploration }),
          )
        : {};
    const lanes = { ...firstPass, ...thought };
    const evenly = isActive(reordering);
    const withApps = (apps?: AppHits) => {
      currentTrace()?.noteFusion(weights, { ...lanes, ...apps });
      const fused = fuse({ ...lanes, ...apps, evenly, ...weights });
      const [first] = isShort(query) ? fuse({ ...firstPass, graph: [], ...apps, evenly, ...weights }) : [];
      const scored = scoredByFit(withFirst(fused, first?.id), { weighing: weights, dense });
      return this.reorder(scored, scopes, reordering);
    };
    const hits = await withApps();
    // The graph nominates as many chunks, however deep the others look.
    const exhausted = [dense, sparse, metadata].every((lane) => lane.length < depth);
    const notices = notice === undefined ? [] : [notice];
    return { hits, exhausted, exploration, holdsCode: ofWords.holdsCode, withApps, notices };
  }

  private laneOf(scopes: readonly SearchScope[], lane: Omit<LaneRequest, 'statistics'>): LaneRequest {
    const { postgres, resident } = this.options;
    const stores = scopes.map(({ store }) => store);
    return { ...lane, statistics: new StoreStatistics(postgres, resident, stores) };
  }

  /** Applies age and the weights of collections to an order. */
  async reorder(
    hits: FusedHit[],
    scopes: readonly SearchScope[],
    reordering: Reordering,
  ): Promise<FusedHit[]> {
    const [first] = scopes;
    if (!first || hits.length === 0 || !isActive(reordering)) return hits;
    const stores = scopes.map(({ store }) => store);
    const ids = hits.map(({ id }) => id);
    const origins = await findOrigins(this.options.postgres, stores, ids);
    return reorder(hits, origins, { ...reordering, now: first.now });
  }

  /** The second pass: a keyword lane that replaces the first, and additional lanes. */
  private async think(
    database: ScopedDatabase,
    request: SearchRequest,
    { look, firstPass, exploration }: Thinking,
  ): Promise<Pick<Lanes, 'sparse' | 'parts' | 'forced'>> {
    const { query, graphContext: withEntities } = request;
    const isAskedFor = request.mode === QueryMode.thinking;
    const { texts, weight } = await takeApart(query, look);
    const parts = await Promise.all(
      texts.map(async (text): Promise<PartHits> => {
        const part = {
          ...request,
          query: text,
          wording: readWording(text),
          thinks: false,
          graphContext: false,
        };
        const { hits } = await this.find(database, part, { ...look, depth: partDepth });
        return { weight, hits: hits.slice(0, partHitsMax) };
      }),
    );
    const { sparse } = firstPass;
    const thought = { query, sparse, first: fuse(firstPass), parts, withEntities, isAskedFor };
    const further = () => thinkFurther(this.options.postgres, look.scopes, thought);
    return {
      sparse: (await traceLane('sparse', further)) ?? sparse,
      parts,
      forced: isAskedFor && request.forcesRelations ? connecting(exploration) : [],
    };
  }

  private async metadataLane(
    { metadataSchema }: ScopedDatabase,
    scopes: readonly SearchScope[],
    lane: Omit<Parameters<typeof searchMetadata>[2], 'fields'>,
  ): Promise<MetadataFound> {
    const fields = metadataSchema?.filter(hasLane) ?? [];
    if (fields.length === 0) return nothingValued;
    let found = nothingValued;
    const search = async () =>
      (found = await searchMetadata(this.options.postgres, scopes, { ...lane, fields })).hits;
    await traceLane('metadata', search);
    return found;
  }

  private async denseLane(
    embedding: () => Promise<Float32Array | undefined>,
    scopes: readonly SearchScope[],
    lane: LaneRequest,
  ): Promise<LaneHit[]> {
    const vector = await embedding();
    if (!vector?.some((value) => value !== 0)) return [];
    const found = await inEach(scopes, (scope) => this.nearest(scope, vector, lane));
    return best(found, perWeight(lane.limit, scopes));
  }

  /** Without a filter, chunks that are in memory are scanned there. */
  private async nearest(
    scope: SearchScope,
    vector: Float32Array,
    { limit, statistics }: LaneRequest,
  ): Promise<LaneHit[]> {
    const { postgres, resident, exactRowsMax } = this.options;
    const { store, collectionIds, vectorIndex: index } = scope;
    const later = (after: number) => searchDense(postgres, scope, { vector, limit, after });
    const found = await searchMemoryFirst(scope, {
      tables: resident.vectors,
      statistics,
      inMemory: (upTo) => resident.nearest(store, { upTo, collectionIds, vector, limit }),
      later,
      // The index covers all chunks but as many.
      laterMax: index ? exactRowsMax : Infinity,
    });
    return (
      found ?? (index ? searchIndexed(postgres, scope, { index, vector, limit, exactRowsMax }) : later(0))
    );
  }

  /** The keyword lane, unless only meaning is asked for. */
  private async words(
    request: SearchRequest,
    scopes: readonly SearchScope[],
    lane: LaneRequest,
  ): Promise<WordsFound> {
    let found: WordsFound = {
      hits: [],
      coverage: 1,
      held: 1,
      averageLength: Infinity,
      isWorded: false,
      holdsCode: false,
      known: new Set(),
    };
    if (request.alpha === 1) return found;
    await traceLane('sparse', async () => (found = await this.keywordLane(request, scopes, lane)));
    return found;
  }

  private async keywordLane(
    request: SearchRequest,
    scopes: readonly SearchScope[],
    lane: LaneRequest,
  ): Promise<WordsFound> {
    const findIn = (respell: boolean) =>
      Promise.all(scopes.map((scope) => this.keywordsIn(scope, request, { ...lane, respell })));
    let found = await findIn(false);
    // Only items that may not be found contain these words, so they may be misspelt after all.
    if (!request.match && !request.wording && found.every(({ hits }) => hits.length === 0))
      found = await findIn(true);
    const most = perWeight(lane.limit, scopes);
    const all = found.flatMap((each) => each.hits);
    const codes = new Set(found.flatMap((each) => each.asked.codes));
    const coded = codes.size > 0 ? all.filter(({ terms }) => terms.some((term) => codes.has(term))) : [];
    const leading = best(all, most);
    const hits = coded.length === 0 ? leading : best([...new Set([...coded, ...leading])], Infinity);
    // A text that contains a phrase has all of its wording.
    const isWorded = (request.match?.phrase ?? request.wording) !== null;
    const isExact = isWorded || request.match !== null || coded.length > 0 || request.dates.length > 0;
    const stores = found.map(({ asked }) => asked.weights);
    const names = weighNames(request.query, stores);
    const credited = creditItems(isWorded ? hits : weighWording(hits, request.query), names);
    const dated = creditFigures(credited, request.query, stores);
    const ordered = coded.length > 0 ? codesFirst(dated, codes) : dated;
    return {
      hits: best(ordered, most),
      ...(isExact ? { coverage: 1, held: 1 } : foundShares(found)),
      averageLength: await lane.statistics.averageLength(),
      isWorded,
      holdsCode: coded.length > 0,
      known: new Set(found.flatMap(({ asked }) => [...asked.weights.keys()])),
    };
  }

  private async keywordsIn(
    scope: SearchScope,
    { query, dates, context, match, wording }: SearchRequest,
    { limit, alone, statistics, respell }: LaneRequest & { respell: boolean },
  ): Promise<KeywordsFound> {
    const { postgres } = this.options;
    const store = statistics.of(scope.store);
    const exact = match !== null || wording !== null;
    const keywords = await buildKeywordQuery(query, store, { context, dates, exact, respell });
    const asked = keywords ?? nothingAsked;
    const { weights } = asked;
    if (match?.phrase) {
      const hits = await searchPhrase(postgres, scope, { ...match, phrase: match.phrase, weights, limit });
      return { hits, asked };
    }
    const byWords = () =>
      keywords ? findWithCodes(this.options, scope, { keywords, limit, alone, statistics }) : [];
    // Without any word in the query, there is nothing to require.
    const byAllWords = ({ required }: TextMatch) =>
      required.length === 0
        ? []
        : searchKeywords(postgres, scope, { weights, required, nominators: [], limit });
    const [hits, worded] = await Promise.all([
      match ? byAllWords(match) : byWords(),
      wording ? searchPhrase(postgres, scope, { phrase: wording, required: [], weights, limit }) : [],
    ]);
    return { hits: before(worded, hits), asked };
  }
}

/** How many hits a lane keeps: as many for each weight of collections. */
function perWeight(limit: number, scopes: readonly SearchScope[]): number {
  const corpora = new Set(scopes.map(({ store }) => store.corpus)).size;
  return (limit * scopes.length) / Math.max(1, corpora);
}

/**
 * The parts of a query and their weight, made by the language model or by rules. Rules are used only for
 * queries that one text will hardly answer: for others, the parts take .004 nDCG@10 from contracts and .002
 * from paraphrases in mode thinking.
 */
async function takeApart(
  query: string,
  { rewritten }: Look,
): Promise<{ texts: readonly string[]; weight: number }> {
  const { queries } = await rewritten;
  if (queries) return { texts: queries, weight: rewrittenWeight };
  const texts = looksMultiHop(query) ? partsOf(query) : [];
  return { texts, weight: partsWeight / texts.length };
}
