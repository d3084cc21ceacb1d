import { childrenOf, type XmlElement } from '../xml/reader.js';

/** The alternative that current programs show: the first one with content. */
export function alternative(element: XmlElement): XmlElement {
  const choices = childrenOf(element, 'Choice', 'Fallback');
  return choices.find(({ children }) => children.length > 0) ?? element;
}
