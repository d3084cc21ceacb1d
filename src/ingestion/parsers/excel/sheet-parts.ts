import { chartNames, chartShapes, diagramTexts } from '../office/chart.js';
import { paragraphsOf } from '../office/drawing-text.js';
import type { OfficePackage } from '../office/office-package.js';
import { linksOf, readPart, referenceOf } from '../office/office-parts.js';
import type { Sheet } from '../office/sheet-blocks.js';
import { childOf, childrenOf, descendantsOf, textOf, type XmlElement } from '../xml/reader.js';

/** Shorter words beside a page number are only `Page` and `of`. */
const numberedCharactersMin = 12;

/**
 * The comments of a sheet, as `Author: text`. A threaded comment is stored twice; its note for old programs
 * is left out.
 */
export function sheetComments(parts: OfficePackage, sheet: string): Sheet['asides'] {
  const people = new Map<string, string>();
  for (const { attributes } of childrenOf(readPart(parts, 'xl/persons/person.xml'), 'person')) {
    people.set(attributes.id ?? '', attributes.displayName ?? '');
  }
  const threaded = parts
    .related(sheet, 'threadedComment')
    .flatMap((name) => childrenOf(readPart(parts, name), 'threadedComment'));
  const inThreads = new Set(threaded.map(({ attributes }) => attributes.ref));
  const said = threaded.map((comment) =>
    aside(comment, people.get(comment.attributes.personId ?? ''), childOf(comment, 'text')),
  );
  const noted = parts.related(sheet, 'comments').flatMap((name) => {
    const root = readPart(parts, name);
    const authors = childrenOf(childOf(root, 'authors'), 'author').map(textOf);
    return childrenOf(childOf(root, 'commentList'), 'comment')
      .filter(({ attributes }) => !inThreads.has(attributes.ref))
      .map((comment) =>
        aside(comment, authors[Number(comment.attributes.authorId)], childOf(comment, 'text')),
      );
  });
  return [...said, ...noted];
}

function aside(
  { attributes }: XmlElement,
  author: string | undefined,
  body: XmlElement | undefined,
): { text: string; row?: number } {
  const row = Number(/\d+$/.exec(attributes.ref ?? '')?.[0]);
  const text = commentText(author, body ? noteText(body) : '');
  return row > 0 ? { text, row } : { text };
}

/** The text of a comment, without the phonetic readings of East Asian words. */
function noteText(body: XmlElement): string {
  return body.children
    .map((child) => (typeof child === 'string' ? child : child.name === 'rPh' ? '' : noteText(child)))
    .join('');
}

/** A comment with its author. Excel already begins the text of a note with the author. */
export function commentText(author = '', text = ''): string {
  const said = text.replace(/\r\n?/g, '\n').trim();
  return author.trim() === '' || said === '' || said.startsWith(author) ? said : `${author}: ${said}`;
}

/** The texts of shapes and SmartArt, and the names of charts, whose values are in cells anyway. */
export function drawnTexts(parts: OfficePackage, sheet: string): string[] {
  return parts.related(sheet, 'drawing').flatMap((name) => {
    const root = readPart(parts, name);
    const links = linksOf(parts, name);
    return (root ? descendantsOf(root, 'txBody', 'chart', 'relIds') : []).flatMap((element) => {
      if (element.name === 'txBody') return paragraphsOf(element, links);
      const target = (reference?: string) => links.get(referenceOf(element, reference))?.target ?? '';
      if (element.name === 'relIds') return diagramTexts(readPart(parts, target('dm')));
      const chart = readPart(parts, target());
      return chart ? [chartNames(chart, chartShapes(parts, target()))] : [];
    });
  });
}

/**
 * The words of headers and footers. `&L`, `&C` and `&R` begin their parts; other codes are fonts, numbers and
 * names.
 */
export function pageTexts(sources: readonly string[]): string[] {
  const texts = sources
    .flatMap((source) => source.replaceAll('&&', '\u0000').split(/&[LCR]/))
    .map((part) => {
      const words = part.replace(/&(?:"[^"]*"|K[\dA-Fa-f]{6}|K\d\d[+-]\d{3}|\d+|.)/g, '').trim();
      return /&[PN]/.test(part) && words.length < numberedCharactersMin
        ? ''
        : words.replaceAll('\u0000', '&');
    });
  return [...new Set(texts)].filter((text) => text !== '');
}
