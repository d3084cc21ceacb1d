import type { ParsedBlock, ParsedDocument } from '../parsers/parser.js';
import { chunkSeparator } from './join-chunks.js';
import type { Seam } from './join-chunks.js';
import { splitText } from './split-text.js';

/** What is embedded and found: some one to three paragraphs, and the headings above them. */
export interface Chunk {
  /** Counted from 0. */
  position: number;
  text: string;
  /** The headings that the whole chunk shares, outermost first; not repeated in the text. */
  headings: string[];
  /**
   * `headings`; the layout of the `first` block and, if different, of the `last`; whether it is `quoted`; and
   * its Seam, unless it is the usual one.
   */
  layout: Record<string, unknown>;
}

const chunkCharactersTarget = 1_500;
const chunkCharactersMax = 2_000;
/** A smaller chunk is joined to a neighbour. */
const tailCharactersMin = 200;
/** Sections up to this size are packed together under the headings that they share. */
const smallSectionCharactersMax = 500;
const captionCharactersMax = 100;
const captionsMax = 2;

/** A block, or the part of one that fits into a chunk. */
interface Piece {
  text: string;
  /** What separates it from the piece before. */
  before: string;
  headings: readonly string[];
  layout: Record<string, unknown> | undefined;
}

/** A run of pieces: at first a section, later a future chunk. */
interface Group {
  pieces: [Piece, ...Piece[]];
  /** The headings that all pieces share. */
  headings: readonly string[];
  /** Whether some piece has further headings that the others do not share. */
  mixed: boolean;
  /** The length of the pieces and what separates them. */
  characters: number;
  /** At most this many more characters when mixed, for inner headings. */
  headingCharacters: number;
}

/** The chunks of a document, all at once; see Chunker. */
export function chunkDocument(document: ParsedDocument): Chunk[] {
  const chunks: Chunk[] = [];
  const chunker = new Chunker((chunk) => chunks.push(chunk));
  for (const block of document.blocks) chunker.add(block);
  chunker.end();
  return chunks;
}

/**
 * Cuts a document into chunks of about 1,500 and at most 2,000 characters, without overlap. Blocks of one
 * section are packed together, and so are small sections, with their inner headings as lines of text. Long
 * blocks are cut at the ends of sentences. What looks like a caption goes with the text below it, and quoted
 * text shares no chunk with other text. Every character of every block, except for white space, is in exactly
 * one chunk. However long the document, only a few chunks are held at a time.
 */
export class Chunker {
  private afterLines = false;
  /** Sections of a document that may still turn out to fit into one chunk. */
  private short: Group[] | undefined = [];
  private shortCharacters = 0;
  private packer = this.newPacker();
  private position = 0;
  private last: Group | undefined;
  /** Whether the last block was quoted, and with it everything that is held. */
  private quoted = false;

  constructor(private readonly emit: (chunk: Chunk) => void) {}

  /** Adds the next block of the document. */
  add(block: ParsedBlock): void {
    const quoted = block.quoted === true;
    if (quoted !== this.quoted) this.startAnew();
    this.quoted = quoted;
    for (const piece of piecesOf(block, this.afterLines)) {
      if (this.short) this.hold(piece, this.short);
      else this.packer.add(piece);
    }
    this.afterLines = block.keepTogether === true;
  }

  /** Emits the chunks that are left. */
  end(): void {
    const [first, ...others] = this.short ?? [];
    if (!first) return this.packer.end();
    for (const section of others) append(first, section);
    this.emitGroup(first);
  }

  /** Starts over: later blocks share no chunk with earlier ones. */
  private startAnew(): void {
    this.end();
    this.short = [];
    this.shortCharacters = 0;
    this.packer = this.newPacker();
  }

  private newPacker(): Packer {
    return new Packer(new TailJoiner((group) => this.emitGroup(group)));
  }

  private hold(piece: Piece, sections: Group[]): void {
    const next = groupOf(piece);
    const section = sections.at(-1);
    if (section && samePath(section.headings, piece.headings)) {
      append(section, next);
      this.shortCharacters += piece.before.length + next.characters;
    } else {
      sections.push(next);
      this.shortCharacters += next.characters + next.headingCharacters;
    }
    if (this.shortCharacters <= chunkCharactersTarget) return;
    this.short = undefined;
    for (const { pieces } of sections) for (const held of pieces) this.packer.add(held);
  }

