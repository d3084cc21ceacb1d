import { childOf, childrenOf, type XmlElement } from '../xml/reader.js';

/** The properties of a paragraph, run or table, its own or those of its styles. */
export interface WordStyle {
  /** 0 for the highest heading, 9 for text. */
  readonly outlineLevel?: number | undefined;
  readonly isTitle?: boolean | undefined;
  readonly isHidden?: boolean | undefined;
  readonly isBold?: boolean | undefined;
  readonly isRaised?: boolean | undefined;
  readonly listId?: string | undefined;
  readonly listDepth?: number | undefined;
  /** Whether the first row of a table looks different from the rest. */
  readonly hasHeaderRow?: boolean | undefined;
}

const ancestorsMax = 20;

/**
 * The styles of a document by id, with what they inherit. Built-in styles are recognised by their names,
 * because Word translates ids but not names.
 */
export class WordStyles {
  private readonly styles = new Map<string, XmlElement>();
  private readonly known = new Map<string, WordStyle>();

  constructor(styles: XmlElement | undefined) {
    for (const style of childrenOf(styles, 'style')) this.styles.set(style.attributes.styleId ?? '', style);
  }

  get(id: string | undefined): WordStyle {
    if (id === undefined) return {};
    const known = this.known.get(id) ?? this.resolve(id);
    this.known.set(id, known);
    return known;
  }

  private resolve(id: string): WordStyle {
    let resolved: WordStyle = {};
    let style = this.styles.get(id);
    for (let count = 0; style !== undefined && count < ancestorsMax; count += 1) {
      resolved = { ...styleOf(style), ...resolved };
      style = this.styles.get(childOf(style, 'basedOn')?.attributes.val ?? '');
    }
    // A document without styles, whose producer uses the names of built-in ones as ids.
    if (!this.styles.has(id)) return namedStyle(id);
    return resolved;
  }
}

function styleOf(style: XmlElement): WordStyle {
  const firstRow = childrenOf(style, 'tblStylePr').some(
    ({ attributes, children }) => attributes.type === 'firstRow' && children.length > 0,
  );
  return {
    ...namedStyle(childOf(style, 'name')?.attributes.val ?? ''),
    ...paragraphStyle(childOf(style, 'pPr')),
    ...runStyle(childOf(style, 'rPr')),
    ...(firstRow && { hasHeaderRow: true }),
  };
}

function namedStyle(name: string): WordStyle {
  const level = /^heading ?([1-9])$/i.exec(name)?.[1];
  if (level !== undefined) return { outlineLevel: Number(level) - 1 };
  return /^title$/i.test(name) ? { isTitle: true } : {};
}

/** The properties that are given; a missing one is inherited. */
export function paragraphStyle(properties: XmlElement | undefined): WordStyle {
  const level = childOf(properties, 'outlineLvl')?.attributes.val;
  const numbering = childOf(properties, 'numPr');
  const listId = childOf(numbering, 'numId')?.attributes.val;
  const listDepth = childOf(numbering, 'ilvl')?.attributes.val;
  return {
    ...(level !== undefined && { outlineLevel: Number(level) }),
    ...(listId !== undefined && { listId }),
    ...(listDepth !== undefined && { listDepth: Number(listDepth) || 0 }),
  };
}

/** The properties of a run that are given; a missing one is inherited. */
export function runStyle(properties: XmlElement | undefined): WordStyle {
  const [hidden, bold] = [isOn(childOf(properties, 'vanish')), isOn(childOf(properties, 'b'))];
  const place = childOf(properties, 'vertAlign')?.attributes.val;
  return {
    ...(hidden !== undefined && { isHidden: hidden }),
    ...(bold !== undefined && { isBold: bold }),
    ...(place !== undefined && { isRaised: place === 'superscript' }),
  };
}

/** Whether a property is on; undefined when it is missing. */
export function isOn(property: XmlElement | undefined): boolean | undefined {
  return property && !/^(?:0|false|off)$/i.test(property.attributes.val ?? '');
}
