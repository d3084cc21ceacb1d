import { CFB } from '@e965/xlsx';
import type { Sample } from './sample.js';

export interface BinaryRun {
  /** Its last character ends a paragraph, a cell or a row. */
  text: string;
  /** The number of a built-in style: 1 to 9 are headings. */
  style?: number;
  /** Modifiers of the paragraph, e.g. `1624 01`. */
  paragraph?: string;
  /** Modifiers of its characters. */
  characters?: string;
}

export interface BinaryWord {
  body: readonly BinaryRun[];
  /** Further parts of the text, by the place of their length in the header. */
  stories?: readonly { at: number; text: string }[];
  /** Tables by their place in the header. */
  tables?: Readonly<Record<number, Buffer>>;
  flags?: number;
  /** Further streams of the compound file, by path. */
  streams?: Readonly<Record<string, Uint8Array>>;
}

const textOffset = 0x800;

/** A document as Word 97 writes it: text, a page of properties for paragraphs and one for characters, styles. */
export function binaryWordFile({
  body,
  stories = [],
  tables = {},
  flags = 0,
  streams,
}: BinaryWord): Uint8Array {
  const text = Buffer.from([...body, ...stories].map((run) => run.text).join(''), 'utf16le');
  const pages = Math.ceil((textOffset + text.length) / 512);
  const stream = Buffer.alloc((pages + 2) * 512);
  stream.writeUInt16LE(0xa5ec, 0);
  stream.writeUInt16LE(0xc1, 2);
  stream.writeUInt16LE(flags, 0x0a);
  stream.writeUInt32LE(
    body.reduce((sum, run) => sum + run.text.length, 0),
    0x4c,
  );
  for (const story of stories) stream.writeUInt32LE(story.text.length, story.at);
  text.copy(stream, textOffset);
  propertyPage(body, 13, (run) => [run.style ?? 0, run.paragraph ?? '']).copy(stream, pages * 512);
  propertyPage(body, 1, (run) => [undefined, run.characters ?? '']).copy(stream, (pages + 1) * 512);
  const all: Readonly<Record<number, Buffer>> = {
    0x1a2: pieceTable(text.length / 2),
    0x102: numbers(textOffset, textOffset + text.length, pages),
    0xfa: numbers(textOffset, textOffset + text.length, pages + 1),
    0xa2: styleSheet(),
    ...tables,
  };
  let table = Buffer.alloc(0);
  for (const [place, content] of Object.entries(all)) {
    stream.writeUInt32LE(table.length, Number(place));
    stream.writeUInt32LE(content.length, Number(place) + 4);
    table = Buffer.concat([table, content]);
  }
  return compoundFile({ WordDocument: stream, '0Table': table, ...streams });
}

/** The streams of a compound file, by path. */
export function streamsOf(file: Uint8Array): Record<string, Uint8Array> {
  const { FullPaths, FileIndex } = CFB.parse(Buffer.from(file)) as {
    readonly FullPaths: readonly string[];
    readonly FileIndex: readonly { readonly type: number; readonly content: Uint8Array }[];
  };
  return Object.fromEntries(
    FileIndex.flatMap(({ type, content }, index) =>
      type === 2 ? [[(FullPaths[index] ?? '').replace(/^[^/]*\//, ''), Uint8Array.from(content)]] : [],
    ),
  );
}

export function compoundFile(streams: Readonly<Record<string, Uint8Array>>): Uint8Array {
  const file = CFB.utils.cfb_new();
  for (const [name, content] of Object.entries(streams))
    CFB.utils.cfb_add(file, `/${name}`, Buffer.from(content));
  return Uint8Array.from(CFB.write(file, { type: 'buffer' }) as Buffer);
}

export function numbers(...values: number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 4);
  values.forEach((value, index) => bytes.writeUInt32LE(value, index * 4));
  return bytes;
}

function pieceTable(characters: number): Buffer {
  const piece = Buffer.concat([Buffer.alloc(2), numbers(textOffset), Buffer.alloc(2)]);
  const pieces = Buffer.concat([numbers(0, characters), piece]);
  return Buffer.concat([Buffer.of(2), numbers(pieces.length), pieces]);
}

function propertyPage(
  runs: readonly BinaryRun[],
  entryBytes: number,
  propertiesOf: (run: BinaryRun) => [number | undefined, string],
): Buffer {
  const page = Buffer.alloc(512);
  let [place, end] = [textOffset, 510];
  runs.forEach((run, index) => {
    page.writeUInt32LE(place, index * 4);
    place += run.text.length * 2;
    const [style, hex] = propertiesOf(run);
    const modifiers = Buffer.from(hex.replaceAll(' ', ''), 'hex');
    if (style === undefined && modifiers.length === 0) return;
    const start = style === undefined ? Buffer.alloc(0) : Buffer.of(style, 0);
    const properties = Buffer.concat([start, modifiers]);
    const isOdd = properties.length % 2 === 1;
    end = (end - properties.length - 2) & ~1;
    const length =
      style === undefined
        ? [properties.length]
        : isOdd
          ? [(properties.length + 1) / 2]
          : [0, properties.length / 2];
    Buffer.concat([Buffer.from(length), properties]).copy(page, end);
    page.writeUInt8(end / 2, (runs.length + 1) * 4 + index * entryBytes);
  });
  page.writeUInt32LE(place, runs.length * 4);
  page.writeUInt8(runs.length, 511);
  return page;
}

/** Number 0 is the text, 1 and 2 are headings. */
function styleSheet(): Buffer {
  const header = Buffer.alloc(20);
  header.writeUInt16LE(18, 0);
  header.writeUInt16LE(3, 2);
  header.writeUInt16LE(10, 4);
  const styles = [0, 1, 2].map((builtIn) => {
    const style = Buffer.alloc(2 + 14);
    style.writeUInt16LE(14, 0);
    style.writeUInt16LE(builtIn, 2);
    style.writeUInt16LE((0xfff << 4) | 1, 4);
    return style;
  });
  return Buffer.concat([header, ...styles]);
}

export const wordBinarySamples: readonly Sample[] = [
  {
    extension: 'doc',
    bytes: () =>
      binaryWordFile({
        body: [{ text: 'Top\r', style: 1 }, { text: 'Inner\r', style: 2 }, { text: 'Words in 漢字.\r' }],
      }),
    text: 'Words in 漢字.',
    headings: ['Top', 'Inner'],
  },
];
