import winkNLP from 'wink-nlp';
import model from 'wink-eng-lite-web-model';

/** A word or mark of a sentence; offsets count in the text of the sentence. */
export interface Token {
  readonly text: string;
  readonly lower: string;
  /** Universal part of speech. */
  readonly pos: string;
  readonly lemma: string;
  readonly start: number;
  readonly end: number;
}

export interface Sentence {
  readonly text: string;
  readonly tokens: readonly Token[];
}

/** As much of wink-nlp as is used: its own types do not know what tokens can be asked. */
interface Wink {
  readDoc(text: string): WinkTokens & { sentences(): { each(read: (sentence: WinkTokens) => void): void } };
  readonly its: Readonly<Record<'uniqueId' | 'precedingSpaces' | 'pos' | 'lemma', unknown>>;
}
interface WinkTokens {
  tokens(): { out<Value = string>(its?: unknown): Value[] };
}

/** wink keeps every word that it has ever seen; after this many characters it begins anew. */
const charactersPerReaderMax = 20_000_000;
const pieceCharactersMax = 4_000;

let reader: { nlp: Wink; wordsKnown: number; characters: number } | undefined;

function readerFor(characters: number): NonNullable<typeof reader> {
  if (!reader || reader.characters > charactersPerReaderMax) {
    const nlp = winkNLP(model, ['sbd', 'pos']) as unknown as Wink;
    reader = { nlp, wordsKnown: idsOf(nlp, 'zzqxv')[0] ?? 0, characters: 0 };
  }
  reader.characters += characters;
  return reader;
}

function idsOf(nlp: Wink, text: string): number[] {
  return nlp.readDoc(text).tokens().out<number>(nlp.its.uniqueId);
}

const known = new Map<string, boolean>();
const knownWordsMax = 20_000;

/** Whether a word in lower case stands in an English dictionary: names that nothing else is called do not. */
export function isEnglishWord(lower: string): boolean {
  const cached = known.get(lower);
  if (cached !== undefined) return cached;
  const { nlp, wordsKnown } = readerFor(lower.length);
  const answer = idsOf(nlp, lower.slice(0, 60)).every((id) => id < wordsKnown);
  if (known.size >= knownWordsMax) known.clear();
  known.set(lower, answer);
  return answer;
}

/** The sentences of a paragraph with parts of speech. Linear: long paragraphs are read in pieces. */
export function readSentences(paragraph: string): Sentence[] {
  const sentences: Sentence[] = [];
  for (let start = 0; start < paragraph.length;) {
    const end = cutAt(paragraph, start);
    sentences.push(...readPiece(paragraph.slice(start, end)));
    start = end;
  }
  return sentences;
}

function cutAt(text: string, start: number): number {
  if (text.length - start <= pieceCharactersMax) return text.length;
  const piece = text.slice(start, start + pieceCharactersMax);
  const place = Math.max(piece.lastIndexOf('. ') + 1, piece.lastIndexOf(' ', pieceCharactersMax - 1));
  return start + (place > pieceCharactersMax / 2 ? place : pieceCharactersMax);
}

function readPiece(text: string): Sentence[] {
  const { nlp } = readerFor(text.length);
  const { its } = nlp;
  const sentences: Sentence[] = [];
  nlp
    .readDoc(text)
    .sentences()
    .each((item) => {
      const tokens = item.tokens();
      const texts = tokens.out();
      const spaces = tokens.out(its.precedingSpaces);
      const tags = tokens.out(its.pos);
      const lemmas = tokens.out(its.lemma);
      let at = 0;
      const read = texts.map((word, index): Token => {
        const start = index === 0 ? 0 : at + (spaces[index] ?? '').length;
        at = start + word.length;
        const lower = word.toLowerCase();
        return { text: word, lower, pos: tags[index] ?? 'X', lemma: lemmas[index] ?? lower, start, end: at };
      });
      const whole = texts.map((word, index) => (index === 0 ? word : (spaces[index] ?? '') + word)).join('');
      sentences.push({ text: whole, tokens: joinParts(read, whole) });
    });
  return sentences;
}

/** "Anna-Maria" and "D-Ariz" are one word each; wink cuts at the hyphen. */
function joinParts(tokens: readonly Token[], text: string): Token[] {
  const joined: Token[] = [];
  for (let index = 0; index < tokens.length; index += 1) {
    const token = tokens[index];
    const before = joined.at(-1);
    const next = tokens[index + 1];
    if (!token) continue;
    const isJoint =
      /^[-‐‑]$/.test(token.text) &&
      before !== undefined &&
      before.end === token.start &&
      next?.start === token.end &&
      /[\p{L}\p{N}]$/u.test(before.text) &&
      /^[\p{L}\p{N}]/u.test(next.text);
    if (!isJoint || !before || !next) {
      joined.push(token);
      continue;
    }
    const word = text.slice(before.start, next.end);
    const pos = before.pos === 'PROPN' || next.pos === 'PROPN' ? 'PROPN' : next.pos;
    joined[joined.length - 1] = {
      ...before,
      text: word,
      lower: word.toLowerCase(),
      lemma: word.toLowerCase(),
      pos,
      end: next.end,
    };
    index += 1;
  }
  return joined;
}
