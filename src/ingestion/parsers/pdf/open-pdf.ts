import { ParseError } from '../parser.js';
import { kindOf } from '../image/image-header.js';

/** Some programs write a line before the PDF; it begins where it says so. */
const prefixBytesMax = 16 * 1024;

/** The bytes from `%PDF-` on. @throws ParseError E1001 when it is no PDF, with what it is where that is seen */
export function pdfBytes(bytes: Uint8Array): Buffer {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const start = buffer.subarray(0, prefixBytesMax).indexOf('%PDF-');
  if (start >= 0) return buffer.subarray(start);
  if (buffer.byteLength === 0) throw new ParseError('E1001', 'The file is empty.');
  const kind = kindOf(buffer);
  throw new ParseError(
    'E1001',
    `The file is not what its extension says: it is ${kind ? `a ${kind} image` : 'no PDF'}.`,
  );
}

/** What the library says about a file whose end is missing. */
export function isDamage(error: unknown): boolean {
  return error instanceof Error && /invalid PDF format|no xref|syntax/i.test(error.message);
}

export function asParseError(error: unknown): ParseError {
  if (error instanceof ParseError) return error;
  const reason = error instanceof Error ? error.message : String(error);
  if (/password/i.test(reason)) {
    return new ParseError('E1001', 'The file is encrypted: it opens only with a password.');
  }
  if (/security|encrypt/i.test(reason)) return new ParseError('E1001', `The file is encrypted: ${reason}`);
  return new ParseError('E1001', `The PDF cannot be read: ${reason.replace(/^PDF error: /, '')}`);
}

/** The file with an end that names its catalog, by which PDFium finds the pages that are there; undefined without one. */
export function repaired(bytes: Buffer): Buffer | undefined {
  for (
    let at = bytes.lastIndexOf('/Catalog');
    at >= 0;
    at = at > 0 ? bytes.lastIndexOf('/Catalog', at - 1) : -1
  ) {
    const before = bytes.subarray(Math.max(0, at - 4096), at).toString('latin1');
    const object = /.*\b(\d{1,10})\s+(\d{1,5})\s+obj\b/s.exec(before);
    if (object === null) continue;
    const trailer = `\nendstream\nendobj\ntrailer\n<</Root ${object[1]} ${object[2]} R>>\nstartxref\n0\n%%EOF\n`;
    return Buffer.concat([bytes, Buffer.from(trailer, 'latin1')]);
  }
  return undefined;
}
