import { zipSync } from 'fflate';
import { bytesOf } from './reading.js';
import type { Sample } from './sample.js';

const officeNames =
  'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships" xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main"';
const relationshipType = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships/';

/** A zip archive of texts or bytes. */
export function archiveOf(files: Readonly<Record<string, string | Uint8Array>>): Uint8Array {
  return zipSync(
    Object.fromEntries(
      Object.entries(files).map(([name, content]) => [
        name,
        typeof content === 'string' ? bytesOf(content) : content,
      ]),
    ),
  );
}

/** A part of relationships: `id` to type and target, outside targets with their schemes. */
export function relationships(
  links: Readonly<Record<string, readonly [type: string, target: string]>>,
): string {
  const each = Object.entries(links).map(([id, [type, target]]) => {
    const mode = /^\w+:/.test(target) ? ' TargetMode="External"' : '';
    return `<Relationship Id="${id}" Type="${relationshipType}${type}" Target="${target}"${mode}/>`;
  });
  return `<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${each.join('')}</Relationships>`;
}

/** A shape of a slide; `placeholder` is its type, `''` none. */
export function shape(placeholder: string, ...paragraphs: string[]): string {
  const kind = placeholder === '' ? '' : `<p:ph type="${placeholder}"/>`;
  const texts = paragraphs.map((text) => (text.startsWith('<') ? text : `<a:r><a:t>${text}</a:t></a:r>`));
  return `<p:sp><p:nvSpPr><p:cNvPr id="1" name="x"/><p:cNvSpPr/><p:nvPr>${kind}</p:nvPr></p:nvSpPr><p:txBody>${texts.map((text) => `<a:p>${text}</a:p>`).join('')}</p:txBody></p:sp>`;
}

export function slide(kind: 'sld' | 'notes' | 'sldLayout' | 'sldMaster', ...shapes: string[]): string {
  return `<?xml version="1.0"?><p:${kind} ${officeNames}><p:cSld><p:spTree>${shapes.join('')}</p:spTree></p:cSld></p:${kind}>`;
}

/** A presentation whose slides come in the order given; other parts as they are. */
export function pptx(
  slides: readonly string[],
  parts: Readonly<Record<string, string | Uint8Array>> = {},
): Uint8Array {
  const names = slides.map((_, index) => `slides/slide${slides.length - index}.xml`);
  const ids = names.map((_, index) => `<p:sldId id="${256 + index}" r:id="rId${index + 1}"/>`);
  return archiveOf({
    '_rels/.rels': relationships({ rId1: ['officeDocument', 'ppt/presentation.xml'] }),
    'ppt/presentation.xml': `<?xml version="1.0"?><p:presentation ${officeNames}><p:sldIdLst>${ids.join('')}</p:sldIdLst></p:presentation>`,
    'ppt/_rels/presentation.xml.rels': relationships(
      Object.fromEntries(names.map((name, index) => [`rId${index + 1}`, ['slide', name]])),
    ),
    ...Object.fromEntries(names.map((name, index) => [`ppt/${name}`, slides[index] ?? ''])),
    ...parts,
  });
}

/** A record of a binary presentation: its body, or the records within. */
export function record(type: number, content: Buffer | readonly Buffer[], instance = 0): Buffer {
  const body = Buffer.isBuffer(content) ? content : Buffer.concat(content);
  const header = Buffer.alloc(8);
  header.writeUInt16LE((instance << 4) | (Buffer.isBuffer(content) ? 0 : 0xf), 0);
  header.writeUInt16LE(type, 2);
  header.writeUInt32LE(body.length, 4);
  return Buffer.concat([header, body]);
}

export function numbersOf(...numbers: number[]): Buffer {
  const bytes = Buffer.alloc(4 * numbers.length);
  numbers.forEach((number, index) => bytes.writeUInt32LE(number, 4 * index));
  return bytes;
}

/** The header and characters of a text. */
export function textRecords(kind: number, text: string): Buffer[] {
  return [record(0x0f9f, numbersOf(kind)), record(0x0fa0, Buffer.from(text, 'utf16le'))];
}

/** A shape with a text of its own. */
export function textShape(kind: number, text: string, placeholder?: number): Buffer {
  const place =
    placeholder === undefined
      ? []
      : [record(0xf011, [record(0x0bc3, Buffer.from([0, 0, 0, 0, placeholder, 0, 0, 0]))])];
  return record(0xf004, [...place, record(0xf00d, textRecords(kind, text))]);
}

export function drawing(...shapes: Buffer[]): Buffer {
  return record(0x040c, [record(0xf002, [record(0xf003, shapes)])]);
}

