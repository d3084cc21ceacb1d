import { fromWindows1252 } from '../../../lib/named-charsets.js';
import { fieldAddress, linkedText } from '../linked-text.js';
import { symbolText } from '../office/symbol-font.js';
import type { Piece, WordFile } from './binary-file.js';
import { PropertyRuns, type BinaryProperties } from './binary-properties.js';

/** A paragraph of a Word document before Office Open XML. */
export interface BinaryParagraph {
  readonly text: string;
  /** The position of its last character. */
  readonly place: number;
  /** The character that ends it: `\r`, `\x07` for a cell, `\f` for a page. */
  readonly end: string;
  readonly properties: BinaryProperties;
  readonly isBold: boolean;
}

/** Texts that replace the characters at some positions. */
export type Replacements = ReadonlyMap<number, string>;

interface Field {
  code: string;
  isResult: boolean;
  /** Where its result starts in the current paragraph; -1 if it began in an earlier one. */
  start: number;
}

const paragraphEnds = ['\r', '\x07', '\f'];
const codeCharactersMax = 4_000;
/** The text does not name the font of symbols that were inserted by hand; most are of Symbol. */
const symbolFont = 'Symbol';

/** The text of a Word document with its properties. */
export class BinaryText {
  readonly text: string;
  private readonly paragraphRuns: PropertyRuns;
  /** One byte per character; bit 1 hidden, bit 2 bold. */
  private readonly marks: Uint8Array;
  private readonly symbols = new Map<number, string>();

  constructor(
    private readonly file: WordFile,
    private readonly decodeOld: (text: string) => string,
  ) {
    this.text = file.pieces.map((piece) => pieceText(file, piece)).join('');
    this.paragraphRuns = new PropertyRuns(file, 'paragraphs');
    this.marks = new Uint8Array(this.text.length);
    const characterRuns = new PropertyRuns(file, 'characters');
    for (const piece of file.pieces) this.mark(piece, characterRuns);
  }

  /** The paragraphs from one position to another (exclusive), without the codes of fields. */
  paragraphs(from: number, to: number, replacements: Replacements = new Map()): BinaryParagraph[] {
    const paragraphs: BinaryParagraph[] = [];
    const fields: Field[] = [];
    let [pieces, isBold]: [string[], boolean] = [[], true];
    const end = Math.min(to, this.text.length);
    for (let place = from; place < end; place += 1) {
      const character = this.text[place] ?? '';
      const isLast = place === end - 1;
      const ends = paragraphEnds.includes(character);
      if (ends || isLast) {
        if (!ends) pieces.push(shown(character));
        const properties = this.paragraphRuns.at(this.offsetOf(place));
        paragraphs.push({ place, text: this.finish(pieces.join('')), end: character, properties, isBold });
        [pieces, isBold] = [[], true];
        for (const field of fields) field.start = -1;
      } else if (character === '\x13') fields.push({ code: '', isResult: false, start: -1 });
      else if (character === '\x14') beginResult(fields.at(-1), pieces.length);
      else if (character === '\x15') endField(fields.pop(), pieces);
      else if (fields.some(({ isResult }) => !isResult)) addCode(fields.at(-1), character);
      else if (((this.marks[place] ?? 0) & 1) === 0) {
        const said = replacements.get(place) ?? this.symbols.get(place) ?? shown(character);
        if (((this.marks[place] ?? 0) & 2) === 0 && /\S/.test(said)) isBold = false;
        pieces.push(said);
      }
    }
    return paragraphs;
  }

  private finish(text: string): string {
    const decoded = this.file.isOld ? this.decodeOld(text) : text;
    return decoded.replace(/[^\S\n]+\n/g, '\n').trim();
  }

  private offsetOf(place: number): number {
    const { pieces } = this.file;
    let [low, high] = [0, pieces.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((pieces[middle]?.start ?? 0) <= place) low = middle + 1;
      else high = middle;
    }
    const piece = pieces[low - 1];
    return piece === undefined ? -1 : piece.offset + (place - piece.start) * piece.bytesPerCharacter;
  }

  private mark(piece: Piece, runs: PropertyRuns): void {
    const end = piece.offset + (piece.end - piece.start) * piece.bytesPerCharacter;
    const place = (offset: number) =>
      piece.start +
      Math.ceil((Math.min(Math.max(offset, piece.offset), end) - piece.offset) / piece.bytesPerCharacter);
    let marked = piece.start;
    for (const run of runs.within(piece.offset, end)) {
      const { isHidden, isBold, symbol } = run.properties;
      const mark = (isHidden === true ? 1 : 0) | (isBold === true ? 2 : 0);
      const [from, to] = [Math.max(place(run.start), marked), place(run.end)];
      if (mark !== 0 && to > from) this.marks.fill(mark, from, to);
      marked = Math.max(marked, to);
      if (symbol && to - from === 1) this.symbols.set(from, symbolText(symbolFont, symbol.code));
    }
  }
}

function pieceText({ stream, isOld }: WordFile, { start, end, offset, bytesPerCharacter }: Piece): string {
  const bytes = stream.subarray(offset, offset + (end - start) * bytesPerCharacter);
  const ofByte = () => (isOld ? bytes.toString('latin1') : fromWindows1252(bytes));
  const text = bytesPerCharacter === 2 ? bytes.toString('utf16le') : ofByte();
  return text.padEnd(end - start, '\0');
}

function shown(character: string): string {
  if (character === '\t') return '\t';
  if (character === '\v') return '\n';
  if (character === '\x1e') return '-';
  if (character === '\xa0') return ' ';
  const code = character.charCodeAt(0);
  if (code >= 0xf000 && code <= 0xf0ff) return symbolText(symbolFont, code);
  return code < 0x20 ? '' : character;
}

function addCode(field: Field | undefined, character: string): void {
  if (field && !field.isResult && field.code.length < codeCharactersMax) field.code += character;
}

function beginResult(field: Field | undefined, start: number): void {
  if (field === undefined) return;
  field.isResult = true;
  field.start = start;
}

function endField(field: Field | undefined, pieces: string[]): void {
  const address = fieldAddress(field?.code ?? '');
  if (field === undefined || !field.isResult || field.start < 0 || address === undefined) return;
  pieces.push(linkedText(pieces.splice(field.start).join(''), address));
}
