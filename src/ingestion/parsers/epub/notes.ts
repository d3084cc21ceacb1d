import { parseHTML } from 'linkedom';
import { inOneLine } from '../../../text/one-line.js';
import type { DomDocument, DomElement } from '../html/dom.js';
import { isLargeHtml } from '../html/large-html.js';

const mark = /^\[?(\d{1,4}|[a-z]|[ivxl]{1,6}|[*†‡§]+)\]?$/i;
const saysItCalls = '[role~="doc-noteref"],[epub\\:type~="noteref"]';
/** What a note is, the outermost first; of a `div` only its class tells. */
const notes = ['aside,[class~="footnote"]', 'li,dd,tr', 'p,div'];
const headings = 'h1,h2,h3,h4,h5,h6';
const paragraphs = `p,${headings},pre`;
const blocks = `${paragraphs},li,dd,dt,td,th,div,section,body`;
/** A longer one is a part of the book. */
const noteCharactersMax = 8_000;
// All pages are held as trees, which take some ten times the room of their text.
const bookCharactersMax = 8_000_000;

interface Page extends DomDocument {
  getElementById(id: string): DomElement | null;
  toString(): string;
}

interface Call {
  readonly link: DomElement;
  readonly number: string;
  readonly block: DomElement;
}

interface CalledNote extends Call {
  readonly page: Page;
  readonly note: DomElement;
}

/**
 * Puts the notes of a book, which stand at the end of a chapter or in a file of their own, behind the paragraphs that
 * call them: away from there nobody knows what they explain. In a very long book they stay. `chapters` are HTML by the
 * paths of their files; `resolve` makes a path of a link in a file.
 */
export function placeNotes(
  chapters: Map<string, string>,
  resolve: (file: string, href: string) => string,
): void {
  const sources = [...chapters.values()];
  const characters = sources.reduce((sum, { length }) => sum + length, 0);
  if (characters > bookCharactersMax) return;
  // Nothing links within such a book, and reading its pages as trees is most of the work.
  if (!sources.some((source) => source.includes('#'))) return;
  const pages = new Map<string, Page>();
  for (const [file, source] of chapters)
    if (!isLargeHtml(source)) pages.set(file, (parseHTML(source) as unknown as { document: Page }).document);
  const targetOf = (file: string, link: DomElement): DomElement | undefined => {
    const [path = '', id = ''] = (link.getAttribute('href') ?? '').split('#');
    return pages.get(path === '' ? file : resolve(file, path))?.getElementById(id) ?? undefined;
  };
  const called = [...pages].flatMap(([file, page]) =>
    callsOn(page).flatMap((call): CalledNote[] => {
      const target = targetOf(file, call.link);
      const note = target && noteAt(target);
      if (!note || note === call.block || note.querySelector(headings) !== null) return [];
      const answers = (link: DomElement) => targetOf(file, link)?.closest(blocks) === call.block;
      const isCalled = call.link.matches(saysItCalls) || [...note.querySelectorAll('a')].some(answers);
      return isCalled ? [{ ...call, page, note }] : [];
    }),
  );
  if (called.length === 0) return;
  moveNotes(called);
  for (const [file, page] of pages) chapters.set(file, page.toString());
}

function moveNotes(called: readonly CalledNote[]): void {
  const moved = new Set<DomElement>();
  const last = new Map<DomElement, DomElement>();
  for (const { page, link, number, block, note } of called) {
    if (!link.textContent.includes('[')) link.textContent = `[${number}]`;
    if (moved.has(note)) continue;
    moved.add(note);
    const written = writtenNote(page, number, note);
    const place = link.closest('table') ?? link.closest(paragraphs);
    if (place === null) block.append(written);
    else (last.get(place) ?? place).after(written);
    if (place) last.set(place, written);
  }
  for (const note of moved) note.remove();
}

/** The links that may call notes. What begins with a number is the note, and what is all of its block an index. */
function callsOn(page: Page): Call[] {
  return [...(page.documentElement?.querySelectorAll('a[href*="#"]') ?? [])].flatMap((link) => {
    const text = inOneLine(link.textContent);
    const number = mark.exec(text)?.[1];
    const block = link.closest(blocks);
    const isCall = block && !inOneLine(block.textContent).startsWith(text);
    return number !== undefined && isCall ? [{ link, number, block }] : [];
  });
}

function noteAt(target: DomElement): DomElement | undefined {
  const note = notes.map((kind) => target.closest(kind)).find((element) => element !== null);
  return note && note.textContent.length <= noteCharactersMax ? note : undefined;
}

/** A note behind its number, without the links that lead back. */
function writtenNote(page: Page, number: string, note: DomElement): DomElement {
  const written = page.createElement('div');
  written.innerHTML = note.innerHTML;
  for (const link of written.querySelectorAll('a[href]')) {
    const text = inOneLine(link.textContent);
    const leadsBack = mark.exec(text)?.[1] === number || !/[\p{L}\p{N}]/u.test(text);
    if (leadsBack) link.remove();
  }
  (written.querySelector('p') ?? written).prepend(`[${number}] `);
  return written;
}
