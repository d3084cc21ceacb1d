/** A limit for the internal part of a document type; entities declared after it are left as written. */
const doctypeCharactersMax = 64 * 1024;
/**
 * An entity stands for a name or a sentence, perhaps with another entity in it. Deep nesting is an attack
 * (billion laughs).
 */
const entityCharactersMax = 10_000;
const nestingMax = 4;
/** A limit for all entities of a document together. */
const documentCharactersMax = 1_000_000;
const declaration = /<!ENTITY\s+([^\s%"'<>&;]+)\s+(?:"([^"]*)"|'([^']*)')\s*>/g;
const reference = /&(?:#(\d{1,7})|#x([\da-f]{1,6})|([^\s&;#]{1,100}));/gi;

/**
 * Adds the entities that a document type declares to those of a parser (`known`), as texts without tags.
 * External entities, and those that would grow too large, are not expanded.
 */
export function addEntities(doctype: string, known: Record<string, string>): void {
  const texts = new EntityTexts(doctype, known);
  let charactersLeft = documentCharactersMax;
  for (const name of texts.names) {
    const text = texts.textOf(name);
    if (text === undefined) continue;
    Object.defineProperty(known, name, {
      get: () => {
        charactersLeft -= text.length;
        return charactersLeft < 0 ? `&${name};` : text;
      },
    });
  }
}

class EntityTexts {
  private readonly written = new Map<string, string>();
  private readonly resolved = new Map<string, string | undefined>();

  constructor(
    doctype: string,
    private readonly known: Readonly<Record<string, string>>,
  ) {
    const [start = '', ...commented] = doctype.slice(0, doctypeCharactersMax).split('<!--');
    const source = [start, ...commented.map((piece) => piece.split('-->')[1] ?? '')].join('');
    for (const [, name = '', double, single] of source.matchAll(declaration)) {
      // The first declaration counts, and the entities of XML itself cannot be redefined.
      if (!this.written.has(name) && known[name] === undefined)
        this.written.set(name, double ?? single ?? '');
    }
  }

  get names(): Iterable<string> {
    return this.written.keys();
  }

  /**
   * The text of an entity; undefined when it is not declared, contains itself, or exceeds the limits of
   * nesting or size.
   */
  textOf(name: string, depth = 1): string | undefined {
    if (this.resolved.has(name)) return this.resolved.get(name);
    const written = this.written.get(name);
    if (written === undefined || depth > nestingMax) return undefined;
    this.resolved.set(name, undefined);
    const text = this.expanded(written.replace(/<[^<>]*>/g, ''), depth);
    this.resolved.set(name, text);
    return text;
  }

  private expanded(written: string, depth: number): string | undefined {
    const parts: string[] = [];
    let [characters, at] = [0, 0];
    for (const { 0: all, 1: decimal, 2: hex, 3: name = '', index } of written.matchAll(reference)) {
      const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal);
      const text = Number.isNaN(code)
        ? (this.known[name] ?? this.textOf(name, depth + 1))
        : characterOf(code);
      parts.push(written.slice(at, index), text ?? all);
      at = index + all.length;
      characters += text?.length ?? all.length;
      if (characters > entityCharactersMax) return undefined;
    }
    const text = [...parts, written.slice(at)].join('');
    return text.length > entityCharactersMax ? undefined : text;
  }
}

function characterOf(code: number): string | undefined {
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : undefined;
}