export interface BinaryDeck {
  /** Each the records within a slide. */
  readonly slides: readonly (readonly Buffer[])[];
  /** Notes of the slides by their places. */
  readonly notes?: Readonly<Record<number, readonly Buffer[]>>;
  /** What was there before the last save: slides by their places. */
  readonly before?: Readonly<Record<number, readonly Buffer[]>>;
  readonly isEncrypted?: boolean;
  /** Compound files of other programs, as they are stored: compressed behind their size, or (0) plain. */
  readonly objects?: readonly { readonly instance: 0 | 1; readonly body: Buffer }[];
}

/** The streams of a binary presentation: slides, notes and document with their directory, saved twice when `before`. */
function binaryStreams(deck: BinaryDeck): { document: Buffer; user: Buffer } {
  const parts: Buffer[] = [];
  let length = 0;
  const add = (part: Buffer) => {
    parts.push(part);
    length += part.length;
    return length - part.length;
  };
  const notes = Object.entries(deck.notes ?? {});
  const objects = deck.objects ?? [];
  const listOf = (instance: number, first: number, ids: readonly number[]) =>
    record(
      0x0ff0,
      ids.map((id, index) => record(0x03f3, numbersOf(first + index, 0, 0, id, 0))),
      instance,
    );
  const slideIds = deck.slides.map((_, index) => 256 + index);
  const document = record(0x03e8, [
    listOf(0, 2, slideIds),
    listOf(
      2,
      100,
      notes.map((_, index) => 900 + index),
    ),
    record(
      0x0409,
      objects.map((_, index) => record(0x0fcc, [record(0x0fc3, numbersOf(1, 0, index, 0, 200 + index, 0))])),
    ),
  ]);
  const offsets = new Map([[1, add(document)]]);
  objects.forEach(({ instance, body }, index) => {
    offsets.set(200 + index, add(record(0x1011, body, instance)));
  });
  const save = (slides: ReadonlyMap<number, readonly Buffer[]>, last: number): number => {
    for (const [index, content] of slides) offsets.set(2 + index, add(record(0x03ee, content)));
    const entries = [...offsets].map(([id, offset]) => numbersOf(id | (1 << 20), offset));
    const directory = add(record(0x1772, Buffer.concat(entries)));
    return add(record(0x0ff5, numbersOf(0, 0, last, directory, 1, 0, 0, ...(deck.isEncrypted ? [9] : []))));
  };
  notes.forEach(([index, content], place) => {
    offsets.set(
      100 + place,
      add(record(0x03f0, [record(0x03f1, numbersOf(256 + Number(index), 0)), ...content])),
    );
  });
  const before = new Map(
    Object.entries(deck.before ?? {}).map(([index, content]) => [Number(index), content]),
  );
  const first = before.size > 0 ? save(before, 0) : 0;
  const edit = save(new Map(deck.slides.entries()), first);
  const token = deck.isEncrypted ? 0xf3d1c4df : 0xe391c05f;
  const user = record(0x0ff6, numbersOf(20, token, edit, 0, 0));
  return { document: Buffer.concat(parts), user };
}

interface CompoundWriter {
  utils: {
    cfb_new(): object;
    cfb_add(file: object, name: string, content: Buffer): void;
  };
  write(file: object, options: { type: 'buffer' }): Buffer;
}

export async function compoundFileOf(streams: Readonly<Record<string, Buffer>>): Promise<Uint8Array> {
  const { CFB } = (await import('@e965/xlsx')) as unknown as { CFB: CompoundWriter };
  const file = CFB.utils.cfb_new();
  for (const [name, content] of Object.entries(streams)) CFB.utils.cfb_add(file, name, content);
  return CFB.write(file, { type: 'buffer' });
}

export function ppt(deck: BinaryDeck): Promise<Uint8Array> {
  const { document, user } = binaryStreams(deck);
  return compoundFileOf({ 'PowerPoint Document': document, 'Current User': user });
}

export const presentationSamples: readonly Sample[] = [
  {
    extension: 'pptx',
    bytes: () =>
      pptx([
        slide('sld', shape('title', 'Plan')),
        slide('sld', shape('title', 'Café'), shape('', 'Words here.')),
      ]),
    text: 'Words here.',
    headings: ['Café'],
    layout: { slide: 2 },
  },
  {
    extension: 'ppt',
    bytes: () =>
      ppt({
        slides: [
          [drawing(textShape(0, 'Plan'))],
          [drawing(textShape(0, 'Café'), textShape(1, 'Words here.'))],
        ],
      }),
    text: 'Words here.',
    headings: ['Café'],
    layout: { slide: 2 },
  },
];
