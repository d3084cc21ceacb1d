import { splitAtAbbreviations } from './abbreviations.js';
import { readAffiliations } from './affiliations.js';
import type { Affiliation } from './affiliations.js';
import { readAttribution } from './attributions.js';
import type { Attribution } from './attributions.js';
import { readBylines } from './bylines.js';
import { findDays } from './dates.js';
import { readForeign } from './foreign/foreign-sentences.js';
import { readForms } from './forms.js';
import type { FormFact } from './forms.js';
import { findIdentifiers, strengthOf } from './identifiers.js';
import type { Identifier } from './identifiers.js';
import { findMentions } from './mentions.js';
import type { Mention } from './mentions.js';
import { readOfficersOf } from './officers.js';
import { readPartyLines } from './party-lines.js';
import { readProse } from './prose.js';
import { readSentences } from './reader.js';
import type { Sentence, Token } from './reader.js';
import { readResume } from './resumes.js';
import { Speakers } from './speakers.js';
import type { Voices } from './speakers.js';
import { findTechnicalNouns } from './technical-nouns.js';
import { withNamesAsNouns } from './word-names.js';

/** A sentence of a chunk with its mentions. */
export interface ReadSentence extends Sentence {
  readonly chunk: number;
  readonly mentions: readonly Mention[];
  readonly beginsParagraph?: boolean;
  /** The name of whoever "I" is. */
  readonly speaker?: string;
  /** True for a line that is not prose, so that no sentence refers back to it. */
  readonly isForm?: boolean;
  /** The relation that such a line states from its second mention to its first. */
  readonly states?: Statement;
}

/** A relation that the form of a line states. */
export interface Statement {
  readonly predicate: string;
  readonly raw: string;
  readonly confidence: number;
  readonly time?: string;
}

/** Relates a medium to the place that precedes it in a line. */
const basedIn: Statement = { predicate: 'based_in', raw: '', confidence: 0.6 };
const affiliationConfidence = 0.7;

/** Longer sentences are lists or no prose at all, and left out. */
const sentenceTokensMax = 300;

/** What is known of a chunk besides its text. */
export interface ChunkFrame extends Voices {
  readonly headings?: readonly string[] | undefined;
  readonly title?: string;
  /** The name of the person whose CV it is. */
  readonly owner?: string | undefined;
  /** The organization whose document it is. */
  readonly organization?: string | undefined;
}

/** The sentences of a chunk, and identifiers from outside its prose. */
export function readChunk(
  text: string,
  chunk: number,
  { headings = [], title = '', owner, organization, ...voices }: ChunkFrame = {},
): ReadSentence[] {
  const attributed: ReadSentence[] = [];
  const lines = text.split('\n').filter((line) => {
    const attribution = readAttribution(line);
    if (attribution) attributed.push(attributionSentence(line, attribution, chunk));
    return !attribution;
  });
  const forms = readForms(lines, { headings, title, organization });
  const resume = readResume(
    forms.rest.flatMap((line) => line.split('\n')),
    owner,
  );
  const officers = readOfficersOf(organization, resume.rest);
  const facts = [...readPartyLines(lines), ...forms.found, ...resume.found, ...officers.found];
  const stated = facts.map((fact) => formSentence(fact, chunk));
  const listed = readAffiliations(officers.rest, organization);
  const found = [...readBylines(lines), ...listed.found];
  const affiliated = found.map((affiliation) => affiliationSentence(affiliation, chunk));
  const { paragraphs, other } = readProse(listed.rest.join('\n'));
  const foreign = other.flatMap(readForeign).map((fact) => formSentence(fact, chunk));
  const speakers = new Speakers(paragraphs, voices);
  const read = paragraphs.flatMap((paragraph) => {
    const speaker = speakers.of(paragraph);
    const sentences = readParagraph(paragraph, chunk);
    return speaker === undefined ? sentences : sentences.map((each) => ({ ...each, speaker }));
  });
  const taken = [...facts, ...found].map((fact) => fact.text);
  const identified = [...new Set([...other, ...taken])].flatMap((line) =>
    findIdentifiers(line).map((identifier) => formOnly(identifier, chunk)),
  );
  // Forms come first, wherever they stand: they give the full names of people
  // that the prose calls "Mr. Hale".
  return [
    ...attributed,
    ...stated,
    ...affiliated,
    ...foreign,
    ...read,
    ...identified.filter(({ mentions }) => mentions.length > 0),
  ];
}

