import { analyze, analyzeQuery, newStem, termId, termVector } from '../../text/analyzer.js';
import type { AnalyzedQuery } from '../../text/analyzer.js';
import { inverseDocumentFrequencies, inverseDocumentFrequency } from '../../text/bm25.js';
import { speakerTerms } from '../../text/first-person.js';
import { stopWords } from '../../text/stop-words.js';
import { contextUses, shareByPlace, tellingTerms, useOfContext } from '../question/context-use.js';
import type { TermStatistics } from './lanes.queries.js';
import { nominatorsOf } from './nominators.js';
import type { Nominators } from './nominators.js';
import { rareCodes } from './rare-codes.js';
import type { TermLookup } from './store-statistics.js';
import { findParts, findVariants, shareOfParts } from './word-variants.js';
import type { KnownTerm } from './word-variants.js';

/** What the keyword lane asks of a store: the weights of terms, and which of them nominate chunks for scoring. */
export interface KeywordQuery extends Nominators {
  readonly weights: ReadonlyMap<number, number>;
  /** The weight of a word that the store does not contain. */
  readonly unknownWeight: number;
  /** The weight of all words of the query, including those that the store does not contain. */
  readonly whole: number;
  /** How many words of the query each term stands for, 1 or less; terms for the speaker ("I") are left out. */
  readonly counts: ReadonlyMap<number, number>;
  readonly words: number;
  /** How many words were written, repeated ones and stop words included. */
  readonly length: number;
  /** See rareCodes. */
  readonly codes: readonly number[];
}

/** What is known of a query beside its words. */
export interface KeywordOptions {
  /** A text whose terms weigh less than those of the query. */
  readonly context?: string | null;
  /** The days, months and years that are meant; an item of one of them is found by it. */
  readonly dates?: readonly string[];
  /** Words stand only for themselves: no typing errors are corrected. */
  readonly exact?: boolean;
  /** Any word may be a typing error, even one that the store contains: no item that may be found does. */
  readonly respell?: boolean;
}

// A correction counts less than a word that was written.
const variantShare = 0.6;
// The share of a word's weight that its second stem has (in another language, or of the word whose irregular form
// it is) beside its English one. With both whole, 250 queries a language had .005 to .03 nDCG@10 less in Latin
// letters, .035 and .05 in Cyrillic (short descriptions of packages as queries for their long ones).
const secondStemShare = 0.6;
// The weight of a compound as a whole, beside its parts (German .014, English .005 with the same queries).
const compoundShare = 0.3;
const contextTermsMax = 200;
// A question whose rarest word is nearly as rare as one can be is about that: "when is the regatta?"
const tellingRarity = 0.8;

// "I" tells who speaks, not what about, so its weight does not depend on its rarity. By half its rarity, answers
// on money and contracts, where hardly anybody says "I", were found by it alone; in turns, every third of which
// says it, it told too little. nDCG@10 by that, and with 1, this and 1.5: an assistant's turns .353, .365, .365,
// .375; its sessions .550, .557, .561, .561; contracts in plain speech .712, .719, .719, .713; layman's questions
// .466, .468 with all three.
const speakerWeight = 1.25;
const speakerIds = new Set([...speakerTerms].map(termId));
// If this share of chunks says "User:", the asker is who speaks there, even if nothing else of a question is
// known: twelve such questions of small stores have nDCG@10 .43 (.19 without). On a help desk's pages "I" tells
// nothing: eight questions .76 (.39 by whoever says "I").
const usersShareMin = 0.4;
const userIds = ['user', 'human'].map(newStem).map(termId);

/**
 * What a long query repeats is its topic. With documents as queries the square root gains .005 to .024 nDCG@10
 * over counting terms once (vaswani, musique, hotpotqa).
 */
function repetitionWeight(count: number): number {
  return Math.sqrt(count);
}

/**
 * Weighs the terms of a query by their rarity; a word that occurs nowhere stands for those one typing error away
 * that do. Undefined when nothing of the query occurs in the store.
 */
