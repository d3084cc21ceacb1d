import { emailOf, nameKey } from '../../graph/entity-key.js';
import { analyze } from '../../text/analyzer.js';
import { QueryNames } from '../question/query-names.js';
import type { AppItem } from './app-lane.queries.js';

// A title with a smaller share of the query's words is hardly what the query asks for.
const titleShareMin = 0.5;
// A first name in lower case may be any word ("phone bill", "prices rose"), except behind these words or with
// an 's.
const beforePeople = new Set('from by to with did does has is was'.split(' '));
// "Mails from Ann", "what did Ann say", "according to Ann" ask for what Ann wrote. "Where does Ann sit" is
// answered by anyone who knows.
const pagesOfPeople =
  /\b(?:e-?mails?|messages?|comments?|notes?|pages?|docs?|documents?|tickets?|issues?|posts?|repl(?:y|ies)|threads?|chats?|tasks?|pull requests?|according to|written by|sent by|assigned to|reported by)\b/i;
const saying = new Set(
  `say says said write writes wrote written tell tells told mention mentions mentioned ask asks asked report reports reported post posts
   posted send sends sent comment comments commented reply replies replied answer answers answered think thinks thought suggest
   suggests suggested propose proposes proposed promise promises promised explain explains explained announce announces announced`.split(
    /\s+/,
  ),
);
const authoring = new Set(['from', 'by']);
// "Ann has never said".
const sayingWordsMax = 3;
const writtenWord = /[\p{L}\p{M}]+(?:-[\p{L}\p{M}]+)*/gu;
const beginsSmall = /^\p{Ll}/u;
// The title of a message or comment is only the beginning of its text.
const withoutTitle: readonly string[] = ['message', 'comment'];

interface AskedShare {
  /**
   * 0 to 1: 1 if the query names its key or one of its people, else how closely its title is what the query
   * asks for.
   */
  readonly score: number;
  /** Only the name of a person speaks for it. */
  readonly isByPerson: boolean;
  /** Its key or title contains the numbers of the query. */
  readonly hasFigures: boolean;
}

/** What a query asks of app items, beside their text. */
export class AskedApps {
  private readonly words: readonly (readonly string[])[];
  private readonly terms: ReadonlySet<string>;
  private readonly names: ReadonlySet<string>;
  private readonly firstNames: ReadonlySet<string>;
  /**
   * The words that, if they are names, name the people whose pages are wanted; null when the pages of
   * everyone named are.
   */
  private readonly authors: ReadonlySet<string> | null;

  constructor(query: string) {
    this.words = writtenWords(query);
    this.terms = new Set(this.words.flat());
    const { candidates, emails } = new QueryNames(query);
    this.names = new Set([...candidates.map(({ key }) => key), ...emails]);
    this.firstNames = firstNamesIn(query);
    this.authors = emails.length > 0 || pagesOfPeople.test(query) ? null : authorsIn(query);
  }

  /** How much of what is asked an item is, judged by its key, title and people. */
  shareOf({ title, key, kind, people }: AppItem): AskedShare {
    if (key !== null && shareOfWords(writtenWords(key), this.terms) === 1)
      return { score: 1, isByPerson: false, hasFigures: true };
    const likeness = withoutTitle.includes(kind) ? 0 : this.likeness(title);
    const figures = this.words.filter(([whole = '']) => /\d/.test(whole));
    const hasFigures = likeness > 0 && shareOfWords(figures, new Set(analyze(title))) === 1;
    const named = people.filter(({ name, email }) => this.isNamed(name, email));
    if (named.length === 0) return { score: likeness, isByPerson: false, hasFigures };
    const isWanted = named.some(({ name }) => this.authors?.has(firstNameOf(nameKey(name))) ?? true);
    return { score: 1, isByPerson: likeness === 0 && !isWanted, hasFigures };
  }

  private isNamed(name: string, identifier: string | null): boolean {
    const email = emailOf(identifier);
    if (email !== undefined && this.names.has(email)) return true;
    const key = nameKey(name);
    // Named by the whole name, or by the first one: "Ann" for "Ann Berg".
    const first = firstNameOf(key);
    return first === key ? this.firstNames.has(key) : this.names.has(key) || this.firstNames.has(first);
  }

  /**
   * The share of the query's words that the title contains, times the share of the title's words that the
   * query contains.
   */
  private likeness(title: string): number {
    const inTitle = new Set(analyze(title));
    const shareInTitle = shareOfWords(this.words, inTitle);
    if (shareInTitle < titleShareMin) return 0;
    return shareInTitle * shareOfWords(writtenWords(title, inTitle), this.terms);
  }
}

function firstNameOf(key: string): string {
  return key.split(' ', 1)[0] ?? key;
}

/** The terms of each written word: for a code the whole and its parts. Stop words are left out. */
function writtenWords(text: string, terms: ReadonlySet<string> = new Set(analyze(text))): string[][] {
  return text
    .split(/\s+/)
    .map((word) => analyze(word).filter((term) => terms.has(term)))
    .filter((word) => word.length > 0);
}

/** The share of the words that are among the terms, as a whole or with all their parts. */
function shareOfWords(words: readonly (readonly string[])[], terms: ReadonlySet<string>): number {
  if (words.length === 0) return 0;
  const isThere = ([whole = '', ...parts]: readonly string[]) =>
    terms.has(whole) || (parts.length > 0 && parts.every((part) => terms.has(part)));
  return words.filter(isThere).length / words.length;
}

/**
 * The words of a query that, if they are names, name people whose pages it wants: "what did Ann say", "from
 * Ann".
 */
function authorsIn(query: string): Set<string> {
  const words = (query.match(writtenWord) ?? []).map(nameKey);
  const isAuthor = (_: string, nth: number) =>
    authoring.has(words[nth - 1] ?? '') ||
    words.slice(nth + 1, nth + 1 + sayingWordsMax).some((word) => saying.has(word));
  return new Set(words.filter(isAuthor));
}

/** The words of a query that may be first names, as keys of names. */
function firstNamesIn(query: string): Set<string> {
  const words = [...query.matchAll(writtenWord)];
  const isFirstName = ({ 0: word, index }: RegExpExecArray, nth: number) =>
    !beginsSmall.test(word) ||
    beforePeople.has(words[nth - 1]?.[0].toLowerCase() ?? '') ||
    /^['’]s/.test(query.slice(index + word.length));
  return new Set(words.filter(isFirstName).map(([word]) => nameKey(word)));
}
