import { CFB } from '@e965/xlsx';
import { bytesOf } from './reading.js';
import type { Sample } from './sample.js';

/** A property of a message: a string in Unicode, one in an old charset, bytes, a whole number, any number or a time. */
export type MapiValue =
  string | { eightBit: Uint8Array } | { binary: Uint8Array } | number | { double: number } | Date;
export type MapiFields = Readonly<Record<number, MapiValue>>;

export interface MsgParts {
  readonly fields: MapiFields;
  readonly recipients?: readonly MapiFields[];
  readonly attachments?: readonly (MapiFields | { readonly message: MsgParts })[];
  /** Numbers of named properties: set, number within it, number in the file. */
  readonly names?: readonly (readonly [set: number, longId: number, id: number])[];
}

/** A message of Outlook (MS-OXMSG). */
export function msgFile(parts: MsgParts): Uint8Array {
  const file = CFB.utils.cfb_new();
  const add = (path: string, content: Uint8Array) =>
    CFB.utils.cfb_add(file, `/${path}`, Buffer.from(content), { unsafe: true });
  addMessage(add, '', parts);
  const names = parts.names ?? [];
  const sets = Buffer.concat(
    names.map(([set]) =>
      Buffer.concat([uint32(set), Buffer.from('0000000000c000000000000046', 'hex')]).subarray(0, 16),
    ),
  );
  const entries = Buffer.concat(
    names.map(([, longId, id], index) =>
      Buffer.concat([uint32(longId), uint32(((index + 3) << 1) | ((id - 0x8000) << 16))]),
    ),
  );
  add('__nameid_version1.0/__substg1.0_00020102', sets);
  add('__nameid_version1.0/__substg1.0_00030102', entries);
  return new Uint8Array(CFB.write(file, { type: 'buffer' }) as Buffer);
}

type Add = (path: string, content: Uint8Array) => void;

function addMessage(add: Add, folder: string, { fields, recipients = [], attachments = [] }: MsgParts): void {
  addFields(add, { folder, fields, headerBytes: folder === '' ? 32 : 24 });
  recipients.forEach((each, index) => {
    addFields(add, { folder: `${folder}__recip_version1.0_#${hex(index)}/`, fields: each, headerBytes: 8 });
  });
  attachments.forEach((each, index) => {
    const inner = `${folder}__attach_version1.0_#${hex(index)}/`;
    const isMessage = 'message' in each;
    addFields(add, { folder: inner, fields: isMessage ? { 0x3705: 5 } : each, headerBytes: 8 });
    if (isMessage) addMessage(add, `${inner}__substg1.0_3701000D/`, each.message);
  });
}

function addFields(add: Add, place: { folder: string; fields: MapiFields; headerBytes: number }): void {
  const fixed: Buffer[] = [Buffer.alloc(place.headerBytes)];
  for (const [key, value] of Object.entries(place.fields)) {
    const id = Number(key);
    const { type, bytes } = encoded(value);
    const isFixed = type === 0x40 || type === 3 || type === 5;
    fixed.push(uint32((id << 16) | type), uint32(6), isFixed ? bytes : uint64(bytes.length));
    if (!isFixed) {
      add(`${place.folder}__substg1.0_${hex((id << 16) | type).toUpperCase()}`, bytes);
    }
  }
  add(`${place.folder}__properties_version1.0`, Buffer.concat(fixed));
}

function encoded(value: MapiValue): { type: number; bytes: Buffer } {
  if (typeof value === 'string') return { type: 0x1f, bytes: Buffer.from(`${value}\0`, 'utf16le') };
  if (typeof value === 'number') return { type: 3, bytes: uint64(value) };
  if (value instanceof Date) {
    const bytes = Buffer.alloc(8);
    bytes.writeBigUInt64LE((BigInt(value.getTime()) + 11_644_473_600_000n) * 10_000n);
    return { type: 0x40, bytes };
  }
  if ('double' in value) {
    const bytes = Buffer.alloc(8);
    bytes.writeDoubleLE(value.double);
    return { type: 5, bytes };
  }
  if ('eightBit' in value) return { type: 0x1e, bytes: Buffer.from(value.eightBit) };
  return { type: 0x102, bytes: Buffer.from(value.binary) };
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value >>> 0);
  return bytes;
}

function uint64(value: number): Buffer {
  return Buffer.concat([uint32(value), uint32(0)]);
}

function hex(value: number): string {
  return (value >>> 0).toString(16).padStart(8, '0');
}

const eml = [
  'From: =?utf-8?q?Zo=C3=AB?= <zoe@example.com>',
  'To: Ana <ana@example.com>, team@example.com',
  'Date: Wed, 21 Feb 2024 00:30:00 +0200',
  'Subject: The plan',
  'MIME-Version: 1.0',
  'Content-Type: multipart/mixed; boundary="b"',
  '',
  '--b',
  'Content-Type: text/plain; charset=utf-8',
  'Content-Transfer-Encoding: quoted-printable',
  '',
  'We meet at the caf=C3=A9.',
  '--b',
  'Content-Type: text/csv; name="rooms.csv"',
  'Content-Disposition: attachment; filename="rooms.csv"',
  'Content-Transfer-Encoding: base64',
  '',
  Buffer.from('room,seats\nBlue,12\n').toString('base64'),
  '--b--',
  '',
].join('\r\n');

export const mailSamples: readonly Sample[] = [
  {
    extension: 'eml',
    bytes: () => bytesOf(eml),
    text: 'room: Blue; seats: 12',
    headings: ['rooms.csv'],
    layout: { file: 'rooms.csv', row: 2 },
  },
  {
    extension: 'msg',
    bytes: () =>
      msgFile({
        fields: {
          0x001a: 'IPM.Note',
          0x0037: 'The plan',
          0x0c1a: 'Zoë',
          0x1000: 'We meet at the café.',
        },
        recipients: [{ 0x0c15: 1, 0x3001: 'Ana', 0x39fe: 'ana@example.com' }],
        attachments: [{ 0x3707: 'rooms.csv', 0x3701: { binary: bytesOf('room,seats\nBlue,12\n') } }],
      }),
    text: 'room: Blue; seats: 12',
    headings: ['rooms.csv'],
    layout: { file: 'rooms.csv', row: 2 },
  },
];
