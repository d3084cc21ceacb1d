import { sentencesOf } from '../../text/sentences.js';

export interface TextPiece {
  text: string;
  /** What separated it from the piece before: nothing, a space, a line end or a blank line. */
  before: '' | ' ' | '\n' | '\n\n';
}

export interface SplitLimits {
  charactersTarget: number;
  charactersMax: number;
  /** Whether to prefer line ends to sentence ends: for rows, list items, code. */
  keepLines: boolean;
}

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });
/** Intl.Segmenter takes quadratic time, so it is only given the surroundings of the cut. */
const graphemeWindowCharacters = 64;

const blankLine = /\n[^\S\n]*\n/;

type Boundaries = (window: string) => number[];
const proseBoundaries: readonly Boundaries[] = [
  ends(/\n\n/g),
  sentenceEnds,
  ends(/\n/g),
  ends(/\s|[、，；：]/g),
];
const lineBoundaries: readonly Boundaries[] = [ends(/\n/g), sentenceEnds, ends(/\s|[、，；：]/g)];

/**
 * Cuts a text into pieces of at most `charactersMax` and near `charactersTarget`, at the end of a paragraph,
 * sentence, line or word, or between characters when a word is that long. Together the pieces hold every
 * character except white space at the cuts. A text within the maximum is one piece, a blank one none. Takes
 * linear time.
 */
export function splitText(text: string, limits: SplitLimits): TextPiece[] {
  const pieces: TextPiece[] = [];
  let space = '';
  for (let start = 0; start < text.length;) {
    const end = start + cutLength(text, start, limits);
    const raw = text.slice(start, end);
    const body = raw.trim();
    start = end;
    if (body === '') {
      space += raw;
      continue;
    }
    const lead = raw.slice(0, raw.indexOf(body.charAt(0)));
    const gap = space + lead;
    // Keeps the indentation of a first line, which means something in code.
    const indent = limits.keepLines ? lead.slice(lead.lastIndexOf('\n') + 1) : '';
    pieces.push({ text: indent + body, before: separatorOf(gap) });
    space = raw.slice(lead.length + body.length);
  }
  return pieces;
}

/** The separator that white space stands for. */
function separatorOf(gap: string): TextPiece['before'] {
  if (blankLine.test(gap)) return '\n\n';
  if (gap.includes('\n')) return '\n';
  return gap === '' ? '' : ' ';
}

function cutLength(text: string, start: number, limits: SplitLimits): number {
  const { charactersTarget: target, charactersMax: max } = limits;
  if (text.length - start <= max) return text.length - start;
  // Reaches a little beyond the maximum, so that a sentence that ends there is recognised.
  const window = text.slice(start, start + max + graphemeWindowCharacters);
  for (const boundaries of limits.keepLines ? lineBoundaries : proseBoundaries) {
    const cut = bestCut(boundaries(window), limits);
    if (cut !== undefined) return cut;
  }
  return graphemeCut(window, target);
}

/** The last place in the second half before the target, else the first one up to the maximum. */
function bestCut(places: readonly number[], limits: SplitLimits): number | undefined {
  const before = places.findLast((place) => place <= limits.charactersTarget);
  if (before !== undefined && before >= limits.charactersTarget / 2) return before;
  return places.find((place) => place > limits.charactersTarget && place <= limits.charactersMax);
}

function ends(pattern: RegExp): Boundaries {
  return (window) => [...window.matchAll(pattern)].map((match) => match.index + match[0].length);
}

/** The last sentence does not count: it is the window that ends there. */
function sentenceEnds(window: string): number[] {
  const places: number[] = [];
  let place = 0;
  for (const sentence of sentencesOf(window.replace(/\n/g, ' '))) places.push((place += sentence.length));
  return places.slice(0, -1);
}

/** Never inside an emoji, a letter with its accents, or a surrogate pair. */
function graphemeCut(window: string, target: number): number {
  const from = target - graphemeWindowCharacters;
  const around = window.slice(from, target + graphemeWindowCharacters);
  const index = graphemes.segment(around).containing(target - from)?.index ?? 0;
  if (index > 0) return from + index;
  return /[\udc00-\udfff]/.test(window.charAt(target)) ? target - 1 : target;
}
