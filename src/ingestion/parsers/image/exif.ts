import type { Angle } from '../ocr/turns.js';
import { readDirectory } from './tiff.js';

const orientationTag = 0x0112;
const angles: Readonly<Record<number, Angle>> = { 3: 180, 6: 270, 8: 90 };

/**
 * By how much a JPEG has to be turned, clockwise, according to the camera; mirrored ones count as upright.
 */
export function exifAngle(jpeg: Buffer): Angle {
  for (let at = 2; at + 10 < jpeg.byteLength && jpeg[at] === 0xff; at += 2 + jpeg.readUInt16BE(at + 2)) {
    const marker = jpeg[at + 1];
    if (marker === 0xda) return 0;
    if (marker !== 0xe1 || jpeg.toString('latin1', at + 4, at + 10) !== 'Exif\0\0') continue;
    const directory = readDirectory(jpeg.subarray(at + 10, at + 2 + jpeg.readUInt16BE(at + 2)));
    return angles[directory?.values.get(orientationTag)?.[0] ?? 1] ?? 0;
  }
  return 0;
}
