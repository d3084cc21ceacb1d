import type { Entity, EntityRegistry } from './entities.js';
import { calendarWords, genderOf, isRole } from './lexicon.js';
import type { Ref } from './phrases.js';
import { accounts, listedRoles, roleRules, verbOf } from './predicates.js';
import type { ReadSentence } from './read-chunk.js';
import type { Token } from './reader.js';
import {
  introductionTokensMax,
  isAside,
  isKinFronted,
  kinFollows,
  personBefore,
  relative,
  unnamedKin,
} from './relatives.js';
import type { Gender } from './relatives.js';
import { Topics } from './topics.js';

/**
 * "the company" means the only organization that was named just before, or the one that the text is about.
 */
const organizationNouns = new Set(
  'company firm startup start-up organization organisation agency corporation bank university institute association foundation department commission committee newspaper airline retailer manufacturer carmaker vendor nonprofit charity union'.split(
    ' ',
  ),
);

/** Nouns for companies; an institution such as a museum is never called so. */
const companyNouns = /^(?:airline|carmaker|company|corporation|firm|manufacturer|retailer|start-?up|vendor)$/;
const institution =
  /\b(?:academy|church|college|court|department|hospital|institute|library|ministry|museum|parliament|school|university)\b/i;

/** People whom memories and tickets are about without naming them. */
const nameless = /^(?:applicant|caller|candidate|client|customer|guest|patient|tenant|user)$/;

const saying = /^(?:announce[sd]?|confirm(?:s|ed)|report(?:s|ed)|said|says)$/;
/** What a text calls the company that it is about. */
const calledSo = /^(?:company|firm|group)$/;

/** What is named after these words may be true only in somebody's words. */
const claimed = /^(?:alleg|accus|claim|pretend|rumou?r)/;
/** The strength of the type when something is called "the company". */
const calledStrength = 4;
/**
 * At most so many entities are kept. A text with more is not about a single one,
 * and every sentence searches them.
 */
const namedMax = 40;

/** Resolves references ("she", "the company") in a chunk, sentence by sentence. */
export class Coreference {
  private before: readonly Entity[] = [];
  /** Everything that the chunk has named so far. */
  private readonly named = new Set<Entity>();
  /** The gender of people who have been called "he" or "she". */
  private readonly called = new Map<Entity, Gender>();

  /** Of which gender the relatives are that the sentence before speaks of without naming them. */
  private unnamed: ReadonlySet<Gender> = new Set();

  private readonly topics: Topics;
  private chunk = 0;

  constructor(
    private readonly registry: EntityRegistry,
    title: string,
    /** The name of the organization that issued the text. */
    private readonly issuer?: string,
  ) {
    this.topics = new Topics(title);
  }

  /** The mentions of the next sentence in order, by name and by reference. */
  read(sentence: ReadSentence): Ref[] {
    const { tokens, mentions, isForm = false } = sentence;
    this.chunk = sentence.chunk;
    const refs: Ref[] = mentions.flatMap((mention) => {
      const entity = this.registry.entityOf(mention);
      return entity && mention.type !== 'DATE'
        ? [{ start: mention.start, end: mention.end, entity, indirect: false }]
        : [];
    });
    const named = [...refs];
    const asides = new Set(refs.filter((ref) => isAside(tokens, ref, refs[0])).map(({ entity }) => entity));
    const speaker = this.registry.speakerOf(sentence);
    if (speaker) asides.add(speaker);
    for (let at = 0; at < tokens.length; at += 1) {
      if (named.some(({ start, end }) => start <= at && at < end)) continue;
      const here = named
        .filter(({ end, entity }) => end <= at && !asides.has(entity))
        .map(({ entity }) => entity);
      const found =
        (speaker && speakerAt(sentence, at, { speaker, named })) ??
        this.personAt(tokens, at, here) ??
        this.organizationAt(tokens, at, { here, named }) ??
        this.thingAt(tokens, at, named) ??
        this.ownerAt(tokens, at, { here, named, refs }) ??
        this.kinAt(tokens, at, { here, named });
      if (found) refs.push({ ...found, indirect: true });
    }
    refs.sort((a, b) => a.start - b.start);
    for (const { entity } of refs) if (this.named.size < namedMax) this.named.add(entity);
    if (isForm) return refs;
    this.topics.read(sentence, refs);
    // "User learns Portuguese with Ann. Her sister …": the sentence before leaves open whose sister that is.
    const isNameless = isAboutNameless(tokens, refs);
    const entities = [...new Set(refs.map(({ entity }) => entity))].filter(
      (entity) => !asides.has(entity) && !(isNameless && entity.type === 'PERSON'),
    );
    this.unnamed = unnamedKin(tokens, named);
    const isAboutOthers = asides.size > 0 && !isNameless && !entities.some(({ type }) => type === 'PERSON');
    const kept = isAboutOthers ? this.before.filter(({ type }) => type === 'PERSON') : [];
    this.before = [...kept.filter((entity) => !asides.has(entity)), ...entities];
    return refs;
  }

