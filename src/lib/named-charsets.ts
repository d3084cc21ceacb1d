import iconv from 'iconv-lite';
import { bufferOf } from './buffer-of.js';

/**
 * The characters of windows-1252 for 0x80..0x9F. Decoded by hand, since Node 20.18.3+ reads them as Latin-1
 * (nodejs/node#60888).
 */
const windows1252High = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';
/** Labels that chardet and the WHATWG standard give to windows-1252 and its subset Latin-1. */
const latin1Labels = new Set([
  'windows-1252',
  'iso-8859-1',
  'latin1',
  'us-ascii',
  'ascii',
  'cp1252',
  'x-cp1252',
]);

/** The WHATWG name of windows-949. Node lacks four fifths of its Hangul, iconv-lite has all. */
const korean = 'euc-kr';

/** Whether a charset is windows-1252 or part of it, in which any bytes are a text. */
export function isWesternCharset(label: string): boolean {
  return latin1Labels.has(label.toLowerCase());
}

/** Decodes bytes in a named charset; undefined when they are not valid in it, or the name is unknown. */
export function decodeAs(label: string, bytes: Uint8Array): string | undefined {
  return isWesternCharset(label) ? fromWindows1252(bytes) : decodeStrictly(label, bytes);
}

/** Undefined when the bytes are not valid in this encoding, or it is unknown. */
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

/** Whether texts in the charset of this name can be decoded. */
export function isKnownCharset(label: string): boolean {
  return webCharset(label) !== undefined || iconv.encodingExists(label);
}

/** The WHATWG name of a charset, which Node uses; undefined for others. */
function webCharset(label: string): string | undefined {
  try {
    return new TextDecoder(label).encoding;
  } catch {
    return undefined;
  }
}

/** Decoded by hand, since Node does it differently. */
export function fromWindows1252(bytes: Uint8Array): string {
  return withoutC1(bufferOf(bytes).toString('latin1'));
}

/**
 * Replaces C1 controls, which no text means, with the windows-1252 characters of their codes, as HTML does.
 */
export function withoutC1(text: string): string {
  return text.replace(
    /[\u0080-\u009f]/g,
    (character) => windows1252High[character.charCodeAt(0) - 0x80] ?? '',
  );
}
