import { inflateSync } from 'node:zlib';

/** A picture as PDFium renders it: PNG with red, green, blue and opacity, eight bits each. */
export interface RenderedPng {
  readonly width: number;
  readonly height: number;
  /** The pixels as PNG compresses them: each row after the number of its filter. */
  readonly data: Buffer;
}

/** How bright each pixel of a picture is, from 0 to 255, row by row. */
export interface Brightness {
  readonly width: number;
  readonly height: number;
  readonly values: Uint8Array;
}

const signatureBytes = 8;
const channels = 4;
/** Eight bits, red, green, blue and opacity, not interlaced. */
const format = Buffer.from([8, 6, 0, 0, 0]);

/** Undefined for a PNG in another format. */
export function readRenderedPng(bytes: Buffer): RenderedPng | undefined {
  const header = bytes.subarray(signatureBytes + 8);
  if (!header.subarray(8, 13).equals(format)) return undefined;
  const parts: Buffer[] = [];
  for (let at = signatureBytes; at + 8 <= bytes.length;) {
    const length = bytes.readUInt32BE(at);
    if (bytes.toString('latin1', at + 4, at + 8) === 'IDAT')
      parts.push(bytes.subarray(at + 8, at + 8 + length));
    at += length + 12;
  }
  return { width: header.readUInt32BE(0), height: header.readUInt32BE(4), data: Buffer.concat(parts) };
}

/** The brightness of a picture; opacity does not count. */
export function brightnessOf({ width, height, data }: RenderedPng): Brightness {
  const packed = inflateSync(data);
  const rowBytes = width * channels;
  const values = new Uint8Array(width * height);
  let above = new Uint8Array(rowBytes);
  let row = new Uint8Array(rowBytes);
  for (let y = 0; y < height; y += 1) {
    const start = y * (rowBytes + 1);
    unfilter(packed.subarray(start + 1, start + 1 + rowBytes), packed[start] ?? 0, { row, above });
    for (let x = 0; x < width; x += 1) {
      const at = x * channels;
      values[y * width + x] = ((row[at] ?? 0) * 3 + (row[at + 1] ?? 0) * 6 + (row[at + 2] ?? 0)) / 10;
    }
    [row, above] = [above, row];
  }
  return { width, height, values };
}

/** Undoes the filter of a row (PNG 9.2) into `row`. */
function unfilter(
  bytes: Uint8Array,
  filter: number,
  { row, above }: { row: Uint8Array; above: Uint8Array },
): void {
  for (let index = 0; index < bytes.length; index += 1) {
    const left = index < channels ? 0 : (row[index - channels] ?? 0);
    const up = above[index] ?? 0;
    const upLeft = index < channels ? 0 : (above[index - channels] ?? 0);
    row[index] = (bytes[index] ?? 0) + predicted(filter, left, [up, upLeft]);
  }
}

function predicted(filter: number, left: number, [up, upLeft]: readonly [number, number]): number {
  if (filter === 0) return 0;
  if (filter === 1) return left;
  if (filter === 2) return up;
  if (filter === 3) return (left + up) >> 1;
  const [byLeft, byUp, byBoth] = [
    Math.abs(up - upLeft),
    Math.abs(left - upLeft),
    Math.abs(left + up - 2 * upLeft),
  ];
  return byLeft <= byUp && byLeft <= byBoth ? left : byUp <= byBoth ? up : upLeft;
}
