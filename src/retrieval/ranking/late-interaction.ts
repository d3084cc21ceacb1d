import { headingsOf } from '../../ingestion/chunking/chunk-headings.js';
import { searchableText } from '../../ingestion/preparation/searchable-text.js';
import type { CompareWords } from '../../inference/embedder.js';
import type { ChunkRow } from '../found-chunks.queries.js';
import type { FusedHit } from './fusion.js';

/** The words of a query beside those of texts. */
export interface WordComparison {
  readonly compare: CompareWords;
  /** What a term of the query weighs, by its rarity. */
  readonly weightOf: (term: number) => number;
  /** Whether a term belongs to a name that the stores hold. */
  readonly isName: (term: number) => boolean;
}

type Compared = Pick<ChunkRow, 'title' | 'layout' | 'content'>;

/** So many hits are compared; twice as many gain hardly more. */
export const interactingMax = 30;

// Words that have nothing to do with one another are as near as this.
const nearnessOfAny = 0.1;
// How the share of a query's words that a text says in some words, and the share that it says in the same, make its
// worth. What it says in the same words the keyword lane has counted already. Chosen, with the two above, on the
// third of 4,062 questions to 37 sets whose words are in few texts: turns of dialogues gain .007 to .107 nDCG@10,
// sessions .019 to .058, paraphrases .052, a lawyer's questions .019; contracts lose .010, nothing else more than
// .002. Powers of 2 and 1, or 4 and 3, gain about as much. Names have no other words, so to say them is nothing to be
// taken off: contracts, which are asked for by their parties, gain .025 by that; 37 sets are as before on average.
const saidPower = 3;
const sharedOffset = 0.3;
const sharedPower = 2;

/** Hits in their new order. */
interface Interacted {
  readonly hits: readonly FusedHit[];
  /** By the id of a hit that was compared, the share of the query that its text says in whatever words, 0 to 1. */
  readonly said: ReadonlyMap<string, number>;
}

/**
 * Orders the first hits by how much of the query their texts say, in whatever words: for a query whose words are
 * hardly there, each of its words is sought in each text by its meaning. Hits that were not read keep their places, and
 * each place its score.
 */
export function byLateInteraction(
  hits: readonly FusedHit[],
  rows: ReadonlyMap<string, Compared>,
  { compare, weightOf, isName }: WordComparison,
): Interacted {
  const read = hits.slice(0, interactingMax).flatMap((hit, place) => {
    const row = rows.get(hit.id);
    return row ? [{ hit, place, text: textOf(row) }] : [];
  });
  const words = compare(read.map(({ text }) => text)).map(({ term, byText }) => ({
    weight: weightOf(term),
    isName: isName(term),
    byText,
  }));
  if (words.every(({ weight }) => weight === 0)) return { hits, said: new Map() };
  const [shareSaid, shareShared] = [
    sharesOf(words, saidBy),
    sharesOf(
      words.filter((word) => !word.isName),
      isSame,
    ),
  ];
  const compared = read.map(({ hit }, nth) => {
    const said = shareSaid(nth);
    return {
      hit,
      said,
      worth: (hit.score * said ** saidPower) / (sharedOffset + shareShared(nth)) ** sharedPower,
    };
  });
  const ordered = compared.toSorted((a, b) => b.worth - a.worth);
  const placed = [...hits];
  for (const [nth, { place }] of read.entries()) {
    const [hit, score] = [ordered[nth]?.hit, hits[place]?.score];
    if (hit && score !== undefined) placed[place] = { ...hit, score };
  }
  return { hits: placed, said: new Map(compared.map(({ hit, said }) => [hit.id, said])) };
}

interface ComparedWord {
  readonly weight: number;
  readonly isName: boolean;
  /** How near each text comes to it, 0 to 1; see CompareWords. */
  readonly byText: ArrayLike<number>;
}

/** The share of words, by their weights, that the text at a place says; `worth` of a word, by how near the text comes. */
function sharesOf(
  words: readonly ComparedWord[],
  worth: (nearness: number) => number,
): (place: number) => number {
  const whole = words.reduce((sum, { weight }) => sum + weight, 0);
  if (whole === 0) return () => 0;
  return (place) =>
    words.reduce((sum, { weight, byText }) => sum + weight * worth(byText[place] ?? 0), 0) / whole;
}

function isSame(nearness: number): number {
  return nearness === 1 ? 1 : 0;
}

function saidBy(nearness: number): number {
  return Math.max(0, (nearness - nearnessOfAny) / (1 - nearnessOfAny));
}

function textOf(row: Compared): string {
  return searchableText(row.title, { headings: headingsOf(row), text: row.content });
}
