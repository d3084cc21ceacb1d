import {
  streamSafely,
  type BlockStream,
  type ParsedBlock,
  type ParsedDocument,
  type Parser,
} from './parser.js';
import { terminalText } from './terminal-text.js';

const blankLines = /\n(?:[^\S\n]*\n)+/g;

/** Splits a text at its blank lines into paragraphs without headings. */
export function plainTextDocument(text: string): ParsedDocument {
  return { blocks: [...paragraphs(text)] };
}

function* paragraphs(text: string): Generator<ParsedBlock> {
  let start = 0;
  for (const { 0: gap, index } of text.matchAll(blankLines)) {
    yield* paragraph(text.slice(start, index));
    start = index + gap.length;
  }
  yield* paragraph(text.slice(start));
}

function* paragraph(text: string): Generator<ParsedBlock> {
  if (/\S/.test(text)) yield { text: text.trimEnd(), headings: [] };
}

export const plainText: Parser<BlockStream> = {
  name: 'plain-text',
  extensions: ['txt', 'text'],
  contentTypes: ['text/plain'],
  parse: (bytes) => streamSafely(() => ({ blocks: paragraphs(terminalText(bytes)) })),
};
