import { deflateSync, inflateSync } from 'node:zlib';
import { LiteParse } from '@llamaindex/liteparse';
import { PDFDocument, StandardFonts } from 'pdf-lib';
import type { Sample } from './sample.js';

/** A grey picture, one byte for each pixel. */
export interface Picture {
  readonly width: number;
  readonly height: number;
  readonly pixels: Buffer;
}

/** Lines of text as a scanner sees them: black on white, nothing between. */
export async function pictureOf(lines: readonly string[], fontSize = 20): Promise<Picture> {
  const document = await PDFDocument.create();
  const font = await document.embedFont(StandardFonts.Helvetica);
  const longest = Math.max(...lines.map((line) => font.widthOfTextAtSize(line, fontSize)));
  const height = (lines.length + 0.5) * 1.5 * fontSize;
  const page = document.addPage([longest + 2 * fontSize, height]);
  lines.forEach((line, index) => {
    const y = height - (index + 1) * 1.5 * fontSize;
    page.drawText(line, { x: fontSize, y, size: fontSize, font });
  });
  const reader = new LiteParse({ dpi: 72, quiet: true });
  const [shot] = await reader.screenshot(await document.save());
  if (!shot) throw new Error('nothing was drawn');
  return fromPng(shot.imageBuffer);
}

/** Of PNG only what PDFium's pictures use: 8 bits, RGBA, the row filters. */
function fromPng(png: Buffer): Picture {
  const parts: Buffer[] = [];
  for (let at = 8; at < png.length; at += 12 + png.readUInt32BE(at)) {
    const isData = png.toString('latin1', at + 4, at + 8) === 'IDAT';
    if (isData) parts.push(png.subarray(at + 8, at + 8 + png.readUInt32BE(at)));
  }
  const [width, height, channels] = [png.readUInt32BE(16), png.readUInt32BE(20), 4];
  const raw = inflateSync(Buffer.concat(parts));
  const row = width * channels;
  const rgba = Buffer.alloc(row * height);
  for (let y = 0; y < height; y += 1) {
    const filter = raw[y * (row + 1)] ?? 0;
    for (let x = 0; x < row; x += 1) {
      const left = x >= channels ? (rgba[y * row + x - channels] ?? 0) : 0;
      const up = y > 0 ? (rgba[(y - 1) * row + x] ?? 0) : 0;
      const corner = y > 0 && x >= channels ? (rgba[(y - 1) * row + x - channels] ?? 0) : 0;
      const guess = [0, left, up, (left + up) >> 1, paeth(left, up, corner)][filter] ?? 0;
      rgba[y * row + x] = (raw[y * (row + 1) + 1 + x] ?? 0) + guess;
    }
  }
  const pixels = Buffer.alloc(width * height);
  for (let index = 0; index < pixels.length; index += 1) pixels[index] = rgba[index * channels] ?? 0;
  return { width, height, pixels };
}

function paeth(left: number, up: number, corner: number): number {
  const [a, b, c] = [left, up, corner].map((each) => Math.abs(left + up - corner - each)) as [
    number,
    number,
    number,
  ];
  return a <= b && a <= c ? left : b <= c ? up : corner;
}

export function png({ width, height, pixels }: Picture): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.writeUInt8(8, 8);
  const rows = Array.from({ length: height }, (_, y) =>
    Buffer.concat([Buffer.from([0]), pixels.subarray(y * width, (y + 1) * width)]),
  );
  const chunks = [
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.concat(rows))),
    chunk('IEND', Buffer.alloc(0)),
  ];
  return Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), ...chunks]);
}

function chunk(name: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(name), data]);
  return Buffer.concat([uint32be(data.length), named, uint32be(crc32(named))]);
}

function crc32(data: Buffer): number {
  let crc = 0xffffffff;
  for (const byte of data) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  }
  return (crc ^ 0xffffffff) >>> 0;
}

