import { decodeHTMLStrict } from 'entities';
import { Lexer, type MarkedToken, type Token, type Tokens, type TokensList } from 'marked';
import { inOneLine } from '../../text/one-line.js';
import { decodeText } from './charset.js';
import { withoutEmphasis, withoutEscapes } from './emphasis.js';
import { largeHtmlBlocks } from './html/large-html.js';
import { FootNotes } from './markdown/foot-notes.js';
import { headingCharactersMax, Outline } from './outline.js';
import { parseSafely, type ParsedDocument, type Parser } from './parser.js';
import { areFields } from './tables/field-list.js';

/** How deep lists and quotations are looked into; nobody nests them deeper. */
const levelsMax = 16;
const frontMatterCharactersMax = 64 * 1024;
/**
 * Images embedded as base64 are megabytes of noise. Not `{64,}`: V8 counts such a repetition on a stack, which
 * overflows at some millions of characters.
 */
const dataUri = /data:[\w.+-]{1,100}\/[\w.+-]{1,100};base64,[A-Za-z0-9+/=]{64}[A-Za-z0-9+/=]*/g;

/** `{#anchor .class}` behind a heading, as pandoc, Docusaurus and kramdown (`{: #anchor}`) write it. */
const headingAttributes = /\s\{:?\s?[#.][\w-][^{}]*\}$/;

/** `&nbsp;`, `&#8364;`; in code they are written as they are meant. */
const entity = /`[^`\n]*`|&(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z][a-z\d]{1,31});/gi;

/** A tag of HTML; a `>` in a quoted value does not end it. Each sign can be read in one way only, lest hostile texts take long. */
const tag = /<\/?[a-z][^<>=]*(?:=(?:\s*"[^"<]*"|\s*'[^'<]*'|(?!\s*(?:"[^"<]*"|'[^'<]*')))[^<>=]*)*>/gi;

const withoutMarks = (text: string) => withoutEntities(withoutEscapes(withoutEmphasis(text), true));
const withoutEntities = (text: string) =>
  text.replace(entity, (found) => (found.startsWith('&') ? decodeHTMLStrict(found) : found));

/**
 * The blocks of a Markdown text under their headings, kept as source except for marks of emphasis, backslashes before
 * signs, and entities. The first block is its front matter, if there is any. The title is that of the front matter,
 * else the first heading of level 1. `clean` is applied to everything except code.
 */
export function markdownDocument(source: string, clean = withoutMarks): ParsedDocument {
  const { body, matter, title } = splitFrontMatter(source);
  const notes = new FootNotes(body.replace(dataUri, 'data:'));
  const outline = new Outline();
  if (matter) outline.add({ text: matter, keepTogether: true });
  for (const token of blockTokens(notes.text)) {
    addToken(outline, token as MarkedToken, clean);
    if (token.type === 'code') continue;
    for (const note of notes.of(token.raw)) outline.add({ text: clean(note).trim() });
  }
  for (const note of notes.rest) outline.add({ text: clean(note).trim() });
  outline.closeHeadings(1);
  const foundTitle = title ?? outline.title;
  return foundTitle ? { title: foundTitle, blocks: outline.blocks } : { blocks: outline.blocks };
}

function addToken(outline: Outline, token: MarkedToken, clean: (text: string) => string): void {
  switch (token.type) {
    case 'space':
    case 'hr':
      return;
    case 'heading':
      outline.openHeading(token.depth, inlineText(token.text.replace(headingAttributes, '')));
      return;
    case 'code':
      outline.add({ text: token.raw.replace(/^\n+/, '').trimEnd(), keepTogether: true });
      return;
    case 'table':
      outline.addTable(tableOf(token, clean));
      return;
    case 'list':
      for (const item of token.items) outline.add({ text: clean(item.raw).trim(), keepTogether: true });
      return;
    case 'blockquote':
      outline.add({ text: clean(token.text).trim() });
      return;
    case 'html':
      if (/<table\b/i.test(token.text))
        for (const block of largeHtmlBlocks(token.text)) outline.addUnder(block);
      else outline.add({ text: withoutTags(token.text) });
      return;
    default:
      outline.add({ text: clean(token.raw).trim() });
  }
}

function tableOf(token: Tokens.Table, clean: (text: string) => string) {
  const toRow = (cells: readonly Tokens.TableCell[], index: number) => ({
    cells: cells.map((cell) => clean(cell.text).replace(/<br\s*\/?>/gi, ' ')),
    row: index + 1,
  });
  const header = toRow(token.header, 0);
  const rows = token.rows.map((cells, index) => toRow(cells, index + 1));
  // In Markdown every table has a first row that is set as header, even a list of fields.
  const holdsFields = areFields([header, ...rows].map(({ cells }) => cells));
  return holdsFields ? { header: [], rows: [header, ...rows] } : { header: header.cells, rows };
}

/** The block-level tokens. Inline tokens are not needed, and hostile texts make their lexing slow. */
function blockTokens(text: string): Token[] {
  return new ShallowLexer({ gfm: true }).blockTokens(text).filter((token) => /\S/.test(shownText(token)));
}

/**
 * Looks into lists and quotations only so deep as their ends depend on what is in them: of that the source is kept, and
 * each level would read the rest of the text again, until the stack or the memory is exhausted.
 */
class ShallowLexer extends Lexer {
  private level = 0;

  override blockTokens(source: string, tokens: Token[] = [], isClipped?: boolean): TokensList {
    const list = tokens as TokensList;
    if (this.level === levelsMax) return list;
    this.level += 1;
    super.blockTokens(source, list, isClipped);
    this.level -= 1;
    return list;
  }
}

/** A comment shows nothing, and must not count as text of its section. */
function shownText(token: Token): string {
  return token.type === 'html' ? withoutTags(token.raw) : token.raw;
}

function withoutTags(html: string): string {
  return html
    .replace(/<!--[\s\S]*?(?:-->|$)/g, '')
    .replace(/<(script|style)\b[\s\S]*?(?:<\/\1\s*>|$)/gi, '')
    .replace(tag, ' ')
    .trim();
}

/** A heading's words without the marks of emphasis, links and code. */
function inlineText(source: string): string {
  if (source.length > 5 * headingCharactersMax) return source.trim();
  const words = (tokens: Token[]): string =>
    tokens.map((token) => inlineTokenText(token as MarkedToken, words)).join('');
  return inOneLine(words(Lexer.lexInline(source)));
}

function inlineTokenText(token: MarkedToken, words: (tokens: Token[]) => string): string {
  if (token.type === 'html') return '';
  if ('tokens' in token && token.tokens !== undefined && token.tokens.length > 0) return words(token.tokens);
  if (token.type === 'text') return withoutEntities(token.text);
  return 'text' in token ? token.text : token.raw;
}

/**
 * Splits off front matter: YAML between `---` lines at the very start. A text that only begins with a rule
 * has none.
 */
function splitFrontMatter(source: string): { body: string; matter?: string; title?: string } {
  const found = /^---[^\S\n]*\n([\s\S]*?)\n(?:---|\.\.\.)[^\S\n]*(?:\n|$)/.exec(
    source.slice(0, frontMatterCharactersMax),
  );
  const yaml = found?.[1];
  if (found === null || yaml === undefined || !/^[\w-]+[^\S\n]*:/m.test(yaml)) return { body: source };
  const body = source.slice(found[0].length);
  const matter = yaml.trim();
  const title = /^title[^\S\n]*:(.*)$/im
    .exec(yaml)?.[1]
    ?.trim()
    .replace(/^(["'])(.*)\1$/, '$2');
  return title ? { body, matter, title } : { body, matter };
}

export const markdown: Parser = {
  name: 'markdown',
  extensions: ['md', 'markdown'],
  contentTypes: ['text/markdown'],
  parse: (bytes, { charset }) => parseSafely(() => markdownDocument(decodeText(bytes, charset))),
};
