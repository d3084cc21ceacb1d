import type { DataSource } from 'typeorm';
import type { ScopedDatabase } from '../databases/database-scope.js';
import { hasLane } from '../databases/metadata-schema.js';
import { scopesByWeight } from './collection-scopes.js';
import type { AppHits } from './lanes/app-lane.js';
import { searchNearest } from './lanes/dense-lane.js';
import { nothingExplored } from './lanes/graph-lane.js';
import type { GraphExploration } from './lanes/graph-lane.js';
import { enoughBesideOthers } from './lanes/keyword-hits.js';
import { weighNames } from './lanes/item-credit.js';
import { noWords, searchWords } from './lanes/keyword-lane.js';
import type { WordsFound } from './lanes/keyword-lane.js';
import { onlyOf } from './lanes/lane-hits.js';
import type { LaneHit } from './lanes/lanes.queries.js';
import { nothingValued, searchMetadata } from './lanes/metadata-lane.js';
import type { MetadataFound } from './lanes/metadata-lane.js';
import { steer } from './lanes/steer.js';
import { StoreStatistics } from './lanes/store-statistics.js';
import { contextUses, useOfContext } from './question/context-use.js';
import type { QueryEmbedder, QueryVector } from './question/query-embedder.js';
import { isShort, looksMultiHop, partsOf } from './question/query-parts.js';
import type { Rewritten } from './question/query-rewriter.js';
import { readWording } from './question/text-match.js';
import { fuse } from './ranking/fusion.js';
import type { Fused, FusedHit, PartHits } from './ranking/fusion.js';
import { denseShare, isUncovered, partsWeight, rewrittenWeight } from './ranking/lane-weights.js';
import type { Weighing } from './ranking/lane-weights.js';
import type { WordComparison } from './ranking/late-interaction.js';
import { scoredByFit } from './ranking/relevancy.js';
import { isActive, reorder, withFirst } from './ranking/reordering.js';
import type { Reordering } from './ranking/reordering.js';
import { findOrigins } from './ranking/reordering.queries.js';
import { connecting, thinkFurther } from './ranking/thinking.js';
import type { Resident } from './resident/resident.js';
import type { SearchRequest } from './search-request.js';
import type { SearchScope } from './search-scope.js';
import { currentTrace, traceLane, traceStage } from './search-trace.js';
import { QueryMode } from './search-args.types.js';

export interface SearchLanesOptions {
  readonly postgres: DataSource;
  readonly queryEmbedder: QueryEmbedder;
  readonly resident: Resident;
  /** See VectorIndexes. */
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
  /** Undefined where texts hold enough of the query's words, or the model knows too few of them. */
  readonly wordComparison: () => WordComparison | undefined;
  /** What was left out, and why. */
  readonly notices: readonly string[];
}

/** The vectors of a query, each made when a lane first asks for it. */
interface QueryVectors {
  readonly plain: () => Promise<Float32Array | undefined>;
  /** Steered towards what the caller told beside the query. */
  readonly steered: () => Promise<Float32Array | undefined>;
  /** Why there is no vector; undefined when there is one, or none was needed. */
  readonly notice: () => Promise<string | undefined>;
}

/** What one lane is asked for. */
interface LaneRequest {
  /** How many hits. */
  readonly limit: number;
  /** Whether only words are searched. */
  readonly alone: boolean;
  /** What the search has learnt of its stores. */
  readonly statistics: StoreStatistics;
}

/** The input of fusion. */
type Lanes = Fused<string>;

/** What the lanes found by themselves, and how fusion weighs it. */
interface FirstPass {
  readonly lanes: {
    readonly dense: readonly LaneHit[];
    readonly sparse: readonly LaneHit[];
    readonly graph: readonly LaneHit[];
    readonly metadata: readonly LaneHit[];
  };
  readonly weighing: Weighing;
  readonly exploration: GraphExploration;
  readonly holdsCode: boolean;
  readonly words: Pick<WordsFound, 'weights' | 'unknownWeight'>;
  readonly notices: readonly string[];
}

