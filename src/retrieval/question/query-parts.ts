import { analyze } from '../../text/analyzer.js';
import { anyRelative } from '../../text/relatives.js';

const partsMax = 4;
const wordPattern = /[\p{L}\p{N}\p{M}]+(?:['’-][\p{L}\p{N}\p{M}]+)*/gu;
// Where a clause of its own begins, and where alternatives and conjuncts part.
const seam =
  /[,;:?!]\s+|\b(?:in|of|to|for|by|with|from|at)\s+(?=(?:which|whom|whose|what)\b)|\b(?:who|whom|whose|which|that|where|when|while|and|or|but|than|versus|vs)\b/giu;
const clauseWords = new Set('who whom whose which that where when what how'.split(' '));
const comparing = new Set('both either neither or versus vs than same'.split(' '));
// These open a question even without a question mark; "that", "when" and "where" do not count, because they
// open statements too.
const questionWords = new Set('who whom whose which what how why'.split(' '));
// Words that tie one thing to another: "the mayor of the city in which", "Ann's brother".
const ties = new Set('of in by from at near to with'.split(' '));
const tiesMin = 2;
// "to pay", "to advertisers": this "to" ties nothing to a thing of its own. Because of this rule, 34 of 206
// questions that one text answers no longer look like multi-hop questions, and all of 303 two-hop questions
// still do.
const toAnything =
  /\bto\s+(?=[\p{Ll}\p{N}])(?!(?:the|an?|his|her|its|their|my|our|your|th[eo]se|this|that|which|whom|whose|what)\b)/gu;
// "in fiscal year 2021", "at the end of 2020", "of the third quarter": these say when, and tie nothing to
// anything.
const time =
  /\b(?:in|of|by|from|at|for|during|since)\s+(?:the\s+|early\s+|late\s+|(?:end|start|beginning)\s+of\s+|year[\s-]?end\s+)*(?:(?:fiscal|financial|calendar)\s+)?(?:years?\s+)?(?:(?:fy)?\d{4}s?\b|(?:q[1-4]|h[12]|(?:first|second|third|fourth|last)\s+(?:quarter|half)|january|february|march|april|may|june|july|august|september|october|november|december)\b)/giu;
// "the director of Blue Kerosene", "Acme's parent company": one text names them, another tells of their life or origin.
const maker =
  '(?:co-?)?(?:founder|author|writer|director|producer|creator|editor)|novelist|poet|playwright|screenwriter|composer|singer|performer|musician|lyricist|songwriter|inventor|architect|designer|painter|sculptor|artist|discoverer|president|chair(?:man|woman)|ceo|mayor|governor';
const company =
  'parent company|(?:record )?label|record company|publisher|manufacturer|developer|distributor|employer|broadcaster|operator|owner';
const namedBy = (names: string) =>
  new RegExp(
    `\\bthe (?:[\\p{L}-]+ ){0,2}(?:${names})s? (?:of|behind|to) |['’]s (?:\\p{Ll}+ ){0,2}(?:${names})\\b`,
    'iu',
  );
const [somebody, someCompany] = [namedBy(`${maker}|${anyRelative}`), namedBy(company)];
const life =
  /\b(?:born|die[ds]?|death|buried|birth(?:place|day)?|nationality|gr[eo]w up|raised|educated|stud(?:y|ied)|graduated?|alma mater|marr(?:y|ied)|lived?)\b/iu;
const origin = /\b(?:founded|established|started|formed|based|headquartered|located|seat)\b/iu;
const wordsMin = 5;
// A longer query is a document, and is not taken apart.
const charactersMax = 600;
const possessive = /['’]s$/;
// An unclosed quotation reaches to the end.
const quotation = /["“][^"“”]*(?:["”]|$)/g;

/**
 * The parts of a query, at most 4: its clauses ("the city | where the director | was born"), alternatives and
 * conjuncts. Empty for a query that is of one piece.
 */
export function partsOf(query: string): string[] {
  if (query.length > charactersMax) return [];
  const parts = query
    .split(seam)
    .map((part) => part.trim().replace(/[?!.,;:]+$/, ''))
    .filter((part) => wordsOf(part).length > 0 && analyze(part).length > 0);
  const distinct = [...new Set(parts)];
  return distinct.length > 1 ? distinct.slice(0, partsMax) : [];
}

/**
 * Whether a query describes what it asks for by its relation to something else, so that one text will hardly
 * answer it: a question with an inner clause, a comparison, or two ties that do not say when. A statement
 * never counts, because a text that says the same answers it. Judged by English words alone, in microseconds.
 */
export function looksMultiHop(query: string): boolean {
  if (query.length > charactersMax) return false;
  const words = wordsOf(query).map((word) => word.toLowerCase());
  if (words.length < wordsMin) return false;
  if (!asks(query, words)) return false;
  // The question word at the beginning ("In which city …") opens no inner clause.
  if (words.slice(2).some((word) => clauseWords.has(word) || comparing.has(word))) return true;
  if (asksOfAnother(query)) return true;
  const tied = wordsOf(query.replace(time, ' ').replace(toAnything, ' ').toLowerCase());
  return tied.filter((word) => ties.has(word) || possessive.test(word)).length >= tiesMin;
}

/** Whether it asks for the life or origin of whoever made something, leads it, owns it or is related to somebody. */
function asksOfAnother(query: string): boolean {
  return (somebody.test(query) && life.test(query)) || (someCompany.test(query) && origin.test(query));
}

/**
 * Whether a query names what it asks for in a few words. Then the first hits of one pass must not fall behind
 * texts that are only related to it.
 */
export function isShort(query: string): boolean {
  return query.length <= charactersMax && wordsOf(query).length < wordsMin;
}

/**
 * Whether a text asks a question itself: not if it only quotes one, goes on after one, or ends like a
 * statement.
 */
function asks(query: string, words: readonly string[]): boolean {
  const unquoted = query.replace(quotation, ' ').trim();
  if (unquoted.endsWith('?')) return true;
  return !/[.,;:–—]$/.test(unquoted) && words.slice(0, 2).some((word) => questionWords.has(word));
}

function wordsOf(text: string): string[] {
  return text.match(wordPattern) ?? [];
}
