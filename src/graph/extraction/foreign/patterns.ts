import { fold } from '../../../text/fold.js';
import { tellLanguage } from '../../../text/languages.js';
import { languages, words } from './languages.js';
import type { Language } from './languages.js';

export type Slot = 'P' | 'O' | 'L';

/** A sentence that a language's table describes, ready to be looked for. */
export interface Pattern {
  readonly regex: RegExp;
  /** Words in small letters of which the sentence has one, or the pattern need not be tried. */
  readonly keys: readonly string[];
  readonly predicate: string;
  /** Which ends come first in the sentence, and whether the second is the source. */
  readonly slots: readonly [Slot, Slot];
  readonly isInverse: boolean;
  /** Whether the second may also be something else, unless its name tells: "trabaja en Iberdrola", "trabaja en Girona". */
  readonly isOpen: boolean;
  readonly raw: string;
}

/** A language with its patterns. */
export interface ReadLanguage {
  /** Words that name nothing, as they are spelt. */
  readonly nouns: ReadonlySet<string>;
  readonly doubts: ReadonlySet<string>;
  readonly past: ReadonlySet<string>;
  readonly and: string;
  readonly capitalizesNouns: boolean;
  readonly patterns: readonly Pattern[];
}

/** The first words of posts: "directeur" of "directeur~général". */
const postsOf = ({ posts }: Language) => words(posts).map((post) => post.split('~')[0] ?? '');
const capitalize = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);
/** Alternatives, the longest first; ~ stands for a space. */
const oneOf = (all: readonly string[]) =>
  `(?:${all
    .map((word) => word.replaceAll('~', ' ').replaceAll('.', '\\.').replaceAll("'", "[’']"))
    .sort((a, b) => b.length - a.length)
    .join('|')})`;
const inEitherCase = (all: readonly string[]) => oneOf([...all, ...all.map(capitalize)]);

// All quantifiers are bounded, so that no text makes them slow.
const capital = "\\p{Lu}[\\p{L}\\p{M}\\d.&’'-]{0,40}";
const personName = `${capital}(?: (?:van|von|de|del|della|der|di|du|da|la)){0,2}(?: ${capital}){1,2}`;
const companyName = `${capital}(?:(?: (?:&|de|der|des|du|di))? ${capital}){0,4}`;
const placeName = `${capital}(?: (?:am|an der|im|sur|la|del) ${capital}| ${capital})?`;
const names: Readonly<Record<Slot, string>> = { P: personName, O: companyName, L: placeName };

function compile(language: Language): ReadLanguage {
  const parts = new Parts(language);
  const companies = words(language.companies);
  const posts = postsOf(language);
  const others = [language.nouns, language.titles, language.months, language.articles].flatMap(words);
  const capitalized = [...others, ...posts, ...(language.capitalizesNouns ? companies : [])];
  return {
    nouns: new Set([...capitalized, ...capitalized.map(capitalize), ...companies]),
    doubts: new Set(words(language.doubts)),
    past: new Set(words(language.past)),
    and: language.and,
    capitalizesNouns: language.capitalizesNouns,
    patterns: language.sentences
      .trim()
      .split('\n')
      .map((row) => row.split(' | ').map((cell) => cell.trim()))
      .map(([sentence = '', predicate = '', ends = '', raw = '']) => ({
        ...parts.patternOf(words(sentence)),
        predicate,
        isInverse: ends === '2>1',
        isOpen: sentence.endsWith('!'),
        raw,
      })),
  };
}

/** Makes the patterns of a language. */
class Parts {
  private readonly time: string;
  private readonly adverb: string;
  private readonly post: string;
  /** What may stand before a name. */
  private readonly before: Readonly<Record<Slot, string>>;

  constructor(private readonly language: Language) {
    const month = inEitherCase(words(language.months));
    const when = inEitherCase(words(language.when));
    this.time = `(?:${when} )?(?:${month} )?(?:19|20)\\d\\d|${when} ${month}`;
    this.adverb = `(?: ${oneOf(words(language.adverbs))})?`;
    this.post = inEitherCase(words(language.posts));
    const nouns = words(language.companies);
    const companies = language.capitalizesNouns ? oneOf(nouns.map(capitalize)) : oneOf(nouns);
    const company = `(?:${inEitherCase(words(language.articles))} )?(?:${companies} )?`;
    this.before = { P: `(?:${inEitherCase(words(language.titles))}\\.? ){0,2}`, O: company, L: '' };
  }

