import { emailOf, nameKey } from '../graph/entity-key.js';
import { withoutSpaces } from '../text/analyzer.js';
import { fold } from '../text/fold.js';
import { spellingVariants } from '../text/spelling.js';
import { stopWords } from '../text/stop-words.js';

/** Words of a query that may name an entity: the key of their name, and where they stand. */
export interface NameCandidate {
  readonly key: string;
  readonly first: number;
  readonly last: number;
}

interface Word {
  readonly start: number;
  readonly end: number;
  /** As it is indexed. */
  readonly plain: string;
}

// Of a query that is a whole document, the beginning.
const charactersMax = 2000;
const wordsMax = 100;
const wordsOfNameMax = 6;
const nameCharactersMax = 256;
const emailsMax = 3;
// What a typing error may hide is a few hundred words.
const misspeltWordsMax = 2;
const misspeltCharactersMin = 5;
// With the signs of C++, F# and .NET.
const wordPattern = /(?:(?<!\S)\.)?[\p{L}\p{N}\p{M}]+(?:[+#]+(?!\S))?/gu;
const emailPattern = /[^\s@:<>,;()"']+@[^\s@<>,;()"']+/gu;
const shortNumber = /^\d{1,4}$/;
const segmenter = new Intl.Segmenter('und', { granularity: 'word' });

/** The names and addresses that a query may hold, whatever its case. */
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

  /** Words that would be worth a second look if nothing is known of them. */
  get plainWords(): readonly string[] {
    const plain = this.words.map((word) => word.plain).filter((word) => !stopWords.has(word));
    return [...new Set(plain)].filter(
      (word) => word.length >= misspeltCharactersMin && /^[a-z]+$/.test(word),
    );
  }

  /** The names that unknown words may have been meant for: each alone, and with the word before or behind. */
  respelt(unknown: ReadonlySet<string>, taken: readonly NameCandidate[]): NameCandidate[] {
    const isTaken = (at: number) => taken.some(({ first, last }) => first <= at && at <= last);
    const places = this.words.flatMap((word, at) => (unknown.has(word.plain) && !isTaken(at) ? [at] : []));
    return places.slice(0, misspeltWordsMax).flatMap((at) => {
      const spans = [
        [at, at],
        ...(this.isName(at - 1) ? [[at - 1, at]] : []),
        ...(this.isName(at + 1) ? [[at, at + 1]] : []),
      ] as [number, number][];
      return spellingVariants(this.words[at]?.plain ?? '').flatMap((variant) =>
        spans.map(([first, last]) => ({ key: this.keyOf(first, last, { at, variant }), first, last })),
      );
    });
  }

  private namesFrom(first: number): NameCandidate[] {
    const found: NameCandidate[] = [];
    const end = Math.min(first + wordsOfNameMax, this.words.length);
    for (let last = first; last < end; last += 1) {
      const key = this.keyOf(first, last);
      if (key.length > nameCharactersMax) break;
      const named = this.words.slice(first, last + 1).some((_, index) => this.isName(first + index));
      if (named && !shortNumber.test(key)) found.push({ key, first, last });
    }
    return found;
  }

  private keyOf(first: number, last: number, other?: { at: number; variant: string }): string {
    const start = this.words[first]?.start ?? 0;
    const end = this.words[last]?.end ?? 0;
    const replaced = other && this.words[other.at];
    if (!replaced) return nameKey(this.text.slice(start, end));
    return nameKey(
      this.text.slice(start, replaced.start) + other.variant + this.text.slice(replaced.end, end),
    );
  }

  private isName(at: number): boolean {
    const word = this.words[at];
    return word !== undefined && !stopWords.has(word.plain);
  }
}

/** Of what was found the longest names, none within or across another. */
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
