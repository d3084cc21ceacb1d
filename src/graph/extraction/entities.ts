import { fold } from '../../text/fold.js';
import { readMailName } from '../../text/mail-names.js';
import { inOneLine } from '../../text/one-line.js';
import { splitLegalForm } from '../legal-forms.js';
import { spelledOut } from '../entity-key.js';
import { initialsOf, isAcronymOf, isCalled, isRenamed } from './aliases.js';
import { genderOf, isFirstName, kindOf, mayBeFirstName, organizationEnds, tradeEnds } from './lexicon.js';
import type { Mention } from './mentions.js';
import { projectOf } from './numbered-things.js';
import { roleRules, verbOf } from './predicates.js';
import type { ReadSentence } from './read-chunk.js';
import { isEnglishWord } from './reader.js';

/** An entity while its mentions are being collected. */
export interface Entity {
  name: string;
  type: string;
  strength: number;
  identifier: string | null;
  /** Its names as spelt, by their comparison keys. */
  readonly names: Map<string, string>;
  readonly chunks: Set<number>;
  /** Whether it counts only as an end of a relation. */
  lazy: boolean;
  /** Whether a person is only named by a common title and a surname. */
  titled: boolean;
}

/** Shorter names in capitals may be abbreviations. */
const speakerCharactersMin = 4;
/** The strength of a type that is known; no guess has more. */
const knownStrength = 9;
/** A type with at most this strength gives way to one that a relation requires. */
export const weakStrengthMax = 2;

const companyEnds = new Set('group holdings technologies systems software labs'.split(' '));

/** What is called after its place: "Umeå University". */
const institution =
  /\b(?:academy|church|city|club|college|council|court|hospital|institute|library|ministry|museum|police|school|theatre|universit\p{L}+)\b/u;

/** First words that cannot stand for the whole name: "World Bank", "Global Energy". */
const plainFirst =
  /^(?:advanced|american|applied|central|clean|digital|federal|first|general|global|great|green|international|modern|national|new|open|public|royal|smart|social|united|world)$/;

/** The key by which names are compared: without case, accents, "the" and a final full stop. */
export function keyOf(name: string): string {
  return inOneLine(fold(name).toLowerCase().replace(/^the /, '').replace(/[.,]$/, ''));
}

/** The entities of an item. Mentions that name the same thing become one entity. */
export class EntityRegistry {
  private readonly byKey = new Map<string, Entity>();
  /** Pairs of a long and a short name that occur in one sentence, and so may be different. */
  private readonly together = new Set<string>();
  /**
   * People who are identified by a relation to others. Clara in "Ben's boss Clara" is not joined with a
   * Clara who is named in full later.
   */
  private readonly introduced = new Set<string>();

  constructor(
    sentences: readonly ReadSentence[],
    { title = '', people = [] }: { title?: string; people?: readonly string[] } = {},
  ) {
    const all = sentences.flatMap((sentence) =>
      sentence.mentions.map((mention) => ({ mention, chunk: sentence.chunk })),
    );
    for (const { mention, chunk } of all) if (!mention.unsure) this.add(mention, chunk);
    this.settlePeople(people);
    for (const sentence of sentences) {
      this.readAliases(sentence);
      this.noteTogether(sentence);
      this.noteIntroduced(sentence);
    }
    this.addSurnames(sentences);
    this.addDefined(sentences);
    this.joinSpellings();
    this.joinShortNames();
    this.joinTitled();
    this.settleTickets(title);
    for (const { mention, chunk } of all) if (mention.unsure) this.entityOf(mention)?.chunks.add(chunk);
  }

  /** The entity of a mention; undefined if it counts as none. */
  entityOf(mention: Mention): Entity | undefined {
    return this.byKey.get(keyOf(mention.name));
  }

  /** The entity of whoever says "I" in a sentence, created if the text does not name him. */
  speakerOf({ speaker, chunk }: ReadSentence): Entity | undefined {
    return this.knownAs(speaker, 'PERSON', chunk);
  }

  /** The entity of the organization that issued the text, created if no sentence names it. */
  issuerOf(issuer: string | undefined, chunk: number): Entity | undefined {
    return this.knownAs(issuer, 'ORGANIZATION', chunk);
  }

  private knownAs(name: string | undefined, type: string, chunk: number): Entity | undefined {
    if (name === undefined) return undefined;
    const known = this.byKey.get(keyOf(name));
    if (known) return known.type === type ? known : undefined;
    const unnamed = { start: 0, end: 0, identifier: null, unsure: false, lazy: true };
    this.add({ ...unnamed, name, type, strength: knownStrength }, chunk);
    return this.byKey.get(keyOf(name));
  }

