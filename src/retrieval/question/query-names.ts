import { emailOf, nameKey, spelledAlso } from '../../graph/entity-key.js';
import { fold } from '../../text/fold.js';
import { isSpelt, spellingVariants } from '../../text/spelling.js';
import { stopWords } from '../../text/stop-words.js';
import { withoutSpaces } from '../../text/undivided-words.js';

/**
 * Words of a query that may name an entity: the key of that name, and the indexes of its first and last word.
 */
export interface NameCandidate {
  readonly key: string;
  readonly first: number;
  readonly last: number;
}

/** A word that may be a misspelt name, and the index of its first occurrence. */
export interface PlainWord {
  readonly word: string;
  readonly at: number;
  /**
   * How the key of a name begins whose last word would be this one and whose first the word before; null when
   * the word before can belong to no name.
   */
  readonly before: string | null;
  /**
   * How the key of a name ends whose first word would be this one and whose last the word behind; null when
   * that one can belong to no name.
   */
  readonly behind: string | null;
}

/** A word that occurs in no text. */
export interface UnknownWord extends PlainWord {
  /** The longest beginning of the word, in letters, with which a name begins; -1 when there are no names. */
  readonly begins: number;
  /** The same for names that begin with the word before; -1 when that one can belong to no name. */
  readonly beginsBehind: number;
}

/** A beginning that names may have, and the names that an unknown word may mean if they do. */
export interface MeantNames {
  readonly beginning: string;
  readonly candidates: readonly NameCandidate[];
}

interface Word {
  readonly start: number;
  readonly end: number;
  /** In the form in which words are indexed. */
  readonly plain: string;
}

