import { linesOf } from './lines.js';
import { streamSafely, type BlockStream, type ParsedBlock, type Parser } from './parser.js';
import { terminalText } from './terminal-text.js';

/** Entries are joined up to this length, so that a log of a million lines does not make a million blocks. */
const blockCharacters = 1_000;
const sampledLines = 200;
/** `2024-01-31 …`, `31/Jan/2024:…`, `Jan 31 09:30:00`, `09:30:00.123`, `1706693400.5`, in brackets or not. */
const timestamp =
  /^[[<(]?(?:\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/. ](?:\d{1,2}|[A-Z][a-z]{2})[-/. ]\d{2,4}|[A-Z][a-z]{2},? +(?:[A-Z][a-z]{2} +)?\d{1,2}[ ,]|\d{1,2}:\d\d:\d\d|\d{10}(?:\d{3})?[.\s])/;
const level = /^[[<(]?(?:TRACE|DEBUG|INFO|NOTICE|WARN(?:ING)?|ERROR|FATAL|SEVERE|CRITICAL)\b/i;
/** Lines of web servers, with an address before the time. */
const access = /^[\w.:-]+ \S+ \S+ \[\d/;
/** Lines of a stack trace that belong to the entry before. */
const continuation = /^(?:\s|Caused by\b|Traceback\b|\.{3} \d+ more|\}|\))/;

/**
 * Makes blocks of whole entries with the lines that belong to them, such as stack traces; `row` is the first
 * line of a block, from 1.
 */
function* logBlocks(text: string): Generator<ParsedBlock> {
  const isStart = startOfEntry(text);
  let open: string[] = [];
  let characters = 0;
  let row = 1;
  let number = 0;
  for (const line of linesOf(text)) {
    number += 1;
    if (characters >= blockCharacters && isStart(line)) {
      yield blockOf(open, row);
      open = [];
      characters = 0;
    }
    if (open.length === 0) row = number;
    open.push(line);
    characters += line.length + 1;
    // An entry of megabytes is cut at a line end.
    if (characters > 100 * blockCharacters) {
      yield blockOf(open, row);
      open = [];
      characters = 0;
    }
  }
  if (open.length > 0) yield blockOf(open, row);
}

function blockOf(lines: readonly string[], row: number): ParsedBlock {
  return { text: lines.join('\n').trimEnd(), headings: [], keepTogether: true, layout: { row } };
}

/**
 * Returns the test for the first line of an entry. If lines begin with a time, a level or an address, entries
 * do; otherwise any line that is not indented begins one.
 */
function startOfEntry(text: string): (line: string) => boolean {
  const isMarked = (line: string) => timestamp.test(line) || level.test(line) || access.test(line);
  const sample = text.slice(0, 100 * 1024).split('\n', sampledLines);
  const marked = sample.filter(isMarked).length;
  return marked >= 2 || marked > sample.length / 4
    ? isMarked
    : (line) => line !== '' && !continuation.test(line);
}

export const log: Parser<BlockStream> = {
  name: 'log',
  extensions: ['log'],
  contentTypes: ['text/x-log'],
  parse: (bytes, { charset }) => streamSafely(() => ({ blocks: logBlocks(terminalText(bytes, charset)) })),
};
