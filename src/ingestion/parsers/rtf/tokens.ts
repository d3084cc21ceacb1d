/** A token of RTF. */
export type RtfToken =
  | { readonly kind: 'open' }
  | { readonly kind: 'close' }
  /** `param` is undefined when the word has none. */
  | { readonly kind: 'word'; readonly word: string; readonly param: number | undefined }
  | { readonly kind: 'byte'; readonly byte: number }
  /** Bytes of the text itself, in some charset. */
  | { readonly kind: 'text'; readonly bytes: Uint8Array };

const [open, close, backslash, space, minus, quote] = [0x7b, 0x7d, 0x5c, 0x20, 0x2d, 0x27];
const wordCharactersMax = 64;

/**
 * Cuts RTF into braces, control words and text; `\'xx` is a byte of text. Written by hand, because the
 * tokenizer of rtf-stream-parser copies the whole text for every line of a picture's digits and trusts any
 * length of `\bin`.
 */
export function* rtfTokens(bytes: Uint8Array): Generator<RtfToken> {
  for (let at = 0; at < bytes.length;) {
    const byte = bytes[at];
    if (byte === open || byte === close) {
      yield { kind: byte === open ? 'open' : 'close' };
      at += 1;
    } else if (byte === backslash) {
      const { token, next } = control(bytes, at + 1);
      yield token;
      at = next;
    } else if (isLineEnd(byte)) at += 1;
    else {
      const end = textEnd(bytes, at);
      yield { kind: 'text', bytes: bytes.subarray(at, end) };
      at = end;
    }
  }
}

function control(bytes: Uint8Array, start: number): { token: RtfToken; next: number } {
  let at = start;
  while (isLetter(bytes[at]) && at - start < wordCharactersMax) at += 1;
  if (at === start) return symbol(bytes, start);
  const word = ascii(bytes, start, at);
  const from = at;
  if (bytes[at] === minus) at += 1;
  while (isDigit(bytes[at]) && at - from < 12) at += 1;
  const number = Number.parseInt(ascii(bytes, from, at), 10);
  const param = Number.isNaN(number) ? undefined : number;
  if (bytes[at] === space) at += 1;
  // Raw bytes of a picture follow, which may include braces; they are skipped.
  if (word === 'bin') at += Math.max(0, param ?? 0);
  return { token: { kind: 'word', word, param }, next: at };
}

function symbol(bytes: Uint8Array, at: number): { token: RtfToken; next: number } {
  const byte = bytes[at];
  if (byte === quote) {
    const value = hexDigit(bytes[at + 1]) * 16 + hexDigit(bytes[at + 2]);
    if (Number.isNaN(value)) return { token: { kind: 'word', word: '', param: undefined }, next: at + 1 };
    return { token: { kind: 'byte', byte: value }, next: at + 3 };
  }
  if (byte === open || byte === close || byte === backslash) {
    return { token: { kind: 'byte', byte }, next: at + 1 };
  }
  const word = byte === undefined ? '' : isLineEnd(byte) ? 'par' : String.fromCharCode(byte);
  return { token: { kind: 'word', word, param: undefined }, next: at + 1 };
}

function textEnd(bytes: Uint8Array, start: number): number {
  let at = start;
  for (; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (byte === open || byte === close || byte === backslash || isLineEnd(byte)) break;
  }
  return at;
}

function ascii(bytes: Uint8Array, start: number, end: number): string {
  return String.fromCharCode(...bytes.subarray(start, end));
}

/** The value of a hexadecimal digit; NaN for any other byte. */
function hexDigit(byte: number | undefined): number {
  if (byte === undefined) return Number.NaN;
  if (isDigit(byte)) return byte - 0x30;
  const letter = byte | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : Number.NaN;
}

function isLetter(byte: number | undefined): boolean {
  return byte !== undefined && ((byte > 64 && byte < 91) || (byte > 96 && byte < 123));
}

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte > 47 && byte < 58;
}

/** Zero bytes are padding, and are skipped like line ends. */
function isLineEnd(byte: number | undefined): boolean {
  return byte === 10 || byte === 13 || byte === 0;
}
