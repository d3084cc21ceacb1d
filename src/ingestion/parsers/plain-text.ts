import { captionOf, type Caption } from './caption.js';
import { Outline } from './outline.js';
import {
  streamSafely,
  type BlockStream,
  type ParsedBlock,
  type ParsedDocument,
  type Parser,
} from './parser.js';
import { terminalText } from './terminal-text.js';

const blankLines = /\n\s*\n/g;

/** Splits a text into paragraphs at its blank lines, without headings. */
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

/** The paragraphs of a text, each under the numbered captions above it. */
function* captionedParagraphs(text: string): Generator<ParsedBlock> {
  const outline = new Outline();
  let above: Caption | undefined;
  let waiting: { block: ParsedBlock; caption: Caption | undefined } | undefined;
  const add = (below: Caption | undefined) => {
    if (waiting === undefined) return;
    const { block, caption } = waiting;
    // A numbered line next to others of the same depth is an item of a list and no caption.
    const isItem =
      caption?.mayBeItem === true && [above, below].some((other) => other?.depth === caption.depth);
    if (caption && !isItem) outline.openHeading(caption.depth, caption.text);
    else outline.add({ text: block.text });
    above = caption;
  };
  for (const block of paragraphs(text)) {
    const caption = captionOf(block.text);
    add(caption);
    yield* outline.blocks.splice(0);
    waiting = { block, caption };
  }
  add(undefined);
  outline.closeHeadings(1);
  yield* outline.blocks;
}

export const plainText: Parser<BlockStream> = {
  name: 'plain-text',
  extensions: ['txt', 'text'],
  contentTypes: ['text/plain'],
  parse: (bytes, { charset }) =>
    streamSafely(() => ({ blocks: captionedParagraphs(terminalText(bytes, charset)) })),
};
