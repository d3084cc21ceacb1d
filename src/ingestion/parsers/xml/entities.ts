/** Of a declaration's internal part: what stands behind it is left as it is written. */
const doctypeCharactersMax = 64 * 1024;
/** An entity stands for a name or a sentence, perhaps with another in it; ten of ten of ten … are a bomb. */
const entityCharactersMax = 10_000;
const nestingMax = 4;
/** Of all entities of a document together. */
const documentCharactersMax = 1_000_000;
const declaration = /<!ENTITY\s+([^\s%"'<>&;]+)\s+(?:"([^"]*)"|'([^']*)')\s*>/g;
const reference = /&(?:#(\d{1,7})|#x([\da-f]{1,6})|([^\s&;#]{1,100}));/gi;

/**
 * Adds to the entities of a parser those that a document type declares for itself, as texts without their tags. External
 * ones, and what would grow beyond measure, are not expanded.
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
      // The first declaration holds, and those of XML itself cannot be changed.
      if (!this.written.has(name) && known[name] === undefined)
        this.written.set(name, double ?? single ?? '');
    }
  }

  get names(): Iterable<string> {
    return this.written.keys();
  }

  /** Undefined for what is not declared, stands within itself, or is nested or grows beyond its bound. */
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
