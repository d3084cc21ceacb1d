import { inOneLine } from '../../../text/one-line.js';
import type { DomElement } from './dom.js';

const signs = 'svg,i,span,[role="img"]';
const cells = 'td,th,dd';
/** Elements whose parts a style may set apart, as it does not within a paragraph or heading. */
const rowsOfParts = 'div,li,dd,dt,td,th,section,article,figure,a,label';
const wordCharactersMax = 40;
const typedInputs = new Set(['', 'text', 'email', 'tel', 'number', 'date', 'time', 'url']);
const partNames = new Set('A ABBR B DATA EM I LABEL SMALL SPAN STRONG TIME'.split(' '));

/** Puts the name of a sign that is all a cell shows, a tick for example, or of stars of a rating, in its place. */
export function tellSigns(root: DomElement): void {
  for (const rating of root.querySelectorAll('[aria-label]'))
    if (/^[★☆⭐✩✭✰\s]+$/u.test(rating.textContent) && /\S/.test(rating.textContent))
      rating.replaceWith(` ${rating.getAttribute('aria-label') ?? ''} `);
  for (const sign of root.querySelectorAll(signs)) {
    const cell = sign.closest(cells);
    if (cell === null || cell.querySelector('img,input') !== null) continue;
    const name = nameOf(sign);
    if (name !== '' && inOneLine(cell.textContent) === inOneLine(sign.textContent)) sign.replaceWith(name);
  }
}

/** What a sign without text of its own is called. */
function nameOf(sign: DomElement): string {
  const isDrawing = sign.nodeName.toLowerCase() === 'svg';
  if (isDrawing ? sign.getAttribute('aria-hidden') === 'true' : /\S/.test(sign.textContent)) return '';
  const title = isDrawing ? sign.querySelector('title')?.textContent : sign.getAttribute('title');
  return inOneLine(sign.getAttribute('aria-label') ?? title ?? '');
}

/** Puts what is filled in and chosen in a form in the place of its fields. */
export function tellValues(root: DomElement): void {
  for (const input of root.querySelectorAll('input')) {
    const value = inOneLine(input.getAttribute('value') ?? '');
    const type = input.getAttribute('type')?.toLowerCase() ?? '';
    if (value !== '' && typedInputs.has(type)) input.replaceWith(` ${value} `);
  }
  for (const field of root.querySelectorAll('textarea,select')) {
    const chosen = field.nodeName === 'SELECT' ? [...field.querySelectorAll('option[selected]')] : [field];
    const values = chosen.map(({ textContent }) => inOneLine(textContent)).filter((value) => value !== '');
    if (values.length > 0) field.replaceWith(` ${values.join(', ')} `);
  }
}

/** Puts a space between words that only the page's style sets apart: `<span>Weight</span><span>12 kg</span>`. */
export function partWords(root: DomElement): void {
  for (const row of root.querySelectorAll(rowsOfParts)) {
    if (row.closest('pre,code') !== null) continue;
    for (const part of row.children) {
      const next = part.nextElementSibling;
      if (next !== null && part.nextSibling === next && areApart(part, next)) part.after(' ');
    }
  }
}

function areApart(part: DomElement, next: DomElement): boolean {
  if (!partNames.has(part.nodeName) || !partNames.has(next.nodeName)) return false;
  const last = /[\p{L}\p{N}][\p{L}\p{N}.,]*$/u.exec(part.textContent.slice(-wordCharactersMax))?.[0];
  const first = /^[\p{L}\p{N}][\p{L}\p{N}.,]*/u.exec(next.textContent)?.[0];
  if (last === undefined || first === undefined) return false;
  if (part.nodeName === 'A' && next.nodeName === 'A') return true;
  if (/\p{L}{3}$/u.test(last) && /^\p{N}/u.test(first)) return true;
  // Single letters and digits belong to a word or number that is merely styled: `H2`, a drop cap.
  if (last.length < 2 || first.length < 2) return false;
  if (/\p{N}$/u.test(last) && /^\p{N}/u.test(first))
    return part.getAttribute('class') !== next.getAttribute('class');
  return /\p{N}$/u.test(last) || /^[\p{N}\p{Lu}]/u.test(first);
}
