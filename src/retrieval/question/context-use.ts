import { analyzeQuery } from '../../text/analyzer.js';
import type { AnalyzedQuery } from '../../text/analyzer.js';
import { speakerTerms } from '../../text/first-person.js';
import { namesInQuestion } from '../../text/names.js';
import { stopWords } from '../../text/stop-words.js';

/** How much a context counts beside its query. */
interface ContextUse {
  /** The share of its rarity that each of its terms weighs. */
  readonly termShare: number;
  /** What all of its terms weigh at most, as a share of the query's. */
  readonly shareMax: number;
  /** The weight of its vector against that of the query. */
  readonly meaningShare: number;
}

// Made with 121 questions, of which 16 stand alone: their reciprocal rank is .955 (.928 when only a word like "it"
// refers back, and the end of a context counts like its beginning; .83 with the context in front of the query). Of
// 72 more (they chose the rule of rarity too), the 42 that go on have .982 (.927; .923 in front), and the 30 that
// stand alone .961 (.961; .978 without their contexts, .334 in front). By meaning alone the 121 have .876 (.724
// with .3 for each use).
export const contextUses = {
  /** The query asks completely. */
  steers: { termShare: 0.3, shareMax: 0.5, meaningShare: 0.3 },
  /** The query hardly says what it is about. */
  completes: { termShare: 0.5, shareMax: 1, meaningShare: 0.6 },
  /** The query refers to something said before. */
  isMeant: { termShare: 1, shareMax: 2, meaningShare: 1 },
  /** The query says nothing itself: "what should I do?" */
  answers: { termShare: 1, shareMax: Infinity, meaningShare: 1 },
} as const satisfies Record<string, ContextUse>;

// A query with more words of its own asks completely, even if it refers to something.
const followUpTermsMax = 2;
const refersBack = /\b(?:it|its|they|them|their|he|him|his|she|her)\b|\b(?:that|this|these|those)\W*$/i;
// "How many are there?" refers to nothing.
const refersToPlace = /(?<!\b(?:is|are|was|were)\s+)\bthere\W*$/i;
const continues = /^\W*(?:and|but|what about|how about)\b/i;
// "And for Berlin?" asks the same of something else, which must not be lost beside what was said.
const turnsTo =
  /^\W*(?:(?:and|but) (?:for|in|at|on|with|of|from|about|to)|(?:(?:and|but) )?(?:what|how) about)\b/i;

/** The words of a query that tell what it is about. */
export function tellingTerms({ terms, beside }: AnalyzedQuery): readonly string[] {
  const isTelling = (term: string) => !(beside.has(term) || speakerTerms.has(term) || stopWords.has(term));
  return [...new Set(terms.filter(isTelling))];
}

/** How a context is used. A query with a name is about that name, unless it continues an earlier one. */
export function useOfContext(query: string, words = analyzeQuery(query)): keyof typeof contextUses {
  const telling = tellingTerms(words).length;
  if (telling === 0) return 'answers';
  if (telling > followUpTermsMax) return 'steers';
  const hasName = namesInQuestion(query, 1).length > 0;
  if (continues.test(query))
    return (hasName || turnsTo.test(query)) && !refersBack.test(query) ? 'completes' : 'isMeant';
  if (hasName) return 'steers';
  if (refersBack.test(query) || refersToPlace.test(query)) return 'isMeant';
  // What speakers ask about themselves is not about what was said before.
  const isOfSpeaker = words.terms.some((term) => speakerTerms.has(term));
  return query.trimEnd().endsWith('?') && !isOfSpeaker ? 'completes' : 'steers';
}

// The last terms of a context count whole, those before them half as much every so many: a conversation has come
// to what it ends with.
const lastTerms = 8;
const halfLifeTerms = 8;

/** The share of each term of a context by its place, counted from the end. */
export function shareByPlace(fromEnd: number): number {
  return 0.5 ** (Math.max(0, fromEnd - lastTerms) / halfLifeTerms);
}