  /**
   * The employer of a chief whose company is not named: whoever issued the text, else the only organization
   * that it has named so far, if nothing else that it named may be one.
   */
  get employer(): Entity | undefined {
    const issuer = this.registry.issuerOf(this.issuer, this.chunk);
    if (issuer) return issuer;
    if (this.named.size >= namedMax) return undefined;
    const possible = [...this.named].filter(
      ({ type, lazy }) => type === 'ORGANIZATION' || type === 'PRODUCT' || (type === 'OTHER' && !lazy),
    );
    const [only, ...others] = possible;
    return only?.type === 'ORGANIZATION' && others.length === 0 ? only : undefined;
  }

  /** The same, if whoever issued the text, or its sentences are about it. */
  get topic(): Entity | undefined {
    const { employer } = this;
    const isTopic = this.issuer !== undefined || (employer && this.topics.isAbout(employer));
    return isTopic ? employer : undefined;
  }

  private personAt(
    tokens: readonly Token[],
    at: number,
    here: readonly Entity[],
  ): Omit<Ref, 'indirect'> | undefined {
    const lower = tokens[at]?.lower ?? '';
    if (!/^(?:he|she)$/.test(lower)) return undefined;
    if (isKinFronted(tokens, at)) return undefined;
    const wanted = lower === 'he' ? 'male' : 'female';
    const entity = this.onlyOne(here, 'PERSON');
    // "How is your mother?" "She moved to Malmö."
    if (this.unnamed.has(wanted) && !here.some(({ type }) => type === 'PERSON')) return undefined;
    if (!entity || this.genderOf(entity, wanted) !== wanted) return undefined;
    this.called.set(entity, wanted);
    return { start: at, end: at + 1, entity };
  }

  private organizationAt(
    tokens: readonly Token[],
    at: number,
    { here, named: refs }: { here: readonly Entity[]; named: readonly Ref[] },
  ): Omit<Ref, 'indirect'> | undefined {
    if (tokens[at]?.lower !== 'the' || !organizationNouns.has(tokens[at + 1]?.lower ?? '')) return undefined;
    const noun = tokens[at + 1]?.lower ?? '';
    const follows = tokens[at + 2];
    // "the company of friends", "the bank manager"
    if (follows && (follows.lower === 'of' || follows.pos === 'NOUN' || follows.pos === 'PROPN'))
      return undefined;
    const named = [...this.before, ...here].filter(({ name }) =>
      name.toLowerCase().split(' ').includes(noun),
    );
    // "Acme said Ann Hill had left the company": if anybody's, then the one that says so.
    const sayer = refs.find(
      ({ end, entity: { type, lazy } }) =>
        end < at && saying.test(tokens[end]?.lower ?? '') && /^(?:ORGANIZATION|OTHER)$/.test(type) && !lazy,
    )?.entity;
    const entity =
      sayer ??
      this.onlyOne(named.length > 0 ? named : here, 'ORGANIZATION') ??
      this.onlyOne(here, 'OTHER') ??
      (companyNouns.test(noun) ? this.employer : undefined);
    if (!entity || (companyNouns.test(noun) && institution.test(entity.name))) return undefined;
    const meant = named.length > 0 ? entity : this.topics.choose(entity, [...this.named, ...here]);
    if (!meant || (sayer && meant !== sayer)) return undefined;
    if (meant.type === 'OTHER') Object.assign(meant, { type: 'ORGANIZATION', strength: calledStrength });
    return { start: at, end: at + 2, entity: meant };
  }

