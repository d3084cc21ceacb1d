import model from 'wink-eng-lite-web-model';
import winkNLP from 'wink-nlp';
import { maskIdentifiers } from './identifiers.js';
import type { Identifier } from './identifiers.js';
import { isRole } from './lexicon.js';

/** A word or mark of a sentence. Offsets count within the sentence. */
export interface Token {
  readonly text: string;
  readonly lower: string;
  /** Its universal part of speech (UPOS), such as VERB or PROPN. */
  readonly pos: string;
  readonly start: number;
  readonly end: number;
  /** Set if the token is an identifier. */
  readonly identifier?: Pick<Identifier, 'type' | 'name'>;
}

export interface Sentence {
  readonly text: string;
  readonly tokens: readonly Token[];
}

/** The used part of wink-nlp. Its own types do not tell what tokens can be asked. */
interface Wink {
  readDoc(text: string): WinkTokens & { sentences(): { each(read: (sentence: WinkTokens) => void): void } };
  readonly its: Readonly<Record<'uniqueId' | 'precedingSpaces' | 'pos', unknown>>;
}
interface WinkTokens {
  tokens(): { out<Value = string>(its?: unknown): Value[] };
}

/** wink keeps every word that it has seen, so it is replaced after this many characters. */
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

/** Whether a word in lower case is in wink's English dictionary, which lacks words that are only names. */
export function isEnglishWord(lower: string): boolean {
  const cached = known.get(lower);
  if (cached !== undefined) return cached;
  const { nlp, wordsKnown } = readerFor(lower.length);
  const answer = idsOf(nlp, lower.slice(0, 60)).every((id) => id < wordsKnown);
  if (known.size >= knownWordsMax) known.clear();
  known.set(lower, answer);
  return answer;
}

/**
 * The sentences of a paragraph, with parts of speech; each identifier is one token. Takes linear time,
 * since long paragraphs are read in pieces.
 */
export function readSentences(paragraph: string, identifiers: readonly Identifier[]): Sentence[] {
  const masked = maskIdentifiers(paragraph, identifiers);
  const sentences: Sentence[] = [];
  let next = 0;
  for (let start = 0; start < paragraph.length;) {
    const first = next;
    let end = cutAt(masked, start);
    while ((identifiers[next]?.end ?? Infinity) <= end) next += 1;
    // Identifiers are much shorter than a piece, and are not cut.
    end = Math.min(end, identifiers[next]?.start ?? end);
    const piece = { text: paragraph.slice(start, end), masked: masked.slice(start, end) };
    sentences.push(...readPiece(piece, identifiers.slice(first, next).map(movedBy(-start))));
    start = end;
  }
  return sentences;
}

const movedBy =
  (offset: number) =>
  <Place extends { readonly start: number; readonly end: number }>(place: Place): Place => ({
    ...place,
    start: place.start + offset,
    end: place.end + offset,
  });

function cutAt(text: string, start: number): number {
  if (text.length - start <= pieceCharactersMax) return text.length;
  const piece = text.slice(start, start + pieceCharactersMax);
  const place = Math.max(piece.lastIndexOf('. ') + 1, piece.lastIndexOf(' ', pieceCharactersMax - 1));
  return start + (place > pieceCharactersMax / 2 ? place : pieceCharactersMax);
}

function readPiece(
  { text, masked }: { text: string; masked: string },
  identifiers: readonly Identifier[],
): Sentence[] {
  const { nlp } = readerFor(masked.length);
  const { its } = nlp;
  const sentences: Sentence[] = [];
  let at = 0;
  let next = 0;
  nlp
    .readDoc(masked)
    .sentences()
    .each((item) => {
      const words = item.tokens();
      const spaces = words.out(its.precedingSpaces);
      const spelled = words.out();
      const tags = leadsAsNouns(words.out(its.pos), spelled);
      const begins = at + (spaces[0] ?? '').length;
      const rest = text.slice(begins);
      let end = 0;
      const read = spelled.map((word, index): Token => {
        const start = index === 0 ? 0 : end + (spaces[index] ?? '').length;
        end = start + word.length;
        // In capitals it is a title: in "is COO of" nobody coos.
        const isTitle = /^\p{Lu}+$/u.test(word) && isRole(word.toLowerCase());
        const pos = isTitle || isNameAsVerb(spelled, tags, index) ? 'PROPN' : tags[index];
        return tokenOf(rest, { start, end, pos: pos ?? 'X' });
      });
      at = begins + end;
      const first = next;
      while ((identifiers[next]?.start ?? Infinity) < at) next += 1;
      const own = identifiers.slice(first, next).map(movedBy(-begins));
      sentences.push({ text: rest.slice(0, end), tokens: joinParts(setApart(read, own, rest), rest) });
    });
  return sentences;
}

