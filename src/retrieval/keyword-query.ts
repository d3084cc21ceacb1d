import { analyze, analyzeQuery, newStem, termId, termVector } from '../text/analyzer.js';
import type { AnalyzedQuery } from '../text/analyzer.js';
import { formsInAnyLanguage } from '../text/any-language.js';
import { inverseDocumentFrequencies, inverseDocumentFrequency } from '../text/bm25.js';
import { firstPerson } from '../text/first-person.js';
import { namesIn } from '../text/names.js';
import { stopWords } from '../text/stop-words.js';
import { spellingVariants } from '../text/spelling.js';
import type { TermStatistics } from './lanes.queries.js';
import { rareCodes } from './rare-codes.js';

/** What the keyword lane asks of a store: the weight of each term, and which terms nominate chunks for scoring. */
export interface KeywordQuery {
  readonly weights: ReadonlyMap<number, number>;
  /** What all words of the query weigh, those that the store does not know as much as any. */
  readonly whole: number;
  /** How many words of the query each term stands for: 1, or a share of one. Who speaks is none. */
  readonly counts: ReadonlyMap<number, number>;
  /** How many words it has. */
  readonly words: number;
  readonly nominators: readonly number[];
  /** Those that may nominate, the rarest first, with the number of chunks of the store that hold each. */
  readonly rarestFirst: readonly (readonly [term: number, chunks: number])[];
  /** See rareCodes; none where words stand for themselves alone. */
  readonly codes: readonly number[];
}

/** What is known of a query beside its words. */
export interface KeywordOptions {
  /** Text whose terms weigh less than the query's. */
  readonly context?: string | null;
  /** Days, months and years that are meant: an item of one of them is found by it. */
  readonly dates?: readonly string[];
  /** Words stand for themselves alone: no typing errors are looked for. */
  readonly exact?: boolean;
  /** Every word may be a typing error, also one that the store knows: nothing that may be found holds it. */
  readonly respell?: boolean;
}

/** What is asked of a store, or of one of several that are searched together. */
export interface TermLookup {
  /** How often terms occur, in all that is searched: so scores of several stores may be compared. */
  lookUp(terms: readonly number[]): Promise<TermStatistics>;
  /** Of the terms that were looked up, how often they occur in the store itself. */
  readonly here: ReadonlyMap<number, number>;
  /** Of many terms those that may occur: asked first, because most do not. */
  mayHold(terms: readonly number[]): Promise<readonly number[]>;
}

// How many chunks the rarer terms of a query may nominate for scoring.
const nominatedChunksMin = 2000;
const nominatedShareMax = 0.05;
// Scoring takes some 2 µs a chunk: with a share alone queries of a million chunks would take ten times those of 100,000.
const nominatedChunksMax = 10_000;
// A word that may have been meant counts less than one that was written.
const variantShare = 0.6;
const variantsMax = 3;
const misspelledTermsMax = 4;
const misspelledCharactersMin = 5;
// How much of a word's weight its second stem has (the stem in another language, or that of the word which it
// is an irregular form of) beside its English one. With both whole, 250 queries a language had .005 to .03
// nDCG@10 less in Latin letters, .035 and .05 in Cyrillic ones (short descriptions of packages that ask for
// their long ones).
const secondStemShare = 0.6;
// Of a compound what it is as a whole, beside its parts (German .014, English .005 with the same queries).
const compoundShare = 0.3;
// Of a compound in one word (Informationssystem) each of the two words that it is made of, and of a word what it is in a language
// that nothing tells. Where the compound is known, both together have at most as much of it.
const compoundPartShare = 0.7;
// How much of a context counts: each of its terms beside one of the query, and all of them together beside the whole query. Of 27 questions
// like "when does it end?" with a sentence of context the answer has a reciprocal rank of .91 (.76 when it only steers).
const contextUses = {
  /** The query is asked whole. */
  steers: { termShare: 0.3, shareMax: 0.5 },
  /** It hardly says what it is about. */
  completes: { termShare: 0.5, shareMax: 1 },
  /** It says that this was said before. */
  isMeant: { termShare: 1, shareMax: 2 },
  /** It says nothing: "what should I do?" */
  answers: { termShare: 1, shareMax: Infinity },
} as const;
const contextTermsMax = 200;
// A query of more words of its own is asked whole, whatever it refers to besides.
const followUpTermsMax = 2;
const refersBack = /\b(?:it|its|they|them|their|he|him|his|she|her)\b|\b(?:that|this|these|those)\W*$/i;
// "How many are there?" refers to nothing.
const refersToPlace = /(?<!\b(?:is|are|was|were)\s+)\bthere\W*$/i;
const continues = /^\W*(?:and|but|what about|how about)\b/i;

