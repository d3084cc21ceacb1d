import { inflateSync } from 'node:zlib';

/** A limit for one stream. An attachment is also limited by its own parser. */
const inflatedBytesMax = 64 * 1024 * 1024;
/** A limit for all streams of a file together. */
const inflatedBytesMaxInAll = 160 * 1024 * 1024;
const dictionaryCharactersMax = 256 * 1024;
const objectsMax = 2_000_000;

/**
 * The objects of a PDF as written, for what the library does not provide. Of an encrypted file they mean
 * nothing.
 */
export class PdfObjects {
  /** One character for each byte. */
  private readonly source: string;
  private readonly offsets = new Map<number, number>();
  private readonly packed = new Map<number, string>();
  private inflatedBytes = 0;
  readonly isEncrypted: boolean;

  constructor(private readonly bytes: Buffer) {
    this.source = bytes.toString('latin1');
    for (let at = this.source.indexOf('obj'); at >= 0; at = this.source.indexOf('obj', at + 3)) {
      const number = /(?:^|\D)(\d{1,10})\s{1,4}\d{1,5}\s{1,4}$/.exec(
        this.source.slice(Math.max(0, at - 24), at),
      )?.[1];
      // The last one counts, because a file is changed by appending to it.
      if (number !== undefined) this.offsets.set(Number(number), at + 3);
      if (this.offsets.size > objectsMax) break;
    }
    this.isEncrypted = /\/Encrypt\s+\d+\s+\d+\s+R|\/Encrypt\s*<</.test(this.source);
    if (!this.isEncrypted) this.unpack();
  }

  /** The text of an object, between `obj` and `endobj`, without the content of a stream. */
  text(number: number): string | undefined {
    const offset = this.offsets.get(number);
    if (offset === undefined) return this.packed.get(number);
    const text = this.source.slice(offset, offset + dictionaryCharactersMax);
    const end = /\bendobj\b|\bstream\r?\n/.exec(text)?.index;
    return end === undefined ? text : text.slice(0, end);
  }

  /** The texts of all objects that contain a word, in the order of the file, unpacked ones first. */
  *withText(word: string): Generator<string> {
    for (const text of this.packed.values()) if (text.includes(word)) yield text;
    const starts = [...this.offsets.values()].sort((a, b) => a - b);
    let next = 0;
    for (let at = this.source.indexOf(word); at >= 0; at = this.source.indexOf(word, at)) {
      while ((starts[next] ?? Infinity) <= at) next += 1;
      const start = starts[next - 1];
      const end = Math.min(starts[next] ?? this.source.length, this.source.length);
      if (start !== undefined) yield this.source.slice(start, Math.min(end, start + dictionaryCharactersMax));
      at = Math.max(end, at + word.length);
    }
  }

  /** The object number in the last `/Key n g R` of the file, which belongs to its trailer. */
  lastReference(key: string): number | undefined {
    const at = this.source.lastIndexOf(`/${key} `);
    const found = at < 0 ? null : /^\/\w+\s+(\d{1,10})\s+\d{1,5}\s+R/.exec(this.source.slice(at, at + 60));
    return found ? Number(found[1]) : undefined;
  }

