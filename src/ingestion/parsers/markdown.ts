import { Lexer, type MarkedToken, type Token, type Tokens } from 'marked';
import { decodeText } from './charset.js';
import { parseSafely, type ParsedBlock, type ParsedDocument, type Parser } from './parser.js';
import { plainTextDocument } from './plain-text.js';
import { tableBlocks } from './table-rows.js';

/** A longer heading is prose in the wrong style: it stays a block, and its beginning stands in the path. */
const headingCharactersMax = 200;
const frontMatterCharactersMax = 64 * 1024;
/** Images embedded as base64 are megabytes of noise. */
const dataUri = /data:[\w.+-]{1,100}\/[\w.+-]{1,100};base64,[A-Za-z0-9+/=]{64,}/g;

/**
 * The blocks of a Markdown text, which they keep as source, under their heading paths. The title is that of the
 * front matter, else the first heading of level 1. `clean` is applied to everything that is not code. A text
 * nested or run together beyond what the lexer's stack bears comes back as plain paragraphs.
 */
export function markdownDocument(source: string, clean = (text: string) => text): ParsedDocument {
  const { body, title } = splitFrontMatter(source);
  const text = body.replace(dataUri, 'data:');
  const tokens = blockTokens(text);
  if (tokens === undefined) return { ...plainTextDocument(text), ...(title ? { title } : {}) };
  const outline = new Outline();
  for (const token of tokens) addToken(outline, token as MarkedToken, clean);
  outline.closeHeadings(1);
  const foundTitle = title ?? outline.title;
  return foundTitle ? { title: foundTitle, blocks: outline.blocks } : { blocks: outline.blocks };
}

/** Collects blocks under the path of open headings; a heading that nothing stands under becomes a block. */
export class Outline {
  readonly blocks: ParsedBlock[] = [];
  title: string | undefined;
  private path: { depth: number; text: string; used: boolean; layout: ParsedBlock['layout'] }[] = [];
  private headings: string[] = [];

  openHeading(depth: number, text: string, layout?: ParsedBlock['layout']): void {
    this.closeHeadings(depth);
    if (text === '') return;
    const short = clip(text);
    if (depth === 1) this.title ??= short;
    this.path.push({ depth, text: short, used: false, layout });
    this.headings = this.path.map((heading) => heading.text);
    if (short !== text) this.add({ text, ...(layout && { layout }) });
  }

  /** Ends the sections of this depth and deeper. */
  closeHeadings(depth: number): void {
    for (let last = this.path.at(-1); last !== undefined && last.depth >= depth; last = this.path.at(-1)) {
      this.path.pop();
      this.headings = this.path.map((heading) => heading.text);
      if (!last.used) this.add({ text: last.text, ...(last.layout && { layout: last.layout }) });
    }
  }

  add(block: Omit<ParsedBlock, 'headings'>): void {
    for (const heading of this.path) heading.used = true;
    this.blocks.push({ ...block, headings: this.headings });
  }

  addTable(token: Tokens.Table, clean: (text: string) => string): void {
    const rows = token.rows.map((cells, index) => ({
      cells: cells.map((cell) => clean(cell.text)),
      row: index + 2,
    }));
    const header = token.header.map((cell) => clean(cell.text));
    for (const block of tableBlocks({ header, rows, headings: [] })) this.add(block);
  }
}

function addToken(outline: Outline, token: MarkedToken, clean: (text: string) => string): void {
  switch (token.type) {
    case 'space':
    case 'hr':
      return;
    case 'heading':
      outline.openHeading(token.depth, inlineText(token.text));
      return;
    case 'code':
      outline.add({ text: token.raw.replace(/^\n+/, '').trimEnd(), keepTogether: true });
      return;
    case 'table':
      outline.addTable(token, clean);
      return;
    case 'list':
      for (const item of token.items) outline.add({ text: clean(item.raw).trim(), keepTogether: true });
      return;
    case 'blockquote':
      outline.add({ text: clean(token.text).trim() });
      return;
    case 'html':
      outline.add({ text: withoutTags(token.text) });
      return;
    default:
      outline.add({ text: clean(token.raw).trim() });
  }
}

/** Block level only: inline tokens are not needed, and lexing them is what hostile texts make slow. */
function blockTokens(text: string): Token[] | undefined {
  try {
    return new Lexer({ gfm: true }).blockTokens(text).filter((token) => /\S/.test(shownText(token)));
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** A comment shows nothing, and must not count as the text of the section that it stands in. */
function shownText(token: Token): string {
  return token.type === 'html' ? withoutTags(token.raw) : token.raw;
}

function withoutTags(html: string): string {
  return html
    .replace(/<!--[\s\S]*?(?:-->|$)/g, '')
    .replace(/<(script|style)\b[\s\S]*?(?:<\/\1\s*>|$)/gi, '')
    .replace(/<\/?[a-z][^<>]*>/gi, ' ')
    .trim();
}

/** A heading's words without the marks of emphasis, links and code. */
function inlineText(source: string): string {
  if (source.length > 5 * headingCharactersMax) return source.trim();
  const words = (tokens: Token[]): string =>
    tokens.map((token) => inlineTokenText(token as MarkedToken, words)).join('');
  return words(Lexer.lexInline(source)).replace(/\s+/g, ' ').trim();
}

function inlineTokenText(token: MarkedToken, words: (tokens: Token[]) => string): string {
  if (token.type === 'html') return '';
  if ('tokens' in token && token.tokens !== undefined && token.tokens.length > 0) return words(token.tokens);
  return 'text' in token ? token.text : token.raw;
}

/** Cut at a code point. */
function clip(text: string): string {
  if (text.length <= headingCharactersMax) return text;
  return `${text.slice(0, headingCharactersMax).replace(/[\ud800-\udbff]$/, '')}…`;
}

/** YAML between `---` lines at the very start; a text that only begins with a rule is left alone. */
function splitFrontMatter(source: string): { body: string; title?: string } {
  const matter = /^---[^\S\n]*\n([\s\S]*?)\n(?:---|\.\.\.)[^\S\n]*(?:\n|$)/.exec(
    source.slice(0, frontMatterCharactersMax),
  );
  const yaml = matter?.[1];
  if (matter === null || yaml === undefined || !/^[\w-]+[^\S\n]*:/m.test(yaml)) return { body: source };
  const body = source.slice(matter[0].length);
  const title = /^title[^\S\n]*:(.*)$/im
    .exec(yaml)?.[1]
    ?.trim()
    .replace(/^(["'])(.*)\1$/, '$2');
  return title ? { body, title } : { body };
}

export const markdown: Parser = {
  name: 'markdown',
  extensions: ['md', 'markdown'],
  contentTypes: ['text/markdown'],
  parse: (bytes) => parseSafely(() => markdownDocument(decodeText(bytes))),
};
