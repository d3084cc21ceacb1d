/**
 * English stop words that are still searched by, each with its term: hardly anything else distinguishes what
 * people tell an assistant from its answers. They do not count towards the length of a text. In keyword search
 * 40 questions about long dialogues have .672 nDCG@10 with them (.608 without; .697 with a BM25 that, like
 * Lucene, indexes all of them).
 */
export const firstPerson: ReadonlyMap<string, string> = new Map([
  ...['i', 'me', 'my', 'myself', 'im', 'ive'].map((word) => [word, 'i'] as const),
  ...['we', 'our', 'ours', 'ourselves'].map((word) => [word, 'we'] as const),
]);
/** The terms that say who speaks, and nothing of what about. */
export const speakerTerms: ReadonlySet<string> = new Set(firstPerson.values());
/** "I'd" and "I'll". "I'm" and "I've" are stop words. */
export const firstPersonContracted = /^i['’](?:d|ll)$/;

// Numerals that look like "I". Of 32 contracts every fourth begins with "ARTICLE I", which "who owns what I
// post?" found before the terms of the forum.
const numeral =
  /\(i\)|^\s*i[.)]|\b(?:article|section|part|chapter|title|schedule|exhibit|annex|appendix|item|phase|stage|class|type|level|tier|volume|book|war)\s+i(?![\p{L}\d'’])/gimu;

// Speaker labels. Someone who asks what he told an assistant does not mean the "I" of the assistant's "I
// would be glad to help". With this, nDCG@10 on an assistant's sessions is .594 (.561 without), on its
// turns .378 (.365), on each person's own sessions .696 (.684). On sets made afterwards: sessions .761
// (.745), long ones .803 (.774), turns .593 (.546), each person's own .872, .939, .694 (.870, .907, .671).
// Before the name there may be a time, in brackets that may contain others ("[2023/05/20 (Sat) 02:21]") or
// without any: 45 questions about turns have .528 (.519 without those two forms).
const label =
  /^(?:[[(][^\n]{1,60}?[\])][ -]*|\d{4}[-/]\d\d[-/]\d\d(?:[^\n]{0,30}?[\dmZ)])?? )?(?:role: )?\**(\p{L}[\p{L}\p{N} .'’_-]{0,40})\**[:;]/gmu;
const assistant = /^(?:(?:ai )?assistant|ai|(?:chat)?bot|chatgpt|claude|copilot|gemini)$/i;
const asker = /^(?:user|human)$/i;
const spoken =
  /(?<![\p{L}\p{N}'’._@:/+#&-])(?:i(?:['’](?:d|ll|m|ve))?|me|my|myself|we|ours?|ourselves)(?![\p{L}\p{N}]|[._@:/+#&-]+[\p{L}\p{N}])/giu;

/**
 * Removes those terms of the first person that cannot be the asker: numerals ("(i) and (ii)", "ARTICLE I"),
 * and what an assistant says of itself where the text has speaker labels.
 */
export function ofAsker(persons: readonly string[], text: string): readonly string[] {
  if (persons.length === 0) return persons;
  const { asked, answered } = partAnswers(text);
  const others = new Map([['i', asked.match(numeral)?.length ?? 0]]);
  for (const [word] of answered.matchAll(spoken)) {
    const term = firstPerson.get(word.toLowerCase()) ?? 'i';
    others.set(term, (others.get(term) ?? 0) + 1);
  }
  return persons.filter((term) => {
    const left = others.get(term) ?? 0;
    others.set(term, left - 1);
    return left <= 0;
  });
}

/**
 * Divides a text into what users say and what an assistant says. Text before the first label of a user is
 * the end of an answer, if an assistant speaks in the text at all.
 */
function partAnswers(text: string): { asked: string; answered: string } {
  const turns = [...text.matchAll(label)].map(({ index, 1: name = '' }) => ({ index, name: name.trim() }));
  if (!turns.some(({ name }) => assistant.test(name))) return { asked: text, answered: '' };
  const opening = { index: 0, name: asker.test(turns[0]?.name ?? '') ? 'assistant' : '' };
  const parts = { asked: '', answered: '' };
  for (const [place, { index, name }] of [opening, ...turns].entries())
    parts[assistant.test(name) ? 'answered' : 'asked'] += text.slice(index, turns[place]?.index);
  return parts;
}