// Of a longer query, which is a document, only the beginning is read.
const charactersMax = 2000;
const wordsMax = 100;
const wordsOfNameMax = 6;
const nameCharactersMax = 256;
const emailsMax = 3;
// The corrections of one misspelt word are a few hundred words.
const misspeltWordsMax = 2;
const misspeltCharactersMin = 5;
// With the signs of C++, F# and .NET.
const wordPattern = /(?:(?<!\S)\.)?[\p{L}\p{N}\p{M}]+(?:[+#]+(?!\S))?/gu;
// Looked for only where a run of such characters begins, so that one without an @ is read once.
const emailPattern = /(?<![^\s@:<>,;()"'])[^\s@:<>,;()"']+@[^\s@<>,;()"']+/gu;
const shortNumber = /^\d{1,4}$/;
const segmenter = new Intl.Segmenter('und', { granularity: 'word' });

/** The words of a query, folded, by the indexes that `NameCandidate`s have. */
export function wordsOfQuery(query: string): string[] {
  return wordsOf(query.slice(0, charactersMax))
    .slice(0, wordsMax)
    .map(({ plain }) => plain);
}

/** The names and mail addresses that a query may contain, in upper or lower case. */
export class QueryNames {
  private readonly text: string;
  private readonly words: readonly Word[];
  readonly candidates: readonly NameCandidate[];
  readonly emails: readonly string[];

  constructor(query: string) {
    this.text = query.slice(0, charactersMax);
    this.words = wordsOf(this.text).slice(0, wordsMax);
    this.candidates = this.words.flatMap((_, first) => this.namesFrom(first));
    const addresses = (this.text.match(emailPattern) ?? []).flatMap(
      (found) => emailOf(found.replace(/[.!?]+$/, '')) ?? [],
    );
    this.emails = [...new Set(addresses)].slice(0, emailsMax);
  }

  /** The words that may be misspelt names, if no text contains them. */
  get plainWords(): readonly PlainWord[] {
    const places = new Map<string, number>();
    for (const [at, { plain }] of this.words.entries()) {
      const isPlain = plain.length >= misspeltCharactersMin && isSpelt(plain);
      if (isPlain && !stopWords.has(plain) && !places.has(plain)) places.set(plain, at);
    }
    return [...places].map(([word, at]) => ({ word, at, ...this.around(at) }));
  }

  private namesFrom(first: number): NameCandidate[] {
    const found: NameCandidate[] = [];
    const end = Math.min(first + wordsOfNameMax, this.words.length);
    for (let last = first; last < end; last += 1) {
      const key = this.keyOf(first, last);
      if (key.length > nameCharactersMax) break;
      const named = this.words.slice(first, last + 1).some((_, index) => this.isName(first + index));
      if (!named || shortNumber.test(key)) continue;
      found.push({ key, first, last });
      const also = spelledAlso(key);
      if (also !== undefined) found.push({ key: also, first, last });
    }
    return found;
  }

  private keyOf(first: number, last: number): string {
    return nameKey(this.text.slice(this.words[first]?.start, this.words[last]?.end));
  }

  /** How the key of a name would begin before, and end behind, a plain word, whatever that word is. */
  private around(at: number): Pick<PlainWord, 'before' | 'behind'> {
    const [previous, word, next] = [this.words[at - 1], this.words[at], this.words[at + 1]];
    const before = this.isName(at - 1) ? nameKey(`${this.text.slice(previous?.start, word?.start)}x`) : null;
    const behind = this.isName(at + 1) ? nameKey(`x${this.text.slice(word?.end, next?.end)}`) : null;
    return { before: before && before.slice(0, -1), behind: behind && behind.slice(1) };
  }

  private isName(at: number): boolean {
    const word = this.words[at];
    if (word === undefined || !stopWords.has(word.plain)) return word !== undefined;
    // "the WHO", unless all of the query is in capitals
    return /^\p{Lu}{2,}$/u.test(this.text.slice(word.start, word.end)) && /\p{Ll}/u.test(this.text);
  }
}

/**
 * The names that unknown words may be meant to be: each word corrected, alone and together with the word
 * before or behind. Words that belong to names already found (`taken`) are left out.
 */
export function respell(unknown: readonly UnknownWord[], taken: readonly NameCandidate[]): MeantNames[] {
  const isTaken = (at: number) => taken.some(({ first, last }) => first <= at && at <= last);
  const free = unknown.filter(({ at }) => !isTaken(at));
  return free.slice(0, misspeltWordsMax).flatMap(({ word, at, before, behind, begins, beginsBehind }) => [
    ...spellingVariants(word, begins).map((variant) => ({
      beginning: variant,
      candidates: [
        { key: variant, first: at, last: at },
        ...(behind === null ? [] : [{ key: variant + behind, first: at, last: at + 1 }]),
      ],
    })),
    ...spellingVariants(word, beginsBehind)
      .map((variant) => `${before}${variant}`)
      .map((key) => ({ beginning: key, candidates: [{ key, first: at - 1, last: at }] })),
  ]);
}

/** The longest of the names found; names that lie within or across a chosen one are left out. */
export function longestOf<Found extends NameCandidate>(found: readonly Found[]): Found[] {
  const chosen: Found[] = [];
  const lengthOf = ({ first, last }: NameCandidate) => last - first;
  for (const each of found.toSorted((a, b) => lengthOf(b) - lengthOf(a) || a.first - b.first)) {
    const inTheWay = chosen.some(
      (other) =>
        other.first <= each.last &&
        each.first <= other.last &&
        !(other.first === each.first && other.last === each.last),
    );
    if (!inTheWay) chosen.push(each);
  }
  return chosen;
}

function wordsOf(text: string): Word[] {
  const runs = [...text.matchAll(wordPattern)].map((match) => ({ start: match.index, run: match[0] }));
  return runs.flatMap(({ start, run }) =>
    (withoutSpaces.test(run) ? partsOf(run) : [{ at: 0, part: run }]).map(({ at, part }) => ({
      start: start + at,
      end: start + at + part.length,
      plain: fold(part),
    })),
  );
}

function partsOf(run: string): { at: number; part: string }[] {
  return [...segmenter.segment(run)].map(({ index, segment }) => ({ at: index, part: segment }));
}
