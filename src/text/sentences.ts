import { createRequire } from 'node:module';

interface SentenceSplitter {
  methods(): { one: { tokenize: { splitSentences(this: void, text: string, world: object): string[] } } };
  world(): object;
}

// Required, not imported: that takes the library's one bundled file, for which its 332 modules need five times as long.
const nlp = createRequire(import.meta.url)('compromise/one') as SentenceSplitter;
const { splitSentences } = nlp.methods().one.tokenize;

/**
 * The sentences of an English text, together as long as the text: each with the white space behind it, and a text of which the
 * splitter drops a character, as of a blank one, in one piece. All of nlp() takes twenty times as long.
 */
export function sentencesOf(text: string): string[] {
  const sentences = splitSentences(text, nlp.world());
  const characters = sentences.reduce((sum, sentence) => sum + sentence.length, 0);
  return characters === text.length ? sentences : [text];
}