  private emitGroup(group: Group): void {
    const seam = this.last && seamOf(this.last, group);
    this.emit(toChunk(group, { position: this.position, quoted: this.quoted, seam }));
    this.position += 1;
    this.last = group;
  }
}

/**
 * Fills chunks up to the target size. A section starts a new chunk, unless both it and what stands before it
 * are small.
 */
class Packer {
  /** The small section that pieces are being added to. */
  private small: Group | undefined;
  /** The headings of the section that pieces are being added to. */
  private headings: readonly string[] | undefined;
  private smallBefore = false;
  /** The chunk that is being filled. */
  private open: Group | undefined;

  constructor(private readonly joiner: TailJoiner) {}

  add(piece: Piece): void {
    const isNewSection = !this.headings || !samePath(this.headings, piece.headings);
    if (isNewSection) this.endSection();
    this.headings = piece.headings;
    const next = groupOf(piece);
    if (this.small) append(this.small, next);
    else if (isNewSection) this.small = next;
    else return this.fill(next);
    if (this.small.characters <= smallSectionCharactersMax) return;
    this.startWith(this.small);
    this.small = undefined;
  }

  end(): void {
    this.endSection();
    if (this.open) this.joiner.add(this.open);
    this.joiner.end();
  }

  private endSection(): void {
    const section = this.small;
    if (section) {
      if (this.smallBefore && this.open && mayShare(this.open, section)) append(this.open, section);
      else this.startWith(section);
    }
    this.smallBefore = section !== undefined;
    this.small = undefined;
  }

  /** Starts a chunk with a section, which may have to be cut. */
  private startWith({ pieces: [first, ...others] }: Group): void {
    this.start(groupOf(first));
    for (const piece of others) this.fill(groupOf(piece));
  }

  private fill(next: Group): void {
    if (this.open && sizeJoined(this.open, next) <= chunkCharactersTarget) append(this.open, next);
    else this.start(this.open ? takeCaption(this.open, next) : next);
  }

  private start(group: Group): void {
    if (this.open) this.joiner.add(this.open);
    this.open = group;
  }
}

/** Joins a tiny chunk to the one before or, if it shares more headings with that, to the one after. */
class TailJoiner {
  private before: Group | undefined;
  private current: Group | undefined;

  constructor(private readonly emit: (group: Group) => void) {}

  add(next: Group): void {
    if (this.current) this.place(this.current, next);
    this.current = next;
  }

  end(): void {
    if (this.current) this.place(this.current, undefined);
    if (this.before) this.emit(this.before);
  }

  private place(group: Group, next: Group | undefined): void {
    const { before } = this;
    const nextIsNearer =
      before !== undefined &&
      next !== undefined &&
      sharedDepth(group.headings, next.headings) > sharedDepth(group.headings, before.headings) &&
      mayJoinTail(group, next);
    if (before && !nextIsNearer && mayJoinTail(before, group)) return append(before, group);
    if (before) this.emit(before);
    this.before = group;
  }
}

function piecesOf(block: ParsedBlock, afterLines: boolean): Piece[] {
  const keepLines = block.keepTogether === true;
  const limits = { charactersTarget: chunkCharactersTarget, charactersMax: chunkCharactersMax, keepLines };
  const separator = keepLines && afterLines ? '\n' : chunkSeparator;
  return splitText(block.text, limits).map(({ text, before }, index) => ({
    text,
    before: index === 0 ? separator : before,
    headings: block.headings,
    layout: block.layout,
  }));
}

/**
 * Moves captions from the end of a group to the one that follows: "7. Termination" in a text without
 * headings.
 */
function takeCaption(open: Group, next: Group): Group {
  const captions = open.pieces.slice(open.pieces.findLastIndex((piece) => !isCaption(piece)) + 1);
  const [first, ...others] = captions.map(groupOf);
  // More than a few are lines of a list or a dialogue.
  if (!first || captions.length > captionsMax || captions.length === open.pieces.length || open.mixed)
    return next;
  for (const caption of others) append(first, caption);
  if (sizeJoined(first, next) > chunkCharactersMax) return next;
  for (const { before, text } of captions) {
    open.pieces.pop();
    open.characters -= before.length + text.length;
  }
  append(first, next);
  return first;
}

