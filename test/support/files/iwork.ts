// @ts-expect-error -- the package ships no types
import snappy from 'snappyjs';
import { archiveOf } from './presentations.js';
import type { Sample } from './sample.js';

const { compress } = snappy as { compress: (bytes: Buffer) => Buffer };

type Value = number | string | Buffer;

function varint(value: number): Buffer {
  const bytes: number[] = [];
  let left = value;
  for (; left >= 128; left = Math.floor(left / 128)) bytes.push((left % 128) + 128);
  return Buffer.from([...bytes, left]);
}

/** A Protocol Buffers message of fields: integers, texts, bytes of messages within. */
export function message(...fields: readonly [field: number, value: Value][]): Buffer {
  return Buffer.concat(
    fields.map(([field, value]) => {
      if (typeof value === 'number') return Buffer.concat([varint(field * 8), varint(value)]);
      const bytes = Buffer.from(value);
      return Buffer.concat([varint(field * 8 + 2), varint(bytes.length), bytes]);
    }),
  );
}

function reference(id: number): Buffer {
  return message([1, id]);
}

export interface IwaSource {
  readonly id: number;
  readonly type: number;
  readonly body: Buffer;
  readonly refersTo?: readonly number[];
}

/** One archive of objects: a frame of Snappy. */
function iwa(...objects: readonly IwaSource[]): Buffer {
  const stream = objects.map(({ id, type, body, refersTo = [] }) => {
    const info = message([1, type], [3, body.length], [5, Buffer.concat(refersTo.map(varint))]);
    const header = message([1, id], [2, info]);
    return Buffer.concat([varint(header.length), header, body]);
  });
  const block = compress(Buffer.concat(stream));
  const frame = Buffer.alloc(4);
  frame.writeUIntLE(block.length, 1, 3);
  return Buffer.concat([frame, block]);
}

/** A text; `attached` are objects at the characters that stand for them. */
function textObject(
  id: number,
  text: string,
  attached: readonly (readonly [at: number, id: number])[] = [],
): IwaSource {
  const table = attached.map(
    ([at, target]) => [1, message([1, at], [2, reference(target)])] as [number, Buffer],
  );
  const body = message(
    [3, text],
    ...(attached.length > 0 ? ([[9, message(...table)]] as [number, Buffer][]) : []),
  );
  return { id, type: 2001, body, refersTo: attached.map(([, target]) => target) };
}

/** A shape, placeholder or note that holds a text. */
function holder(id: number, type: number, text: number): IwaSource {
  return { id, type, body: message([1, message([1, reference(text)])]), refersTo: [text] };
}

/** A table of texts with one row of headers: its objects from `id` on. */
function tableObjects(id: number, name: string, rows: readonly (readonly string[])[]): IwaSource[] {
  const texts = rows.flat();
  const rowMessages = rows.map((cells, index) => {
    const bytes = cells.map((_, column) => {
      const cell = Buffer.alloc(16);
      cell.writeUInt8(5, 0);
      cell.writeUInt8(3, 1);
      cell.writeUInt32LE(8, 8);
      cell.writeUInt32LE(index * cells.length + column, 12);
      return cell;
    });
    const offsets = Buffer.alloc(2 * cells.length);
    cells.forEach((_, column) => offsets.writeUInt16LE(16 * column, 2 * column));
    return [5, message([1, index], [2, cells.length], [6, Buffer.concat(bytes)], [7, offsets])] as [
      number,
      Buffer,
    ];
  });
  const strings = texts.map((text, key) => [3, message([1, key], [2, 1], [3, text])] as [number, Buffer]);
  const store = message(
    [3, message([1, message([1, 0], [2, reference(id + 2)])])],
    [4, reference(id + 3)],
    [9, message([1, message([1, 0], [2, 0])])],
  );
  return [
    { id, type: 6000, body: message([2, reference(id + 1)]), refersTo: [id + 1] },
    { id: id + 1, type: 6001, body: message([4, store], [8, name], [9, 1]), refersTo: [id + 2, id + 3] },
    { id: id + 2, type: 6002, body: message(...rowMessages) },
    { id: id + 3, type: 6005, body: message([1, 1], ...strings) },
  ];
}

const townRows = [
  ['name', 'town'],
  ['Zoë', 'Oslo'],
];

/** A text with a table in it. */
export function pagesFile(): Uint8Array {
  const document: IwaSource = { id: 1, type: 10000, body: message([4, reference(2)]), refersTo: [2] };
  const attachment: IwaSource = { id: 3, type: 2003, body: message([1, reference(10)]), refersTo: [10] };
  const body = textObject(2, 'First words.\n\ufffc\nLast words.', [[13, 3]]);
  const archive = iwa(document, body, attachment, ...tableObjects(10, 'Towns', townRows));
  return archiveOf({ 'Index/Document.iwa': archive });
}

/** Two slides, the second with notes; a template with a prompt. Packed within a folder, as folders are sent. */
export function keynoteFile(): Uint8Array {
  const nodes = message([1, reference(11)], [1, reference(12)]);
  const show: IwaSource = { id: 2, type: 2, body: message([3, nodes]), refersTo: [11, 12] };
  const objects = [
    { id: 1, type: 1, body: message([2, reference(2)]), refersTo: [2] },
    show,
    { id: 11, type: 4, body: message([2, reference(21)]), refersTo: [21] },
    { id: 12, type: 4, body: message([2, reference(22)]), refersTo: [22] },
  ];
  const first = [
    { id: 21, type: 5, body: message([5, reference(31)]), refersTo: [31] },
    holder(31, 7, 41),
    textObject(41, 'Plan'),
  ];
  const second = [
    {
      id: 22,
      type: 5,
      body: message([5, reference(32)], [6, reference(33)], [27, reference(34)]),
      refersTo: [34, 33, 32],
    },
    holder(32, 7, 42),
    textObject(42, 'Café'),
    holder(33, 7, 43),
    textObject(43, 'Words here.'),
    holder(34, 15, 44),
    textObject(44, 'Say it slowly.'),
  ];
  const index = archiveOf({
    'Index/Document.iwa': iwa(...objects),
    'Index/Slide-2.iwa': iwa(...first),
    'Index/Slide-1.iwa': iwa(...second),
    'Index/MasterSlide-1.iwa': iwa(textObject(99, 'Lorem Ipsum Dolor')),
  });
  return archiveOf({ 'Talk.key/Index.zip': index });
}

/** A sheet with a text and a table. */
export function numbersFile(): Uint8Array {
  const sheet = message([1, 'Towns'], [2, reference(5)], [2, reference(10)]);
  return archiveOf({
    'Index/Document.iwa': iwa(
      { id: 1, type: 1, body: message([1, reference(3)]), refersTo: [3] },
      { id: 3, type: 2, body: sheet, refersTo: [5, 10] },
      holder(5, 2011, 6),
      textObject(6, 'Account 17'),
      ...tableObjects(10, 'Towns', townRows),
    ),
  });
}

export const iworkSamples: readonly Sample[] = [
  { extension: 'pages', bytes: pagesFile, text: 'name: Zoë; town: Oslo', layout: { row: 2 } },
  { extension: 'key', bytes: keynoteFile, text: 'Words here.', headings: ['Café'], layout: { slide: 2 } },
  {
    extension: 'numbers',
    bytes: numbersFile,
    text: 'name: Zoë; town: Oslo',
    headings: ['Towns'],
    layout: { sheet: 'Towns', row: 2 },
  },
];
