// Stop words that are found by, in English: of what people say to an assistant hardly anything else tells it from the answers.
// They count for no word of a text's length. By words 40 questions asked of long dialogues have .672 nDCG@10 with them (.608 without;
// .697 BM25 that knows all of them as Lucene does).
export const firstPerson: ReadonlyMap<string, string> = new Map([
  ...['i', 'me', 'my', 'myself', 'im', 'ive'].map((word) => [word, 'i'] as const),
  ...['we', 'our', 'ours', 'ourselves'].map((word) => [word, 'we'] as const),
]);
/** "I'd" and "I'll"; "I'm" and "I've" are stop words. */
export const firstPersonContracted = /^i['’](?:d|ll)$/;

// Of 32 contracts every fourth begins with "ARTICLE I", which "who owns what I post?" found before the terms of the forum.
const numeral =
  /\(i\)|^\s*i[.)]|\b(?:article|section|part|chapter|title|schedule|exhibit|annex|appendix|item|phase|stage|class|type|level|tier|volume|book|war)\s+i(?![\p{L}\d'’])/gimu;

// Who asks what he has told an assistant is not the "I" that would be glad to help. nDCG@10 with this of an assistant's sessions .594 (.561
// without), its turns .378 (.365), each person's own sessions .696 (.684); of sets made afterwards sessions .761 (.745), long ones .803
// (.774), turns .593 (.546), each person's own .872, .939, .694 (.870, .907, .671).
// Times stand before the name, in brackets that may hold others ("[2023/05/20 (Sat) 02:21]") or without any: 45 questions asked of turns .528
// (.519 without those two).
const label =
  /^(?:[[(][^\n]{1,60}?[\])][ -]*|\d{4}[-/]\d\d[-/]\d\d(?:[^\n]{0,30}?[\dmZ)])?? )?(?:role: )?\**(\p{L}[\p{L}\p{N} .'’_-]{0,40})\**[:;]/gmu;
const assistant = /^(?:(?:ai )?assistant|ai|(?:chat)?bot|chatgpt|claude|copilot|gemini)$/i;
const asker = /^(?:user|human)$/i;
const spoken =
  /(?<![\p{L}\p{N}'’._@:/+#&-])(?:i(?:['’](?:d|ll|m|ve))?|me|my|myself|we|ours?|ourselves)(?![\p{L}\p{N}]|[._@:/+#&-]+[\p{L}\p{N}])/giu;

/**
 * The first persons of a text, by their terms, without those of whom it is not that may ask for it: numbers, "(i) and (ii)", "ARTICLE I",
 * where nobody speaks, and what an assistant says of itself where lines tell that it speaks.
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

/** A text without what an assistant says, and that. What stands before the first words of a user is the end of an answer where another follows. */
function partAnswers(text: string): { asked: string; answered: string } {
  const turns = [...text.matchAll(label)].map(({ index, 1: name = '' }) => ({ index, name: name.trim() }));
  if (!turns.some(({ name }) => assistant.test(name))) return { asked: text, answered: '' };
  const opening = { index: 0, name: asker.test(turns[0]?.name ?? '') ? 'assistant' : '' };
  const parts = { asked: '', answered: '' };
  for (const [place, { index, name }] of [opening, ...turns].entries())
    parts[assistant.test(name) ? 'answered' : 'asked'] += text.slice(index, turns[place]?.index);
  return parts;
}
