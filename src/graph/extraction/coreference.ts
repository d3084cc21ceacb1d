import type { Entity, EntityRegistry } from './entities.js';
import { calendarWords, genderOf, isRole } from './lexicon.js';
import type { Ref } from './phrases.js';
import { listedRoles, roleRules } from './predicates.js';
import type { ReadSentence } from './read-chunk.js';
import type { Token } from './reader.js';
import { Topics } from './topics.js';

/** "the company": stands for the one organization that was named just before, or that the text is about. */
const organizationNouns = new Set(
  'company firm startup start-up organization organisation agency corporation bank university institute association foundation department commission committee newspaper airline retailer manufacturer carmaker vendor nonprofit charity union'.split(
    ' ',
  ),
);

/** What is called a company is none of these. */
const companyNouns = /^(?:airline|carmaker|company|corporation|firm|manufacturer|retailer|start-?up|vendor)$/;
const institution =
  /\b(?:academy|church|college|court|department|hospital|institute|library|ministry|museum|parliament|school|university)\b/i;

/** "her brother Mads Jensen": named only beside whom the text is about. */
const relative =
  /^(?:(?:grand|great-grand|step|half-|ex-|foster-)?(?:father|mother|son|daughter|brother|sister|parents?|husband|wife)|uncle|aunt|cousin|nephew|niece|spouse|partner|colleague|friend|mentor|teacher|student|assistant|fianc[eé]e?|twin|widow|widower)$/;

/** Whoever is named behind these may be so only in somebody's words. */
const claimed = /^(?:alleg|accus|claim|pretend|rumou?r)/;
/** What is called "the company" is one. */
const calledStrength = 4;
const roleTokensMax = 5;
/** A text that names so many things is not about one; and each sentence looks through them. */
const namedMax = 40;

type Gender = 'male' | 'female';

/** Follows a chunk sentence by sentence and says whom "she" and "the company" mean. */
export class Coreference {
  private before: readonly Entity[] = [];
  /** Whatever the chunk has named so far. */
  private readonly named = new Set<Entity>();
  /** Who was "he" or "she" stays so. */
  private readonly called = new Map<Entity, Gender>();

  private readonly topics: Topics;

  constructor(
    private readonly registry: EntityRegistry,
    title: string,
  ) {
    this.topics = new Topics(title);
  }

