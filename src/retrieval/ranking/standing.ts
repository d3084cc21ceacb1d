import { termsOf } from '../../ingestion/preparation/fact-words.js';
import { analyze, analyzeQuery } from '../../text/analyzer.js';
import { speakerTerms } from '../../text/first-person.js';
import { anyRelative } from '../../text/relatives.js';
import { stopWords } from '../../text/stop-words.js';
import type { ChunkRow } from '../found-chunks.queries.js';
import type { SearchRequest } from '../search-request.js';
import type { FoundChunk } from '../search-result.js';
import { saysMore } from './says-more.js';

/** How people say that something has changed. */
const change =
  /\b(?:now|new|no longer|any ?more|any longer|from now on|these days|again|instead|in the end|after all|changed|switched|moved|postponed|pushed|brought forward|raised|lowered|doubled|halved|reduced|increased|replaced|cancell?ed|quit|stopped|gave up|given up|sold|traded|finished|became|promoted|(?:up|down) to)\b/i;
// The share of common words from which two memories say the same of different times; it is lower when the
// later one says that something has changed.
const likeness = 0.4;
const likenessOfChange = 0.3;
/** Somebody else whom a memory is about from its beginning: "My brother Tom lives in Vienna". */
const another = new RegExp(
  `^\\W*(?:\\p{L}+[,:]? ){0,2}?(?:my|our|\\p{L}+['’]s) (?:\\p{L}+ )?(${anyRelative}|parent|children|friend|neighbou?r|colleague|boss|manager|roommate|flatmate)s?\\b`,
  'iu',
);
// A longer memory says many things.
const comparedCharactersMax = 1000;
// As many as are read for the shortest answer, so that the order does not depend on how many are asked for.
export const comparedMax = 10;

/**
 * Puts the memories among the best hits into the order of what holds. Of memories that answer the question
 * alike, the newest comes first if it says that something has changed, or if the question is about now. A
 * memory that is no longer true comes behind the one that took its place, unless the question is about
 * something else in it. For a question about the past the order is reversed.
 */
export function inStanding(
  found: readonly FoundChunk[],
  { query, time, dates }: Pick<SearchRequest, 'query' | 'time' | 'dates'>,
): readonly FoundChunk[] {
  // A day named in the query decides by itself.
  if (dates.length > 0) return found;
  const compared = found.slice(0, comparedMax);
  const memories = compared.filter(
    ({ row }) => row.corpus === 'memory' && row.content.length <= comparedCharactersMax,
  );
  if (memories.length < 2) return found;
  const mayHaveChanged = memories.some(({ row }) => row.outdatedFacts != null || change.test(row.content));
  if (time.tense === null && !mayHaveChanged) return found;
  const comparison = new Comparison(query, time);
  return scoredInOrder([
    ...byFacts(byWords(compared, memories, comparison), comparison),
    ...found.slice(comparedMax),
  ]);
}

/** Compares memories by the terms of a question that they contain. */
class Comparison {
  readonly asked: SearchRequest['time'];
  private readonly terms: readonly string[];
  private readonly words = new Map<FoundChunk, ReadonlySet<string>>();

  constructor(query: string, asked: SearchRequest['time']) {
    this.asked = asked;
    const { terms, beside } = analyzeQuery(query);
    const later = new Set(asked.since === '' ? [] : analyze(asked.since));
    this.terms = terms.filter((term) => !(beside.has(term) || stopWords.has(term) || later.has(term)));
  }

  /** The terms of the question that a chunk contains. */
  heldBy(chunk: FoundChunk): readonly string[] {
    const words = this.wordsOf(chunk);
    return this.terms.filter((term) => words.has(term));
  }

  /**
   * Whether one chunk contains all terms of the question that another contains, not counting the terms
   * `besides`.
   */
  holdsAsMuch(one: FoundChunk, other: FoundChunk, besides: ReadonlySet<string> = new Set()): boolean {
    const words = this.wordsOf(one);
    return this.heldBy(other).every((term) => words.has(term) || besides.has(term));
  }

  /** Whether one chunk is about somebody of whom another says nothing. */
  isOfAnother(one: FoundChunk, other: FoundChunk): boolean {
    const person = another.exec(one.row.content)?.[1];
    return person !== undefined && !analyze(person, 'index').every((term) => this.wordsOf(other).has(term));
  }

  /** The share of the words of the shorter text that the other has too, 0 to 1. */
  likeness(one: FoundChunk, other: FoundChunk): number {
    const [words, others] = [this.wordsOf(one), this.wordsOf(other)];
    const shared = [...words].filter((term) => others.has(term)).length;
    return shared / Math.max(1, Math.min(words.size, others.size));
  }

