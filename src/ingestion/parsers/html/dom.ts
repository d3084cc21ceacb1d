/** The part of the DOM that is used here: the project is compiled without the DOM's own types. */
export interface DomElement {
  readonly nodeName: string;
  readonly children: Iterable<DomElement>;
  readonly isConnected: boolean;
  readonly nextElementSibling: DomElement | null;
  readonly nextSibling: object | null;
  readonly previousSibling: { readonly textContent: string } | null;
  readonly parentElement: DomElement | null;
  innerHTML: string;
  textContent: string;
  getAttribute(name: string): string | null;
  getAttributeNames(): string[];
  setAttribute(name: string, value: string): void;
  removeAttribute(name: string): void;
  closest(selector: string): DomElement | null;
  matches(selector: string): boolean;
  querySelector(selector: string): DomElement | null;
  querySelectorAll(selector: string): Iterable<DomElement>;
  after(text: string | DomElement): void;
  before(element: DomElement): void;
  append(text: string | DomElement): void;
  prepend(text: string | DomElement): void;
  replaceWith(text: string | DomElement): void;
  remove(): void;
}

/** The part of a DOM document that is used here. */
export interface DomDocument {
  readonly documentElement: DomElement | null;
  createElement(name: string): DomElement;
}
