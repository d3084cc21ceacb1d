import { analyze, analyzeQuery, newStem, termId, termVector } from '../../text/analyzer.js';
import type { AnalyzedQuery } from '../../text/analyzer.js';
import { formsInAnyLanguage } from '../../text/any-language.js';
import { inverseDocumentFrequencies, inverseDocumentFrequency } from '../../text/bm25.js';
import { firstPerson } from '../../text/first-person.js';
import { spellingVariants } from '../../text/spelling.js';
import { stopWords } from '../../text/stop-words.js';
import { contextUses, shareByPlace, tellingTerms, useOfContext } from '../question/context-use.js';
import type { TermStatistics } from './lanes.queries.js';
import { rareCodes } from './rare-codes.js';

/** What the keyword lane asks of a store: the weights of terms, and which of them nominate chunks for scoring. */
export interface KeywordQuery {
  readonly weights: ReadonlyMap<number, number>;
  /** The weight of all words of the query, including those that the store does not contain. */
  readonly whole: number;
  /** How many words of the query each term stands for, 1 or less; terms for the speaker ("I") are left out. */
  readonly counts: ReadonlyMap<number, number>;
  readonly words: number;
  /** How many words were written, repeated ones and stop words included. */
  readonly length: number;
  readonly nominators: readonly number[];
  /** Terms that may nominate, rarest first, each with the number of the store's chunks that contain it. */
  readonly rarestFirst: readonly (readonly [term: number, chunks: number])[];
  /** See rareCodes; empty when words stand only for themselves. */
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

/** How the terms of a store, or of several that are searched together, are looked up. */
export interface TermLookup {
  /** How often terms occur in all that is searched, so that scores of several stores can be compared. */
  lookUp(terms: readonly number[]): Promise<TermStatistics>;
  /** How often the terms looked up so far occur in the store itself. */
  readonly here: ReadonlyMap<number, number>;
  /** The terms that may occur; asked first, because most of many do not. */
  mayHold(terms: readonly number[]): Promise<readonly number[]>;
}

// How many chunks the rarer terms of a query may nominate for scoring.
const nominatedChunksMin = 2000;
const nominatedShareMax = 0.05;
// Scoring takes some 2 µs a chunk: with a share alone, a million chunks would take ten times as long as 100,000.
const nominatedChunksMax = 10_000;
// A correction counts less than a word that was written.
const variantShare = 0.6;
const variantsMax = 3;
const misspelledTermsMax = 4;
const misspelledCharactersMin = 5;
// The share of a word's weight that its second stem has (in another language, or of the word whose irregular form
// it is) beside its English one. With both whole, 250 queries a language had .005 to .03 nDCG@10 less in Latin
// letters, .035 and .05 in Cyrillic (short descriptions of packages as queries for their long ones).
const secondStemShare = 0.6;
// The weight of a compound as a whole, beside its parts (German .014, English .005 with the same queries).
const compoundShare = 0.3;
// The weight of each of the two words in a compound (Informationssystem), and of the stem of a word in a language
// that nothing tells. If the compound itself is known, both have at most this share of its weight.
const compoundPartShare = 0.7;
const contextTermsMax = 200;
// A question whose rarest word is nearly as rare as one can be is about that: "when is the regatta?"
const tellingRarity = 0.8;

// "I" tells who speaks, not what about, so its weight does not depend on its rarity. By half its rarity, answers
// on money and contracts, where hardly anybody says "I", were found by it alone; in turns, every third of which
// says it, it told too little. nDCG@10 by that, and with 1, this and 1.5: an assistant's turns .353, .365, .365,
// .375; its sessions .550, .557, .561, .561; contracts in plain speech .712, .719, .719, .713; layman's questions
// .466, .468 with all three.
const speakerWeight = 1.25;
const speakers = new Set(firstPerson.values());
const speakerIds = new Set([...speakers].map(termId));
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
  // "Week 25" is not missing where the store contains W25.
  const spelled = [...beside].filter((term) => !speakers.has(term) && weights.has(termId(term))).length;
  const missing = Math.max(0, unknown.length - variants.length - guessed - spelled);
  const whole = missing * inverseDocumentFrequency(0, chunks) + total(weights.values());
  // An item has one date at most, so dates are not part of the weight of all words.
  for (const [id, weight] of inverseDocumentFrequencies(dateTerms, known.frequencies, chunks))
    weights.set(id, Math.max(weight, weights.get(id) ?? 0));
  const own = [...weights.keys()];
  const use = context === null ? 'steers' : useInStore(query, words, known);
  addContext(weights, { terms: contextTerms, use }, known);
  if (weights.size === 0) return undefined;
  // The context nominates only if the query says little; else it only steers.
  const nominating = own.length > 0 && use === 'steers' ? own : [...weights.keys()];
  const codes = exact ? [] : rareCodes(words, known);
  const counted = { counts, words: missing + total(counts.values()), length: words.wordCodes.length };
  return { weights, whole, ...counted, ...nominatorsOf(nominating, store, chunks), codes };
}

