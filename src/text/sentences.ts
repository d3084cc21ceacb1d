import { createRequire } from 'node:module';

interface SentenceSplitter {
  methods(): { one: { tokenize: { splitSentences(this: void, text: string, world: object): string[] } } };
  world(): object;
}

// Required, not imported: that loads the library's one bundled file; its 332 separate modules take five
// times as long.
const nlp = createRequire(import.meta.url)('compromise/one') as SentenceSplitter;
const { splitSentences } = nlp.methods().one.tokenize;

/**
 * Splits an English text into sentences, each with the white space behind it, so that joined they are the
 * text again. A text in which the splitter drops a character, such as a blank one, is returned in one
 * piece. Calling nlp() in full would take twenty times as long.
 */
export function sentencesOf(text: string): string[] {
  const sentences = splitSentences(text, nlp.world());
  const characters = sentences.reduce((sum, sentence) => sum + sentence.length, 0);
  return characters === text.length ? sentences : [text];
}
