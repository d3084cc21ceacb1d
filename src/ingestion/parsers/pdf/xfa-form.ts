import { inOneLine } from '../../../text/one-line.js';
import { ParseError, type ParsedBlock } from '../parser.js';
import {
  childOf,
  childrenOf,
  descendantsOf,
  elementsOf,
  readXml,
  textOf,
  type XmlElement,
} from '../xml/reader.js';
import type { PdfObjects } from './objects.js';

/** The catalog of a form whose pages are drawn from XML says so; its only page asks for another program. */
const drawnByViewer = /\/NeedsRendering\s+true/;
const hidden = /^(?:hidden|invisible|inactive)$/;
/** Parts of a template that contain others, and have no text of their own. */
const containers = new Set(['subform', 'subformSet', 'area', 'pageSet', 'pageArea']);

/**
 * The texts of a form that is stored as XML (XFA), each field with the value that was filled in; empty for
 * any other PDF, whose pages say all.
 */
export function xfaBlocks(objects: PdfObjects): ParsedBlock[] {
  const [catalog] = objects.withText('/NeedsRendering');
  if (catalog === undefined || !drawnByViewer.test(catalog)) return [];
  try {
    const template = partOf(objects, 'template');
    if (template === undefined) return [];
    const datasets = partOf(objects, 'datasets');
    const [data] = datasets === undefined ? [] : descendantsOf(datasets, 'data');
    const texts = [...textsOfPart(template, data)].filter((text) => text !== '');
    return texts.map((text) => ({ text, headings: [], layout: { page: 1 } }));
  } catch (error) {
    if (error instanceof ParseError) return [];
    throw error;
  }
}

function partOf(objects: PdfObjects, name: string): XmlElement | undefined {
  for (const text of objects.withText('/XFA')) {
    const number = new RegExp(`\\(${name}\\)\\s*(\\d{1,10})\\s+\\d{1,5}\\s+R`).exec(text)?.[1];
    const xml = number === undefined ? undefined : objects.stream(Number(number));
    if (xml !== undefined) return readXml(xml);
  }
  return undefined;
}

/** The texts of a part of the template, in its order; `data` has the values of the fields in it by name. */
function* textsOfPart(part: XmlElement, data: XmlElement | undefined): Generator<string> {
  for (const child of elementsOf(part)) {
    if (hidden.test(child.attributes.presence ?? '')) continue;
    if (child.name === 'draw') yield written(childOf(child, 'value'));
    else if (child.name === 'field') yield fieldText(child, childOf(data, child.attributes.name ?? ''));
    else if (child.name === 'exclGroup') {
      // The buttons of a group have one value.
      const stored = childOf(data, child.attributes.name ?? '');
      for (const button of childrenOf(child, 'field')) yield fieldText(button, stored);
    } else if (containers.has(child.name)) {
      const filled = childrenOf(data, child.attributes.name ?? '');
      // A part may be filled in several times, and one without data of its own shares those around it.
      for (const each of filled.length > 0 ? filled : [data]) yield* textsOfPart(child, each);
    }
  }
}

function fieldText(field: XmlElement, stored: XmlElement | undefined): string {
  const ui = childOf(field, 'ui');
  if (childOf(ui, 'button', 'signature', 'passwordEdit') !== undefined) return '';
  const label = written(childOf(childOf(field, 'caption'), 'value')) || spoken(childOf(field, 'assist'));
  const value = stored === undefined ? written(childOf(field, 'value')) : inOneLine(textOf(stored));
  const isButton = childOf(ui, 'checkButton') !== undefined;
  const shown = isButton ? checkedText(field, value) : nameOfChoice(field, value);
  if (shown === '' || label === '') return isButton ? '' : label || shown;
  return `${label.replace(/\s*:$/, '')}: ${shown}`;
}

/** Buttons that are not checked are left out; those of a group have the group's value. */
function checkedText(field: XmlElement, value: string): string {
  const [on = '1'] = choicesOf(childOf(field, 'items'));
  return value === on ? 'Yes' : '';
}

/** What a list shows for a value, which may be only a code. */
function nameOfChoice(field: XmlElement, value: string): string {
  const lists = childrenOf(field, 'items');
  const codes = lists.find(({ attributes }) => attributes.save === '1');
  const names = lists.find((list) => list !== codes);
  const index = choicesOf(codes).indexOf(value);
  return (index < 0 ? undefined : choicesOf(names)[index]) ?? value;
}

function choicesOf(items: XmlElement | undefined): string[] {
  return items === undefined ? [] : elementsOf(items).map((item) => inOneLine(textOf(item)));
}

/** A text, plain or as HTML. */
function written(value: XmlElement | undefined): string {
  if (value === undefined || childOf(value, 'image') !== undefined) return '';
  const paragraphs = descendantsOf(value, 'p');
  return inOneLine((paragraphs.length > 0 ? paragraphs : [value]).map(textOf).join(' '));
}

function spoken(assist: XmlElement | undefined): string {
  const said = childOf(assist, 'toolTip', 'speak');
  return said === undefined ? '' : inOneLine(textOf(said));
}