// The first person tells who speaks, not what of: how rare it is says nothing. By half of what its rarity says, answers about money and
// contracts, where hardly anybody says "I", were found by that, and of turns, where every third says it, it told too little. nDCG@10 by
// that, and with 1, this and 1.5: an assistant's turns .353, .365, .365, .375; its sessions .550, .557, .561, .561; contracts in plain speech
// .712, .719, .719, .713; layman's questions .466, .468 with all three.
const speakerWeight = 1.25;
const speakers = new Set(firstPerson.values());
const speakerIds = new Set([...speakers].map(termId));
// Where so many chunks say "User:", who asks is who speaks there, also where nothing else of a question is known: of twelve such questions
// of small stores nDCG@10 is .43 (.19 without). Of a help desk's pages "I" tells nothing: eight questions .76 (.39 by whoever says "I").
const usersShareMin = 0.4;
const userIds = ['user', 'human'].map(newStem).map(termId);

/**
 * What a paragraph that is asked with says again and again is its topic. With documents as queries the square root gains .005 to
 * .024 nDCG@10 over counting a term once (vaswani, musique, hotpotqa); short questions hardly repeat themselves.
 */
function repetitionWeight(count: number): number {
  return Math.sqrt(count);
}

/**
 * Weighs the terms of a query by their rarity in a store. A word that the store does not know at all stands for those
 * that it knows one typing error away. Undefined when nothing of the query occurs there.
 */
export async function buildKeywordQuery(
  query: string,
  store: TermLookup,
  { context = null, dates = [], exact = false, respell = false }: KeywordOptions = {},
): Promise<KeywordQuery | undefined> {
  const words = analyzeQuery(query);
  const { terms: analyzed, secondStems, beside } = words;
  const terms = new Map(analyzed.map((term) => [termId(term), term]));
  const contextTerms = context === null ? [] : [...new Set(analyze(context).map(termId))];
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
  // A word that is known in another form is written well, and so is what known words make up.
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
  // "Week 25" where the store knows W25 is not missing there.
  const spelled = [...beside].filter((term) => !speakers.has(term) && weights.has(termId(term))).length;
  const missing = Math.max(0, unknown.length - variants.length - guessed - spelled);
  const whole = missing * inverseDocumentFrequency(0, chunks) + total(weights.values());
  // An item has one of them at most: so they are no part of what all words weigh.
  for (const [id, weight] of inverseDocumentFrequencies(dateTerms, known.frequencies, chunks))
    weights.set(id, Math.max(weight, weights.get(id) ?? 0));
  const own = [...weights.keys()];
  const use = useOfContext(query, words);
  addContext(weights, { terms: contextTerms, use }, known);
  if (weights.size === 0) return undefined;
  // The context nominates only where the query says little: else it is to steer, not to answer.
  const nominating = own.length > 0 && use === 'steers' ? own : [...weights.keys()];
  const codes = exact ? [] : rareCodes(words, known);
  const counted = { counts, words: missing + total(counts.values()) };
  return { weights, whole, ...counted, ...nominatorsOf(nominating, store, chunks), codes };
}

/** How many words known terms stand for: however rare they are, so that it says nothing of texts that are not found. */
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

/** Whether of all that a query says the store knows only who speaks: "I" of "I lost my passport". */
function tellsSpeakerAlone(weights: ReadonlyMap<number, number>, terms: readonly string[]): boolean {
  const isSaid = (term: string) => !speakers.has(term) && !stopWords.has(term);
  return [...weights.keys()].every((id) => speakerIds.has(id)) && terms.some(isSaid);
}

/** Whether a store holds mostly what users say to an assistant, and what it answers: by turns one of two, by sessions all name them. */
async function hearsUsers(store: TermLookup, chunks: number): Promise<boolean> {
  const { frequencies } = await store.lookUp(userIds);
  return total(userIds.map((id) => frequencies.get(id) ?? 0)) >= chunks * usersShareMin;
}

