import { PicturePdf } from './picture-pdf.js';
import { tiffTags as tags, type Directory } from './tiff.js';

const fax = new Set([2, 3, 4]);
const jpeg = 7;
const blackIsZero = 1;

/**
 * A PDF of one page, at 150 pixels per inch, that shows a TIFF page compressed as fax or JPEG: PDFium reads
 * these, the library's own decoder not at all or only in part. Undefined for other pages.
 */
export function tiffAsPdf(bytes: Buffer, { values }: Directory): Buffer | undefined {
  const first = (tag: number, otherwise: number) => values.get(tag)?.[0] ?? otherwise;
  const compression = first(tags.compression, 1);
  const bits = first(tags.bitsPerSample, 1);
  const isFax = fax.has(compression) && bits === 1;
  const isJpeg = compression === jpeg && bits === 8;
  if ((!isFax && !isJpeg) || values.has(tags.tileWidth)) return undefined;
  const [width, height] = [first(tags.width, 0), first(tags.height, 0)];
  const rows = Math.min(first(tags.rowsPerStrip, height), height);
  const counts = values.get(tags.stripByteCounts) ?? [];
  const pdf = new PicturePdf(width, height);
  (values.get(tags.stripOffsets) ?? []).forEach((offset, index) => {
    const strip = bytes.subarray(offset, offset + (counts[index] ?? 0));
    const stripRows = Math.min(rows, height - index * rows);
    if (stripRows <= 0) return;
    const size = `/Width ${width} /Height ${stripRows} /BitsPerComponent ${bits}`;
    const dictionary = isFax ? faxDictionary({ values, width, rows: stripRows }) : jpegDictionary(values);
    const data = isFax ? inFillOrder(strip, first(tags.fillOrder, 1)) : withTables(strip, values);
    pdf.addStrip(`${size} ${dictionary}`, data, { top: index * rows, rows: stripRows });
  });
  return pdf.bytes();
}

function faxDictionary(page: { values: Directory['values']; width: number; rows: number }): string {
  const compression = page.values.get(tags.compression)?.[0];
  const isTwoDimensional = ((page.values.get(tags.faxOptions)?.[0] ?? 0) & 1) === 1;
  const k = compression === 4 ? -1 : compression === 3 && isTwoDimensional ? 1 : 0;
  const isBlackZero = page.values.get(tags.photometric)?.[0] === blackIsZero;
  const aligned = compression === 2 ? ' /EncodedByteAlign true' : '';
  return (
    `/ColorSpace /DeviceGray /Filter /CCITTFaxDecode /DecodeParms << /K ${k} /Columns ${page.width} ` +
    `/Rows ${page.rows} /EndOfBlock false${aligned}${isBlackZero ? ' /BlackIs1 true' : ''} >>`
  );
}

function jpegDictionary(values: Directory['values']): string {
  const samples = values.get(tags.samplesPerPixel)?.[0] ?? 1;
  const space = samples === 1 ? 'DeviceGray' : samples === 4 ? 'DeviceCMYK' : 'DeviceRGB';
  return `/ColorSpace /${space} /Filter /DCTDecode`;
}

/** Some programs store the pixels of a byte from its lowest bit on; these bits are reversed. */
function inFillOrder(strip: Buffer, order: number): Buffer {
  if (order !== 2) return strip;
  return strip.map((byte) => {
    let reversed = 0;
    for (let bit = 0; bit < 8; bit += 1) reversed |= ((byte >> bit) & 1) << (7 - bit);
    return reversed;
  }) as Buffer;
}

/** Inserts the tables that all strips share after the marker with which each strip begins. */
function withTables(strip: Buffer, values: Directory['values']): Buffer {
  const tables = Buffer.from(values.get(tags.jpegTables) ?? []);
  if (tables.byteLength < 4) return strip;
  return Buffer.concat([strip.subarray(0, 2), tables.subarray(2, -2), strip.subarray(2)]);
}
