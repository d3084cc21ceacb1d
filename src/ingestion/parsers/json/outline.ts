import type { ParsedBlock } from '../parser.js';
import { clipHeading } from '../outline.js';
import { lineBlocks, pieceCharactersMax, recordBlocks, valueLines } from '../value-text.js';
import type { ValueNode } from '../value-text.js';

interface Frame {
  readonly key: string | undefined;
  readonly isObject: boolean;
  /** The headings for what it contains. */
  readonly headings: string[];
  /** The number, from 1, of the record that it is or belongs to. */
  readonly row: number | undefined;
  pending: ValueNode[];
  characters: number;
  elements: number;
  /**
   * Whether some of it has been handed over already; then it cannot be joined as a small part with others any
   * more.
   */
  isCut: boolean;
}

const headingsMax = 6;
const titleCharactersMax = 200;
/**
 * Pictures and other bytes, encoded as text. Not `{1000,}`: V8 counts such a repetition on a stack, which
 * overflows at some millions of characters.
 */
const encodedBytes = /^(?:data:[\w.+-]{1,100}\/[\w.+-]{1,100};base64,)?[\w+/-]{1000}[\w+/-]*={0,2}$/;

/**
 * Makes blocks from values as they are read. Elements of the outermost arrays, and the values of a sequence,
 * are records with a block each; the keys of objects around them become headings. Large values are split into
 * their parts and small ones joined, as lines `path: value`.
 */
export class JsonOutline {
  title: string | undefined;
  /** Whether the file has several values, one after another. */
  isSequence = false;
  private readonly frames: Frame[] = [];
  private ready: ParsedBlock[] = [];
  private roots = 0;
  private hasContent = false;

  get depth(): number {
    return this.frames.length;
  }

  get isInObject(): boolean {
    return this.frames.at(-1)?.isObject ?? false;
  }

  open(isObject: boolean, key: string | undefined): void {
    const parent = this.frames.at(-1);
    const headings = parent?.headings ?? [];
    const isNamed = key !== undefined && /\S/.test(key) && headings.length < headingsMax;
    this.frames.push({
      key,
      isObject,
      headings: isNamed ? [...headings, clipHeading(key)] : headings,
      row: this.rowWithin(parent),
      pending: [],
      characters: 0,
      elements: 0,
      isCut: false,
    });
  }

  /** Ends an object or array. `isLast` says that nothing follows in the file. */
  close(isLast: boolean): void {
    const frame = this.frames.pop();
    if (frame === undefined) return;
    this.hasContent = true;
    this.isSequence ||= this.depth === 0 && !isLast;
    if (frame.isCut || (this.depth === 0 && !this.isSequence)) {
      this.flush(frame);
      this.count();
      return;
    }
    const { key, isObject, pending: children, characters } = frame;
    this.put({ key, isObject, children, characters: characters + (key?.length ?? 0) });
  }

  add(key: string | undefined, { text, isString }: { text: string; isString: boolean }): void {
    this.hasContent ||= this.depth > 0 || isString;
    const shown = (!isString && text === 'null') || encodedBytes.test(text) ? '' : text.trim();
    const isTitle = this.depth === 1 && key?.toLowerCase() === 'title' && isString && !this.isSequence;
    if (isTitle && shown !== '' && shown.length <= titleCharactersMax) this.title ??= shown;
    this.put({ key, text: shown, isObject: false, characters: shown.length + (key?.length ?? 0) + 3 });
  }

  /** Returns the blocks that are finished, and forgets them. */
  take(): ParsedBlock[] {
    const taken = this.ready;
    this.ready = [];
    return taken;
  }

  /** Hands over the complete parts of a value that was not ended. */
  breakOff(): void {
    this.flushAll();
    if (this.frames.length > 0) this.roots += 1;
    this.frames.length = 0;
  }

  /**
   * Ends the reading. False if the text was no JSON: a number or a word alone is JSON only when the file
   * contains nothing else.
   */
  finish(isWhole: boolean): boolean {
    this.breakOff();
    return this.hasContent || (isWhole && this.roots > 0);
  }

  private put(node: ValueNode): void {
    const frame = this.frames.at(-1);
    const row = this.rowWithin(frame);
    const isRecord = frame === undefined || (!frame.isObject && frame.row === undefined && node.children);
    if (isRecord) {
      this.flushAll();
      for (const block of recordBlocks(node, { headings: frame?.headings ?? [], row }))
        this.ready.push(block);
    } else {
      frame.pending.push(node);
      frame.characters += node.characters;
      if (frame.characters > pieceCharactersMax) this.flushAll();
    }
    this.count();
  }

  /**
   * The record number of the next value in a frame. Values of a sequence, and elements of an array that is in
   * no record, are records.
   */
  private rowWithin(frame: Frame | undefined): number | undefined {
    if (frame === undefined) return this.isSequence ? this.roots + 1 : undefined;
    return frame.row ?? (frame.isObject ? undefined : frame.elements + 1);
  }

  private count(): void {
    const frame = this.frames.at(-1);
    if (frame === undefined) this.roots += 1;
    else frame.elements += 1;
  }

  private flushAll(): void {
    for (const frame of this.frames) this.flush(frame);
  }

  /** Hands over what a value contains so far: because it is large, or because it contains a record. */
  private flush(frame: Frame): void {
    const { isObject, pending: children, headings, row } = frame;
    frame.isCut = true;
    frame.pending = [];
    frame.characters = 0;
    if (children.length === 0) return;
    const lines = valueLines({ key: undefined, isObject, children, characters: 0 });
    for (const block of lineBlocks(lines, { headings, row })) this.ready.push(block);
  }
}
