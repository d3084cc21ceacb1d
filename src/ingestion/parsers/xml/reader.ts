import { isUtf8 } from 'node:buffer';
import { SaxesParser, type SaxesTagPlain } from 'saxes';
import { decodeText } from '../charset.js';
import { ParseError } from '../parser.js';
import { withWholeEntities } from './ampersands.js';
import { addEntities } from './entities.js';

/**
 * An element. Its name has no prefix: producers choose prefixes freely, and strict OOXML has other
 * namespaces.
 */
export interface XmlElement {
  readonly name: string;
  /**
   * By the name as written (`r:id`), and without its prefix (`id`) unless the element has an attribute of
   * that name.
   */
  readonly attributes: Readonly<Record<string, string | undefined>>;
  readonly children: readonly (XmlElement | string)[];
}

/** What is called while XML is streamed; names have no prefixes. */
export interface XmlEvents {
  open?(name: string, attributes: XmlElement['attributes']): void;
  /** A run of text may come in several pieces. */
  text?(text: string): void;
  close?(name: string): void;
}

/** Limits for a tree in memory: it is walked recursively, and takes some 300 bytes an element. */
const treeDepthMax = 400;
const treeElementsMax = 700_000;
const streamDepthMax = 100_000;
const mistakesMax = 1_000;
const pieceBytes = 128 * 1024;
const noAttributes: XmlElement['attributes'] = Object.freeze({});

/**
 * Reports the elements and texts of an XML document in their order; memory stays at the size of one piece.
 * Mistakes are passed over, and elements that are open at the end are closed. The entities of XML itself, and
 * texts that the document declares, are expanded; others stay as written. `charset` is used for a document
 * that names none.
 * @throws ParseError E1001 when the source is no XML, has more than 1,000 mistakes, or is nested deeper than
 * 100,000 levels
 */
export function streamXml(source: Uint8Array | string, events: XmlEvents, charset?: string): void {
  const parser = new SaxesParser({ xmlns: false, position: false });
  const path: string[] = [];
  let [mistakes, elements] = [0, 0];
  parser.on('error', () => {
    mistakes += 1;
    if (mistakes > mistakesMax) throw unreadable('is not well-formed XML');
  });
  parser.on('doctype', (doctype) => addEntities(doctype, parser.ENTITIES));
  parser.on('opentag', (tag) => {
    const name = localName(tag.name);
    elements += 1;
    path.push(name);
    if (path.length > streamDepthMax) throw unreadable('is nested too deep');
    events.open?.(name, attributesOf(tag));
  });
  const close = () => {
    const name = path.pop();
    if (name !== undefined) events.close?.(name);
  };
  parser.on('closetag', close);
  const text = (piece: string) => {
    if (path.length > 0) events.text?.(piece);
  };
  parser.on('text', text);
  parser.on('cdata', text);
  for (const piece of withWholeEntities(pieces(source, charset))) parser.write(piece);
  parser.close();
  while (path.length > 0) close();
  if (elements === 0) throw unreadable('is missing');
}

/**
 * The root element of a small document. @throws ParseError E1001 as `streamXml`, or when it does not fit in
 * memory
 */
export function readXml(source: Uint8Array | string): XmlElement {
  const roots: XmlElement[] = [];
  streamXml(
    source,
    new TreeBuilder(
      (depth) => depth === 1,
      (root) => roots.push(root),
    ),
  );
  const [root] = roots;
  if (root === undefined) throw unreadable('is missing');
  return root;
}

/**
 * For long documents: hands over each child element of all elements named `parent`, and forgets it. Children
 * of a `parent` within such a child come only as a part of that child.
 * @throws ParseError E1001 as `readXml`; its limit for the number of elements holds for each child
 */
export function streamChildren(
  source: Uint8Array | string,
  parent: string,
  take: (child: XmlElement) => void,
): void {
  streamXml(source, new TreeBuilder((_depth, within) => within === parent, take));
}

/**
 * Builds the subtrees of the elements that `isRoot` picks, by depth (the document's root is 1) and name of
 * the parent.
 */
class TreeBuilder implements XmlEvents {
  private readonly path: string[] = [];
  private readonly building: {
    name: string;
    attributes: XmlElement['attributes'];
    children: (XmlElement | string)[];
  }[] = [];
  private elements = 0;

