import { symbolText } from '../office/symbol-font.js';

/** The part of iconv-lite that is used here. */
export interface Iconv {
  decode(bytes: Uint8Array, encoding: string): string;
  encodingExists(encoding: string): boolean;
}

/** A font of the font table, as far as the file describes it. */
export interface RtfFont {
  name: string;
  charset: number | undefined;
  codePage: number | undefined;
}

/** The code pages of Windows' character set numbers. */
const codePages: Readonly<Record<number, number>> = {
  77: 10000,
  78: 932,
  79: 949,
  80: 936,
  81: 950,
  128: 932,
  129: 949,
  130: 949,
  134: 936,
  136: 950,
  161: 1253,
  162: 1254,
  163: 1258,
  177: 1255,
  178: 1256,
  186: 1257,
  204: 1251,
  222: 874,
  238: 1250,
  254: 437,
  255: 850,
};
const encodings: Readonly<Record<number, string>> = {
  708: 'iso-8859-6',
  1200: 'utf-16le',
  10000: 'macroman',
  10001: 'cp932',
  10002: 'big5',
  10003: 'cp949',
  10004: 'macarabic',
  10006: 'macgreek',
  10007: 'maccyrillic',
  10008: 'cp936',
  10029: 'maccenteuro',
  65001: 'utf-8',
};
const doubleByte = new Set([932, 936, 949, 950]);
const symbolCharset = 2;
/** With a smaller share of bytes beyond ASCII, those bytes are single Latin letters. */
const doubleByteShareMin = 0.4;

/** Decodes bytes by their font and, where that says nothing, by the document's code page. */
export class RtfCharset {
  readonly fonts = new Map<number, RtfFont>();
  codePage = 1252;

  constructor(private readonly iconv: Iconv) {}

  font(number: number): RtfFont {
    const font = this.fonts.get(number) ?? { name: '', charset: undefined, codePage: undefined };
    this.fonts.set(number, font);
    return font;
  }

  isDoubleByte(number: number | undefined): boolean {
    const font = number === undefined ? undefined : this.fonts.get(number);
    return font?.charset !== undefined && doubleByte.has(codePages[font.charset] ?? 0);
  }

  decode(bytes: Uint8Array, fontNumber: number | undefined): string {
    const font = fontNumber === undefined ? undefined : this.fonts.get(fontNumber);
    if (font?.charset === symbolCharset && /symbol|dings/i.test(font.name)) {
      return [...bytes].map((byte) => (byte < 0x21 ? ' ' : symbolText(font.name, byte))).join('');
    }
    if (isAscii(bytes)) return Buffer.from(bytes).toString('latin1');
    return this.iconv.decode(bytes, this.encoding(this.codePageOf(font, bytes)));
  }

  /**
   * A font that claims to be Western is not believed in an East Asian document when its bytes look East
   * Asian.
   */
  private codePageOf(font: RtfFont | undefined, bytes: Uint8Array): number {
    const own = font?.codePage ?? codePages[font?.charset ?? 0];
    if (own !== undefined) return own;
    if (font?.charset !== 0 || !doubleByte.has(this.codePage)) return this.codePage;
    const high = bytes.reduce((count, byte) => count + (byte > 0x7f ? 1 : 0), 0);
    return high >= bytes.length * doubleByteShareMin && high > 1 ? this.codePage : 1252;
  }

  private encoding(codePage: number): string {
    const encoding = encodings[codePage] ?? `cp${codePage}`;
    return this.iconv.encodingExists(encoding) ? encoding : 'cp1252';
  }
}

function isAscii(bytes: Uint8Array): boolean {
  return bytes.every((byte) => byte < 0x80);
}
