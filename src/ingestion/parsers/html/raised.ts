import { inOneLine } from '../../../text/one-line.js';
import { raisedText } from '../raised-text.js';
import type { DomElement } from './dom.js';

const noteLink =
  'a[role~="doc-noteref"],a[epub\\:type~="noteref"],a[href^="#fn"],a[href*="#note"],a[href*="footnote"],a[href*="endnote"]';

/** Writes raised figures, and the numbers that link to notes, so that they are no part of what stands before. */
export function writeRaised(root: DomElement): void {
  for (const link of root.querySelectorAll(noteLink)) markNote(link);
  for (const raised of root.querySelectorAll('sup')) {
    const link = raised.querySelector('a');
    if (link) markNote(link);
    else raised.textContent = raisedText(raised.textContent, textBefore(raised));
  }
}

function markNote(link: DomElement): void {
  const mark = inOneLine(link.textContent);
  const before = textBefore(link);
  if (before.endsWith('[')) return;
  if (/^(?:\d{1,4}|[a-z]|[ivxl]{1,6}|[*†‡§]+)$/i.test(mark))
    link.textContent = `[${mark}]${before === '' ? ' ' : ''}`;
}

function textBefore(element: DomElement): string {
  for (
    let node: DomElement | null = element;
    node?.matches('sup,a,b,i,em,strong,span') === true;
    node = node.parentElement
  )
    if (node.previousSibling) return node.previousSibling.textContent;
  return '';
}
