import type { ParsedBlock } from './parser.js';

/** A value of a data format with its name. */
export interface ValueNode {
  readonly key: string | undefined;
  /** Of a value without parts. */
  readonly text?: string;
  readonly children?: readonly ValueNode[];
  /** Its children have names of their own; else they are many of a kind. */
  readonly isObject: boolean;
  /** A paragraph: its name tells a reader nothing. */
  readonly isProse?: boolean;
  /** Of its text, roughly. */
  readonly characters: number;
}

/** Where a block stands. */
export interface ValuePlace {
  readonly headings: string[];
  /** Counted from 1. */
  readonly row?: number | undefined;
}

/** What is smaller stays one piece: about a chunk. */
export const pieceCharactersMax = 1_500;
/** A longer text is no cell of a record. */
const cellCharactersMax = 500;
const headingCharactersMax = 200;
/** Shorter ones may be names, and words of a text are not as long. */
const encodedCharactersMin = 300;
const encodedLineMin = 60;

/** `path: value` for each value that is not blank; plain values of an array stand in one line. */
export function valueLines(node: ValueNode, path = ''): string[] {
  const own = node.key === undefined ? path : path === '' ? node.key : `${path}.${node.key}`;
  const label = own === '' || node.isProse ? '' : `${own}: `;
  if (node.children === undefined) return isReadable(node.text) ? [`${label}${node.text}`] : [];
  const filled = node.children.filter(({ children, text }) => children !== undefined || isReadable(text));
  if (node.isObject || filled.some(({ children }) => children !== undefined)) {
    return filled.flatMap((child) => valueLines(child, own));
  }
  const texts = filled.map(({ text = '' }) => text);
  if (texts.some(isLong)) return texts.map((text) => `${label}${text}`);
  return texts.length === 0 ? [] : [`${label}${texts.join(', ')}`];
}

/** `key: value; key: value`, or lines when a value is long. */
export function recordBlocks(node: ValueNode, place: ValuePlace): ParsedBlock[] {
  const lines = valueLines({ ...node, key: undefined });
  if (lines.some(isLong) || node.characters > pieceCharactersMax) return lineBlocks(lines, place);
  return lineBlocks([lines.join('; ')], place);
}

/** Lines that fit a chunk together are one block; a longer one is a block that is cut at its sentences. */
export function lineBlocks(lines: readonly string[], { headings, row }: ValuePlace): ParsedBlock[] {
  const layout = row === undefined ? {} : { layout: { row } };
  const blocks: ParsedBlock[] = [];
  let open: string[] = [];
  let characters = 0;
  const closeOpen = () => {
    const text = open.join('\n');
    if (/\S/.test(text)) blocks.push({ text, headings, keepTogether: true, ...layout });
    open = [];
    characters = 0;
  };
  for (const line of lines) {
    if (characters + line.length > pieceCharactersMax) closeOpen();
    if (line.length > pieceCharactersMax) blocks.push({ text: line, headings, ...layout });
    else {
      open.push(line);
      characters += line.length + 1;
    }
  }
  closeOpen();
  return blocks;
}

/** Cut at a code point. */
export function clipHeading(text: string): string {
  if (text.length <= headingCharactersMax) return text;
  return `${text.slice(0, headingCharactersMax).replace(/[\ud800-\udbff]$/, '')}…`;
}

/** Neither blank nor the bytes of a picture or a key, as base64 writes them. */
function isReadable(text: string | undefined): text is string {
  return Boolean(text) && !isEncoded(text ?? '');
}

function isEncoded(text: string): boolean {
  if (text.length < encodedCharactersMin) return false;
  const lines = text
    .replace(/^data:[^,]{0,100},/, '')
    .trimEnd()
    .split(/\r?\n/);
  return (
    /[a-z]/.test(text) &&
    /\d/.test(text) &&
    lines.every(
      (line, index) =>
        (line.length >= encodedLineMin || index === lines.length - 1) && /^[A-Za-z\d+/_-]+={0,2}$/.test(line),
    )
  );
}

function isLong(text: string): boolean {
  return text.length > cellCharactersMax || text.includes('\n');
}