  /** The mentions of the next sentence, by name and by reference, in order. */
  read(sentence: ReadSentence): Ref[] {
    const { tokens, mentions, isForm = false } = sentence;
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
        this.organizationAt(tokens, at, here) ??
        this.thingAt(tokens, at, named) ??
        this.ownerAt(tokens, at, { here, named }) ??
        this.kinAt(tokens, at, { here, named });
      if (found) refs.push({ ...found, indirect: true });
    }
    refs.sort((a, b) => a.start - b.start);
    for (const { entity } of refs) if (this.named.size < namedMax) this.named.add(entity);
    if (isForm) return refs;
    this.topics.read(sentence, refs);
    const entities = [...new Set(refs.map(({ entity }) => entity))].filter((entity) => !asides.has(entity));
    const isAboutOthers = asides.size > 0 && !entities.some(({ type }) => type === 'PERSON');
    const kept = isAboutOthers ? this.before.filter(({ type }) => type === 'PERSON') : [];
    this.before = [...kept.filter((entity) => !asides.has(entity)), ...entities];
    return refs;
  }

  /** Whose chief somebody is where the text does not say: the only organization, and nothing else may be one, that it has named so far. */
  get employer(): Entity | undefined {
    if (this.named.size >= namedMax) return undefined;
    const possible = [...this.named].filter(
      ({ type, lazy }) => type === 'ORGANIZATION' || type === 'PRODUCT' || (type === 'OTHER' && !lazy),
    );
    const [only, ...others] = possible;
    return only?.type === 'ORGANIZATION' && others.length === 0 ? only : undefined;
  }

  private personAt(
    tokens: readonly Token[],
    at: number,
    here: readonly Entity[],
  ): Omit<Ref, 'indirect'> | undefined {
    const lower = tokens[at]?.lower ?? '';
    if (!/^(?:he|she)$/.test(lower)) return undefined;
    const entity = this.onlyOne(here, 'PERSON');
    const wanted = lower === 'he' ? 'male' : 'female';
    if (!entity || this.genderOf(entity, wanted) !== wanted) return undefined;
    this.called.set(entity, wanted);
    return { start: at, end: at + 1, entity };
  }

  private organizationAt(
    tokens: readonly Token[],
    at: number,
    here: readonly Entity[],
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
    const entity =
      this.onlyOne(named.length > 0 ? named : here, 'ORGANIZATION') ?? this.onlyOne(here, 'OTHER');
    if (!entity || (companyNouns.test(noun) && institution.test(entity.name))) return undefined;
    const meant = named.length > 0 ? entity : this.topics.choose(entity, [...this.named, ...here]);
    if (!meant) return undefined;
    if (meant.type === 'OTHER') Object.assign(meant, { type: 'ORGANIZATION', strength: calledStrength });
    return { start: at, end: at + 2, entity: meant };
  }

  /** "His sister Clara", "Karl Berg, whose father Otto": of the one person at hand whom the word fits, or the one named right before "whose". */
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

  /** The one person of this sentence so far, or else of the one before, whose first name is not one of the other sex. */
  private onlyPerson(here: readonly Entity[], gender: Gender): Entity | undefined {
    const may = (entity: Entity) => this.genderOf(entity, gender) === gender;
    const fitting = here.filter(may);
    const entity = this.onlyOne(fitting, 'PERSON', this.before.filter(may));
    if (entity) this.called.set(entity, gender);
    return entity;
  }

  /** "Its CEO is Anna Berg": of the one organization that this sentence or else the one before names, or that is all there is. */
  private ownerAt(
    tokens: readonly Token[],
    at: number,
    { here, named }: { here: readonly Entity[]; named: readonly Ref[] },
  ): Omit<Ref, 'indirect'> | undefined {
    const owner = tokens[at]?.lower ?? '';
    if (!/^(?:its|their)$/.test(owner) || !roleFollows(tokens, at + 1)) return undefined;
    // "Their manager" may be that of people.
    if (owner === 'their' && [...this.before, ...here].some(({ type }) => type === 'PERSON'))
      return undefined;
    const mayOwn = ({ type }: Entity) => /^(?:ORGANIZATION|PRODUCT|OTHER)$/.test(type);
    const near = new Set((here.some(mayOwn) ? here : this.before).filter(mayOwn));
    const [entity = this.employer] = near;
    if (!entity || near.size > 1 || entity.type === 'PRODUCT') return undefined;
    // "The company was spun out of Oslo University by Ann Hill, who is its chief scientist": only of what the sentence begins with.
    const first = named.find((ref) => ref.entity === entity)?.start ?? 0;
    if (tokens.slice(0, first).some(({ pos }) => /^(?:VERB|AUX)$/.test(pos))) return undefined;
    return { start: at, end: at + 1, entity };
  }

  /** "It is based in Oslo": what the sentence before began with, when it named nothing else that "it" may be. */
  private thingAt(
    tokens: readonly Token[],
    at: number,
    named: readonly Ref[],
  ): Omit<Ref, 'indirect'> | undefined {
    if (at > 0 && tokens[at]?.lower === 'it' && tokens[at - 1]?.lower === 'that')
      return announcer(tokens, at, named);
    if (at > 0 || tokens[at]?.lower !== 'it' || !/^(?:VERB|AUX)$/.test(tokens[1]?.pos ?? ''))
      return undefined;
    const [entity, ...others] = this.before.filter(({ type }) => type !== 'PERSON' && type !== 'LOCATION');
    if (entity !== this.before[0] || !entity || others.length > 0) return undefined;
    return /^(?:ORGANIZATION|PRODUCT)$/.test(entity.type) ? { start: at, end: at + 1, entity } : undefined;
  }

  /** The one entity of a type in this sentence so far or, if it names none, in the one before. */
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

