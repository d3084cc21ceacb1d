import type { Caller } from '../accounts/caller.js';
import { collectionName } from '../databases/collections.service.js';
import type { MetadataField } from '../databases/metadata-schema.js';
import { invalidInput } from '../errors.js';
import { boundedNumber, checkCount } from '../lib/bounded-number.js';
import { boundedText } from '../lib/text-check.js';
import { LIMITS } from '../limits.js';
import { CORPORA } from '../postgres/stores.js';
import type { Corpus } from '../postgres/stores.js';
import { readReaders } from '../sources/acl.js';
import type { Readers } from '../sources/acl.js';
import type { MetadataCondition } from '../sources/metadata/metadata-condition.js';
import { SourceType } from '../sources/source.types.js';
import { withoutFrames } from '../text/query-frames.js';
import { readAskedTime, statedDay } from './question/asked-time.js';
import type { AskedTime } from './question/asked-time.js';
import { readMetadataFilters } from './question/metadata-filters.js';
import { looksMultiHop } from './question/query-parts.js';
import { readTextMatch, readWording } from './question/text-match.js';
import type { Phrase, TextMatch } from './question/text-match.js';
import { QueryBy, QueryMode, TextOperator } from './search-args.types.js';
import type { SearchArgs } from './search-args.types.js';

// A longer query is a text, in which words of time do not say what is asked.
const askedTimeCharactersMax = 1000;

/** The arguments of a search, checked and with their defaults. */
export interface SearchRequest {
  /** The query as the caller wrote it. */
  readonly asked: string;
  /** The query that is searched for, without the phrases around it (see withoutFrames). */
  readonly query: string;
  /**
   * The days, months and years that a query to memories means, for example by "yesterday". A memory of one of
   * them answers it, whatever its words.
   */
  readonly dates: readonly string[];
  /** Whether a question to memories asks for what holds now, or for what held before. */
  readonly time: Pick<AskedTime, 'tense' | 'isPast' | 'since'>;
  readonly corpora: readonly Corpus[];
  readonly limit: number;
  /** The weight of the dense lane against the keyword lane, 0 to 1. */
  readonly alpha: number | 'auto';
  readonly sourceIds: readonly string[] | null;
  readonly conditions: readonly MetadataCondition[];
  /** The principals that the search answers as. */
  readonly readers: Readers;
  readonly graphContext: boolean;
  /** Whether titles, people and conversations of app items count too. */
  readonly apps: boolean;
  /** What chunks have to contain; null for no such condition. */
  readonly match: TextMatch | null;
  /** The phrase that a query of stop words alone consists of; null for any other query. */
  readonly wording: Phrase | null;
  readonly recencyBias: number;
  /** By the name of the collection; null when all weights are equal. */
  readonly weights: ReadonlyMap<string, number> | null;
  /** What the caller told beside the query; it counts less. */
  readonly context: string | null;
  /** How many neighbours of each hit are returned too. */
  readonly relatedChunks: number;
  readonly mode: QueryMode;
  /** Whether a second pass follows the first. */
  readonly thinks: boolean;
  /** Whether a second pass adds chunks with relations that connect entities of the query. */
  readonly forcesRelations: boolean;
}

/** Reads the arguments of a search. @throws AppError naming the argument and the limit */
export function readSearchRequest(
  caller: Caller,
  args: SearchArgs,
  { schema, now }: { schema: readonly MetadataField[] | null; now: Date },
): SearchRequest {
  const queryBy = args.queryBy ?? QueryBy.hybrid;
  if (args.operator != null && queryBy !== QueryBy.text)
    throw invalidInput('operator', 'is only for query_by text', ['query_by']);
  const asked = readQuery(args.query);
  const given = readContext(args.additionalContext);
  const match = readTextMatch(asked, args.operator ?? TextOperator.or);
  const framed = match ? asked : withoutFrames(asked, given !== null);
  const { query, dates, time, context } = readAskedWhen(framed, { args, given, now });
  const givenAlpha = readAlpha(args.alpha);
  const alpha = queryBy === QueryBy.text ? 0 : givenAlpha;
  const mode = args.mode ?? QueryMode.auto;
  return {
    asked,
    query,
    dates,
    time,
    corpora: corporaOf(args),
    limit: boundedNumber(
      args.maxResults ?? LIMITS.queryResultsDefault,
      'max_results',
      LIMITS.queryResultsMax,
    ),
    alpha,
    sourceIds: readIds(args.ids),
    conditions: readMetadataFilters(args.metadataFilters, schema),
    readers: readReaders(caller, args.acl),
    graphContext: args.graphContext ?? true,
    // A search by words alone, or by meaning alone, gets nothing else.
    apps: (args.queryApps ?? true) && alpha !== 0 && alpha !== 1,
    match,
    wording: dates.length === 0 ? readWording(query) : null,
    recencyBias: readFraction('recency_bias', args.recencyBias) ?? 0,
    weights: weightsOf(args.collections),
    context,
    relatedChunks: readRelatedChunks(args.numRelatedChunks),
    mode,
    thinks: thinks({ query, match, mode, alpha }),
    forcesRelations: args.queryForcefulRelations ?? true,
  };
}

/**
 * Whether a second pass follows. A search of one lane alone (an alpha of 0 or 1) gets one only when the
 * caller asks for it by its mode.
 */
