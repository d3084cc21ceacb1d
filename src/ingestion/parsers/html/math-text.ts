import { above, below, group } from '../office/formula-text.js';
import type { DomElement } from './dom.js';

/** A formula of MathML in one line, as people type it: `E=(m v^2)/2`. */
export function mathText(element: DomElement): string {
  const parts = [...element.children];
  const name = element.nodeName.toLowerCase();
  if (name.startsWith('annotation')) return '';
  if (parts.length === 0) return element.textContent.trim();
  const [base = '', first = '', second = ''] = parts.map(mathText);
  switch (name) {
    case 'mfrac':
      return `${group(base)}/${group(first)}`;
    case 'msup':
    case 'mover':
      return `${group(base)}${above(first)}`;
    case 'msub':
    case 'munder':
      return `${group(base)}${below(first)}`;
    case 'msubsup':
    case 'munderover':
      return `${group(base)}${below(first)}${above(second)}`;
    case 'msqrt':
      return `√${group(parts.map(mathText).join(''))}`;
    case 'mroot':
      return `${above(first).slice(1)}√${group(base)}`;
    case 'mtr':
      return parts.map(mathText).join(', ');
    case 'mtable':
      return parts.map(mathText).join('; ');
    default:
      return parts.map(mathText).join('');
  }
}