export async function buildKeywordQuery(
  query: string,
  store: TermLookup,
  { context = null, dates = [], exact = false, respell = false }: KeywordOptions = {},
): Promise<KeywordQuery | undefined> {
  const words = analyzeQuery(query);
  const { terms: analyzed, secondStems, beside } = words;
  const terms = new Map(analyzed.map((term) => [termId(term), term]));
  // From the end, where a conversation says what it is about now.
  const contextTerms = context === null ? [] : [...new Set(analyze(context).map(termId).reverse())];
  const dateTerms = dates.map(termId);
  const asked = [...terms.keys(), ...dateTerms, ...contextTerms.slice(0, contextTermsMax)];
  if (asked.length === 0) return undefined;
  const known = await store.lookUp(asked);
  const { chunks } = known;
  const weights = weighTerms(words, known);
  const counts = countWords(weights, known);
  const addFurther = (found: readonly KnownTerm[], share: number) => {
    for (const { id, frequency } of found) {
      if (weights.has(id)) continue;
      weights.set(id, inverseDocumentFrequency(frequency, chunks) * share);
      counts.set(id, share);
    }
  };
  const parted = exact ? [] : await findParts(words, store, known.frequencies);
  for (const one of parted) addFurther(one.parts, shareOfParts(one, weights, chunks));
  // A word that is known in another form is spelt correctly, and so is one made of known words.
  const written = new Set([
    ...[...secondStems].filter((forms) => forms.some((term) => weights.has(termId(term)))).flat(),
    ...parted.flatMap(({ forms, isGuess }) => (isGuess ? [] : forms)),
  ]);
  const unknown = exact
    ? []
    : [...terms.values()].filter(
        (term) => !beside.has(term) && (respell || !(weights.has(termId(term)) || written.has(term))),
      );
  const variants = await findVariants(unknown, words, store);
  addFurther(variants, variantShare);
  if (weights.size > 0 && tellsSpeakerAlone(weights, analyzed) && !(await hearsUsers(store, chunks)))
    weights.clear();
  const guessed = parted.filter(({ isGuess }) => isGuess).length;
  const missing = Math.max(0, unknown.length - variants.length - guessed - spelledOtherwise(beside, weights));
  const unknownWeight = inverseDocumentFrequency(0, chunks);
  const whole = missing * unknownWeight + total(weights.values());
  // An item has one date at most, so dates are not part of the weight of all words.
  for (const [id, weight] of inverseDocumentFrequencies(dateTerms, known.frequencies, chunks))
    weights.set(id, Math.max(weight, weights.get(id) ?? 0));
  const own = [...weights.keys()];
  const use = context === null ? 'steers' : useInStore(query, words, known);
  addContext(weights, { terms: contextTerms, use }, known);
  if (weights.size === 0) return undefined;
  // The context nominates only if the query says little; else it only steers.
  const nominating = own.length > 0 && use === 'steers' ? own : [...weights.keys()];
  const codes = rareCodes(words, known);
  const counted = { counts, words: missing + total(counts.values()), length: words.wordCodes.length };
  return {
    weights,
    unknownWeight,
    whole,
    ...counted,
    ...nominatorsOf(nominating, store.here, chunks),
    codes,
  };
}

/** How many words known terms stand for, whatever their rarity, which says nothing of what is not found. */
function countWords(weights: ReadonlyMap<number, number>, known: TermStatistics): Map<number, number> {
  const asked = [...weights].filter(([id]) => !speakerIds.has(id));
  const rarity = (id: number) => inverseDocumentFrequency(known.frequencies.get(id) ?? 0, known.chunks);
  return new Map(asked.map(([id, weight]) => [id, weight / rarity(id)]));
}

/** How many words the store contains in another spelling: "week 25" is not missing where it has W25. */
function spelledOtherwise(beside: ReadonlySet<string>, weights: ReadonlyMap<number, number>): number {
  return [...beside].filter((term) => !speakerTerms.has(term) && weights.has(termId(term))).length;
}

function total(values: Iterable<number>): number {
  return [...values].reduce((sum, value) => sum + value, 0);
}