/** What a context is to a query: one that names somebody is about them, unless it goes on with what was asked before. */
function useOfContext(query: string, { terms, beside }: AnalyzedQuery): keyof typeof contextUses {
  const isTelling = (term: string) => !(beside.has(term) || speakers.has(term) || stopWords.has(term));
  const telling = new Set(terms.filter(isTelling)).size;
  if (telling === 0) return 'answers';
  if (telling > followUpTermsMax) return 'steers';
  if (continues.test(query)) return 'isMeant';
  if (namesIn(query.replace(/^\P{L}*\p{L}+/u, ''), 1).length > 0) return 'steers';
  if (refersBack.test(query) || refersToPlace.test(query)) return 'isMeant';
  // What the speaker asks of herself is as telling as another word.
  const own = telling + (terms.some((term) => speakers.has(term)) ? 1 : 0);
  return own <= 1 && query.trimEnd().endsWith('?') ? 'completes' : 'steers';
}

/** The terms of a query that a store knows, by their rarity there, how often the query has them, and their share of its words. */
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

/** What the forms of a word have of its weight: together about as much as a word of one form. */
function sharesOf(
  { secondStems, shares, compounds }: AnalyzedQuery,
  frequencyOf: (term: string) => number,
): Map<string, number> {
  const found = new Map(shares);
  const scale = (term: string, share: number) => found.set(term, (found.get(term) ?? 1) * share);
  for (const [whole, parts] of compounds) {
    // Where it is in more chunks than a part of it, it is written without its hyphen there: the parts do not say it.
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

/** A term, its forms in the query, and other terms that it may stand for: one, or two that it is made of, one in a row. */
interface Ways {
  readonly forms: readonly string[];
  readonly ways: readonly (readonly string[])[];
  /** It may be a typing error all the same. */
  readonly isGuess: boolean;
}

interface Parted extends Omit<Ways, 'ways'> {
  readonly parts: readonly KnownTerm[];
}

/** How much of their weight the parts of a word have: where it is known, together no more than of the word's. */
function shareOfParts(
  { forms, parts }: Parted,
  weights: ReadonlyMap<number, number>,
  chunks: number,
): number {
  const whole = forms.reduce((sum, form) => sum + (weights.get(termId(form)) ?? 0), 0);
  const own = parts.reduce((sum, { frequency }) => sum + inverseDocumentFrequency(frequency, chunks), 0);
  return compoundPartShare * (whole > 0 ? Math.min(1, whole / own) : 1);
}

/** What the words of a query may be made of, and what those that the store does not know may be in any language, where none is told. */
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
 * What each word of a query may stand for, where the store knows it better than the word: a stem in another language, else the
 * two words that it is made of. Of all ways to part it that whose words are in the most chunks, by their geometric mean (Koehn
 * and Knight, 2003).
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
  const found = inverseDocumentFrequencies(terms, frequencies, chunks);
  const own = total(weights.values());
  const share = own === 0 ? 1 : (shareMax * own) / total(found.values());
  for (const [id, weight] of found)
    weights.set(id, (weights.get(id) ?? 0) + weight * Math.min(termShare, share));
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

/** Fingers slip in the middle of words; what begins otherwise, or is short, is more often another word that the store lacks. */
function likelyMeant(word: string): string[] {
  if (word.length < misspelledCharactersMin) return [];
  return spellingVariants(word).filter((variant) => variant.startsWith(word.charAt(0)));
}

/** The rarest terms, as many as together nominate few enough chunks; at least one. Every term takes part in scoring. */
function chooseNominators(rarestFirst: KeywordQuery['rarestFirst'], budget: number): number[] {
  let nominated = 0;
  return rarestFirst
    .filter(([, frequency], index) => {
      nominated += frequency;
      return index === 0 || nominated <= budget;
    })
    .map(([term]) => term);
}

// Of how many more chunks than before the next terms may be.
const widening = 4;

/** The same query with more nominators: at least the next one, and those that nominate few beside it. Undefined when all do. */
export function widenKeywordQuery(keywords: KeywordQuery): KeywordQuery | undefined {
  const { rarestFirst, nominators } = keywords;
  if (nominators.length >= rarestFirst.length) return undefined;
  const nominated = (count: number) =>
    rarestFirst.slice(0, count).reduce((sum, [, chunks]) => sum + chunks, 0);
  const wider = chooseNominators(rarestFirst, nominated(nominators.length + 1) * widening);
  return { ...keywords, nominators: wider };
}