function uint32be(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

/** 8 bits with a table of greys, the lowest row first. */
function bmp({ width, height, pixels }: Picture): Buffer {
  const row = (width + 3) & ~3;
  const start = 54 + 1024;
  const file = Buffer.alloc(start + row * height);
  file.write('BM');
  file.writeUInt32LE(file.length, 2);
  file.writeUInt32LE(start, 10);
  file.writeUInt32LE(40, 14);
  file.writeInt32LE(width, 18);
  file.writeInt32LE(height, 22);
  file.writeUInt16LE(1, 26);
  file.writeUInt16LE(8, 28);
  for (let grey = 0; grey < 256; grey += 1) file.fill(grey, 54 + grey * 4, 54 + grey * 4 + 3);
  for (let y = 0; y < height; y += 1)
    pixels.copy(file, start + (height - 1 - y) * row, y * width, (y + 1) * width);
  return file;
}

/** Puts numbers of few bits one behind the other, the lowest bit first. */
class BitWriter {
  private readonly bytes: number[] = [];
  private waiting = 0;
  private count = 0;

  put(value: number, bits: number): void {
    this.waiting |= value << this.count;
    for (this.count += bits; this.count >= 8; this.count -= 8) {
      this.bytes.push(this.waiting & 0xff);
      this.waiting >>>= 8;
    }
  }

  end(): Buffer {
    if (this.count > 0) this.put(0, 8 - this.count);
    return Buffer.from(this.bytes);
  }
}

/** LZW that starts anew before its codes grow, so that it compresses nothing. */
function gif({ width, height, pixels }: Picture): Buffer {
  const [clear, end] = [256, 257];
  const bits = new BitWriter();
  pixels.forEach((pixel, index) => {
    if (index % 250 === 0) bits.put(clear, 9);
    bits.put(pixel, 9);
  });
  bits.put(end, 9);
  const data = bits.end();
  const blocks: Buffer[] = [];
  for (let at = 0; at < data.length; at += 255) {
    const block = data.subarray(at, at + 255);
    blocks.push(Buffer.from([block.length]), block);
  }
  const size = Buffer.alloc(4);
  size.writeUInt16LE(width, 0);
  size.writeUInt16LE(height, 2);
  const greys = Buffer.alloc(768, 0).map((_, index) => Math.floor(index / 3));
  return Buffer.concat([
    ...[Buffer.from('GIF89a'), size, Buffer.from([0xf7, 0, 0]), greys],
    ...[Buffer.from([0x2c, 0, 0, 0, 0]), size, Buffer.from([0, 8]), ...blocks, Buffer.from([0, 0x3b])],
  ]);
}

/** Lossless, black or white: green takes one bit for each pixel, red and blue are told by it. */
function webp({ width, height, pixels }: Picture): Buffer {
  const bits = new BitWriter();
  bits.put(0x2f, 8);
  bits.put(width - 1, 14);
  bits.put(height - 1, 14);
  const subtractGreen = 0b0101;
  bits.put(0, 4);
  bits.put(subtractGreen, 4);
  bits.put(0, 2);
  const zeroOnly = [0b0001, 4] as const;
  bits.put(0b0011, 4);
  bits.put(255, 8);
  bits.put(...zeroOnly);
  bits.put(...zeroOnly);
  bits.put(0b101, 3);
  bits.put(255, 8);
  bits.put(...zeroOnly);
  for (const pixel of pixels) bits.put(pixel >> 7, 1);
  const data = bits.end();
  const padded = Buffer.concat([data, Buffer.alloc(data.length % 2)]);
  const length = (value: number) => uint32be(value).reverse();
  const image = Buffer.concat([Buffer.from('WEBPVP8L'), length(data.length), padded]);
  return Buffer.concat([Buffer.from('RIFF'), length(image.length), image]);
}

/** Each pixel becomes a square of eight by eight, so that there is one number to code for it. */
export function jpeg({ width, height, pixels }: Picture, orientation?: number): Buffer {
  const codes: string[] = [];
  let before = 0;
  for (const pixel of pixels) {
    const value = pixel < 128 ? -128 : 127;
    const difference = value - before;
    before = value;
    const bits = difference === 0 ? 0 : Math.floor(Math.log2(Math.abs(difference))) + 1;
    const coded = difference < 0 ? difference + 2 ** bits - 1 : difference;
    codes.push(
      bits.toString(2).padStart(4, '0'),
      bits === 0 ? '' : coded.toString(2).padStart(bits, '0'),
      '0',
    );
  }
  const text = codes.join('');
  const data = (text.padEnd(Math.ceil(text.length / 8) * 8, '1').match(/.{8}/g) ?? []).flatMap((byte) =>
    byte === '11111111' ? [255, 0] : [parseInt(byte, 2)],
  );
  const segment = (marker: number, content: readonly number[]) =>
    Buffer.from([0xff, marker, (content.length + 2) >> 8, (content.length + 2) & 0xff, ...content]);
  const [w, h] = [width * 8, height * 8];
  const lengths = (...counts: number[]) => Array.from({ length: 16 }, (_, index) => counts[index] ?? 0);
  return Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    ...(orientation === undefined ? [] : [segment(0xe1, exif(orientation))]),
    segment(0xdb, [0, ...Array<number>(64).fill(8)]),
    segment(0xc0, [8, h >> 8, h & 0xff, w >> 8, w & 0xff, 1, 1, 0x11, 0]),
    segment(0xc4, [0x00, ...lengths(0, 0, 0, 9), 0, 1, 2, 3, 4, 5, 6, 7, 8]),
    segment(0xc4, [0x10, ...lengths(1), 0]),
    segment(0xda, [1, 1, 0, 0, 63, 0]),
    Buffer.from([...data, 0xff, 0xd9]),
  ]);
}

