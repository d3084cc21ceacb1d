// @ts-expect-error -- the package ships no types
import { highlightedCodeBlock, strikethrough } from '@joplin/turndown-plugin-gfm';
import { Readability } from '@mozilla/readability';
import { parseHTML } from 'linkedom';
import TurndownService from 'turndown';
import { inOneLine } from '../../../text/one-line.js';
import { linkedText } from '../linked-text.js';
import { withoutEscapes } from '../emphasis.js';
import { markdownDocument } from '../markdown.js';
import type { ParsedDocument } from '../parser.js';
import { plainTextDocument } from '../plain-text.js';
import { lowerAttributeNames } from './attribute-names.js';
import type { DomDocument, DomElement } from './dom.js';
import { isLargeHtml, largeHtmlBlocks, titleOfLargeHtml } from './large-html.js';
import { isHiddenByStyle, unfold } from './folded.js';
import { itemInMarkdown, numberItems } from './list-numbers.js';
import { mathText } from './math-text.js';
import { removeChrome } from './page-chrome.js';
import { takeTables, withTables, withoutTableMarks } from './page-tables.js';
import { writeRaised } from './raised.js';
import { partWords, tellSigns, tellValues } from './seen-text.js';

/** turndown overflows the stack near 2,000 levels; readability takes seconds from 500. */
const elementDepthMax = 400;
const readabilityDepthMax = 100;
/**
 * If readability leaves out more of the page's prose than this, it has dropped text that people search for,
 * for example sections that are named "menu".
 */
const proseLostShareMax = 0.03;
const proseLostCharactersMax = 300;
const articleCharactersMin = 500;
/** No article is longer, and readability takes a second for every megabyte. */
const articleCharactersMax = 2_000_000;
const unreadable =
  'script,style,noscript,template,iframe,object,embed,svg,canvas,nav,select,textarea,button,[hidden],[aria-hidden="true"],.mw-editsection';
/**
 * Elements that are never seen, so that words on both sides of them belong together. Other elements that are
 * removed leave a space.
 */
