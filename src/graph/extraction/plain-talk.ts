import { stopWords } from '../../text/stop-words.js';
import { mayBeFirstName } from './lexicon.js';
import { endsSmallPlace } from './name-spans.js';
import { mayNameSystem } from './technical-nouns.js';

/** What names, fields, code and addresses are written with, besides capitals at the beginning of a word. */
const signs = /[^\P{L}a-z]|[:@`&+/|<>_#*=~^\\{}[\]]|[\p{L}\d][-‐‑][\p{L}\d]/iu;
/** Capitals within a word or in two words in a row. */
const capitals = /[A-Za-z\d][A-Z]|[A-Z]\S*\s+[A-Z]/;
/** Days have a number and a month. */
const day =
  /\d.*\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)|\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec).*\d/is;
const capitalized = /[A-Z][a-z]*(?:['’][a-z]*)?/g;
const contracted = new Set(['d', 'll', 'm', 're', 's', 've']);
/** They name nobody either. */
const greetings = new Set(['hello', 'hey', 'hi', 'ok', 'okay', 'please', 'thanks', 'yes']);

/**
 * Whether it can be seen that a text names nothing, before its words are read: most short messages. Only words of which
 * no name begins have a capital, and nothing else is a sign of one.
 */
export function namesNothing(text: string): boolean {
  if (signs.test(text) || capitals.test(text) || day.test(text) || mayNameSystem(text)) return false;
  for (const { 0: match, index } of text.matchAll(capitalized)) {
    const [word = '', suffix] = match.toLowerCase().split(/['’]/);
    if (suffix !== undefined && !contracted.has(suffix)) return false;
    const isFree = stopWords.has(word) && !mayBeFirstName(word);
    const isGreeting = greetings.has(word) && !endsSmallPlace(text.slice(index + match.length));
    if (!isFree && !isGreeting) return false;
  }
  return true;
}
