import { decodeText } from './charset.js';
import { linesOf } from './lines.js';
import { streamSafely, type BlockStream, type ParsedBlock, type Parser } from './parser.js';

/** A longer section is a block of its own, which is cut, and each part gets the section's key as heading. */
const sectionCharactersMax = 1_000;
/** Smaller sections are joined up to this length. */
const blockCharactersMax = 500;
const headingCharactersMax = 200;
const topKey = /^(?:"([^"\n]*)"|'([^'\n]*)'|([^\s#\-[\]{}&*!|>%@`"'][^\n#:]*)):(?:\s|$)/;
const sectionStart = /^(?:-(?:\s|$)|---)/;

/**
 * The text as written, cut before keys and list items at the left margin, or before the comments above them.
 */
function* yamlBlocks(text: string): Generator<ParsedBlock> {
  let open: ParsedBlock | undefined;
  for (const { lines, key } of sections(text)) {
    const body = lines.join('\n').trimEnd();
    if (body === '') continue;
    const isLong = body.length > sectionCharactersMax;
    if (open && (isLong || open.text.length + body.length > blockCharactersMax)) {
      yield open;
      open = undefined;
    }
    if (isLong) yield { text: body, headings: key === undefined ? [] : [key], keepTogether: true };
    else open = { text: open ? `${open.text}\n${body}` : body, headings: [], keepTogether: true };
  }
  if (open) yield open;
}

interface Section {
  readonly lines: string[];
  readonly key: string | undefined;
}

function* sections(text: string): Generator<Section> {
  let section: Section = { lines: [], key: undefined };
  let comments: string[] = [];
  for (const line of linesOf(text)) {
    if (line.startsWith('#')) {
      comments.push(line);
      continue;
    }
    const opened = topKey.exec(line);
    if (opened || sectionStart.test(line)) {
      yield section;
      const key = (opened?.[1] ?? opened?.[2] ?? opened?.[3])?.slice(0, headingCharactersMax);
      section = { lines: line.trim() === '---' ? comments : [...comments, line], key };
    } else {
      for (const comment of comments) section.lines.push(comment);
      section.lines.push(line);
    }
    comments = [];
  }
  yield section;
  if (comments.length > 0) yield { lines: comments, key: undefined };
}

export const yaml: Parser<BlockStream> = {
  name: 'yaml',
  extensions: ['yaml', 'yml'],
  contentTypes: ['application/yaml', 'application/x-yaml', 'text/yaml'],
  parse: (bytes, { charset }) => streamSafely(() => ({ blocks: yamlBlocks(decodeText(bytes, charset)) })),
};
