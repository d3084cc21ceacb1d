import { countedAs } from '../office/list-label.js';
import { childrenOf, elementsOf, type XmlElement } from '../xml/reader.js';
import type { OpenDocumentStyles } from './styles.js';

interface OpenList {
  readonly style: string | undefined;
  readonly counter: Counter;
}

interface Counter {
  count: number;
}

/** Counts the items of an OpenDocument text's lists, whose labels are not stored. */
export class OpenDocumentLists {
  private open: OpenList[] = [];
  private isItemFresh = false;
  /** By style and depth, and by the ids of lists, because a list may continue after other text. */
  private readonly lastCounters = new Map<string, Counter>();

  constructor(private readonly styles: OpenDocumentStyles) {}

  /** Hands over what is in a list's items, each after the item has been counted. */
  within(list: XmlElement, add: (child: XmlElement) => void): void {
    const { id, 'continue-list': continued, 'continue-numbering': isContinued } = list.attributes;
    const style = list.attributes['style-name'] ?? this.open.at(-1)?.style;
    const depth = this.open.length + 1;
    const start = this.styles.listLevel(style, depth)?.start ?? 1;
    const key = `${style} ${depth}`;
    const known = this.lastCounters.get(continued ?? (isContinued === 'true' ? key : ''));
    const counter = known ?? { count: start - 1 };
    this.lastCounters.set(key, counter);
    if (id !== undefined) this.lastCounters.set(id, counter);
    this.open.push({ style, counter });
    for (const item of childrenOf(list, 'list-item', 'list-header')) {
      const own = item.attributes['start-value'];
      // An item that only leads to a deeper one, as behind other text, has been counted already.
      const isCounted = item.name === 'list-item' && (counter.count < start || !isStep(item));
      if (own !== undefined) counter.count = Number(own) || 0;
      else if (isCounted) counter.count += 1;
      this.isItemFresh = item.name === 'list-item';
      for (const child of elementsOf(item)) add(child);
    }
    this.isItemFresh = false;
    this.open.pop();
  }

  /** The label of the list item that begins here; undefined when none does. */
  label(): string | undefined {
    if (!this.isItemFresh) return undefined;
    this.isItemFresh = false;
    const depth = this.open.length;
    const level = this.styles.listLevel(this.open.at(-1)?.style, depth);
    if (level?.format === undefined) return '-';
    const shown = this.open.slice(Math.max(0, depth - level.shown)).map(({ style, counter }, index, all) => {
      const of = this.styles.listLevel(style, depth - all.length + index + 1);
      return countedAs(counter.count, of?.format ?? 'decimal');
    });
    const label = `${level.prefix}${shown.join('.')}${level.suffix}`.trim();
    return label === '' ? undefined : label;
  }

  /** Works outside of the lists that are open here, as a note does. */
  apart(work: () => string[]): string[] {
    const { open, isItemFresh } = this;
    this.open = [];
    this.isItemFresh = false;
    const texts = work();
    this.open = open;
    this.isItemFresh = isItemFresh;
    return texts;
  }
}

/** Whether a list item begins with a list, without words of its own. */
function isStep(item: XmlElement): boolean {
  return elementsOf(item)[0]?.name === 'list';
}