  /**
   * "His sister Clara", "Karl Berg, whose father Otto": for `his` and `her` the only person nearby of that
   * gender, for `whose` the person named right before.
   */
  private kinAt(
    tokens: readonly Token[],
    at: number,
    { here, named }: { here: readonly Entity[]; named: readonly Ref[] },
  ): Omit<Ref, 'indirect'> | undefined {
    const lower = tokens[at]?.lower ?? '';
    if (!/^(?:his|her|whose)$/.test(lower) || !kinFollows(tokens, at + 1, named)) return undefined;
    if (tokens.slice(0, at).some((token) => claimed.test(token.lower))) return undefined;
    const before = tokens[at - 1]?.lower === ',' ? at - 1 : at;
    const entity =
      lower === 'whose'
        ? personBefore(tokens, before, named)
        : this.onlyPerson(here, lower === 'his' ? 'male' : 'female');
    return entity && { start: at, end: at + 1, entity };
  }

  private genderOf(entity: Entity, unknown: Gender): Gender {
    return genderOf(entity.name) ?? this.called.get(entity) ?? unknown;
  }

  /**
   * The only person of a gender in the sentence so far, or else in the one before. A first
   * name of unknown gender fits both.
   */
  private onlyPerson(here: readonly Entity[], gender: Gender): Entity | undefined {
    const may = (entity: Entity) => this.genderOf(entity, gender) === gender;
    const fitting = here.filter(may);
    const entity = this.onlyOne(fitting, 'PERSON', this.before.filter(may));
    if (entity) this.called.set(entity, gender);
    return entity;
  }

  /**
   * "Its CEO is Anna Berg": the only organization of this sentence, or else of the
   * one before, or else of the text.
   */
  private ownerAt(
    tokens: readonly Token[],
    at: number,
    { here, named, refs }: { here: readonly Entity[]; named: readonly Ref[]; refs: readonly Ref[] },
  ): Omit<Ref, 'indirect'> | undefined {
    const owner = tokens[at]?.lower ?? '';
    if (!/^(?:its|their)$/.test(owner) || !roleFollows(tokens, at + 1)) return undefined;
    // "Their manager" may be that of people.
    if (owner === 'their' && [...this.before, ...here].some(({ type }) => type === 'PERSON'))
      return undefined;
    // "The group sold its subsidiary": of a company that the sentence does not name.
    const isOfOther = tokens
      .slice(0, at)
      .some(
        ({ lower }, index) =>
          lower === 'the' &&
          calledSo.test(tokens[index + 1]?.lower ?? '') &&
          !refs.some(({ start }) => start === index),
      );
    if (isOfOther) return undefined;
    const mayOwn = ({ type }: Entity) => /^(?:ORGANIZATION|PRODUCT|OTHER)$/.test(type);
    const near = new Set((here.some(mayOwn) ? here : this.before).filter(mayOwn));
    const [entity = this.employer] = near;
    if (!entity || near.size > 1 || entity.type === 'PRODUCT') return undefined;
    // Only what the sentence begins with counts. "The company was spun out of Oslo University by Ann Hill,
    // who is its chief scientist" is about the company.
    const first = named.find((ref) => ref.entity === entity)?.start ?? 0;
    if (tokens.slice(0, first).some(({ pos }) => /^(?:VERB|AUX)$/.test(pos))) return undefined;
    return { start: at, end: at + 1, entity };
  }

