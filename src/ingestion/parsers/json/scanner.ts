/**
 * A token. The text of a `value` is a string without its quotes and escapes, or a number or word as written.
 */
export type JsonToken =
  | { readonly kind: '{' | '}' | '[' | ']' | ':' | ',' | 'end' | 'bad' }
  | { readonly kind: 'value'; readonly text: string; readonly isString: boolean };

const signs = new Set(['{', '}', '[', ']', ':', ','] as const);
const word = /(?:-?(?:\d[\d.eE+-]*|Infinity)|true|false|null|NaN)(?![\w$])/y;

/** Splits a text into JSON tokens; comments are skipped. */
export class JsonScanner {
  private position = 0;
  /** Where the last token begins. */
  private start = 0;
  /** The text that skipToNextRecord() passed over last. */
  skipped = '';

  constructor(private readonly text: string) {}

  /** Reads the next token; `bad` for a mistake. */
  next(): JsonToken {
    this.skipBlanks();
    this.start = this.position;
    const character = this.text[this.position];
    if (character === undefined) return { kind: 'end' };
    if (isSign(character)) {
      this.position += 1;
      return { kind: character };
    }
    return character === '"' ? this.string() : this.word();
  }

  /**
   * Whether the last token is a bracket at the beginning of a line, where each record of JSON lines begins.
   */
  get isAtRecord(): boolean {
    return this.beginsRecord(this.start) && (this.start === 0 || this.text[this.start - 1] === '\n');
  }

  /**
   * Goes on at the next line that begins a record; false when there is none. The mistake may be that the
   * previous line broke off; then the last token itself begins such a line.
   */
  skipToNextRecord(): boolean {
    let lineEnd = this.isAtRecord ? this.start - 1 : this.text.indexOf('\n', this.start);
    while (lineEnd >= 0 && !this.beginsRecord(lineEnd + 1)) lineEnd = this.text.indexOf('\n', lineEnd + 1);
    this.position = lineEnd < 0 ? this.text.length : lineEnd + 1;
    this.skipped = this.text.slice(this.start, this.position);
    return lineEnd >= 0;
  }

  isAtEnd(): boolean {
    this.skipBlanks();
    return this.position >= this.text.length;
  }

  private beginsRecord(position: number): boolean {
    return this.text[position] === '{' || this.text[position] === '[';
  }

  private skipBlanks(): void {
    for (;;) {
      while (isBlank(this.text.charCodeAt(this.position))) this.position += 1;
      if (this.text[this.position] !== '/') return;
      const isLine = this.text[this.position + 1] === '/';
      if (!isLine && this.text[this.position + 1] !== '*') return;
      const end = this.text.indexOf(isLine ? '\n' : '*/', this.position + 2);
      this.position = end < 0 ? this.text.length : end + (isLine ? 1 : 2);
    }
  }

  /** Reads a string. A line end within it is a forgiven mistake, unless a new record begins there. */
  private string(): JsonToken {
    const start = this.position + 1;
    let hasEscapes = false;
    for (let at = start; at < this.text.length; at += 1) {
      const code = this.text.charCodeAt(at);
      if (code === 0x22) {
        this.position = at + 1;
        const text = this.text.slice(start, at);
        return { kind: 'value', text: hasEscapes ? unescaped(text) : text, isString: true };
      }
      if (code === 0x5c) {
        hasEscapes = true;
        if (this.text[at + 1] !== '\n') at += 1;
      } else if (code === 0x0a && this.beginsRecord(at + 1)) break;
    }
    return { kind: 'bad' };
  }

  private word(): JsonToken {
    word.lastIndex = this.position;
    const text = word.exec(this.text)?.[0];
    if (text === undefined) return { kind: 'bad' };
    this.position += text.length;
    return { kind: 'value', text, isString: false };
  }
}

/** Blanks include the separator of records in RFC 7464, and byte order marks of files that were joined. */
function isBlank(code: number): boolean {
  return (code <= 0x20 && code !== 0) || code === 0xa0 || code === 0xfeff;
}

function isSign(character: string): character is '{' | '}' | '[' | ']' | ':' | ',' {
  return (signs as ReadonlySet<string>).has(character);
}

function unescaped(text: string): string {
  try {
    return String(JSON.parse(`"${text.replace(/[\n\t]/g, (blank) => (blank === '\n' ? '\\n' : '\\t'))}"`));
  } catch {
    return text;
  }
}
