import { newStem, termId } from '../../text/analyzer.js';
import type { AnalyzedQuery } from '../../text/analyzer.js';
import { formsInAnyLanguage } from '../../text/any-language.js';
import { inverseDocumentFrequency } from '../../text/bm25.js';
import { spellingVariants } from '../../text/spelling.js';
import type { TermLookup } from './store-statistics.js';

const variantsMax = 3;
const misspelledTermsMax = 4;
const misspelledCharactersMin = 5;
// Of such words the stemmer leaves the plural as it is: cds, ndas, pdfs.
const abbreviations = /^[^aeiouy]{2}[a-z]?s$/;
// The weight of each of the two words in a compound (Informationssystem), and of the stem of a word in a language
// that nothing tells. If the compound itself is known, both have at most this share of its weight.
const compoundPartShare = 0.7;

/** A term that occurs, and in how many chunks. */
export interface KnownTerm {
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

/** The known terms that a word of the query stands for. */
interface Parted extends Omit<Ways, 'ways'> {
  readonly parts: readonly KnownTerm[];
}

/** The share of the parts' weight that counts: together no more than the word's own weight, if it is known. */
export function shareOfParts(
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
export async function findParts(
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

/** The known terms one typing error away from words that the store does not know, at most three for each. */
export async function findVariants(
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

/**
 * Slips occur within words; another first letter, or a short word, is more often another word, unless it looks like an
 * abbreviation in the plural.
 */
function likelyMeant(word: string): string[] {
  if (word.length < misspelledCharactersMin) return abbreviations.test(word) ? [word.slice(0, -1)] : [];
  return spellingVariants(word).filter((variant) => variant.startsWith(word.charAt(0)));
}