/** How many words known terms stand for, whatever their rarity, which says nothing of what is not found. */
function countWords(weights: ReadonlyMap<number, number>, known: TermStatistics): Map<number, number> {
  const asked = [...weights].filter(([id]) => !speakerIds.has(id));
  const rarity = (id: number) => inverseDocumentFrequency(known.frequencies.get(id) ?? 0, known.chunks);
  return new Map(asked.map(([id, weight]) => [id, weight / rarity(id)]));
}

function nominatorsOf(
  nominating: readonly number[],
  { here }: TermLookup,
  chunks: number,
): Pick<KeywordQuery, 'nominators' | 'rarestFirst'> {
  const rarestFirst = nominating
    .map((term) => [term, here.get(term) ?? 0] as const)
    .filter(([, frequency]) => frequency > 0)
    .sort(([, a], [, b]) => a - b);
  const budget = Math.min(Math.max(nominatedChunksMin, chunks * nominatedShareMax), nominatedChunksMax);
  return { nominators: chooseNominators(rarestFirst, budget), rarestFirst };
}

function total(values: Iterable<number>): number {
  return [...values].reduce((sum, value) => sum + value, 0);
}

/** Whether all that the store knows of a query is who speaks: "I" of "I lost my passport". */
function tellsSpeakerAlone(weights: ReadonlyMap<number, number>, terms: readonly string[]): boolean {
  const isSaid = (term: string) => !speakers.has(term) && !stopWords.has(term);
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
      if (speakers.has(term)) return [termId(term), speakerWeight];
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

interface KnownTerm {
  readonly id: number;
  readonly frequency: number;
}

/** The forms of a term in the query, and the terms that it may stand for: one, or two that it is made of. */
interface Ways {
  readonly forms: readonly string[];
  readonly ways: readonly (readonly string[])[];
  /** Whether it may be a typing error after all. */
  readonly isGuess: boolean;
}

interface Parted extends Omit<Ways, 'ways'> {
  readonly parts: readonly KnownTerm[];
}

/** The share of the parts' weight that counts: together no more than the word's own weight, if it is known. */
function shareOfParts(
  { forms, parts }: Parted,
  weights: ReadonlyMap<number, number>,
  chunks: number,
): number {
  const whole = forms.reduce((sum, form) => sum + (weights.get(termId(form)) ?? 0), 0);
  const own = parts.reduce((sum, { frequency }) => sum + inverseDocumentFrequency(frequency, chunks), 0);
  return compoundPartShare * (whole > 0 ? Math.min(1, whole / own) : 1);
}

/** What words may be made of; in a query of no certain language, the forms of unknown words in any language. */
function waysOf(
  { splits, secondStems, written, isTold }: AnalyzedQuery,
  isKnown: (term: string) => boolean,
): Ways[] {
  if (isTold) {
    const formsOf = (term: string) => [...new Set([term, secondStems.get(term) ?? term])];
    return [...splits].map(([term, ways]) => ({ forms: formsOf(term), ways, isGuess: false }));
  }
  const unknown = [...written].filter(([term]) => !(isKnown(term) || secondStems.has(term)));
  return unknown
    .slice(0, misspelledTermsMax)
    .filter(([, word]) => word.length >= misspelledCharactersMin)
    .map(([term, word]) => ({ forms: [term], ways: formsInAnyLanguage(word), isGuess: true }));
}

/**
 * What words may stand for, if it is more frequent than they: a stem in another language, else the two words that
 * one is made of, split where the geometric mean of frequencies is highest (Koehn and Knight, 2003).
 */
async function findParts(
  words: AnalyzedQuery,
  store: TermLookup,
  known: ReadonlyMap<number, number>,
): Promise<Parted[]> {
  const knownOften = (term: string) => known.get(termId(term)) ?? 0;
  const asked = waysOf(words, (term) => knownOften(term) > 0);
  if (asked.length === 0) return [];
  const held = await store.mayHold([...new Set(asked.flatMap(({ ways }) => ways.flat().map(termId)))]);
  if (held.length === 0) return [];
  const { frequencies } = await store.lookUp(held);
  return asked.flatMap(({ forms, ways, isGuess }) => {
    let most = Math.max(...forms.map(knownOften));
    let parts: readonly KnownTerm[] = [];
    for (const way of ways) {
      const found = way.map(termId).map((id) => ({ id, frequency: frequencies.get(id) ?? 0 }));
      const mean = found.reduce((product, { frequency }) => product * frequency, 1) ** (1 / found.length);
      if (mean > most && !(parts.length === 1 && found.length > 1)) [most, parts] = [mean, found];
    }
    return parts.length > 0 ? [{ forms, parts, isGuess }] : [];
  });
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

async function findVariants(
  unknown: readonly string[],
  { written }: AnalyzedQuery,
  store: TermLookup,
): Promise<KnownTerm[]> {
  const variants = unknown
    .slice(0, misspelledTermsMax)
    .map((term) => [...new Set(likelyMeant(written.get(term) ?? term).map((word) => termId(newStem(word))))]);
  const all = [...new Set(variants.flat())];
  const held = all.length === 0 ? [] : await store.mayHold(all);
  if (held.length === 0) return [];
  const { frequencies } = await store.lookUp(held);
  return variants.flatMap((ids) =>
    ids
      .map((id) => ({ id, frequency: frequencies.get(id) ?? 0 }))
      .filter(({ frequency }) => frequency > 0)
      .sort((a, b) => b.frequency - a.frequency || a.id - b.id)
      .slice(0, variantsMax),
  );
}

/** Slips occur within words; another first letter, or a short word, is more often another word. */
function likelyMeant(word: string): string[] {
  if (word.length < misspelledCharactersMin) return [];
  return spellingVariants(word).filter((variant) => variant.startsWith(word.charAt(0)));
}

/** The rarest terms that together nominate few enough chunks; at least one. All terms take part in scoring. */
function chooseNominators(rarestFirst: KeywordQuery['rarestFirst'], budget: number): number[] {
  let nominated = 0;
  return rarestFirst
    .filter(([, frequency], index) => {
      nominated += frequency;
      return index === 0 || nominated <= budget;
    })
    .map(([term]) => term);
}

// How many times more chunks the next terms may nominate.
const widening = 4;

/** The query with at least one more nominator, and others that nominate few. Undefined when all nominate. */
export function widenKeywordQuery(keywords: KeywordQuery): KeywordQuery | undefined {
  const { rarestFirst, nominators } = keywords;
  if (nominators.length >= rarestFirst.length) return undefined;
  const nominated = (count: number) =>
    rarestFirst.slice(0, count).reduce((sum, [, chunks]) => sum + chunks, 0);
  const wider = chooseNominators(rarestFirst, nominated(nominators.length + 1) * widening);
  return { ...keywords, nominators: wider };
}
