import { countedAs } from '../office/list-label.js';
import type { DomElement } from './dom.js';

const bullet = '-   ';
/** Where the mark of an item is kept until the list is written. */
const markAttribute = 'data-mark';
/** The types of lists whose items are not counted by numbers, as Word calls them. */
const formats: Readonly<Record<string, string>> = {
  a: 'lowerLetter',
  A: 'upperLetter',
  i: 'lowerRoman',
  I: 'upperRoman',
};

/** Counts the items of lists as browsers do: from `start`, backwards when `reversed`, on from a `value`. */
export function numberItems(root: DomElement): void {
  for (const list of root.querySelectorAll('ol')) {
    const items = [...list.children].filter(({ nodeName }) => nodeName === 'LI');
    const isReversed = list.getAttribute('reversed') !== null;
    const format = formats[list.getAttribute('type') ?? ''];
    let count = wholeNumber(list.getAttribute('start')) ?? (isReversed ? items.length : 1);
    for (const item of items) {
      count = wholeNumber(item.getAttribute('value')) ?? count;
      // Markdown knows no other marks than numbers, and no negative ones.
      const isNumber = format === undefined && count >= 0;
      const label = format === undefined ? String(count) : countedAs(count, format);
      item.setAttribute(markAttribute, isNumber ? `${label}.  ` : `${bullet}${label}. `);
      count += isReversed ? -1 : 1;
    }
  }
}

/** An item of a list in Markdown, after `numberItems`. `text` is what the item holds, in Markdown too. */
export function itemInMarkdown(item: DomElement, text: string): string {
  const isCounted = item.parentElement?.nodeName === 'OL';
  const mark = (isCounted ? item.getAttribute(markAttribute) : null) ?? bullet;
  const indent = ' '.repeat(mark.startsWith(bullet) ? bullet.length : mark.length);
  const end = `${text.endsWith('\n') ? '\n' : ''}${item.nextSibling ? '\n' : ''}`;
  return `${mark}${text.trim().replace(/\n/g, `\n${indent}`)}${end}`;
}

function wholeNumber(written: string | null): number | undefined {
  return written !== null && /^\s*[+-]?\d{1,9}/.test(written) ? Number.parseInt(written, 10) : undefined;
}