  /** Makes known speakers persons, whatever their names look like, except for "GitHub" or "Release Bot". */
  private settlePeople(people: readonly string[]): void {
    for (const key of people.map(keyOf)) {
      const last = key.split(' ').at(-1) ?? '';
      const isNobody =
        (kindOf(key) === 'organization' && !mayBeFirstName(key)) ||
        organizationEnds.has(last) ||
        /bot$/.test(last);
      const entity = this.byKey.get(key);
      if (entity?.identifier === null && !isNobody)
        Object.assign(entity, { type: 'PERSON', strength: knownStrength });
    }
  }

  /** Makes "PAY-13" a ticket where "PAY-12" is one, or if the item is a ticket of this project. */
  private settleTickets(title: string): void {
    const numbered = [...this.byKey.values()].flatMap((entity) => {
      const project = entity.identifier === null ? undefined : projectOf(entity.name);
      return project === undefined ? [] : [{ entity, project }];
    });
    if (numbered.length === 0) return;
    const own = /^\W?([A-Z][A-Z0-9]+)-\d+\b/.exec(title)?.[1];
    const projects = new Set(
      numbered.flatMap(({ entity, project }) => (entity.type === 'TICKET' ? [project] : [])),
    );
    if (own !== undefined) projects.add(own);
    for (const { entity, project } of numbered)
      if (entity.type === 'OTHER' && projects.has(project))
        Object.assign(entity, { type: 'TICKET', strength: 9 });
  }

  /** All entities, in the order in which the text first names them. */
  all(): Entity[] {
    return [...new Set(this.byKey.values())];
  }

  private add(mention: Mention, chunk: number): void {
    const key = keyOf(mention.name);
    const { name, type, strength, identifier, lazy, titled = false } = mention;
    const entity = this.byKey.get(key);
    if (!entity) {
      const names = new Map([[key, name]]);
      this.byKey.set(key, {
        name,
        type,
        strength,
        identifier,
        names,
        chunks: new Set([chunk]),
        lazy,
        titled,
      });
      return;
    }
    entity.chunks.add(chunk);
    entity.lazy &&= lazy;
    entity.titled ||= titled;
    if (strength > entity.strength) Object.assign(entity, { type, strength });
    // "NASA" rather than "Nasa", but "Anna Berg" rather than "ANNA BERG".
    if (!/\p{Ll}/u.test(entity.name) && /\p{Ll}/u.test(name) && / /.test(name)) entity.name = name;
  }

  /**
   * Adds words that a text defines ("Quarrel is a message queue") and also writes with a capital elsewhere.
   * They count only as ends of relations.
   */
  private addDefined(sentences: readonly ReadSentence[]): void {
    const defined = new Set<string>();
    const inside = new Set<string>();
    for (const { mentions, tokens } of sentences)
      for (const { unsure, start, end, name } of mentions) {
        if (!unsure) continue;
        const isDefined =
          /^(?:is|was)$/.test(tokens[end]?.lower ?? '') && /^an?$/.test(tokens[end + 1]?.lower ?? '');
        if (start === 0 && isDefined) defined.add(keyOf(name));
        else if (start > 0) inside.add(keyOf(name));
      }
    for (const { mentions, chunk } of sentences)
      for (const mention of mentions) {
        const key = keyOf(mention.name);
        if (mention.unsure && defined.has(key) && inside.has(key))
          this.add({ ...mention, lazy: true }, chunk);
      }
  }