  patternOf(sentence: readonly string[]): Pick<Pattern, 'regex' | 'keys' | 'slots'> {
    const slots: Slot[] = [];
    const parts = sentence.map((word, at) => {
      const [, isSubject, slot, isList] = /^(S?)([POL])(s?)!?$/.exec(word) ?? [];
      if (slot === undefined) return this.wordOf(word, at);
      slots.push(slot as Slot);
      const named = this.named(slot as Slot, { number: slots.length, isList: isList !== '' });
      return isSubject === '' ? ` ${named}` : ` ${this.subject(slot as Slot, named)}`;
    });
    const [first = 'P', second = 'P'] = slots;
    const source = `(?<![\\p{L}\\d])${parts.join('').trimStart()}(?: (?<time>${this.time}))?(?!\\p{L})`;
    return { regex: new RegExp(source, 'u'), keys: this.keysOf(sentence), slots: [first, second] };
  }

  /** The most telling word of a sentence, in all its forms. */
  private keysOf(sentence: readonly string[]): string[] {
    const posts = postsOf(this.language);
    const choices = sentence
      .filter((word) => /^R$|^[\p{L}/]{2,}$/u.test(word) && !/^S?[POL]s?$/.test(word))
      .map((word) => (word === 'R' ? posts : word.toLowerCase().split('/')));
    const shortest = (choice: readonly string[]) => Math.min(...choice.map(({ length }) => length));
    return choices.sort((a, b) => shortest(b) - shortest(a))[0] ?? [];
  }

  /** The part for a word that is no slot; it begins with the space before it. */
  private wordOf(word: string, at: number): string {
    if (word === ',') return ',';
    if (word === 'T') return ` (?<time${at}>${this.time})`;
    if (word === '*') return `${this.adverb}(?: (?<time${at}>${this.time}))?${this.adverb}`;
    if (word === 'R') return ` (?<post>${this.post})`;
    if (word.startsWith('_')) return `(?: [\\p{L}\\p{M}’'-]{1,40}){${word === '_' ? 1 : 0},4}?`;
    const literal = inEitherCase(word.replace(/\?$/, '').split('/'));
    return word.endsWith('?') ? `(?: ${literal})?` : ` ${literal}`;
  }

  private named(slot: Slot, { number, isList }: { number: number; isList: boolean }): string {
    const one = names[slot];
    const whole = isList ? `${one}(?:(?:, | ${this.language.and} )${this.before[slot]}${one}){0,3}` : one;
    return `${this.before[slot]}(?<end${number}>${whole})`;
  }

  /** A subject: a pronoun, or a name, behind which an insertion or, from the sentence's beginning, an earlier verb may stand. */
  private subject(slot: Slot, named: string): string {
    const { and, company, person } = this.language;
    const pronoun = inEitherCase(words(slot === 'P' ? person : company));
    const earlier = `(?<=^${this.before[slot]}${names[slot]}) [^,.;]{3,120}? ${and}`;
    return `(?:^(?<pronoun>${pronoun})|${named}(?:, [^,.;]{3,90},|${earlier})?)`;
  }
}

/** Each is made when the first text in it is read. */
const compiled = new Map<Language, ReadLanguage>();

/** The language of a text by its most frequent words; undefined for English and for languages that are not read. */
export function languageOf(text: string): ReadLanguage | undefined {
  // Words with capitals may be names, whatever language the text is in.
  const small = text.match(/(?<![\p{L}\p{M}])[\p{Ll}\p{M}]+/gu) ?? [];
  const told = tellLanguage(small.map(fold)).likeliest;
  const language = languages.find(({ name }) => name === told);
  if (!language) return undefined;
  const known = compiled.get(language) ?? compile(language);
  compiled.set(language, known);
  return known;
}
