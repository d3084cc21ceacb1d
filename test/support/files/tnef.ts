/** Properties of MAPI, by type and id, each with its bytes. */
export type TnefProperties = readonly (readonly [type: number, id: number, value: Buffer])[];

export interface TnefParts {
  readonly codePage?: number;
  /** As former programs write them, beside the properties. */
  readonly subject?: string;
  readonly body?: string;
  readonly properties?: TnefProperties;
  readonly attachments?: readonly { title?: string; data?: Buffer; properties?: TnefProperties }[];
}

/** A `winmail.dat` (MS-OXTNEF). */
export function tnef(parts: TnefParts): Buffer {
  const { codePage = 1252, subject, body, properties = [], attachments = [] } = parts;
  return Buffer.concat([
    number(0x223e9f78),
    Buffer.from([1, 0]),
    attribute(1, 0x9007, number(codePage)),
    ...(subject === undefined ? [] : [attribute(1, 0x8004, Buffer.from(`${subject}\0`, 'latin1'))]),
    ...(body === undefined ? [] : [attribute(1, 0x800c, Buffer.from(`${body}\0`, 'latin1'))]),
    attribute(1, 0x9003, propertyList(properties)),
    ...attachments.flatMap(({ title, data, properties: own }) => [
      attribute(2, 0x9002, Buffer.alloc(14)),
      ...(title === undefined ? [] : [attribute(2, 0x8010, Buffer.from(`${title}\0`, 'latin1'))]),
      ...(data ? [attribute(2, 0x800f, data)] : []),
      ...(own ? [attribute(2, 0x9005, propertyList(own))] : []),
    ]),
  ]);
}

export function wide(text: string): Buffer {
  return Buffer.from(`${text}\0`, 'utf16le');
}

function attribute(level: number, id: number, data: Buffer): Buffer {
  return Buffer.concat([Buffer.from([level]), number(id), number(data.length), data, Buffer.alloc(2)]);
}

function propertyList(properties: TnefProperties): Buffer {
  const each = properties.flatMap(([type, id, value]) => [
    number(type + id * 0x10000),
    ...(id < 0x8000 ? [] : nameOf(id)),
    number(1),
    number(value.length),
    value,
    Buffer.alloc(-value.length & 3),
  ]);
  return Buffer.concat([number(properties.length + 1), number(0x0e070003), number(1), ...each]);
}

/** Of the named properties each second one is named by a text, the others by numbers. */
function nameOf(id: number): Buffer[] {
  const text = Buffer.from('Keywords', 'utf16le');
  const name = id % 2 === 0 ? [number(0), number(0x8501)] : [number(1), number(text.length), text];
  return [Buffer.alloc(16), ...name];
}

function number(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}
