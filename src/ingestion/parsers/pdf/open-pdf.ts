import { bufferOf } from '../../../lib/buffer-of.js';
import { kindOf } from '../image/image-header.js';
import { encryptedFile, mislabelledFile, ParseError } from '../parser.js';

/** Some programs write text before the PDF, which begins at `%PDF-`. */
const prefixBytesMax = 16 * 1024;
/** Each change of a file may write its catalog again. */
const catalogsMax = 100;

/**
 * The bytes from `%PDF-` on. @throws ParseError E1001 for a file that is no PDF, naming its kind if that can
 * be seen
 */
export function pdfBytes(bytes: Uint8Array): Buffer {
  const buffer = bufferOf(bytes);
  const start = buffer.subarray(0, prefixBytesMax).indexOf('%PDF-');
  if (start >= 0) return buffer.subarray(start);
  if (buffer.byteLength === 0) throw new ParseError('E1001', 'The file is empty.');
  const kind = kindOf(buffer);
  throw mislabelledFile(`it is ${kind ? `a ${kind} image` : 'no PDF'}`);
}

/** Whether an error of the library means that the end of the file is missing. */
export function isDamage(error: unknown): boolean {
  return /invalid PDF format/i.test(messageOf(error));
}

/** The message of an error of the native addon, which need not be an instance of this module's `Error`. */
function messageOf(error: unknown): string {
  const { message } = Object(error) as { message?: unknown };
  return typeof message === 'string' ? message : String(error);
}

/** Turns an error of the library into a ParseError with a reason for the user. */
export function asParseError(error: unknown): ParseError {
  if (error instanceof ParseError) return error;
  const reason = messageOf(error);
  if (/password/i.test(reason)) return encryptedFile();
  if (/security|encrypt/i.test(reason)) return new ParseError('E1001', `The file is encrypted: ${reason}`);
  return new ParseError('E1001', `The PDF cannot be read: ${reason.replace(/^PDF error: /, '')}`);
}

/**
 * The file with a new trailer that names its catalog, so that PDFium finds the pages that exist; undefined
 * when it has no catalog.
 */
export function repaired(bytes: Buffer): Buffer | undefined {
  let at = bytes.byteLength;
  for (let tries = 0; tries < catalogsMax && at > 0; tries += 1) {
    at = bytes.lastIndexOf('/Catalog', at - 1);
    if (at < 0) return undefined;
    const before = bytes.subarray(Math.max(0, at - 4096), at).toString('latin1');
    const object = /.*\b(\d{1,10})\s+(\d{1,5})\s+obj\b/s.exec(before);
    if (object === null) continue;
    const trailer = `\nendstream\nendobj\ntrailer\n<</Root ${object[1]} ${object[2]} R>>\nstartxref\n0\n%%EOF\n`;
    return Buffer.concat([bytes, Buffer.from(trailer, 'latin1')]);
  }
  return undefined;
}
