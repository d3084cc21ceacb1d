import { fold } from './fold.js';
import { stopWords } from './stop-words.js';

// Capitalised words, joined by the small words that names contain. "Leland, North Carolina" is two names.
const namePattern =
  /\p{Lu}[\p{L}\p{N}\p{M}.'’&-]*(?:\s+(?:(?:of|the|de|da|di|du|la|le|van|von|der)\s+){0,2}\p{Lu}[\p{L}\p{N}\p{M}.'’&-]*)*/gu;
// ERR-4042, v1.2: a code may have no capitals. Trailing marks are cut off later.
const codePattern = /[\p{L}\p{N}][\p{L}\p{N}._/:#-]*/gu;
const isCode = /\p{L}.*\p{N}|\p{N}.*\p{L}/u;
const codeCharactersMax = 64;
const nameCharactersMax = 128;
const possessive = /['’]s?$/;
const marks = /[._\/:#&'’-]+$/;
const questionOpening = /^\P{L}*\p{Lu}\p{Ll}*(?=\s|\P{L}*$)/u;
const firstWord = /^(\S+)\s+(?=\S)/;

/**
 * Up to `max` likely names in a text, judged by their looks: runs of capitalised words, and codes. This is
 * cheap and finds too much; the caller looks up which names exist. Capitalised names are not found in
 * scripts without capitals.
 */
export function namesIn(text: string, max: number): string[] {
  const found = new Map<string, string>();
  for (const [run] of text.matchAll(namePattern)) add(found, withoutOpening(run));
  for (const [run] of text.matchAll(codePattern))
    if (run.length <= codeCharactersMax && isCode.test(run)) add(found, run);
  return [...found.values()].slice(0, max);
}

/**
 * The names in a question. Its first word is written with a capital without being a name, unless more capitals
 * or a possessive tell otherwise.
 */
export function namesInQuestion(question: string, max: number): string[] {
  return namesIn(question.replace(questionOpening, ''), max);
}

function add(found: Map<string, string>, name: string): void {
  if (name.length > nameCharactersMax) return;
  const plain = name.replace(marks, '').replace(possessive, '');
  const key = fold(plain);
  if (key.length > 1 && !stopWords.has(key) && !found.has(key)) found.set(key, plain);
}

/**
 * Drops a stop word at the beginning: "In Paris" and "After Karl" are not names. "The Hague" is still found
 * by its other word.
 */
function withoutOpening(run: string): string {
  const [opening, word] = firstWord.exec(run) ?? [];
  return opening !== undefined && word !== undefined && stopWords.has(fold(word))
    ? run.slice(opening.length)
    : run;
}
