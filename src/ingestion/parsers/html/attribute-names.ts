import type { DomElement } from './dom.js';

/**
 * Writes the names of attributes in lower case, as HTML reads them: the library does not find the `COLSPAN` or `HREF`
 * of old pages.
 */
export function lowerAttributeNames(root: DomElement): void {
  for (const element of root.querySelectorAll('*'))
    for (const name of element.getAttributeNames()) {
      const lower = name.toLowerCase();
      if (name === lower) continue;
      const value = element.getAttribute(name) ?? '';
      element.removeAttribute(name);
      if (element.getAttribute(lower) === null) element.setAttribute(lower, value);
    }
}
