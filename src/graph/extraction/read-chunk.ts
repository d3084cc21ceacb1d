import { splitAtAbbreviations } from './abbreviations.js';
import { readAttribution } from './attributions.js';
import type { Attribution } from './attributions.js';
import { findDays } from './dates.js';
import { findIdentifiers } from './identifiers.js';
import type { Identifier } from './identifiers.js';
import { findMentions } from './mentions.js';
import type { Mention } from './mentions.js';
import { readProse } from './prose.js';
import { readSentences } from './reader.js';
import type { Sentence, Token } from './reader.js';
import { findTechnicalNouns } from './technical-nouns.js';

/** A sentence of a chunk with what it names. */
export interface ReadSentence extends Sentence {
  readonly chunk: number;
  readonly mentions: readonly Mention[];
  /** It says where the medium is based that it names after a place. */
  readonly isAttribution?: boolean;
}

/** Sentences beyond this are lists or no prose at all: they are left out. */
const sentenceTokensMax = 300;

/** The sentences of a chunk, and identifiers from what is no prose. */
export function readChunk(text: string, chunk: number): ReadSentence[] {
  const attributed: ReadSentence[] = [];
  const lines = text.split('\n').filter((line) => {
    const attribution = readAttribution(line);
    if (attribution) attributed.push(attributionSentence(line, attribution, chunk));
    return !attribution;
  });
  const { paragraphs, other } = readProse(lines.join('\n'));
  const read = paragraphs.flatMap((paragraph) => readParagraph(paragraph, chunk));
  const forms = other.flatMap((line) =>
    findIdentifiers(line).map((identifier) => formOnly(identifier, chunk)),
  );
  return [...attributed, ...read, ...forms.filter(({ mentions }) => mentions.length > 0)];
}

function attributionSentence(line: string, { place, medium }: Attribution, chunk: number): ReadSentence {
  const common = { strength: 7, identifier: null, unsure: false, lazy: false };
  const mentions = [
    { ...common, start: 0, end: 1, name: place, type: 'LOCATION' },
    { ...common, start: 1, end: 2, name: medium, type: 'ORGANIZATION' },
  ];
  const tokens = mentions.map(({ name }): Token => {
    const start = line.indexOf(name);
    return {
      text: name,
      lower: name.toLowerCase(),
      pos: 'PROPN',
      start,
      end: start + name.length,
    };
  });
  return {
    text: line,
    tokens,
    chunk,
    mentions: [...mentions, ...dayMentions({ text: line, tokens })],
    isAttribution: true,
  };
}

/** An identifier outside of prose: known by its form, without a sentence. */
function formOnly({ type, name }: Identifier, chunk: number): ReadSentence {
  const mention = { start: 0, end: 1, name, type, strength: 9, identifier: name, unsure: false, lazy: false };
  return { text: name, tokens: [], chunk, mentions: type === 'VERSION' ? [] : [mention] };
}

function readParagraph(paragraph: string, chunk: number): ReadSentence[] {
  const read = readSentences(paragraph, findIdentifiers(paragraph)).flatMap(splitAtAbbreviations);
  return read.flatMap((sentence) => {
    if (sentence.tokens.length > sentenceTokensMax) return [];
    const names = findMentions(sentence);
    const mentions = [...names, ...findTechnicalNouns(sentence, names)].sort((a, b) => a.start - b.start);
    return [{ ...sentence, chunk, mentions: [...mentions, ...dayMentions(sentence)] }];
  });
}

/** Days are entities, but no ends of relations: those have temporal details. */
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
