import { decodeText } from './charset.js';
import { JsonOutline } from './json/outline.js';
import { JsonScanner } from './json/scanner.js';
import { mislabelledFile, ParseError, streamSafely } from './parser.js';
import type { BlockStream, ParsedBlock, Parser } from './parser.js';

const depthMax = 200;

/**
 * Reads JSON, JSON lines, and JSON documents that follow one another. If the text breaks off, what is
 * complete before is kept. What is not JSON between records and in lines is kept as it is written, and so are
 * all numbers.
 */
export function jsonStream(text: string): BlockStream {
  const outline = new JsonOutline();
  const blocks = jsonBlocks(text, outline);
  // The title is read now: it comes before anything that is large enough to be a block.
  const first = blocks.next();
  const all = (function* () {
    if (first.done !== true) yield first.value;
    yield* blocks;
  })();
  return outline.title === undefined ? { blocks: all } : { title: outline.title, blocks: all };
}

function* jsonBlocks(text: string, outline: JsonOutline): Generator<ParsedBlock> {
  const scanner = new JsonScanner(text);
  const areLines = isSequence(text);
  outline.isSequence = areLines;
  const values = () => readValues({ scanner, outline, areLines });
  let end = values();
  let isWhole = true;
  for (let next = end.next(); ; next = end.next()) {
    yield* outline.take();
    if (next.done !== true) continue;
    isWhole &&= next.value === 'end';
    if (next.value === 'end') break;
    const isKept = areLines || outline.depth === 0;
    const hasNext = scanner.skipToNextRecord();
    if (!hasNext && !outline.finish(isWhole)) break;
    outline.breakOff();
    yield* outline.take();
    if (isKept) yield* asWritten(scanner.skipped);
    if (!hasNext) return;
    outline.isSequence = true;
    end = values();
  }
  if (!outline.finish(isWhole)) throw mislabelledFile('it is no JSON');
  yield* outline.take();
}

/** A block of text that is no JSON, without the quote of a string that was not ended. */
function* asWritten(skipped: string): Generator<ParsedBlock> {
  const text = skipped.replace(/^"/, '').trim();
  if (/[\p{L}\p{N}]/u.test(text)) yield { text, headings: [] };
}

/**
 * Whether a text is a sequence of values in lines: the first line, or the second if the first was cut, is a
 * whole value, and the next begins another.
 */
function isSequence(text: string): boolean {
  const lines = text
    .slice(0, 1024 * 1024)
    .trimStart()
    .split(/\n\s*/, 3);
  return lines
    .slice(1)
    .some((next, index) => /^[{[]/.test(next) && /^\{.*\}\s*$|^\[.*\]\s*$/.test(lines[index] ?? ''));
}

interface Reading {
  readonly scanner: JsonScanner;
  readonly outline: JsonOutline;
  /** Whether a line that begins with a bracket begins a record, whatever the line before left open. */
  readonly areLines: boolean;
}

/**
 * Reads values, and pauses after each one so that finished blocks can be taken. Ends at the end of the text
 * or at the first mistake.
 */
function* readValues({ scanner, outline, areLines }: Reading): Generator<void, 'end' | 'bad'> {
  let key: string | undefined;
  for (;;) {
    const token = scanner.next();
    switch (token.kind) {
      case 'end':
      case 'bad':
        return token.kind;
      case '{':
      case '[':
        if (outline.depth >= depthMax) throw new ParseError('E1001', 'The file is nested too deep.');
        if (outline.isInObject && key === undefined) return 'bad';
        if (areLines && outline.depth > 0 && scanner.isAtRecord) return 'bad';
        outline.open(token.kind === '{', key);
        break;
      case '}':
      case ']':
        if (outline.depth === 0 || key !== undefined || outline.isInObject !== (token.kind === '}'))
          return 'bad';
        outline.close(scanner.isAtEnd());
        break;
      case 'value':
        if (outline.isInObject && key === undefined) {
          if (!token.isString || scanner.next().kind !== ':') return 'bad';
          key = token.text;
          continue;
        }
        outline.add(key, token);
        break;
      default:
        continue;
    }
    key = undefined;
    yield;
  }
}

export const json: Parser<BlockStream> = {
  name: 'json',
  extensions: ['json'],
  contentTypes: ['application/json'],
  parse: (bytes, { charset }) => streamSafely(() => jsonStream(decodeText(bytes, charset))),
};