function attributionSentence(line: string, { place, medium }: Attribution, chunk: number): ReadSentence {
  const sentence = statingSentence(
    line,
    [
      { name: place, type: 'LOCATION' },
      { name: medium, type: 'ORGANIZATION' },
    ],
    { chunk, states: basedIn },
  );
  return { ...sentence, mentions: [...sentence.mentions, ...dayMentions(sentence)] };
}

function affiliationSentence({ person, role, organization, text }: Affiliation, chunk: number): ReadSentence {
  const holder = { name: person, type: 'PERSON' };
  if (organization === undefined) return statingSentence(text, [holder], { chunk });
  const states = { predicate: 'works_for', raw: role, confidence: affiliationConfidence };
  return statingSentence(text, [{ name: organization, type: 'ORGANIZATION' }, holder], { chunk, states });
}

function formSentence({ source, target, predicate, raw, text, time }: FormFact, chunk: number): ReadSentence {
  const states = { predicate, raw, confidence: affiliationConfidence, ...(time ? { time } : {}) };
  return statingSentence(text, [target, source], { chunk, states });
}

/** A line of which only the given names are read; each is one token. */
function statingSentence(
  text: string,
  names: readonly { readonly name: string; readonly type: string }[],
  more: Pick<ReadSentence, 'chunk' | 'states'>,
): ReadSentence {
  const mentions = names.map((each, start) => ({
    ...each,
    start,
    end: start + 1,
    strength: 7,
    identifier: null,
    unsure: false,
    lazy: false,
  }));
  const tokens = names.map(({ name }): Token => {
    const start = text.indexOf(name);
    return { text: name, lower: name.toLowerCase(), pos: 'PROPN', start, end: start + name.length };
  });
  return { text, tokens, mentions, isForm: true, ...more };
}

/** An identifier outside of prose, as a sentence without tokens. */
function formOnly({ type, name }: Identifier, chunk: number): ReadSentence {
  const strength = strengthOf({ type });
  const mention = { start: 0, end: 1, name, type, strength, identifier: name, unsure: false, lazy: false };
  return { text: name, tokens: [], chunk, mentions: /^(?:VERSION|CODE)$/.test(type) ? [] : [mention] };
}

function readParagraph(paragraph: string, chunk: number): ReadSentence[] {
  const read = readSentences(paragraph, findIdentifiers(paragraph)).flatMap(splitAtAbbreviations);
  return read.flatMap((sentence, index) => {
    if (sentence.tokens.length > sentenceTokensMax) return [];
    const names = findMentions(sentence);
    const technical = findTechnicalNouns(sentence, names);
    const others = names.filter(({ start }) => !technical.some((noun) => noun.start === start));
    const mentions = [...others, ...technical].sort((a, b) => a.start - b.start);
    const beginsParagraph = index === 0;
    const tokens = withNamesAsNouns(sentence.tokens, names);
    return [
      { ...sentence, tokens, chunk, beginsParagraph, mentions: [...mentions, ...dayMentions(sentence)] },
    ];
  });
}

/** Days are entities, but not ends of relations, which have temporal details instead. */
function dayMentions({ text, tokens }: Sentence): Mention[] {
  const { length } = tokens;
  return findDays(text).map((name) => ({
    start: length,
    end: length,
    name,
    type: 'DATE',
    strength: 9,
    identifier: null,
    unsure: false,
    lazy: false,
  }));
}
