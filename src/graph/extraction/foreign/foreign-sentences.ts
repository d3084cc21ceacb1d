import { isCapitalized, isPersonName, isSureOrganization } from '../affiliations.js';
import { organizationOf, personOf } from '../form-ends.js';
import type { FormEnd } from '../form-ends.js';
import type { FormFact } from '../forms.js';
import { calendarWords, isFirstName, kindOf } from '../lexicon.js';
import { splitLegalForm } from '../../legal-forms.js';
import { languageOf } from './patterns.js';
import type { Pattern, ReadLanguage, Slot } from './patterns.js';

const textCharactersMax = 4_000;
const sentenceCharactersMax = 400;
/** What may have ended. */
const lasting = /^(?:lives_in|works_for)$/;
/** How often a name is looked for with its legal form. */
const textsMax = 20;
/**
 * The relations that the plainest sentences of other languages state ("Anna Berg arbeitet seit 2019 bei Siemens"), by
 * tables of their patterns.
 */
export function readForeign(paragraph: string): FormFact[] {
  const text = paragraph.slice(0, textCharactersMax);
  const language = languageOf(text);
  if (!language) return [];
  const found: FormFact[] = [];
  let topic: FormEnd | undefined;
  for (const sentence of sentencesOf(text)) {
    const words = new Set(sentence.toLowerCase().match(/[\p{L}\p{M}-]+/gu) ?? []);
    if (sentence.length > sentenceCharactersMax || !isStated(sentence, words, language)) {
      topic = undefined;
      continue;
    }
    const facts = language.patterns
      .filter(({ keys }) => keys.some((key) => words.has(key)))
      .flatMap((pattern) => factsOf(sentence, { pattern, language, topic }))
      .filter(({ fact }) => isNamed(fact, text, language));
    found.push(...facts.map(({ fact }) => fact));
    topic = facts[0]?.first ?? undefined;
  }
  return found;
}

/** Whether a sentence is no question and holds nothing that denies or only supposes it. */
function isStated(sentence: string, words: ReadonlySet<string>, { doubts }: ReadLanguage): boolean {
  return !/\?["”“»]?\s*$/.test(sentence) && [...words].every((word) => !doubts.has(word));
}

/**
 * Whether what stands for companies are names. Where every noun has a capital, only a legal form, or a person beside
 * it, shows that: "Lichtwerk" is one where the text has "Lichtwerk GmbH".
 */
function isNamed({ source, target }: FormFact, text: string, { capitalizesNouns }: ReadLanguage): boolean {
  if (!capitalizesNouns || source.type === 'PERSON') return true;
  return [source, target].every(
    ({ name, type }) => type !== 'ORGANIZATION' || isSurely(name) || isCalledIn(text, name),
  );
}

/** Whether a text names a company in full that is called so: "Kolben Optik", beside "Kolben GmbH". */
function isCalledIn(text: string, name: string): boolean {
  const [first = ''] = name.split(' ');
  return [name, first].some((short) => {
    const places = text.split(`${short} `).slice(1, textsMax);
    return places.some(
      (behind) => splitLegalForm(`${short} ${/^\S+/.exec(behind)?.[0] ?? ''}`) !== undefined,
    );
  });
}

/** Cut behind full stops that end a word of several letters or a year, but no abbreviation: "3. März", "S.p.A." */
function sentencesOf(text: string): string[] {
  return text.split(
    /(?<=(?:\p{Ll}{2}|\d{4}|\p{Lu}{2}|[)"»“])[.!?:]|[!?])(?<!\b(?:Dr|Nr|Prof|Mme|Sra?|Dott|Sig|Avv|Ing)\.)\s+(?=\p{Lu}|\d{4})/u,
  );
}

interface Reading {
  readonly pattern: Pattern;
  readonly language: ReadLanguage;
  /** Whom or what the sentence before speaks of. */
  readonly topic: FormEnd | undefined;
}

function factsOf(
  sentence: string,
  { pattern, language, topic }: Reading,
): { readonly fact: FormFact; readonly first: FormEnd }[] {
  const found = pattern.regex.exec(sentence);
  const [matched, groups] = [found?.[0] ?? '', found?.groups];
  if (!groups) return [];
  const [kind, otherKind] = pattern.slots;
  const named = groups['pronoun'] === undefined ? endsOf(groups['end1'] ?? '', kind, language) : [topic];
  const firsts = named.filter((end) => end?.type === typeOf(kind));
  const seconds = endsOf(groups['end2'] ?? '', otherKind, language).filter(
    ({ name }) => !pattern.isOpen || isSurely(name),
  );
  const raw = pattern.raw === 'R' ? (groups['post'] ?? '') : pattern.raw;
  const isFormer =
    lasting.test(pattern.predicate) && matched.split(' ').some((word) => language.past.has(word));
  const told = Object.entries(groups).find(
    ([name, value]) => name.startsWith('time') && value !== undefined,
  )?.[1];
  const time = [...(isFormer ? ['former'] : []), ...(told === undefined ? [] : [told])].join(', ');
  return firsts.flatMap((first) =>
    seconds.flatMap((second) => {
      if (!first || first.name === second.name) return [];
      const [source, target] = pattern.isInverse ? [second, first] : [first, second];
      const { predicate } = pattern;
      return [
        { first, fact: { source, target, predicate, raw, text: sentence, ...(time === '' ? {} : { time }) } },
      ];
    }),
  );
}

const typeOf = (slot: Slot) => (slot === 'P' ? 'PERSON' : slot === 'O' ? 'ORGANIZATION' : 'LOCATION');

/** The names in a slot; none if any of them cannot be of its kind. */
function endsOf(text: string, slot: Slot, { nouns, and }: ReadLanguage): FormEnd[] {
  const names = text.split(new RegExp(`, | ${and} `)).map((name) => nameIn(name, nouns));
  if (names.some((name) => !fits(name, slot, nouns))) return [];
  return names.map((name) =>
    slot === 'P' ? personOf(name) : slot === 'O' ? organizationOf(name) : { name, type: 'LOCATION' },
  );
}

/** A name without the articles and the words for companies before it, and without a full stop. */
function nameIn(text: string, nouns: ReadonlySet<string>): string {
  const all = text.trim().split(' ');
  const from = all.findIndex((word) => !nouns.has(word) && !/^[DL]['’]\p{Ll}/u.test(word));
  const name = all.slice(Math.max(from, 0)).join(' ');
  return splitLegalForm(name) ? name : name.replace(/[.,:]$/, '');
}

/** Whether a name can only be an organization's. */
function isSurely(name: string): boolean {
  return isSureOrganization(name) || splitLegalForm(name) !== undefined;
}

function fits(name: string, slot: Slot, nouns: ReadonlySet<string>): boolean {
  const all = name.split(' ');
  if (all.some((word) => nouns.has(word) || calendarWords.has(word.toLowerCase()))) return false;
  if (slot === 'P') return isPersonName(name);
  const kind = kindOf(name.toLowerCase());
  if (slot === 'L') return kind !== 'organization' && kind !== 'demonym';
  if (isSurely(name)) return true;
  const isPerson = all.length > 1 && isFirstName(all[0]?.toLowerCase() ?? '');
  const mayBe = kind === undefined || kind === 'organization' || kind === 'last';
  return mayBe && !isPerson && name.length > 2 && isCapitalized(name);
}