function exif(orientation: number): number[] {
  const directory = [0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0, 0, 0, 0, 0];
  return [...Buffer.from('Exif\0\0MM\0*'), 0, 0, 0, 8, ...directory];
}

/** As a camera writes a picture that was taken with its side up. */
export function turnedLeft({ width, height, pixels }: Picture): Picture {
  const turned = Buffer.alloc(pixels.length);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) turned[(width - 1 - x) * height + y] = pixels[y * width + x] ?? 0;
  }
  return { width: height, height: width, pixels: turned };
}

/** Puts pictures beside each other on white paper, with gaps of so many pixels. */
export function sideBySide(pictures: readonly Picture[], gap: number): Picture {
  const width = pictures.reduce((sum, picture) => sum + picture.width + gap, -gap);
  const height = Math.max(...pictures.map((picture) => picture.height));
  const pixels = Buffer.alloc(width * height, 255);
  let left = 0;
  for (const picture of pictures) {
    for (let y = 0; y < picture.height; y += 1)
      picture.pixels.copy(pixels, y * width + left, y * picture.width, (y + 1) * picture.width);
    left += picture.width + gap;
  }
  return { width, height, pixels };
}

/** Turns a picture clockwise by any angle, on white paper that has room for it. */
export function askew({ width, height, pixels }: Picture, degrees: number): Picture {
  const radians = (degrees * Math.PI) / 180;
  const [cos, sin] = [Math.cos(radians), Math.sin(radians)];
  const [wide, high] = [width * cos + height * Math.abs(sin), height * cos + width * Math.abs(sin)].map(
    Math.ceil,
  );
  const turned = {
    width: wide ?? 0,
    height: high ?? 0,
    pixels: Buffer.alloc((wide ?? 0) * (high ?? 0), 255),
  };
  for (let y = 0; y < turned.height; y += 1) {
    for (let x = 0; x < turned.width; x += 1) {
      const [right, down] = [x - turned.width / 2, y - turned.height / 2];
      const fromX = Math.round(right * cos + down * sin + width / 2);
      const fromY = Math.round(down * cos - right * sin + height / 2);
      if (fromX < 0 || fromY < 0 || fromX >= width || fromY >= height) continue;
      turned.pixels[y * turned.width + x] = pixels[fromY * width + fromX] ?? 255;
    }
  }
  return turned;
}

/** One page for each picture; those that are JPEG already stay it. */
export function tiff(pages: readonly (Picture & { readonly jpeg?: Buffer })[]): Buffer {
  const parts: Buffer[] = [Buffer.from('II*\0\0\0\0\0', 'latin1')];
  let length = 8;
  let pointer: { part: Buffer; at: number } = { part: parts[0] ?? Buffer.alloc(8), at: 4 };
  const add = (part: Buffer) => {
    parts.push(part);
    length += part.length;
    return length - part.length;
  };
  for (const page of pages) {
    const data = page.jpeg ?? page.pixels;
    const scale = page.jpeg ? 8 : 1;
    const offset = add(Buffer.concat([data, Buffer.alloc(data.length % 2)]));
    const tags = [
      ...[256, page.width * scale, 257, page.height * scale, 258, 8, 259, page.jpeg ? 7 : 1, 262, 1],
      ...[273, offset, 277, 1, 278, page.height * scale, 279, data.length],
    ];
    const directory = Buffer.alloc(2 + 6 * tags.length + 4);
    directory.writeUInt16LE(tags.length / 2);
    for (let index = 0; index < tags.length; index += 2) {
      const at = 2 + 6 * index;
      directory.writeUInt16LE(tags[index] ?? 0, at);
      directory.writeUInt16LE(4, at + 2);
      directory.writeUInt32LE(1, at + 4);
      directory.writeUInt32LE(tags[index + 1] ?? 0, at + 8);
    }
    pointer.part.writeUInt32LE(add(directory), pointer.at);
    pointer = { part: directory, at: directory.length - 4 };
  }
  return Buffer.concat(parts);
}

const text = 'Invoice 48213';
const encoders: Readonly<Record<string, (picture: Picture) => Buffer>> = {
  ...{ png, gif, webp, bmp, jpg: (picture) => jpeg(picture), jpeg: (picture) => jpeg(picture) },
  ...{ tif: (picture) => tiff([picture]), tiff: (picture) => tiff([picture, picture]) },
};

export const imageSamples: readonly Sample[] = Object.entries(encoders).map(([extension, encode]) => ({
  extension,
  bytes: async () => encode(await pictureOf([text], 26)),
  text,
  headings: [],
  isSlow: true,
  ...(extension.startsWith('tif') && { layout: { page: 1 } }),
}));