// A part of a query needs only its best hits.
const partDepth = 20;
const partHitsMax = 5;
const autoPassMsMax = 500;

/** Runs the lanes of a search at the same time, and fuses what they find. */
export class SearchLanes {
  constructor(private readonly options: SearchLanesOptions) {}

  /**
   * Searches with all lanes, and fuses what they find, best first. If a second pass follows, its hits are
   * included.
   */
  async find(database: ScopedDatabase, request: SearchRequest, look: Look): Promise<LanesFound> {
    const { scopes, depth, reordering } = look;
    const startedAt = performance.now();
    const firstPass = await this.firstPass(database, request, look);
    // A caller who did not ask for a second pass should not wait for one after a slow first pass.
    const isInTime = request.mode === QueryMode.thinking || performance.now() - startedAt < autoPassMsMax;
    const second =
      request.thinks && isInTime
        ? await traceStage('second_pass', () => this.secondPass(database, request, { look, firstPass }))
        : {};
    const { lanes: first, weighing, exploration, holdsCode, words, notices } = firstPass;
    const lanes = { ...first, ...second };
    const evenly = isActive(reordering);
    const fuseWith = (apps?: AppHits) => {
      currentTrace()?.noteFusion(weighing, { ...lanes, ...apps });
      const fused = fuse({ ...lanes, ...apps, evenly, ...weighing });
      // Neither the graph nor a second pass displaces the first hit of a short query (see isShort).
      const [leader] = isShort(request.query)
        ? fuse({ ...first, graph: [], ...apps, evenly, ...weighing })
        : [];
      const scored = scoredByFit(withFirst(fused, leader?.id), { weighing, dense: first.dense });
      return this.reorder(scored, scopes, reordering);
    };
    const hits = await fuseWith();
    // The graph nominates as many chunks, however deep the others look.
    const exhausted = [first.dense, first.sparse, first.metadata].every((lane) => lane.length < depth);
    const wordComparison = () => {
      if (!isUncovered(weighing)) return undefined;
      const compare = this.options.queryEmbedder.wordComparer(request.query, database);
      return compare && { compare, ...knownOf(request.query, words) };
    };
    return { hits, exhausted, exploration, holdsCode, withApps: fuseWith, wordComparison, notices };
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

  /** Runs all lanes that need nothing of one another, at the same time. */
  private async firstPass(
    database: ScopedDatabase,
    request: SearchRequest,
    { scopes, depth, reordering, explore }: Look,
  ): Promise<FirstPass> {
    const { alpha, query, match, mode } = request;
    const { postgres, resident, queryEmbedder } = this.options;
    const given = { alpha, query, ...queryEmbedder.weighing(database) };
    const vectors = this.vectorsOf(database, request);
    const weighed = reordering.weights ? scopesByWeight(scopes, reordering.weights) : scopes;
    const statistics = new StoreStatistics(postgres, resident, scopes);
    const lane = { limit: depth, alone: alpha === 0, statistics };
    const values = { query, denseShare: denseShare(given), vector: vectors.plain, limit: depth };
    // Keywords first: their statistics come back while the dense lane scans.
    const [words, dense, exploration, valued] = await Promise.all([
      this.words(request, weighed, lane),
      alpha === 0 ? [] : traceLane('dense', () => this.dense(vectors, weighed, lane)),
      request.graphContext && mode !== QueryMode.fast ? traceLane('graph', explore) : nothingExplored,
      this.metadata(database, scopes, values),
    ]);
    const { hits, weights, unknownWeight, ...ofWords } = words;
    // When the dense lane finds nothing, words have to find everything.
    const mayFindMore = !request.wording && hits.length >= enoughBesideOthers && hits.length < depth;
    const alone = alpha !== 0 && alpha !== 1 && dense.length === 0 && mayFindMore;
    const sparse = alone ? (await this.words(request, weighed, { ...lane, alone: true })).hits : hits;
    const isValued = alpha === 'auto' && [...valued.terms].some((term) => !weights.has(term));
    const metadata = isValued ? valued.hits.filter(({ id }) => valued.ofWords.has(id)) : valued.hits;
    const notice = await vectors.notice();
    return {
      lanes: {
        dense,
        sparse,
        graph: exploration.hits,
        metadata: match ? onlyOf(sparse, metadata) : metadata,
      },
      // Without a vector words count fully, whatever weight was asked for.
      weighing:
        notice === undefined
          ? { ...given, ...ofWords, isValued }
          : { ...given, alpha: 'auto', denseWeight: 0, held: ofWords.held },
      exploration,
      holdsCode: ofWords.holdsCode,
      words: { weights, unknownWeight },
      notices: notice === undefined ? [] : [notice],
    };
  }

  /** The second pass: a keyword lane that replaces the first, and additional lanes. */
  private async secondPass(
    database: ScopedDatabase,
    request: SearchRequest,
    { look, firstPass: { lanes, weighing, exploration } }: { look: Look; firstPass: FirstPass },
  ): Promise<Pick<Lanes, 'sparse' | 'parts' | 'forced'>> {
    const { query, graphContext: withEntities } = request;
    const { sparse } = lanes;
    const isAskedFor = request.mode === QueryMode.thinking;
    const { texts, weight } = await takeApart(query, look);
    const parts = await Promise.all(
      texts.map(async (text): Promise<PartHits> => {
        const wording = readWording(text);
        const part = { ...request, query: text, wording, thinks: false, graphContext: false };
        const { hits } = await this.find(database, part, { ...look, depth: partDepth });
        return { weight, hits: hits.slice(0, partHitsMax) };
      }),
    );
    const first = fuse({ ...lanes, ...weighing });
    const thought = { query, sparse, first, parts, withEntities, isAskedFor };
    const further = () => thinkFurther(this.options.postgres, look.scopes, thought);
    return {
      sparse: (await traceLane('sparse', further)) ?? sparse,
      parts,
      forced: isAskedFor && request.forcesRelations ? connecting(exploration) : [],
    };
  }

  private vectorsOf(database: ScopedDatabase, { alpha, query, context }: SearchRequest): QueryVectors {
    const embed = (text: string) =>
      traceStage('embedding', () => this.options.queryEmbedder.embed(text, database, alpha === 1));
    let embedding: Promise<QueryVector> | undefined;
    const plain = async () => (await (embedding ??= embed(query))).vector;
    return {
      plain,
      steered: async () => {
        if (context === null) return plain();
        const { meaningShare } = contextUses[useOfContext(query)];
        return steer(...(await Promise.all([plain(), embed(context)])), meaningShare);
      },
      notice: async () => (await embedding)?.notice,
    };
  }

  /** The keyword lane, unless only meaning is asked for. */
  private async words(
    request: SearchRequest,
    scopes: readonly SearchScope[],
    lane: LaneRequest,
  ): Promise<WordsFound> {
    if (request.alpha === 1) return noWords;
    return traceLane('sparse', () => searchWords(this.options, scopes, { ...lane, request }));
  }

  private async dense(
    { steered }: QueryVectors,
    scopes: readonly SearchScope[],
    { limit, statistics }: LaneRequest,
  ): Promise<LaneHit[]> {
    const vector = await steered();
    if (!vector?.some((value) => value !== 0)) return [];
    return searchNearest(this.options, scopes, { vector, limit, statistics });
  }

  private async metadata(
    { metadataSchema }: ScopedDatabase,
    scopes: readonly SearchScope[],
    values: Omit<Parameters<typeof searchMetadata>[2], 'fields'>,
  ): Promise<MetadataFound> {
    const fields = metadataSchema?.filter(hasLane) ?? [];
    if (fields.length === 0) return nothingValued;
    return traceLane('metadata', () => searchMetadata(this.options.postgres, scopes, { ...values, fields }));
  }
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

/** What word comparison needs to know of a query's terms. */
function knownOf(
  query: string,
  { weights, unknownWeight }: FirstPass['words'],
): Pick<WordComparison, 'weightOf' | 'isName'> {
  const names = weighNames(query, [weights]);
  return { weightOf: (term) => weights.get(term) ?? unknownWeight, isName: (term) => names.has(term) };
}
