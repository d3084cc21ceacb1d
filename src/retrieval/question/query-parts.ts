import { analyze } from '../../text/analyzer.js';

const partsMax = 4;
const wordPattern = /[\p{L}\p{N}\p{M}]+(?:['’-][\p{L}\p{N}\p{M}]+)*/gu;
// Where a clause begins that says something of its own, and where alternatives and conjuncts part.
const seam =
  /[,;:?!]\s+|\b(?:in|of|to|for|by|with|from|at)\s+(?=(?:which|whom|whose|what)\b)|\b(?:who|whom|whose|which|that|where|when|while|and|or|but|than|versus|vs)\b/giu;
const clauseWords = new Set('who whom whose which that where when what how'.split(' '));
const comparing = new Set('both either neither or versus vs than same'.split(' '));
// What opens a question where no mark ends it; "that", "when" and "where" open statements as well.
const questionWords = new Set('who whom whose which what how why'.split(' '));
// What ties one thing to another: "the mayor of the city in which", "Ann's brother".
const ties = new Set('of in by from at near to with'.split(' '));
const tiesMin = 2;
// "to pay", "to advertisers": it ties nothing to a thing of its own. Without it 34 of 206 questions that one text answers no longer look
// as if none did, and all of 303 of two hops still do.
const toAnything =
  /\bto\s+(?=[\p{Ll}\p{N}])(?!(?:the|an?|his|her|its|their|my|our|your|th[eo]se|this|that|which|whom|whose|what)\b)/gu;
// "in fiscal year 2021", "at the end of 2020", "of the third quarter": says when, and ties nothing to anything.
const time =
  /\b(?:in|of|by|from|at|for|during|since)\s+(?:the\s+|early\s+|late\s+|(?:end|start|beginning)\s+of\s+|year[\s-]?end\s+)*(?:(?:fiscal|financial|calendar)\s+)?(?:years?\s+)?(?:(?:fy)?\d{4}s?\b|(?:q[1-4]|h[12]|(?:first|second|third|fourth|last)\s+(?:quarter|half)|january|february|march|april|may|june|july|august|september|october|november|december)\b)/giu;
const wordsMin = 5;
// Of a query that is a whole document nothing is taken apart.
const charactersMax = 600;
const possessive = /['’]s$/;
// To its end where it is not closed.
const quotation = /["“][^"“”]*(?:["”]|$)/g;

/**
 * What a query asks for, one by one: its clauses ("the city | where the director | was born"), alternatives and conjuncts.
 * Empty for a query that is of one piece.
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
 * Whether a query asks for something by what it has to do with something else, so that one text hardly answers it: a
 * question with a clause within, a comparison or two ties that are not of time. A statement is answered by what says the same. By its words
 * alone, in microseconds; English.
 */
export function looksMultiHop(query: string): boolean {
  if (query.length > charactersMax) return false;
  const words = wordsOf(query).map((word) => word.toLowerCase());
  if (words.length < wordsMin) return false;
  if (!asks(query, words)) return false;
  // The question word that everything begins with ("In which city …") opens no clause.
  if (words.slice(2).some((word) => clauseWords.has(word) || comparing.has(word))) return true;
  const tied = wordsOf(query.replace(time, ' ').replace(toAnything, ' ').toLowerCase());
  return tied.filter((word) => ties.has(word) || possessive.test(word)).length >= tiesMin;
}

/** Whether a query names what it asks for in a few words: then what one pass finds first is not to fall behind texts that only have to do with it. */
export function isShort(query: string): boolean {
  return query.length <= charactersMax && wordsOf(query).length < wordsMin;
}

/** Whether it is a question itself, not a text that quotes one, goes on after one, or ends as a sentence that states. */
function asks(query: string, words: readonly string[]): boolean {
  const unquoted = query.replace(quotation, ' ').trim();
  if (unquoted.endsWith('?')) return true;
  return !/[.,;:–—]$/.test(unquoted) && words.slice(0, 2).some((word) => questionWords.has(word));
}

function wordsOf(text: string): string[] {
  return text.match(wordPattern) ?? [];
}