  private wordsOf(chunk: FoundChunk): ReadonlySet<string> {
    const known = this.words.get(chunk);
    if (known) return known;
    const words = new Set(analyze(chunk.row.content, 'index').filter((term) => !speakerTerms.has(term)));
    this.words.set(chunk, words);
    return words;
  }
}

/**
 * Finds the memories that answer as well as the best one, and moves the one that is asked for (the newest, or
 * the former) in front of it.
 */
function byWords(
  found: readonly FoundChunk[],
  memories: readonly FoundChunk[],
  comparison: Comparison,
): readonly FoundChunk[] {
  const { tense, isPast } = comparison.asked;
  const [best, ...others] = memories;
  if (!best || (tense === null && isPast)) return found;
  const newestFirst = others
    .filter(({ row }) => row.speaker === best.row.speaker && row.collectionId === best.row.collectionId)
    .sort((a, b) => (isLater(a.row, b.row) ? -1 : 1));
  const later = newestFirst.filter(({ row }) => isLater(row, best.row));
  const isAsked = ({ row }: FoundChunk) => tense === 'now' || change.test(row.content);
  // Checked before any text is analysed, which takes most of the time.
  if (tense !== 'former' && !later.some(isAsked)) return found;
  if (comparison.heldBy(best).length === 0) return found;
  const isAlike = (chunk: FoundChunk) =>
    comparison.likeness(chunk, best) >= (change.test(chunk.row.content) ? likenessOfChange : likeness) &&
    comparison.holdsAsMuch(chunk, best) &&
    !comparison.isOfAnother(chunk, best);
  const newest = later.find(isAlike);
  if (tense !== 'former') return newest && isAsked(newest) ? moved(found, newest, best) : found;
  const before = newest ? undefined : newestFirst.find(isAlike);
  return before ? moved(found, before, best) : found;
}

/**
 * Moves a memory that is no longer true behind the one that took its place; for a question about the past in
 * front of it.
 */
function byFacts(found: readonly FoundChunk[], comparison: Comparison): readonly FoundChunk[] {
  let ordered = found;
  for (const former of found.filter(({ row }) => row.outdatedFacts != null)) {
    const later = found.find((chunk) => supersedes(chunk, former));
    if (!later) continue;
    const isFirst = ordered.indexOf(former) < ordered.indexOf(later);
    if (comparison.asked.tense === 'former') {
      if (!isFirst) ordered = moved(ordered, former, later);
    } else if (
      isFirst &&
      (!saysMore(former.row.content, former.row.outdatedFacts ?? []) ||
        comparison.holdsAsMuch(later, former, termsOfOutdated(former)))
    )
      ordered = moved(ordered, later, former);
  }
  return ordered;
}

/** The terms by which people ask for those facts of a memory that later ones have replaced. */
function termsOfOutdated({ row: { outdatedFacts } }: FoundChunk): ReadonlySet<string> {
  return new Set(
    (outdatedFacts ?? []).flatMap(({ attribute }) => [...analyze(attribute, 'index'), ...termsOf(attribute)]),
  );
}

/** Whether a memory holds a fact that took the place of one of another memory. */
function supersedes({ row }: FoundChunk, { row: { outdatedFacts } }: FoundChunk): boolean {
  return (outdatedFacts ?? []).some(
    ({ statement, laterStatement, laterUid, laterPosition }) =>
      // "20 mg of lisinopril" repeats that it is taken, and gives another dose.
      statement !== laterStatement &&
      laterUid === row.sourceUid &&
      (row.layout['inferred'] !== true || row.layout['position'] === laterPosition),
  );
}

function isLater(one: ChunkRow, other: ChunkRow): boolean {
  const [time, before] = [one, other].map(({ itemTime, updatedAt }) => (itemTime ?? updatedAt).getTime());
  if (time !== before) return (time ?? 0) > (before ?? 0);
  return BigInt(one.sourceUid) > BigInt(other.sourceUid);
}

/** Moves a chunk in front of another. */
function moved(found: readonly FoundChunk[], chunk: FoundChunk, front: FoundChunk): readonly FoundChunk[] {
  return found.flatMap((each) => (each === chunk ? [] : each === front ? [chunk, front] : [each]));
}

/** Raises scores where necessary, so that they fall in the order of the chunks. */
function scoredInOrder(found: readonly FoundChunk[]): readonly FoundChunk[] {
  let least = 0;
  return found
    .toReversed()
    .map((chunk) => {
      least = Math.max(least, chunk.hit.score);
      return least === chunk.hit.score ? chunk : { ...chunk, hit: { ...chunk.hit, score: least } };
    })
    .toReversed();
}