const unseen = 'script,style,noscript,template,[hidden]';
/** Elements that are paragraphs of their own; turndown would treat them as words within one. */
const ownParagraphs = ['summary', 'details', 'dialog', 'legend', 'search'];
const roleOfCell = '[role="cell"],[role="gridcell"],[role="columnheader"],[role="rowheader"]';
/** Links with which readers copy the address of a heading. */
const anchorsOfHeadings = ['h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'dt']
  .map((name) => `${name} a[href]`)
  .join(',');
/** Where a word may be divided, which is not seen elsewhere. */
const softHyphen = /\u00ad|&(?:shy|#173|#xad);/gi;

/**
 * The blocks of a page or a fragment. Of a page only what readability takes for its article is used, if that
 * holds nearly all of its prose. What a mail quotes is put behind `>`, as in plain text.
 */
export function htmlDocument(source: string, part: 'article' | 'whole' | 'mail' = 'article'): ParsedDocument {
  const whole = source.replace(softHyphen, '');
  if (isLargeHtml(whole)) return largeHtmlDocument(whole);
  const clean = withoutTableMarks(whole);
  const page = readablePage(clean);
  const title = inOneLine(page.document.documentElement?.querySelector('title')?.textContent ?? '');
  const titled = title === '' ? {} : { title };
  page.root.querySelector('title')?.remove();
  const depth = depthOf(page.root);
  if (depth > elementDepthMax) return { ...plainTextDocument(page.root.textContent), ...titled };
  const isPage = part === 'article' && depth <= readabilityDepthMax;
  if (isPage) removeChrome(page.root);
  const main = (isPage ? article(clean, page.root) : undefined) ?? page;
  if (main !== page) restoreHeading(main, page.root, title);
  writeRaised(main.root);
  simplify(main.root);
  numberItems(main.root);
  const tables = takeTables(main.document, main.root);
  for (const element of main.root.querySelectorAll('pre')) toCode(main.document, element);
  const parsed = markdownDocument(toMarkdown(main.root, part === 'mail'), withoutEscapes);
  return { ...parsed, ...titled, blocks: parsed.blocks.flatMap((block) => withTables(block, tables)) };
}

function largeHtmlDocument(source: string): ParsedDocument {
  const title = titleOfLargeHtml(source);
  const blocks = [...largeHtmlBlocks(source)];
  return title === '' ? { blocks } : { title, blocks };
}

interface Page {
  document: DomDocument;
  root: DomElement;
}

/**
 * Parses a page without what no reader sees. A fragment is wrapped first, because linkedom expects a whole
 * page.
 */
function readablePage(source: string): Page {
  const parse = (html: string) => (parseHTML(html) as unknown as { document: DomDocument }).document;
  let document = parse(source);
  if (document.documentElement?.nodeName !== 'HTML') {
    document = parse(`<!doctype html><html><head></head><body>${source}</body></html>`);
  }
  const root = document.documentElement;
  if (root === null) throw new Error('no document element');
  lowerAttributeNames(root);
  for (const link of root.querySelectorAll(anchorsOfHeadings))
    if (/^[#¶§🔗\s\u200b]*$/u.test(link.textContent)) link.remove();
  unfold(document, root);
  for (const frame of root.querySelectorAll('iframe[srcdoc]')) tellPage(document, frame);
  tellSigns(root);
  tellValues(root);
  for (const drawing of root.querySelectorAll('svg:not([aria-hidden="true"])')) tellWords(document, drawing);
  for (const element of root.querySelectorAll(unreadable)) {
    // In preformatted text an added space would be seen.
    element.replaceWith(element.matches(unseen) || element.closest('pre') ? '' : ' ');
  }
  for (const element of root.querySelectorAll('[style]')) {
    if (isHiddenByStyle(element)) element.remove();
  }
  partWords(root);
  for (const formula of root.querySelectorAll('math')) spellOut(formula);
  for (const grid of root.querySelectorAll('[role="table"],[role="grid"]')) makeTable(document, grid);
  return { document, root };
}

/** Puts a page that is written within this one in the place of its frame. */
function tellPage(document: DomDocument, frame: DomElement): void {
  const page = document.createElement('div');
  page.innerHTML = frame.getAttribute('srcdoc') ?? '';
  frame.replaceWith(page);
}

/** Puts the words of a drawing, a chart for example, in its place. */
function tellWords(document: DomDocument, drawing: DomElement): void {
  const texts = [...drawing.querySelectorAll('text')].map(({ textContent }) => inOneLine(textContent));
  if (texts.every((text) => text === '')) return;
  const words = document.createElement('p');
  words.textContent = texts.join(' ');
  drawing.replaceWith(words);
}

/** Makes a table of elements that are one only by their roles; their words would run together. */
function makeTable(document: DomDocument, grid: DomElement): void {
  if (grid.nodeName === 'TABLE') return;
  const table = document.createElement('table');
  for (const row of grid.querySelectorAll('[role="row"]')) {
    const line = document.createElement('tr');
    for (const cell of row.querySelectorAll(roleOfCell)) {
      const isName = /header$/.test(cell.getAttribute('role') ?? '');
      const made = document.createElement(isName ? 'th' : 'td');
      made.textContent = cell.textContent;
      line.append(made);
    }
    table.append(line);
  }
  if (table.querySelector('td') !== null) grid.replaceWith(table);
}

/** Formulas are told once: as they were typed, if that is known. */
function spellOut(formula: DomElement): void {
  const typed = formula.querySelector('annotation[encoding="application/x-tex"]')?.textContent.trim();
  const isDeep = depthOf(formula) > readabilityDepthMax;
  formula.replaceWith(typed || (isDeep ? formula.textContent : mathText(formula)));
}

/** What readability takes for the article; undefined when that leaves out too much of the page. */
function article(source: string, page: DomElement): Page | undefined {
  const pageCharacters = charactersIn(page);
  if (pageCharacters < articleCharactersMin || pageCharacters > articleCharactersMax) return undefined;
  const { document, root: whole } = readablePage(source);
  removeChrome(whole);
  const reader = new Readability(document as never, { serializer: (node) => node as unknown as DomElement });
  const root = reader.parse()?.content;
  if (!root) return undefined;
  const prose = pageCharacters - linkCharacters(page);
  const lost = prose - (charactersIn(root) - linkCharacters(root));
  return lost > Math.min(prose * proseLostShareMax, proseLostCharactersMax) ? undefined : { document, root };
}

/**
 * Puts back a first heading that readability has dropped because it is nearly the page's title, if the title
 * does not contain it: `Survey 2025` under the title `Survey`.
 */
function restoreHeading({ document, root }: Page, page: DomElement, title: string): void {
  const [heading, ...others] = page.querySelectorAll('h1');
  const text = inOneLine(heading?.textContent ?? '');
  if (others.length > 0 || text === '' || title.toLowerCase().includes(text.toLowerCase())) return;
  if (inOneLine(root.textContent).includes(text)) return;
  const restored = document.createElement('h1');
  restored.textContent = text;
  root.prepend(restored);
}

/** How many characters are in links, most of which lead to other pages. */
function linkCharacters(root: DomElement): number {
  return [...root.querySelectorAll('a')].reduce((sum, link) => sum + charactersIn(link), 0);
}

function charactersIn({ textContent }: DomElement): number {
  return inOneLine(textContent).length;
}

/** The depth of the deepest element, found without recursion. */
function depthOf(root: DomElement): number {
  let deepest = 0;
  const waiting = [{ element: root, depth: 1 }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    deepest = Math.max(deepest, next.depth);
    for (const element of next.element.children) waiting.push({ element, depth: next.depth + 1 });
  }
  return deepest;
}

/**
 * Turns a preformatted element into one piece of code. Otherwise turndown would take the first `code` within
 * for all of it, or an element without one for prose.
 */
function toCode(document: DomDocument, written: DomElement): void {
  for (const end of written.querySelectorAll('br')) end.replaceWith('\n');
  for (const line of written.querySelectorAll('div,p,li,tr,code + code')) line.prepend('\n');
  const language = written.querySelector('code')?.getAttribute('class') ?? '';
  const code = document.createElement('code');
  code.textContent = written.textContent.replace(/^(?:[^\S\n]*\n)+/, '');
  code.setAttribute('class', language);
  written.textContent = '';
  written.prepend(code);
}

/**
 * Replaces images by their alternative text, links that lead nowhere outside the page by their words, and
 * boxes to tick by `[x]` or `[ ]`. Puts terms before their definitions.
 */
function simplify(root: DomElement): void {
  // By hand, because linkedom has no `checked`, which the gfm plugin needs.
  for (const input of root.querySelectorAll('input')) {
    const isBox = /^(?:checkbox|radio)$/i.test(input.getAttribute('type') ?? '');
    input.replaceWith(isBox ? (input.getAttribute('checked') === null ? '[ ] ' : '[x] ') : '');
  }
  // Otherwise a term and its definition would be two unrelated paragraphs.
  for (const term of root.querySelectorAll('dl > dt,dl > div > dt')) {
    const meaning = term.nextElementSibling;
    const text = inOneLine(term.textContent);
    if (meaning?.nodeName !== 'DD' || text === '') continue;
    meaning.prepend(/[:?]$/.test(text) ? `${text} ` : `${text}: `);
    term.remove();
  }
  for (const image of root.querySelectorAll('img')) {
    const words = image.getAttribute('alt')?.trim() ?? '';
    // Between a picture and a word no space is seen.
    image.replaceWith(words === '' ? '' : ` ${words} `);
  }
  for (const link of root.querySelectorAll('a')) {
    const outward = /^(?:https?:|mailto:)/i.test(link.getAttribute('href') ?? '');
    if (inOneLine(link.textContent) === '') link.remove();
    else if (!outward) link.removeAttribute('href');
  }
}

function toMarkdown(root: DomElement, isMail: boolean): string {
  const service = new TurndownService({
    headingStyle: 'atx',
    codeBlockStyle: 'fenced',
    bulletListMarker: '-',
  });
  // Turndown leaves `<` as it is. Markdown would take what follows for a tag, or for a comment that hides the
  // rest of the page.
  const escape = service.escape.bind(service);
  service.escape = (text) => escape(text).replaceAll('<', '\\<');
  service.use([highlightedCodeBlock, strikethrough] as TurndownService.Plugin[]);
  // Emphasis is dropped: marks within a sentence would keep it from being found.
  service.addRule('emphasis', { filter: ['em', 'i', 'strong', 'b'], replacement: (text) => text });
  service.addRule('link', {
    filter: 'a',
    replacement: (text, link) =>
      linkedText(text, (link as unknown as DomElement).getAttribute('href') ?? undefined),
  });
  service.addRule('item', {
    filter: 'li',
    replacement: (text, item) => itemInMarkdown(item as unknown as DomElement, text),
  });
  service.addRule('paragraph of its own', {
    filter: ownParagraphs as never[],
    replacement: (text) => `\n\n${text}\n\n`,
  });
  // Escaped, so that Markdown leaves the marks in each paragraph.
  if (isMail)
    service.addRule('quotation', {
      filter: 'blockquote',
      replacement: (text) => `\n\n${text.trim().replace(/^(?=.*\S)/gm, '\\> ')}\n\n`,
    });
  return service.turndown(root as never);
}
