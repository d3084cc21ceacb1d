import { childOf, childrenOf, elementsOf, type XmlElement } from '../xml/reader.js';

/** The properties of a style that are used here. */
export interface OpenDocumentStyle {
  readonly isHidden: boolean;
  readonly isBold: boolean;
  readonly isRaised: boolean;
  readonly isTitle: boolean;
}

/** One level of a list style. */
export interface ListLevel {
  /** As Word names it; undefined for a bullet. */
  readonly format: string | undefined;
  readonly prefix: string;
  readonly suffix: string;
  readonly start: number;
  /** How many levels the label shows. */
  readonly shown: number;
}

const ancestorsMax = 20;
/** The number formats of lists in ODF, and what Word calls them. */
const formats: ReadonlyMap<string, string> = new Map([
  ['1', 'decimal'],
  ['a', 'lowerLetter'],
  ['A', 'upperLetter'],
  ['i', 'lowerRoman'],
  ['I', 'upperRoman'],
  ['', 'none'],
]);

/** The styles of the content and of styles.xml, by name. Of two with one name, the later counts. */
export class OpenDocumentStyles {
  private readonly styles = new Map<string, XmlElement>();
  private readonly lists = new Map<string, ReadonlyMap<number, ListLevel>>();
  private readonly known = new Map<string, OpenDocumentStyle>();

  take(style: XmlElement): void {
    const name = style.attributes.name ?? '';
    if (style.name === 'style') this.styles.set(`${style.attributes.family} ${name}`, style);
    if (style.name === 'list-style') this.lists.set(name, listLevels(style));
  }

  /** A style with all that it inherits; `family` is for example `paragraph`, `text` or `section`. */
  get(family: string, name: string | undefined): OpenDocumentStyle {
    const key = `${family} ${name}`;
    const known = this.known.get(key) ?? this.resolve(family, name);
    this.known.set(key, known);
    return known;
  }

  /** A level of a list style; `depth` counts from 1. */
  listLevel(name: string | undefined, depth: number): ListLevel | undefined {
    return this.lists.get(name ?? '')?.get(depth);
  }

  private resolve(family: string, start: string | undefined): OpenDocumentStyle {
    let name = start;
    let isTitle = false;
    let [display, weight, position]: (string | undefined)[] = [];
    for (let count = 0; name !== undefined && count < ancestorsMax; count += 1) {
      if (family === 'paragraph' && name === 'Title') isTitle = true;
      const style = this.styles.get(`${family} ${name}`);
      for (const properties of childrenOf(style, 'text-properties', 'section-properties')) {
        display ??= properties.attributes.display;
        weight ??= properties.attributes['font-weight'];
        position ??= properties.attributes['text-position'];
      }
      name = style?.attributes['parent-style-name'];
    }
    return {
      isHidden: display === 'none',
      isBold: weight === 'bold' || Number(weight) >= 600,
      isRaised: /^(?:super|[1-9])/.test(position ?? ''),
      isTitle,
    };
  }
}

function listLevels(style: XmlElement): Map<number, ListLevel> {
  return new Map(
    elementsOf(style).map((level) => {
      const { attributes } = level;
      const isNumbered = level.name === 'list-level-style-number';
      return [
        Number(attributes.level),
        {
          format: isNumbered ? (formats.get(attributes['num-format'] ?? '') ?? 'decimal') : undefined,
          prefix: attributes['num-prefix'] ?? '',
          suffix: attributes['num-suffix'] ?? '',
          start: Number(attributes['start-value'] ?? 1) || 0,
          shown: Number(attributes['display-levels']) || 1,
        },
      ];
    }),
  );
}

/** The style elements of a part that has been read as a tree. */
export function stylesIn(part: XmlElement | undefined): XmlElement[] {
  return ['styles', 'automatic-styles'].flatMap((name) => {
    const group = childOf(part, name);
    return group === undefined ? [] : elementsOf(group);
  });
}
