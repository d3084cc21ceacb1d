import type { Angle } from '../ocr/turns.js';
import { exifAngle } from './exif.js';

export type ImageKind = 'PNG' | 'JPEG' | 'GIF' | 'WebP' | 'TIFF' | 'BMP';

/** What the beginning of an image file says. */
export interface ImageHeader {
  readonly kind: ImageKind;
  /** In pixels, as declared. A TIFF file has them for each page instead. */
  readonly width: number;
  readonly height: number;
  /** By how much the content is turned, clockwise. */
  readonly angle: Angle;
}

/** The kind of an image by its first bytes, whatever its name says. */
export function kindOf(bytes: Buffer): ImageKind | undefined {
  const start = bytes.toString('latin1', 0, 12);
  if (start.startsWith('\x89PNG\r\n\x1a\n')) return 'PNG';
  if (start.startsWith('\xff\xd8\xff')) return 'JPEG';
  if (/^GIF8[79]a/.test(start)) return 'GIF';
  if (/^RIFF[^]{4}WEBP/.test(start)) return 'WebP';
  if (/^(?:II[*+]\0|MM\0[*+])/.test(start)) return 'TIFF';
  if (start.startsWith('BM') && bytes.byteLength > 26 && bytes.readUInt32LE(14) <= 256) return 'BMP';
  return undefined;
}

/** The kind and size of an image, without decoding it; undefined when the header is damaged. Not for TIFF. */
export function readImageHeader(bytes: Buffer): ImageHeader | undefined {
  const kind = kindOf(bytes);
  try {
    const size = kind && kind !== 'TIFF' ? readers[kind](bytes) : undefined;
    if (!kind || !size || !(size.width > 0) || !(size.height > 0)) return undefined;
    return { kind, ...size, angle: kind === 'JPEG' ? exifAngle(bytes) : 0 };
  } catch (error) {
    // The header ends too early.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

interface Size {
  readonly width: number;
  readonly height: number;
}

const readers: Record<Exclude<ImageKind, 'TIFF'>, (bytes: Buffer) => Size | undefined> = {
  PNG: (bytes) => ({ width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) }),
  JPEG: jpegSize,
  GIF: (bytes) => ({ width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) }),
  WebP: webpSize,
  BMP: bmpSize,
};

/**
 * The size in the first frame header (SOF0 to SOF15). The markers DHT, JPG and DAC have numbers in between.
 */
function jpegSize(bytes: Buffer): Size | undefined {
  for (let at = 2; at + 9 < bytes.byteLength;) {
    if (bytes[at] !== 0xff) return undefined;
    const marker = bytes.readUInt8(at + 1);
    if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)) {
      return { height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) };
    }
    // Fill bytes may precede a marker.
    at += marker === 0xff ? 1 : 2 + bytes.readUInt16BE(at + 2);
  }
  return undefined;
}

function webpSize(bytes: Buffer): Size | undefined {
  const format = bytes.toString('latin1', 12, 16);
  if (format === 'VP8X') return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 };
  if (format === 'VP8 ')
    return { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff };
  if (format !== 'VP8L') return undefined;
  const packed = bytes.readUInt32LE(21);
  return { width: (packed & 0x3fff) + 1, height: ((packed >>> 14) & 0x3fff) + 1 };
}

/** A negative height means that the top row comes first. Headers of OS/2 are short. */
function bmpSize(bytes: Buffer): Size {
  if (bytes.readUInt32LE(14) === 12) return { width: bytes.readUInt16LE(18), height: bytes.readUInt16LE(20) };
  return { width: Math.abs(bytes.readInt32LE(18)), height: Math.abs(bytes.readInt32LE(22)) };
}