function thinks({
  query,
  match,
  mode,
  alpha,
}: Pick<SearchRequest, 'query' | 'match' | 'mode' | 'alpha'>): boolean {
  // A second pass might find chunks that do not contain what they have to.
  if (match) return false;
  if (mode === QueryMode.auto) return alpha !== 0 && alpha !== 1 && looksMultiHop(query);
  return mode === QueryMode.thinking;
}

function corporaOf({ type }: SearchArgs): readonly Corpus[] {
  return type === SourceType.all ? CORPORA : [type ?? SourceType.knowledge];
}

/**
 * Reads what a query to memories says of time, counted from the day that the query or its context names as
 * today, else from now. Words of time say nothing about the subject of a memory, so they are taken out of the
 * query. They stay in a query that also goes to knowledge, whose texts may contain them; quoted or exact
 * queries are not read for time at all.
 */
function readAskedWhen(
  asked: string,
  { args, given, now }: { args: SearchArgs; given: string | null; now: Date },
): Pick<SearchRequest, 'query' | 'dates' | 'time' | 'context'> {
  const isExact = (args.operator != null && args.operator !== TextOperator.or) || /["“„«]/u.test(asked);
  const corpora = corporaOf(args);
  if (isExact || !corpora.includes('memory') || asked.length > askedTimeCharactersMax)
    return { query: asked, dates: [], time: { tense: null, isPast: false, since: '' }, context: given };
  const [inContext, inQuery] = [statedDay(given ?? ''), statedDay(asked)];
  const context = inContext ? readContext(inContext.rest) : given;
  const query = inQuery?.rest || asked;
  const day = (inContext ?? inQuery)?.day ?? now;
  const { query: timeless, dates, ...time } = readAskedTime(query, day);
  const isOfMemory = corpora.length === 1 && timeless.trim() !== '';
  return { query: isOfMemory ? timeless : asked, dates, time, context };
}

function readQuery(query: string): string {
  if (query.trim() === '') throw invalidInput('query', 'must not be empty');
  return boundedText(query, 'query', LIMITS.queryCharactersMax);
}

/** The names of the collections to search. @throws AppError naming the argument and the limit */
export function readCollections({ collection, collections }: SearchArgs): readonly string[] {
  if (collections == null) return [collectionName(collection)];
  if (collection != null) throw invalidInput('collections', 'cannot be combined with collection');
  const names: unknown[] = Array.isArray(collections) ? collections : readWeights(collections);
  checkCount(names.length, 'collections', { noun: 'names', min: 1, max: LIMITS.queryCollectionsMax });
  return names.map((name, index) => {
    if (typeof name !== 'string') throw invalidInput(`collections[${index}]`, 'must be a string');
    return collectionName(name);
  });
}

function readWeights(collections: unknown): string[] {
  if (typeof collections !== 'object' || collections === null) {
    throw invalidInput('collections', 'must be a list of names or an object of name and weight');
  }
  // The empty name means the default collection, which can have only one weight.
  if (Object.hasOwn(collections, '') && Object.hasOwn(collections, 'default'))
    throw invalidInput(
      'collections',
      'gives the collection "default" two weights: one by this name, one by the empty name',
    );
  return Object.entries(collections).map(([name, weight]: [string, unknown]) => {
    if (typeof weight !== 'number' || !(weight > 0 && weight < Infinity))
      throw invalidInput(`collections.${name}`, 'must be a weight above 0');
    return name;
  });
}

/**
 * The weights by collection, which readCollections has checked; null when they are all equal or none are
 * given.
 */
function weightsOf(collections: unknown): ReadonlyMap<string, number> | null {
  if (typeof collections !== 'object' || collections === null || Array.isArray(collections)) return null;
  const weights = Object.entries(collections as Record<string, number>);
  const byName = new Map(weights.map(([name, weight]) => [collectionName(name), weight]));
  return new Set(byName.values()).size > 1 ? byName : null;
}

function readContext(context: string | null | undefined): string | null {
  if (context == null || context.trim() === '') return null;
  return boundedText(context, 'additional_context', LIMITS.queryContextCharactersMax);
}

function readRelatedChunks(given: number | null | undefined): number {
  const number = given ?? 0;
  if (number < 0 || number > LIMITS.relatedChunksMax)
    throw invalidInput('num_related_chunks', `must be 0 to ${LIMITS.relatedChunksMax}, not ${number}`);
  return number;
}

function readAlpha(alpha: unknown): number | 'auto' {
  if (alpha == null || alpha === 'auto') return 'auto';
  if (typeof alpha !== 'number') throw invalidInput('alpha', 'must be a number from 0 to 1 or "auto"');
  return readFraction('alpha', alpha) ?? 'auto';
}

function readFraction(field: string, value: number | null | undefined): number | undefined {
  if (value == null) return undefined;
  if (!(value >= 0 && value <= 1)) throw invalidInput(field, `must be 0 to 1, not ${value}`);
  return value;
}

function readIds(ids: readonly string[] | null | undefined): readonly string[] | null {
  if (ids == null) return null;
  checkCount(ids.length, 'ids', { noun: 'ids', max: LIMITS.queryIdsMax });
  return ids;
}