  /**
   * The content of a stream that is not compressed, or deflated; undefined for other streams, and beyond the
   * limits.
   */
  stream(number: number): Buffer | undefined {
    const dictionary = this.text(number);
    const offset = this.offsets.get(number);
    if (dictionary === undefined || offset === undefined) return undefined;
    const start = /^\s*stream\r?\n/.exec(
      this.source.slice(offset + dictionary.length, offset + dictionary.length + 16),
    );
    if (start === null) return undefined;
    const from = offset + dictionary.length + start[0].length;
    const content = this.bytes.subarray(from, from + this.streamLength(dictionary, from));
    const filters = /\/Filter\s*(\[[^\]]*\]|\/\w+)/.exec(dictionary)?.[1]?.match(/\w+/g) ?? [];
    if (filters.length === 0) return content;
    if (filters.length > 1 || !/^Fl/.test(filters[0] ?? '') || /\/Predictor\s*[2-9]/.test(dictionary))
      return undefined;
    return this.inflate(content);
  }

  private streamLength(dictionary: string, from: number): number {
    const found = /\/Length\s+(\d{1,10})(\s+\d{1,5}\s+R)?/.exec(dictionary);
    const number = Number(found?.[1] ?? -1);
    const length = found?.[2] ? Number(/\d+/.exec(this.text(number) ?? '')?.[0] ?? -1) : number;
    const isRight =
      length >= 0 && /^\s{0,2}endstream/.test(this.source.slice(from + length, from + length + 12));
    if (isRight) return length;
    const end = this.source.indexOf('endstream', from);
    return (end < 0 ? this.source.length : end) - from;
  }

  private inflate(content: Buffer): Buffer | undefined {
    const maxOutputLength = Math.min(inflatedBytesMax, inflatedBytesMaxInAll - this.inflatedBytes);
    if (maxOutputLength <= 0) return undefined;
    try {
      const inflated = inflateSync(content, { maxOutputLength });
      this.inflatedBytes += inflated.byteLength;
      return inflated;
    } catch {
      return undefined;
    }
  }

  /** Reads the objects that are packed into the streams of others. */
  private unpack(): void {
    for (const number of [...this.offsets.keys()]) {
      const dictionary = this.source.slice(this.offsets.get(number), (this.offsets.get(number) ?? 0) + 400);
      if (!/\/Type\s*\/ObjStm/.test(dictionary)) continue;
      const first = Number(/\/First\s+(\d{1,9})/.exec(dictionary)?.[1] ?? -1);
      const text = this.stream(number)?.toString('latin1');
      if (text === undefined || first < 0) continue;
      const numbers = (text.slice(0, first).match(/\d{1,10}/g) ?? []).map(Number);
      for (let index = 0; index + 1 < numbers.length; index += 2) {
        const from = first + (numbers[index + 1] ?? 0);
        const to = first + (numbers[index + 3] ?? text.length);
        if (this.packed.size < objectsMax) this.packed.set(numbers[index] ?? 0, text.slice(from, to));
      }
    }
  }
}

/**
 * The string value of a key: `(text)`, with its escapes decoded, or `<hex>`. Undefined when the value is no
 * string.
 */
export function stringOf(dictionary: string, key: string): string | undefined {
  const found = new RegExp(`/${key}\\s*(?=[(<])`).exec(dictionary);
  if (found === null) return undefined;
  const from = found.index + found[0].length;
  const raw =
    dictionary[from] === '('
      ? literal(dictionary, from + 1)
      : hexadecimal(dictionary.slice(from, from + 8000));
  return raw === undefined ? undefined : decodeString(Buffer.from(raw, 'latin1'));
}

function hexadecimal(text: string): string | undefined {
  const digits = /^<([\da-f\s]*)>/i.exec(text)?.[1]?.replace(/\s/g, '');
  return digits === undefined ? undefined : Buffer.from(digits, 'hex').toString('latin1');
}

const escapes: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' };

function literal(source: string, from: number): string | undefined {
  let text = '';
  let depth = 1;
  for (let at = from; at < Math.min(source.length, from + 8000); at += 1) {
    const character = source.charAt(at);
    if (character === '\\') {
      const octal = /^[0-7]{1,3}/.exec(source.slice(at + 1, at + 4))?.[0];
      const next = source.charAt(at + 1);
      if (octal !== undefined) text += String.fromCharCode(parseInt(octal, 8) & 0xff);
      else if (next !== '\n' && next !== '\r') text += escapes[next] ?? next;
      at += octal?.length ?? 1;
      continue;
    }
    if (character === '(') depth += 1;
    if (character === ')') depth -= 1;
    if (depth === 0) return text;
    text += character;
  }
  return undefined;
}

function decodeString(bytes: Buffer): string {
  const [first, second] = bytes;
  const isUtf16 = (first === 0xfe && second === 0xff) || (first === 0xff && second === 0xfe);
  const label = isUtf16 ? (first === 0xfe ? 'utf-16be' : 'utf-16le') : first === 0xef ? 'utf-8' : 'latin1';
  return new TextDecoder(label)
    .decode(bytes)
    .replace(/\p{Cc}+/gu, ' ')
    .trim();
}