/** "was born in Hull", "insured with Allied Mutual": a name that was tagged as a verb. */
function isNameAsVerb(words: readonly string[], tags: readonly string[], at: number): boolean {
  if (tags[at] !== 'VERB' || !/^\p{Lu}\p{Ll}+$/u.test(words[at] ?? '')) return false;
  const before = words[at - 1] ?? '';
  if (/^(?:by|for|of|with)$/.test(before))
    return tags[at + 1] === 'PROPN' && /^\p{Lu}/u.test(words[at + 1] ?? '');
  return /^(?:at|from|in|near)$/.test(before) && !/^(?:NOUN|PROPN|ADJ|DET)$/.test(tags[at + 1] ?? '');
}

/**
 * "is research lead at", "as the design lead of": retags "lead" and the words before
 * it, which were taken for verbs.
 */
function leadsAsNouns(tags: string[], words: readonly string[]): string[] {
  const lead = words.indexOf('lead');
  if (lead < 1 || !/^(?:at|for|of)$/.test(words[lead + 1] ?? '')) return tags;
  let at = lead;
  while (at > 0 && lead - at < 2 && !/^(?:an?|as|is|our|the|was)$/.test(words[at - 1] ?? '')) at -= 1;
  if (!/^(?:an?|as|is|our|the|was)$/.test(words[at - 1] ?? '')) return tags;
  return tags.map((tag, index) => (index >= at && index <= lead ? 'NOUN' : tag));
}

function tokenOf(
  text: string,
  { start, end, pos, identifier }: Pick<Token, 'start' | 'end' | 'pos' | 'identifier'>,
): Token {
  const word = text.slice(start, end);
  const token = { text: word, lower: word.toLowerCase(), pos, start, end };
  return identifier ? { ...token, identifier } : token;
}

/** Makes each identifier one token, whatever it is written next to, as in "é" and "a@b.example". */
function setApart(tokens: readonly Token[], identifiers: readonly Identifier[], text: string): Token[] {
  if (identifiers.length === 0) return [...tokens];
  let next = 0;
  let at = 0;
  return tokens.flatMap((token) => {
    const parts: Token[] = [];
    at = Math.max(at, token.start);
    for (let each = identifiers[next]; each && each.start < token.end; each = identifiers[next]) {
      const { start, end } = each;
      if (at < start) parts.push(tokenOf(text, { ...token, start: at, end: start }));
      parts.push(tokenOf(text, { pos: token.pos, start, end, identifier: each }));
      at = end;
      next += 1;
    }
    if (at < token.end) parts.push(tokenOf(text, { ...token, start: at }));
    return parts;
  });
}

/**
 * Makes "Anna-Maria", "D-Ariz" and "Zieliński" one token each. wink cuts at the hyphen, and around letters
 * that it does not know. Identifiers stay as they are.
 */
function joinParts(tokens: readonly Token[], text: string): Token[] {
  const joined: Token[] = [];
  for (let index = 0; index < tokens.length; index += 1) {
    const token = tokens[index];
    const before = joined.at(-1);
    const next = tokens[index + 1];
    if (!token) continue;
    if (before && isOneWord(before, token)) {
      const pos = /^\p{Lu}/u.test(before.text) ? 'PROPN' : before.pos;
      const end = token.start + (/[\p{L}\p{M}](?=[^\p{L}\p{M}]*$)/u.exec(token.text)?.index ?? 0) + 1;
      joined[joined.length - 1] = tokenOf(text, { start: before.start, end, pos });
      // "Nội.": the full stop is a token of its own.
      if (end < token.end) joined.push(tokenOf(text, { start: end, end: token.end, pos: 'PUNCT' }));
      continue;
    }
    if (!before || !next || !isJoint(token, before, next)) {
      joined.push(token);
      continue;
    }
    const pos = before.pos === 'PROPN' || next.pos === 'PROPN' ? 'PROPN' : next.pos;
    joined[joined.length - 1] = tokenOf(text, { start: before.start, end: next.end, pos });
    index += 1;
  }
  return joined;
}

/** Whether two adjacent tokens are one word that wink cut at a letter beyond Latin-1. */
function isOneWord(before: Token, token: Token): boolean {
  return (
    before.end === token.start &&
    !before.identifier &&
    !token.identifier &&
    /[\p{L}\p{M}]$/u.test(before.text) &&
    /^[\p{L}\p{M}]/u.test(token.text) &&
    /[^\0-\u00ff]/.test(before.text + token.text)
  );
}

function isJoint(token: Token, before: Token, next: Token): boolean {
  // "Boston-based" stays divided, since it names a place.
  const isSeat = /^(?:based|headquartered)$/.test(next.lower) && /^\p{Lu}/u.test(before.text);
  return (
    /^[-‐‑_]$/.test(token.text) &&
    !isSeat &&
    before.end === token.start &&
    next.start === token.end &&
    !before.identifier &&
    !next.identifier &&
    /[\p{L}\p{N}]$/u.test(before.text) &&
    /^[\p{L}\p{N}]/u.test(next.text)
  );
}