/** Whether all that the store knows of a query is who speaks: "I" of "I lost my passport". */
function tellsSpeakerAlone(weights: ReadonlyMap<number, number>, terms: readonly string[]): boolean {
  const isSaid = (term: string) => !speakerTerms.has(term) && !stopWords.has(term);
  return [...weights.keys()].every((id) => speakerIds.has(id)) && terms.some(isSaid);
}

/**
 * Whether a store holds mostly talk with an assistant: of turns every other names one side, of sessions all do.
 */
async function hearsUsers(store: TermLookup, chunks: number): Promise<boolean> {
  const { frequencies } = await store.lookUp(userIds);
  return total(userIds.map((id) => frequencies.get(id) ?? 0)) >= chunks * usersShareMin;
}

/** How the context is used, now that it is known how rare the words of the query are. */
function useInStore(
  query: string,
  words: AnalyzedQuery,
  { chunks, frequencies }: TermStatistics,
): keyof typeof contextUses {
  const use = useOfContext(query, words);
  const own = inverseDocumentFrequencies(tellingTerms(words).map(termId), frequencies, chunks);
  const rarest = Math.max(0, ...own.values()) / inverseDocumentFrequency(1, chunks);
  return use === 'completes' && rarest > tellingRarity ? 'steers' : use;
}

/** Weights the query's terms that occur by their rarity, their number in the query, and their share of a word. */
function weighTerms(words: AnalyzedQuery, { chunks, frequencies }: TermStatistics): Map<number, number> {
  const frequencyOf = (term: string) => frequencies.get(termId(term)) ?? 0;
  const shares = sharesOf(words, frequencyOf);
  const { ids, counts } = termVector(words.terms);
  const repeated = new Map(Array.from(ids, (id, index) => [id, repetitionWeight(counts[index] ?? 1)]));
  const known = [...new Set(words.terms)].filter((term) => frequencyOf(term) > 0);
  return new Map(
    known.map((term) => {
      if (speakerTerms.has(term)) return [termId(term), speakerWeight];
      const weight = inverseDocumentFrequency(frequencyOf(term), chunks) * (shares.get(term) ?? 1);
      return [termId(term), weight * (repeated.get(termId(term)) ?? 1)];
    }),
  );
}

/** The shares of a word's forms in its weight, together about as much as a word of one form has. */
function sharesOf(
  { secondStems, shares, compounds }: AnalyzedQuery,
  frequencyOf: (term: string) => number,
): Map<string, number> {
  const found = new Map(shares);
  const scale = (term: string, share: number) => found.set(term, (found.get(term) ?? 1) * share);
  for (const [whole, parts] of compounds) {
    // If it is in more chunks than a part, it has no hyphen there, and the parts do not find it.
    const isPartRare = (part: string) => !stopWords.has(part) && frequencyOf(part) < frequencyOf(whole);
    if (!parts.some(isPartRare)) scale(whole, compoundShare);
  }
  for (const [first, second] of secondStems) {
    if (frequencyOf(first) === 0 || frequencyOf(second) === 0) continue;
    found.set(second, Math.max(found.get(second) ?? 0, (found.get(first) ?? 1) * secondStemShare));
    scale(first, 1 - secondStemShare);
  }
  return found;
}

function addContext(
  weights: Map<number, number>,
  { terms, use }: { terms: readonly number[]; use: keyof typeof contextUses },
  { chunks, frequencies }: TermStatistics,
): void {
  const { termShare, shareMax } = contextUses[use];
  const rarities = inverseDocumentFrequencies(terms, frequencies, chunks);
  const found = terms.map((id, fromEnd) => [id, (rarities.get(id) ?? 0) * shareByPlace(fromEnd)] as const);
  const own = total(weights.values());
  const share = own === 0 ? 1 : (shareMax * own) / total(found.map(([, weight]) => weight));
  for (const [id, weight] of found)
    if (weight > 0) weights.set(id, (weights.get(id) ?? 0) + weight * Math.min(termShare, share));
}
