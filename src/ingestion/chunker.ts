import type { ParsedBlock, ParsedDocument } from './parsers/parser.js';
import { chunkSeparator } from './join-chunks.js';
import type { Seam } from './join-chunks.js';
import { splitText } from './split-text.js';

/** What is embedded and found: about one to three paragraphs, with the headings that they stand under. */
export interface Chunk {
  /** Counted from 0. */
  position: number;
  text: string;
  /** The heading path that the whole chunk shares; it is not repeated in the text. */
  headings: string[];
  /**
   * `headings`, the layout of the `first` and, if another, the `last` block, whether it is `quoted`, and its Seam, unless it has
   * the usual one.
   */
  layout: Record<string, unknown>;
}

const chunkCharactersTarget = 1_500;
const chunkCharactersMax = 2_000;
/** A chunk below this joins a neighbour. */
const tailCharactersMin = 200;
/** Sections up to this are packed together under the headings that they share. */
const smallSectionCharactersMax = 500;
const captionCharactersMax = 100;
const captionsMax = 2;

/** A block, or a part of one that fits a chunk. */
interface Piece {
  text: string;
  /** What separates it from the piece before. */
  before: string;
  headings: readonly string[];
  layout: Record<string, unknown> | undefined;
}

/** A run of pieces: first a section, then a chunk to be. */
interface Group {
  pieces: [Piece, ...Piece[]];
  /** The headings that all pieces share. */
  headings: readonly string[];
  /** Whether some piece stands under more headings than all do. */
  mixed: boolean;
  /** Of the pieces and what separates them. */
  characters: number;
  /** At most this many more when mixed, for inner headings. */
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
 * section are packed together; small sections too, with their inner headings as lines of text. Long blocks are
 * cut at sentence ends; what looks like a caption stands before what it is one of. What is quoted shares no chunk with what is
 * not. Every character of every block, white space aside, is in exactly one chunk. No more than a few chunks are held, however long the document is.
 */
export class Chunker {
  private afterLines = false;
  /** Sections of a document that may still be short enough for one chunk. */
  private short: Group[] | undefined = [];
  private shortCharacters = 0;
  private packer = this.newPacker();
  private position = 0;
  private last: Group | undefined;
  /** Whether the last block was, and so all that is held. */
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

  /** Emits what is left. */
  end(): void {
    const [first, ...others] = this.short ?? [];
    if (!first) return this.packer.end();
    for (const section of others) append(first, section);
    this.emitGroup(first);
  }

  /** Nothing that comes shares a chunk with what was before. */
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

/** Fills chunks up to the target. A section starts a new one, unless it and what stands before it are small. */
class Packer {
  /** The section that pieces are added to, as long as it is small. */
  private small: Group | undefined;
  /** The headings of the section that pieces are added to. */
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

  /** Starts a chunk with a section, which may be cut. */
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

/** Joins what is tiny to the chunk before or, when it shares more headings with that one, to the next. */
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

/** A group that begins with the captions at the end of the one before: "7. Termination" of a text without headings. */
function takeCaption(open: Group, next: Group): Group {
  const captions = open.pieces.slice(open.pieces.findLastIndex((piece) => !isCaption(piece)) + 1);
  const [first, ...others] = captions.map(groupOf);
  // More of them are lines of a list or of a talk.
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

/** A short line between blank ones that ends no sentence. */
function isCaption({ text, before }: Piece): boolean {
  return (
    before === chunkSeparator &&
    text.length <= captionCharactersMax &&
    /^[\p{Lu}\p{N}*_].*[^.!?;,\n]$/u.test(text)
  );
}

/** A chunk that is half full already does not give up a heading for one more small section. */
function mayShare(open: Group, section: Group): boolean {
  const keepsHeadings = sharedDepth(open.headings, section.headings) === open.headings.length;
  if (!keepsHeadings && open.characters >= chunkCharactersTarget / 2) return false;
  return sizeJoined(open, section) <= chunkCharactersTarget;
}

/** Under one heading up to the maximum; across headings, which costs a heading path, only up to the target. */
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

/** At most so many characters: inner headings that two pieces share are counted twice. */
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

/** How a chunk goes on where the one before ends; undefined where its headings and a blank line say it. */
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

/** The pieces with each heading below the shared ones as a line where it begins. */
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