  constructor(
    private readonly isRoot: (depth: number, parent: string | undefined) => boolean,
    private readonly take: (root: XmlElement) => void,
  ) {}

  open(name: string, attributes: XmlElement['attributes']): void {
    const parent = this.path.at(-1);
    this.path.push(name);
    const within = this.building.at(-1);
    if (within === undefined && !this.isRoot(this.path.length, parent)) return;
    this.elements = within === undefined ? 1 : this.elements + 1;
    if (this.elements > treeElementsMax)
      throw unreadable('holds more elements in one piece than can be read safely');
    if (this.building.length >= treeDepthMax) throw unreadable('is nested too deep');
    const element = { name, attributes, children: [] };
    within?.children.push(element);
    this.building.push(element);
  }

  text(text: string): void {
    this.building.at(-1)?.children.push(text);
  }

  close(): void {
    this.path.pop();
    const element = this.building.pop();
    if (element !== undefined && this.building.length === 0) this.take(element);
  }
}

/** All text within an element, in reading order, unchanged. */
export function textOf(element: XmlElement): string {
  return element.children.map((child) => (typeof child === 'string' ? child : textOf(child))).join('');
}

/** The child elements of an element, without its text. */
export function elementsOf(element: XmlElement): XmlElement[] {
  return element.children.filter((child) => typeof child !== 'string');
}

/** The first child element of one of these names. */
export function childOf(element: XmlElement | undefined, ...names: string[]): XmlElement | undefined {
  return element === undefined ? undefined : elementsOf(element).find(({ name }) => names.includes(name));
}

/** The child elements of these names, in reading order; none of an element that is not there. */
export function childrenOf(element: XmlElement | undefined, ...names: string[]): XmlElement[] {
  return element === undefined ? [] : elementsOf(element).filter(({ name }) => names.includes(name));
}

/**
 * All elements of these names at any depth below an element, in reading order; also those within one another.
 */
export function descendantsOf(element: XmlElement, ...names: string[]): XmlElement[] {
  return elementsOf(element).flatMap((child) => [
    ...(names.includes(child.name) ? [child] : []),
    ...descendantsOf(child, ...names),
  ]);
}

function attributesOf({ attributes }: SaxesTagPlain): XmlElement['attributes'] {
  const names = Object.keys(attributes);
  if (names.length === 0) return noAttributes;
  for (const name of names) attributes[localName(name)] ??= attributes[name] ?? '';
  return attributes;
}

function localName(name: string): string {
  const colon = name.indexOf(':');
  return colon < 0 ? name : name.slice(colon + 1);
}

function* pieces(source: Uint8Array | string, charset?: string): Generator<string> {
  const encoding = typeof source === 'string' ? undefined : encodingOf(source);
  if (typeof source === 'string' || encoding === undefined) {
    yield typeof source === 'string' ? source : decodeText(source, declaredEncoding(source) ?? charset);
    return;
  }
  const decoder = new TextDecoder(encoding);
  for (let start = 0; start < source.length; start += pieceBytes) {
    yield decoder.decode(source.subarray(start, start + pieceBytes), { stream: true });
  }
  yield decoder.decode();
}

/**
 * The encoding that XML prescribes for a document. Undefined for old charsets, whether a declaration names
 * them or nothing does.
 */
function encodingOf(bytes: Uint8Array): string | undefined {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  if (first === 0x3c && second === 0) return 'utf-16le';
  if (first === 0 && second === 0x3c) return 'utf-16be';
  const declared = declaredEncoding(bytes);
  const isUnicode = declared === undefined ? isUtf8(bytes) : /^(?:utf-?(?:8|16)|us-ascii)$/i.test(declared);
  return isUnicode ? 'utf-8' : undefined;
}

/** The charset that the declaration of an XML document names. */
export function declaredEncoding(bytes: Uint8Array): string | undefined {
  const start = Buffer.from(bytes.subarray(0, 200)).toString('latin1');
  return /^(?:\u00ef\u00bb\u00bf)?\s*<\?xml\b[^>]*\bencoding\s*=\s*["']([\w.:-]+)/.exec(start)?.[1];
}

function unreadable(problem: string): ParseError {
  return new ParseError('E1001', `The file cannot be read: its XML ${problem}.`);
}