  /**
   * "It is based in Oslo": the first entity of the sentence before, if that named
   * nothing else that "it" may mean.
   */
  private thingAt(
    tokens: readonly Token[],
    at: number,
    named: readonly Ref[],
  ): Omit<Ref, 'indirect'> | undefined {
    if (at > 0 && tokens[at]?.lower === 'it') return announcer(tokens, at, named);
    if (at > 0 || tokens[at]?.lower !== 'it' || !/^(?:VERB|AUX)$/.test(tokens[1]?.pos ?? ''))
      return undefined;
    const [entity, ...others] = this.before.filter(({ type }) => type !== 'PERSON' && type !== 'LOCATION');
    if (entity !== this.before[0] || !entity || others.length > 0) return undefined;
    return /^(?:ORGANIZATION|PRODUCT)$/.test(entity.type) ? { start: at, end: at + 1, entity } : undefined;
  }

  /** The only entity of a type in the sentence so far or, if there is none, in the one before. */
  private onlyOne(here: readonly Entity[], type: string, before = this.before): Entity | undefined {
    for (const entities of [here, before]) {
      const fitting = new Set(entities.filter((entity) => entity.type === type));
      const [only] = fitting;
      if (fitting.size > 1) return undefined;
      if (only) return only;
    }
    return undefined;
  }
}

/** Whether a sentence begins with a person without a name: "User …", "The customer …", "A colleague of …". */
function isAboutNameless(tokens: readonly Token[], refs: readonly Ref[]): boolean {
  const at = /^(?:the|an?|my|our|one)$/.test(tokens[0]?.lower ?? '') ? 1 : 0;
  const noun = tokens[at]?.lower ?? '';
  if (!(nameless.test(noun) || (at > 0 && tokens[0]?.lower !== 'the' && relative.test(noun)))) return false;
  const next = tokens[at + 1];
  const acts = /^(?:VERB|AUX|ADV)$/.test(next?.pos ?? '') || verbOf(next?.lower ?? '') !== undefined;
  return acts && !refs.some(({ start }) => start <= at + 1);
}

/** "I work for Acme", "my sister Nadia", unless within a quotation. */
function speakerAt(
  { text, tokens }: ReadSentence,
  at: number,
  { speaker, named }: { speaker: Entity; named: readonly Ref[] },
): Omit<Ref, 'indirect'> | undefined {
  const { lower = '', start = 0 } = tokens[at] ?? {};
  const isSelf =
    /^(?:i(?:['’](?:m|ve))?|me)$/.test(lower) || (lower === 'my' && kinFollows(tokens, at + 1, named));
  if (!isSelf || /["“”]/.test(text.slice(0, start))) return undefined;
  return { start: at, end: at + 1, entity: speaker };
}

/** "its new chief executive" */
function roleFollows(tokens: readonly Token[], from: number): boolean {
  for (let at = from; at < from + introductionTokensMax; at += 1) {
    const token = tokens[at];
    if (!token || !(/^(?:ADJ|NOUN|PROPN)$/.test(token.pos) || token.lower === 'new')) return false;
    const { lower } = token;
    if (isRole(lower) || roleRules.has(lower) || listedRoles.has(lower) || accounts.test(lower)) return true;
  }
  return false;
}

/** "Marelva said (that) it has bought …": "it" is who says so, if the sentence has named nobody else before. */
function announcer(
  tokens: readonly Token[],
  at: number,
  named: readonly Ref[],
): Omit<Ref, 'indirect'> | undefined {
  const end = tokens[at - 1]?.lower === 'that' ? at - 1 : at;
  // "said on Tuesday that it"
  const verb =
    tokens[end - 2]?.lower === 'on' && calendarWords.has(tokens[end - 1]?.lower ?? '') ? end - 3 : end - 1;
  if (!saying.test(tokens[verb]?.lower ?? '')) return undefined;
  const [only, ...others] = named.filter(({ end, entity }) => end < at && entity.type !== 'LOCATION');
  const isOne =
    only && others.length === 0 && /^(?:ORGANIZATION|OTHER)$/.test(only.entity.type) && !only.entity.lazy;
  return isOne && tokens[only.start - 1]?.pos !== 'ADP'
    ? { start: at, end: at + 1, entity: only.entity }
    : undefined;
}
