import { countedAs } from '../office/list-label.js';
import { childOf, childrenOf, type XmlElement } from '../xml/reader.js';

/** A level of a list. */
export interface ListLevel {
  /** Named as in Word: `decimal`, `lowerLetter`, `bullet`. */
  readonly format: string;
  /** The label with the counters of levels to be inserted: `%1.%2`. */
  readonly text: string;
  readonly start: number;
  /** The style whose paragraphs are on this level. */
  readonly style: string | undefined;
}

/** A list; those with the same `counters` go on counting where the other has stopped. */
export interface NumberedList {
  readonly counters: string;
  readonly levels: ReadonlyMap<number, ListLevel>;
}

export const levelsMax = 9;

/** Computes the labels of numbered paragraphs, which Word does not store. */
export class WordNumbering {
  private readonly counters = new Map<string, (number | undefined)[]>();

  constructor(private readonly lists: ReadonlyMap<string, NumberedList>) {}

  has(listId: string): boolean {
    return this.lists.has(listId);
  }

  /** The level of a list on which paragraphs of a style are; 0 is the highest. */
  depthOf(listId: string, style: string | undefined): number {
    const levels = this.lists.get(listId)?.levels ?? new Map<number, ListLevel>();
    return [...levels].find(([, level]) => level.style !== undefined && level.style === style)?.[0] ?? 0;
  }

  /**
   * Counts the next paragraph of a list, and returns its label, for example `2.1`, or `-` for a bullet;
   * undefined when it has none.
   */
  next(listId: string, depth: number): string | undefined {
    const list = this.lists.get(listId);
    if (list === undefined || !(depth >= 0 && depth < levelsMax)) return undefined;
    const level = list.levels.get(depth);
    if (level === undefined || level.format === 'bullet') return '-';
    const counters = this.counters.get(list.counters) ?? [];
    this.counters.set(list.counters, counters);
    counters[depth] = (counters[depth] ?? level.start - 1) + 1;
    counters.length = depth + 1;
    const label = level.text.replace(/%([1-9])/g, (_all, digit: string) => {
      const of = list.levels.get(Number(digit) - 1);
      return countedAs(counters[Number(digit) - 1] ?? of?.start ?? 1, of?.format ?? 'decimal');
    });
    return label.trim() === '' ? undefined : label.trim();
  }
}

/** The lists of a docx file, by their ids. */
export function listsOf(numbering: XmlElement | undefined): Map<string, NumberedList> {
  const lists = new Map<string, NumberedList>();
  const abstracts = new Map(
    childrenOf(numbering, 'abstractNum').map((list) => [list.attributes.abstractNumId, list]),
  );
  for (const list of childrenOf(numbering, 'num')) {
    const id = childOf(list, 'abstractNumId')?.attributes.val;
    const overrides = childrenOf(list, 'lvlOverride');
    const levels = new Map<number, ListLevel>();
    const own = overrides.flatMap((override) => childrenOf(override, 'lvl'));
    for (const level of [...childrenOf(abstracts.get(id), 'lvl'), ...own]) {
      levels.set(Number(level.attributes.ilvl), levelOf(level));
    }
    for (const override of overrides) {
      const start = childOf(override, 'startOverride')?.attributes.val;
      const level = levels.get(Number(override.attributes.ilvl));
      if (level && start)
        levels.set(Number(override.attributes.ilvl), { ...level, start: Number(start) || 0 });
    }
    const name = list.attributes.numId ?? '';
    // Lists with one definition share their counters, unless one of them overrides it.
    lists.set(name, { counters: overrides.length > 0 ? `own ${name}` : (id ?? ''), levels });
  }
  return lists;
}

function levelOf(level: XmlElement): ListLevel {
  const value = (name: string) => childOf(level, name)?.attributes.val;
  return {
    format: value('numFmt') ?? 'decimal',
    text: value('lvlText') ?? '',
    start: Number(value('start') ?? 1) || 0,
    style: value('pStyle'),
  };
}
