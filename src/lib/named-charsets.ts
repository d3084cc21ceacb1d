import iconv from 'iconv-lite';
import { bufferOf } from './buffer-of.js';

/** windows-1252's own characters for 0x80..0x9F. By hand: Node 20.18.3+ decodes them as Latin-1 (nodejs/node#60888). */
const windows1252High = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';
/** The labels that chardet and the WHATWG standard give to windows-1252 and its subset Latin-1. */
const latin1Labels = new Set([
  'windows-1252',
  'iso-8859-1',
  'latin1',
  'us-ascii',
  'ascii',
  'cp1252',
  'x-cp1252',
]);

/** Windows-949 to the standard of the web; Node reads it without four fifths of Hangul, iconv-lite whole. */
const korean = 'euc-kr';

/** Windows-1252 and its parts: any bytes are a text in it. */
export function isWesternCharset(label: string): boolean {
  return latin1Labels.has(label.toLowerCase());
}

/** The text of bytes in a charset known by its name; undefined when they are none, or the name is not known. */
export function decodeAs(label: string, bytes: Uint8Array): string | undefined {
  return isWesternCharset(label) ? fromWindows1252(bytes) : decodeStrictly(label, bytes);
}

/** Undefined when the bytes are not valid in this encoding or nobody knows it. */
export function decodeStrictly(label: string, bytes: Uint8Array): string | undefined {
  const charset = webCharset(label);
  if (charset === undefined || charset === korean) {
    const text = isKnownCharset(label) ? iconv.decode(Buffer.from(bytes), charset ?? label) : undefined;
    return text?.includes('\ufffd') ? undefined : text;
  }
  try {
    return new TextDecoder(label, { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

export function isKnownCharset(label: string): boolean {
  return webCharset(label) !== undefined || iconv.encodingExists(label);
}

/** What the standard of the web, and so Node, calls the charset; undefined for others. */
function webCharset(label: string): string | undefined {
  try {
    return new TextDecoder(label).encoding;
  } catch {
    return undefined;
  }
}

/** By hand, as Node does not. */
export function fromWindows1252(bytes: Uint8Array): string {
  return withoutC1(bufferOf(bytes).toString('latin1'));
}

/** The text with what windows-1252 has in the place of C1 controls, which no text means, as HTML reads them. */
export function withoutC1(text: string): string {
  return text.replace(
    /[\u0080-\u009f]/g,
    (character) => windows1252High[character.charCodeAt(0) - 0x80] ?? '',
  );
}