/** A short line between blank ones that does not end a sentence. */
function isCaption({ text, before }: Piece): boolean {
  return (
    before === chunkSeparator &&
    text.length <= captionCharactersMax &&
    /^[\p{Lu}\p{N}*_].*[^.!?;,\n]$/u.test(text)
  );
}

/** A chunk that is at least half full does not lose a heading for one more small section. */
function mayShare(open: Group, section: Group): boolean {
  const keepsHeadings = sharedDepth(open.headings, section.headings) === open.headings.length;
  if (!keepsHeadings && open.characters >= chunkCharactersTarget / 2) return false;
  return sizeJoined(open, section) <= chunkCharactersTarget;
}

/**
 * Under one heading up to the maximum size; across headings, which costs a heading path, only up to the
 * target.
 */
function mayJoinTail(first: Group, second: Group): boolean {
  if (Math.min(first.characters, second.characters) >= tailCharactersMin) return false;
  return sizeJoined(first, second) <= (areMixed(first, second) ? chunkCharactersTarget : chunkCharactersMax);
}

function groupOf(piece: Piece): Group {
  const headingCharacters = piece.headings.reduce(
    (sum, heading) => sum + heading.length + 1,
    chunkSeparator.length,
  );
  return {
    pieces: [piece],
    headings: piece.headings,
    mixed: false,
    characters: piece.text.length,
    headingCharacters,
  };
}

function append(group: Group, next: Group): void {
  if (areMixed(group, next)) {
    group.mixed = true;
    group.headings = group.headings.slice(0, sharedDepth(group.headings, next.headings));
    group.headingCharacters += next.headingCharacters;
  }
  group.characters += next.pieces[0].before.length + next.characters;
  for (const piece of next.pieces) group.pieces.push(piece);
}

/** An upper bound of the size: inner headings that two pieces share are counted twice. */
function sizeJoined(group: Group, next: Group): number {
  const characters = group.characters + next.pieces[0].before.length + next.characters;
  return characters + (areMixed(group, next) ? group.headingCharacters + next.headingCharacters : 0);
}

function areMixed(group: Group, next: Group): boolean {
  return group.mixed || next.mixed || !samePath(group.headings, next.headings);
}

function toChunk(
  { pieces, headings }: Group,
  { position, quoted, seam }: { position: number; quoted: boolean; seam: Seam | undefined },
): Chunk {
  const [first] = pieces;
  const last = pieces.at(-1) ?? first;
  const layout: Record<string, unknown> = {};
  if (headings.length > 0) layout.headings = [...headings];
  if (first.layout) layout.first = first.layout;
  if (last.layout && last.layout !== first.layout) layout.last = last.layout;
  if (quoted) layout.quoted = true;
  if (seam) layout.seam = seam;
  return { position, text: textOf(pieces, headings.length), headings: [...headings], layout };
}

/** How a chunk follows the one before; undefined where its headings and a blank line say so. */
function seamOf(before: Group, { pieces: [first], headings }: Group): Seam | undefined {
  const open = sharedDepth(before.pieces.at(-1)?.headings ?? [], first.headings);
  const seam: Seam = {};
  if (open === first.headings.length && first.before !== chunkSeparator) seam.between = first.before;
  const above = Math.min(open, headings.length);
  if (above !== sharedDepth(before.headings, headings)) seam.headings = above;
  const repeated = first.headings.slice(headings.length, open);
  if (repeated.length > 0) seam.repeated = linesOf(repeated).length;
  return Object.keys(seam).length > 0 ? seam : undefined;
}

/** The text of the pieces; each heading below the shared ones is a line where its section begins. */
function textOf(pieces: readonly Piece[], depth: number): string {
  let text = '';
  let path: readonly string[] = [];
  for (const piece of pieces) {
    const opened = piece.headings.slice(Math.max(depth, sharedDepth(path, piece.headings)));
    if (text !== '') text += opened.length > 0 ? chunkSeparator : piece.before;
    text += linesOf(opened) + piece.text;
    path = piece.headings;
  }
  return text;
}

function linesOf(headings: readonly string[]): string {
  return headings.map((heading) => `${heading}\n`).join('');
}

function samePath(one: readonly string[], other: readonly string[]): boolean {
  return one === other || (one.length === other.length && sharedDepth(one, other) === one.length);
}

function sharedDepth(one: readonly string[], other: readonly string[]): number {
  const most = Math.min(one.length, other.length);
  let depth = 0;
  while (depth < most && one[depth] === other[depth]) depth += 1;
  return depth;
}
