import { lineOf } from '../office/drawing-text.js';
import type { OfficePackage } from '../office/office-package.js';
import { readPart } from '../office/office-parts.js';
import { childOf, childrenOf, textOf, type XmlElement } from '../xml/reader.js';

/** The comments of a part, old or threaded, as `Author: text`; replies follow what they answer. */
export function slideComments(parts: OfficePackage, name: string): string[] {
  const authors = authorsOf(parts);
  const said = (comment: XmlElement): string[] => {
    const body = childOf(comment, 'txBody');
    const plain = childOf(comment, 'text');
    const text = (body ? lineOf(body) : plain ? textOf(plain) : '').trim();
    const author = authors.get(comment.attributes.authorId ?? '');
    const replies = childrenOf(childOf(comment, 'replyLst'), 'reply').flatMap(said);
    return text === '' ? replies : [author ? `${author}: ${text}` : text, ...replies];
  };
  return childrenOf(readPart(parts, name), 'cm').flatMap(said);
}

function authorsOf(parts: OfficePackage): Map<string, string> {
  const authors = new Map<string, string>();
  for (const part of ['ppt/commentAuthors.xml', 'ppt/authors.xml']) {
    for (const { attributes } of childrenOf(readPart(parts, part), 'cmAuthor', 'author')) {
      if (attributes.id && attributes.name) authors.set(attributes.id, attributes.name);
    }
  }
  return authors;
}