  /** "Hill left": adds a word at the start of a sentence that is a known surname and has a verb or "'s". */
  private addSurnames(sentences: readonly ReadSentence[]): void {
    const surnames = new Set([...this.byKey].flatMap(([key, entity]) => shortNames(key, entity).slice(0, 1)));
    for (const { mentions, tokens, chunk } of sentences)
      for (const mention of mentions) {
        const next = tokens[mention.end];
        const acts =
          /^(?:VERB|AUX)$/.test(next?.pos ?? '') ||
          verbOf(next?.lower ?? '') !== undefined ||
          /^['’]s$/.test(next?.text ?? '');
        if (mention.unsure && acts && surnames.has(keyOf(mention.name))) this.add(mention, chunk);
      }
  }

  /** Joins aliases: "International Business Machines (IBM)", "Bob Lee <bob@acme.com>". */
  private readAliases({ mentions, tokens }: ReadSentence): void {
    mentions.forEach((mention, index) => {
      const next = mentions[index + 1];
      const joint =
        next &&
        tokens
          .slice(mention.end, next.start)
          .map(({ lower }) => lower)
          .join(' ');
      if (!next || joint === undefined || mention.unsure) return;
      const isBracketed = /^[(<[]$/.test(joint) && /^[)>\]]$/.test(tokens[next.end]?.text ?? '');
      if (next.type === 'EMAIL' || next.type === 'URL') {
        if (isBracketed || joint === ', <') this.identify(mention, next);
      } else if (/^\( (?:the )?["“]$/.test(joint) && keyOf(mention.name).startsWith(`${keyOf(next.name)} `)) {
        this.join(keyOf(mention.name), keyOf(next.name));
      } else if (
        (isBracketed && (isAcronymOf(next.name, mention.name) || isAcronymOf(mention.name, next.name))) ||
        isCalled({ first: mention, second: next, joint, tokens })
      ) {
        this.join(keyOf(mention.name), keyOf(next.name));
      } else if (isRenamed({ first: mention, second: next, joint, tokens })) {
        this.join(keyOf(next.name), keyOf(mention.name));
      }
    });
  }

  /** Notes short names beside their long ones, which may be different people: "Lee's sister, Mary Lee". */
  private noteTogether({ mentions }: ReadSentence): void {
    const keys = [...new Set(mentions.map(({ name }) => keyOf(name)))];
    for (const long of keys)
      for (const word of [...long.split(' '), long.split(' ').slice(0, -1).join(' ')])
        if (word !== long && keys.includes(word)) this.together.add(`${long}\n${word}`);
  }

  private noteIntroduced({ mentions, tokens }: ReadSentence): void {
    for (const { start, name } of mentions)
      if (
        roleRules.has(tokens[start - 1]?.lower ?? '') &&
        /^(?:['’]s?|my|our|your|his|her|their)$/.test(tokens[start - 2]?.lower ?? '')
      )
        this.introduced.add(keyOf(name));
  }

  private identify(mention: Mention, next: Mention): void {
    const entity = this.entityOf(mention);
    if (!entity || entity.identifier !== null || !/^(?:PERSON|ORGANIZATION|PRODUCT)$/.test(entity.type))
      return;
    if (entity.type === 'PERSON' && readMailName(mention.name, next.name).whose === 'writer') return;
    entity.identifier = next.name;
    this.join(keyOf(mention.name), keyOf(next.name));
  }

  /** Makes the second name another one of the first. */
  private join(key: string, aliasKey: string): void {
    const entity = this.byKey.get(key);
    const alias = this.byKey.get(aliasKey);
    if (!entity || !alias || entity === alias) return;
    for (const [each, name] of alias.names) {
      entity.names.set(each, name);
      this.byKey.set(each, entity);
    }
    for (const chunk of alias.chunks) entity.chunks.add(chunk);
    const isForm = ['EMAIL', 'URL', 'HANDLE', 'TICKET'].includes(alias.type);
    if (!isForm && alias.strength > entity.strength)
      Object.assign(entity, { type: alias.type, strength: alias.strength });
  }

  /** Joins "Johnson and Johnson" with "Johnson & Johnson". */
  private joinSpellings(): void {
    for (const key of this.byKey.keys()) if (key.includes(' & ')) this.join(key, spelledOut(key));
  }

  /** Joins "Mr. Smith" with "John Smith" if no other man of that surname is in the text. */
  private joinTitled(): void {
    const people = new Map<string, Set<Entity>>();
    for (const [key, entity] of [...this.byKey]) {
      if (entity.type !== 'PERSON') continue;
      const [, title = '', surname] = courtesy.exec(key) ?? [];
      if (surname === undefined) {
        const [own] = shortNames(keyOf(entity.name), entity);
        if (own !== undefined) people.set(own, (people.get(own) ?? new Set()).add(entity));
        continue;
      }
      const not = title === 'mr' ? 'female' : 'male';
      const fitting = [...(people.get(surname) ?? [])].filter(
        ({ name }) => title === 'mx' || genderOf(name) !== not,
      );
      const [only] = fitting;
      if (only && fitting.length === 1) this.join(keyOf(only.name), key);
    }
  }

  /**
   * Joins short names with long ones if only one is possible: "Berg" with "Anna Berg", "Acme" with "Acme
   * Corp.", "NHS" with "National Health Service".
   */
  private joinShortNames(): void {
    const longer = new Map<string, Set<string>>();
    const note = (short: string, key: string) => {
      const set = longer.get(short) ?? new Set();
      longer.set(short, set.add(key));
    };
    for (const [key, entity] of this.byKey) for (const short of shortNames(key, entity)) note(short, key);
    const places = new Map([...this.byKey.keys()].map((key, index) => [key, index]));
    for (const [short, keys] of longer) {
      const entity = this.byKey.get(short);
      const at = places.get(short) ?? 0;
      const all = [...keys].map((key) => [this.byKey.get(key), key] as const);
      const people = entity?.type === 'PERSON' ? all.filter(([each]) => each?.type === 'PERSON') : [];
      const entities = new Map(people.length > 0 ? people : all);
      // "Elif Demir … Demir … her brother Emre Demir": the surname is hers whom the text had named by then.
      const earlier = [...entities].filter(([, key]) => (places.get(key) ?? 0) < at);
      const [[target, key] = []] = entities.size > 1 ? earlier : [...entities];
      if (!entity || !target || key === undefined || target === entity) continue;
      if (entities.size > 1 && (earlier.length > 1 || target.type !== 'PERSON')) continue;
      const comesFirst = at < (places.get(key) ?? 0);
      if (comesFirst && target.type === 'PERSON' && this.introduced.has(short)) continue;
      if (!mayBeShort(entity, target, comesFirst)) continue;
      if (!this.together.has(`${key}\n${short}`)) this.join(key, short);
    }
  }
}

/** A title and a surname, as in "Mr. Smith". */
const courtesy = /^(mr|mrs|ms|miss|mx)\.? (\S+)$/;

/**
 * Whether a short name may stand for a long one. Texts give a person's full name first, so "Apple bought
 * it" before any Fiona Apple means something else.
 */
function mayBeShort(short: Entity, long: Entity, comesFirst: boolean): boolean {
  if (comesFirst && long.type === 'PERSON' && short.strength <= weakStrengthMax && !isSurname(short))
    return false;
  if (short.type === long.type) return true;
  // "Chalmers Robotics … Anna Chalmers", "Umeå Energi … in Umeå"
  if (long.type === 'ORGANIZATION' && /^(?:LOCATION|PERSON)$/.test(short.type) && isCoined(keyOf(short.name)))
    return splitLegalForm(keyOf(long.name))?.base === keyOf(short.name) && short.strength <= 3;
  return short.strength <= 3 && short.type !== 'EMAIL';
}

/** Whether a single name is certainly somebody's: "According to Zhang, …", "KOVACS: …". */
function isSurname({ name, type }: Entity): boolean {
  const lower = name.toLowerCase();
  const isSpeaker = !/\p{Ll}/u.test(name) && name.length > speakerCharactersMin;
  return type === 'PERSON' || (isSpeaker && kindOf(lower) !== 'organization' && !isEnglishWord(lower));
}

function shortNames(key: string, { type, names }: Entity): string[] {
  const words = key.split(' ');
  const last = words.at(-1) ?? '';
  if (words.length < 2) return [];
  if (type === 'PERSON' && !/^(?:mr|mrs|ms|miss|mx)\.?$/.test(words[0] ?? '')) {
    const surname = /^(?:jr|sr|ii|iii|iv)$/.test(last) ? (words.at(-2) ?? '') : last;
    return isGivenName(words[0] ?? '') ? [surname, words[0] ?? ''] : [surname];
  }
  if (type !== 'ORGANIZATION') return [];
  const [first = '', initials] = [words[0], initialsOf(names.get(key) ?? '')];
  const isTrade =
    words.length === 2 && tradeEnds.has(last) && kindOf(first) !== 'place' && !plainFirst.test(first);
  const family = /^(\S.*) (?:&|and) (?:sons|brothers|bros)\.?$/.exec(key)?.[1];
  if (family !== undefined) return [family];
  const formless = splitLegalForm(key)?.base;
  const short = formless ?? (companyEnds.has(last) || isTrade ? words.slice(0, -1).join(' ') : undefined);
  return [
    ...new Set([
      ...(short === undefined ? [] : [short]),
      ...(isCoined(first) && !institution.test(key) ? [first] : []),
      ...(initials.length >= 3 ? [initials.toLowerCase()] : []),
    ]),
  ];
}

/** Whether a word is no other word or name, so that a company goes by it alone: "Norvane Analytics GmbH". */
function isCoined(lower: string): boolean {
  return /^\p{L}{4,}$/u.test(lower) && kindOf(lower) === undefined && !isEnglishWord(lower);
}

/** Whether the first word of a person's name may stand for it: a name of people, or a word that is nothing else. */
function isGivenName(lower: string): boolean {
  return isFirstName(lower) || (/^(?:last)?$/.test(kindOf(lower) ?? '') && !isEnglishWord(lower));
}