/** "I work for Acme", "my sister Nadia"; not what somebody else is quoted with. */
function speakerAt(
  { text, tokens }: ReadSentence,
  at: number,
  { speaker, named }: { speaker: Entity; named: readonly Ref[] },
): Omit<Ref, 'indirect'> | undefined {
  const { lower = '', start = 0 } = tokens[at] ?? {};
  const isSelf = /^i(?:['’](?:m|ve))?$/.test(lower) || (lower === 'my' && kinFollows(tokens, at + 1, named));
  if (!isSelf || /["“”]/.test(text.slice(0, start))) return undefined;
  return { start: at, end: at + 1, entity: speaker };
}

/** "its new chief executive" */
function roleFollows(tokens: readonly Token[], from: number): boolean {
  for (let at = from; at < from + roleTokensMax; at += 1) {
    const token = tokens[at];
    if (!token || !(/^(?:ADJ|NOUN|PROPN)$/.test(token.pos) || token.lower === 'new')) return false;
    if (isRole(token.lower) || roleRules.has(token.lower) || listedRoles.has(token.lower)) return true;
  }
  return false;
}

/** "Tom Berg, whose …", "Bernard of Vestria, whose …" */
function personBefore(tokens: readonly Token[], end: number, named: readonly Ref[]): Entity | undefined {
  const last = named.find((ref) => ref.end === end);
  const isPartOf = last !== undefined && tokens[last.start - 1]?.lower === 'of';
  const first = isPartOf ? named.find((ref) => ref.end === last.start - 1) : undefined;
  const entity = (first ?? last)?.entity;
  return entity?.type === 'PERSON' ? entity : undefined;
}

/** "younger sister Clara", "boss, Henrik Stahl": somebody named, and what he is to somebody else. */
function kinFollows(tokens: readonly Token[], from: number, named: readonly Ref[]): boolean {
  for (let at = from; at < from + roleTokensMax; at += 1) {
    const noun = tokens[at]?.lower ?? '';
    // Business has partners too.
    if (roleRules.get(noun)?.target.includes('PERSON') && noun !== 'partner') {
      const name = /^(?:,|is|was)$/.test(tokens[at + 1]?.lower ?? '') ? at + 2 : at + 1;
      return named.some(({ start, entity }) => start === name && entity.type === 'PERSON');
    }
    if (!/^(?:ADJ|NOUN)$/.test(tokens[at]?.pos ?? '')) return false;
  }
  return false;
}

/** Who is named only beside whom the text is about: relatives, whoever speaks in a chat, and in "She was taught by Ann Hill" the teacher. */
function isAside(tokens: readonly Token[], { start, end, entity }: Ref, first: Ref | undefined): boolean {
  if (isRelative(tokens, start) || (entity.type === 'PERSON' && tokens[end]?.text === ':')) return true;
  if (entity.type !== 'PERSON' || entity === first?.entity || tokens[start - 1]?.lower !== 'by') return false;
  return first?.entity.type === 'PERSON' || tokens.some(({ lower }) => /^(?:he|she)$/.test(lower));
}

/** "his uncle Otto", "her husband, Tom" */
function isRelative(tokens: readonly Token[], start: number): boolean {
  const noun = tokens[start - 1]?.lower === ',' ? start - 2 : start - 1;
  if (!relative.test(tokens[noun]?.lower ?? '')) return false;
  return [noun - 1, noun - 2].some((at) => /^(?:his|her)$/.test(tokens[at]?.lower ?? ''));
}

/** "Marelva said that it has bought …": who says so, where the sentence has named nobody else before. */
function announcer(
  tokens: readonly Token[],
  at: number,
  named: readonly Ref[],
): Omit<Ref, 'indirect'> | undefined {
  // "said on Tuesday that it"
  const verb =
    tokens[at - 3]?.lower === 'on' && calendarWords.has(tokens[at - 2]?.lower ?? '') ? at - 4 : at - 2;
  if (!/^(?:announce[sd]?|confirm(?:s|ed)|report(?:s|ed)|said|says)$/.test(tokens[verb]?.lower ?? ''))
    return undefined;
  const [only, ...others] = named.filter(({ end, entity }) => end < at && entity.type !== 'LOCATION');
  const isOne =
    only && others.length === 0 && /^(?:ORGANIZATION|OTHER)$/.test(only.entity.type) && !only.entity.lazy;
  return isOne && tokens[only.start - 1]?.pos !== 'ADP'
    ? { start: at, end: at + 1, entity: only.entity }
    : undefined;
}
