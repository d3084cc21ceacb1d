import { sentencesOf } from '../text/sentences.js';

export interface TextPiece {
  text: string;
  /** What stood between it and the piece before: nothing, a space, a line end or a blank line. */
  before: '' | ' ' | '\n' | '\n\n';
}

export interface SplitLimits {
  charactersTarget: number;
  charactersMax: number;
  /** Prefer line ends to sentence ends: rows, list items, code. */
  keepLines: boolean;
}

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });
/** Intl.Segmenter is quadratic in the length of its text, so it sees only the place of the cut. */
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
 * Cuts a text into pieces of at most `charactersMax`, near `charactersTarget`, at paragraph, sentence, line or
 * word ends, or between characters when a word is that long. Together the pieces hold every character but
 * white space at the cuts. Linear time. A text within the maximum is one piece, a blank one none.
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
    // The indentation of a first line is kept: in code it means something.
    const indent = limits.keepLines ? lead.slice(lead.lastIndexOf('\n') + 1) : '';
    pieces.push({ text: indent + body, before: separatorOf(gap) });
    space = raw.slice(lead.length + body.length);
  }
  return pieces;
}

/** White space, told by what it parts. */
function separatorOf(gap: string): TextPiece['before'] {
  if (blankLine.test(gap)) return '\n\n';
  if (gap.includes('\n')) return '\n';
  return gap === '' ? '' : ' ';
}

function cutLength(text: string, start: number, limits: SplitLimits): number {
  const { charactersTarget: target, charactersMax: max } = limits;
  if (text.length - start <= max) return text.length - start;
  // A little past the maximum, so that a sentence that ends there is seen to end.
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

/** The last sentence does not count: the window, not the sentence, ends there. */
function sentenceEnds(window: string): number[] {
  const places: number[] = [];
  let place = 0;
  for (const sentence of sentencesOf(window.replace(/\n/g, ' '))) places.push((place += sentence.length));
  return places.slice(0, -1);
}

/** Not inside an emoji or a letter with its accents, and never inside a surrogate pair. */
function graphemeCut(window: string, target: number): number {
  const from = target - graphemeWindowCharacters;
  const around = window.slice(from, target + graphemeWindowCharacters);
  const index = graphemes.segment(around).containing(target - from)?.index ?? 0;
  if (index > 0) return from + index;
  return /[\udc00-\udfff]/.test(window.charAt(target)) ? target - 1 : target;
}
