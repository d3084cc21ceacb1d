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
  if (!webCharset(label)) {
    const text = iconv.encodingExists(label) ? iconv.decode(Buffer.from(bytes), label) : undefined;
    return text?.includes('\ufffd') ? undefined : text;
  }
  try {
    return new TextDecoder(label, { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

export function isKnownCharset(label: string): boolean {
  return webCharset(label) || iconv.encodingExists(label);
}

/** Whether the standard of the web, and so Node, knows the charset. */
function webCharset(label: string): boolean {
  try {
    return new TextDecoder(label).encoding !== '';
  } catch {
    return false;
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
