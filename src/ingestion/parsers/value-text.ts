import type { ParsedBlock } from './parser.js';

/** A value of a data format, with its name. */
export interface ValueNode {
  readonly key: string | undefined;
  /** The text of a value without parts. */
  readonly text?: string;
  readonly children?: readonly ValueNode[];
  /** Whether its children have names of their own; otherwise they are many of a kind. */
  readonly isObject: boolean;
  /** Whether it is a paragraph, whose name tells a reader nothing. */
  readonly isProse?: boolean;
  /** Roughly the length of its text. */
  readonly characters: number;
}

/** The place of a block. */
export interface ValuePlace {
  readonly headings: string[];
  /** Counted from 1. */
  readonly row?: number | undefined;
}

/** A smaller value stays one piece; about the size of a chunk. */
export const pieceCharactersMax = 1_500;
/** A longer text is not joined with other values in a line. */
const cellCharactersMax = 500;
/** Shorter texts may be names, and no word of a text is as long. */
const encodedCharactersMin = 300;
const encodedLineMin = 60;

/** One line `path: value` for each value that is not blank. The plain values of an array share a line. */
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

/** The blocks of a record: `key: value; key: value`, or lines when a value is long. */
export function recordBlocks(node: ValueNode, place: ValuePlace): ParsedBlock[] {
  const lines = valueLines({ ...node, key: undefined });
  if (lines.some(isLong) || node.characters > pieceCharactersMax) return lineBlocks(lines, place);
  return lineBlocks([lines.join('; ')], place);
}

/**
 * Joins lines into blocks up to the size of a chunk. A longer line is a block of its own, which is cut at its
 * sentences.
 */
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

/** Whether a text is neither blank nor base64, such as the bytes of a picture or a key. */
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
