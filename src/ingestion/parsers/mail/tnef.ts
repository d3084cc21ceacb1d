import { bufferOf } from '../../../lib/buffer-of.js';
import { decodeAs } from '../../../lib/named-charsets.js';
import { charsetOfCodePage, decodeText } from '../charset.js';
import { ParseError, type InnerFile } from '../parser.js';
import { propertiesOf, type MapiProperties, type MapiValue } from './mapi-properties.js';
import { decompressRtf } from './rtf-decompress.js';

const signature = 0x223e9f78;
/** The numbers of attributes (MS-OXTNEF 2.1.3.3), without their types. */
const attribute = {
  subject: 0x8004,
  body: 0x800c,
  attachmentTitle: 0x8010,
  attachmentData: 0x800f,
  attachmentStart: 0x9002,
  messageProperties: 0x9003,
  attachmentProperties: 0x9005,
  codePage: 0x9007,
} as const;
const property = { body: 0x1000, rtf: 0x1009, html: 0x1013, data: 0x3701, fileName: 0x3707, subject: 0x0037 };
const [manyValues, objectType] = [0x1000, 0x000d];
/** The bytes of values of fixed length, by type, filled up to four; all others say how long they are. */
const fixedBytes = new Map([
  ...[0x02, 0x03, 0x04, 0x0a, 0x0b].map((type): [number, number] => [type, 4]),
  ...[0x05, 0x06, 0x07, 0x14, 0x40].map((type): [number, number] => [type, 8]),
  [0x48, 16],
]);
const [firstNamedId, setBytes, interfaceBytes] = [0x8000, 16, 16];
/** How deep messages may be attached within one another, as in parse-file.ts. */
const nestingMax = 3;

/** What is in a `winmail.dat`: how Outlook wraps a message for other Outlooks, with all that is attached. */
export interface TnefContent {
  /** The text of the message; the name is its subject. */
  readonly body: InnerFile | undefined;
  readonly files: readonly InnerFile[];
}

interface Attached {
  title: string;
  data: Buffer | undefined;
  properties: MapiProperties;
}

/** Whether bytes begin as a TNEF stream (winmail.dat) does. */
export function isTnef(bytes: Uint8Array): boolean {
  return bytes.length > 6 && bufferOf(bytes).readUInt32LE(0) === signature;
}

/** What can be read of it: a damaged one ends early. */
export function readTnef(bytes: Uint8Array, depth = 0): TnefContent {
  const reader = new TnefReader(depth);
  const source = bufferOf(bytes);
  try {
    for (let at = 6; at + 9 <= source.length;) {
      const [id, length] = [source.readUInt16LE(at + 1), source.readUInt32LE(at + 5)];
      reader.take(id, source.subarray(at + 9, at + 9 + length));
      at += length + 11;
    }
  } catch (error) {
    if (!(error instanceof RangeError) && !(error instanceof ParseError)) throw error;
  }
  return reader.content();
}

class TnefReader {
  private charset: string | undefined;
  private subject = '';
  private text = '';
  private properties = propertiesOf(new Map());
  private readonly attached: Attached[] = [];

  constructor(private readonly depth: number) {}

  take(id: number, data: Buffer): void {
    const last = this.attached.at(-1);
    if (id === attribute.codePage) this.charset = charsetOfCodePage(data.readUInt32LE(0));
    else if (id === attribute.subject) this.subject = this.string(data);
    else if (id === attribute.body) this.text = this.string(data);
    else if (id === attribute.messageProperties) this.properties = readProperties(data);
    else if (id === attribute.attachmentStart)
      this.attached.push({ title: '', data: undefined, properties: propertiesOf(new Map()) });
    else if (last && id === attribute.attachmentTitle) last.title = this.string(data);
    else if (last && id === attribute.attachmentData) last.data = data;
    else if (last && id === attribute.attachmentProperties) last.properties = readProperties(data);
  }

  content(): TnefContent {
    return { body: this.body(), files: this.attached.flatMap((each) => this.filesOf(each)) };
  }

  private body(): InnerFile | undefined {
    const name = this.property(this.properties, property.subject) || this.subject || 'Message';
    const html = this.properties.bytes(property.html);
    if (html) return { name: `${name}.html`, bytes: html };
    const text = this.property(this.properties, property.body) || this.text;
    if (/\S/.test(text)) return { name: `${name}.txt`, bytes: Buffer.from(text) };
    const rtf = this.properties.bytes(property.rtf);
    return rtf && { name: `${name}.rtf`, bytes: decompressRtf(rtf) };
  }

  private filesOf({ title, data, properties }: Attached): InnerFile[] {
    const bytes = data ?? properties.bytes(property.data);
    if (bytes === undefined) return [];
    if (isTnef(bytes)) {
      if (this.depth >= nestingMax) return [];
      const { body, files } = readTnef(bytes, this.depth + 1);
      return [...(body ? [body] : []), ...files];
    }
    return [{ name: this.property(properties, property.fileName) || title || 'attachment', bytes }];
  }

  private property(properties: MapiProperties, id: number): string {
    return properties.text(id, (bytes) => this.string(bytes));
  }

  private string(bytes: Uint8Array): string {
    const end = bytes.indexOf(0);
    const text = end < 0 ? bytes : bytes.subarray(0, end);
    return (this.charset === undefined ? undefined : decodeAs(this.charset, text)) ?? decodeText(text);
  }
}

/** Reads a list of properties (MS-OXTNEF 2.1.3.4). Of several values of one property only the first is kept. */
function readProperties(source: Buffer): MapiProperties {
  const values = new Map<number, MapiValue>();
  let at = 4;
  for (let left = source.readUInt32LE(0); left > 0 && at + 4 <= source.length; left -= 1) {
    const [type, id] = [source.readUInt16LE(at), source.readUInt16LE(at + 2)];
    at += 4;
    if (id >= firstNamedId) at += setBytes + nameBytes(source, at + setBytes);
    const fixed = fixedBytes.get(type & ~manyValues);
    let count = 1;
    if (fixed === undefined || type & manyValues) {
      count = source.readUInt32LE(at);
      at += 4;
    }
    for (let index = 0; index < count && at < source.length; index += 1) {
      const length = fixed ?? source.readUInt32LE(at);
      if (fixed === undefined) at += 4;
      const start = type === objectType ? at + interfaceBytes : at;
      const value = Buffer.concat([source.subarray(start, at + length), Buffer.alloc(fixed === 4 ? 4 : 0)]);
      if (index === 0) values.set(id, { type, read: () => value });
      at += Math.ceil(length / 4) * 4;
    }
  }
  return propertiesOf(values);
}

/** The length of a property's name, which is a number or a string. */
function nameBytes(source: Buffer, at: number): number {
  const isNumber = source.readUInt32LE(at) === 0;
  return isNumber ? 8 : 8 + Math.ceil(source.readUInt32LE(at + 4) / 4) * 4;
}
