import chardet from 'chardet';
import iconv from 'iconv-lite';
import { bufferOf } from '../../lib/buffer-of.js';
import {
  decodeAs,
  decodeStrictly,
  fromWindows1252,
  isKnownCharset,
  isWesternCharset,
} from '../../lib/named-charsets.js';
import { alphabetCharsets } from './charset/alphabet.js';
import { foreignSample } from './charset/foreign-sample.js';
import { ideographCharsets } from './charset/ideographs.js';
import { oddityOf } from './charset/oddity.js';
import { ParseError } from './parser.js';

/** Numbers of Windows code pages whose charset is not named `cp` and the number. */
const codePages: Readonly<Record<number, string>> = {
  932: 'shift_jis',
  936: 'gb18030',
  949: 'euc-kr',
  950: 'big5',
  1200: 'utf-16le',
  1201: 'utf-16be',
  10000: 'macintosh',
  10007: 'x-mac-cyrillic',
  20127: 'us-ascii',
  20866: 'koi8-r',
  21866: 'koi8-u',
  38598: 'iso-8859-8-i',
  50220: 'iso-2022-jp',
  50221: 'iso-2022-jp',
  50222: 'iso-2022-jp',
  51932: 'euc-jp',
  51949: 'euc-kr',
  52936: 'gb18030',
  54936: 'gb18030',
  65001: 'utf-8',
};
/** Guesses of chardet with a lower confidence (0 to 100) take short Latin-1 texts for Latin-2 or Turkish. */
const guessConfidenceMin = 30;
const guessSampleBytes = 64 * 1024;
/** A text may contain a stray control byte; a file with a larger share of them is binary. */
const controlShareMax = 0.01;
/** In a Chinese text, spaces, digits and punctuation alone reach this share. */
const commonShareMin = 0.05;
/** The same where all bytes are ASCII: that is English in UTF-16, or else ASCII with stray zeros. */
const commonShareMinAscii = 0.9;
/** Charsets that chardet does not know, or not in short texts. Of several that fit, the first is taken. */
const unguessedCharsets =
  'cp866 koi8-u x-mac-cyrillic macintosh cp850 cp852 cp855 windows-1255 windows-1256 iso-8859-6 windows-874'.split(
    ' ',
  );
const oddSampleCharacters = 4_000;
/** A text in the right charset has a smaller share of odd characters (oddityOf) than this. */
const oddityMin = 0.005;
/** Another charset is taken only if it leaves at most this share of the oddity. */
const sensibleShareMax = 0.25;
/** A text with at most this share of errors among its non-ASCII letters is damaged UTF-8. */
const damageShareMax = 0.25;
const damageSampleBytes = 64 * 1024;
const damageLeadBytes = 1024;
/** In a text of mostly ASCII letters, as many errors a letter are allowed. */
const damageShareMaxAmongAscii = 3;
const asciiLettersPerForeignMin = 3;
/**
 * The characters that damaged Western UTF-8 may contain. Their two or three bytes do not occur together in
 * other charsets beside ASCII letters.
 */
const onlyWesternOrError = /^[\p{ASCII}\u00c0-\u00ff\u2010-\u203a\u20ac\ufffd]*$/u;
const errorBesideLetter = /[^\p{ASCII}\ufffd]\ufffd|\ufffd[^\p{ASCII}\ufffd]/u;
/**
 * Up to so many foreign bytes chardet was wrong for seven of 86 Western words and lines; with more it was
 * right for all.
 */
const shortForeignMax = 3;
const commonWestern = new Set(Buffer.from('àáâãäåçèéêëíîïñóôöøùúüÀÄÅÇÉÖØÜß°µ½±§©®¿¡«»', 'latin1'));
/**
 * Polish `się` and `dziękuję`, and Slavic words that begin with č, as they look in windows-1252. No Western
 * word looks like that.
 */
const slavicInWestern = /[ij]ê(?![a-z])|(?<![a-z])è[a-z]/i;
const jisEscapes = ['\u001b$B', '\u001b$@'];

/**
 * Decodes the text of a file: by its byte order mark, else as UTF-8, UTF-16 without a mark, UTF-8 with a few
 * errors, the charset that the file declares, chardet's guess, and windows-1252 when nothing else is
 * plausible. Line ends become line feeds. @throws ParseError E1001 for binary data
 */
export function decodeText(bytes: Uint8Array, declared?: string): string {
  const marked = fromMarkedUtf8(bytes);
  const whole = marked ?? fromMark(bytes) ?? fromUtf8(bytes) ?? fromBareUtf16(bytes);
  const damaged = marked ?? (whole === undefined ? fromDamagedUtf8(bytes) : undefined);
  const text = whole ?? damaged ?? fromLegacy(bytes, declared);
  // In text that is UTF-8 by its mark or its letters, errors are damage. They are left out here, because one
  // of them is more than 1 % of a short text.
  if (isBinary(damaged?.replaceAll('\ufffd', '') ?? text))
    throw new ParseError('E1001', 'The file is not text: it contains binary data.');
  return text.replace(/\r\n?/g, '\n');
}

/**
 * Decodes UTF-8 that was cut within a letter, or has a few bytes of another charset; undefined for anything
 * else.
 */
function fromDamagedUtf8(bytes: Uint8Array): string | undefined {
  const buffer = bufferOf(bytes);
  const sample = foreignSample(bytes, { before: damageLeadBytes, most: damageSampleBytes });
  // A letter that the end of the sample cuts is no error.
  const isAll = sample.byteOffset + sample.length === bytes.byteOffset + bytes.length;
  const foreign = new TextDecoder().decode(sample, { stream: !isAll });
  const errors = foreign.match(/\ufffd/g)?.length ?? 0;
  const letters = foreign.match(/[^\p{ASCII}\ufffd]/gu)?.length ?? 0;
  const isDamaged =
    errors <= letters * damageShareMax ||
    (errors <= letters * damageShareMaxAmongAscii && isWesternAmongAscii(foreign));
  return isDamaged ? buffer.toString('utf8') : undefined;
}

function isWesternAmongAscii(decoded: string): boolean {
  if (!onlyWesternOrError.test(decoded) || errorBesideLetter.test(decoded)) return false;
  const foreign = decoded.match(/\P{ASCII}/gu)?.length ?? 0;
  const ascii = decoded.match(/[A-Za-z]/g)?.length ?? 0;
  return ascii >= foreign * asciiLettersPerForeignMin;
}

function fromMarkedUtf8(bytes: Uint8Array): string | undefined {
  const [first, second, third] = bytes;
  return first === 0xef && second === 0xbb && third === 0xbf ? new TextDecoder().decode(bytes) : undefined;
}

function fromMark(bytes: Uint8Array): string | undefined {
  const [first, second] = bytes;
  const wide = wideCharset(bytes);
  if (wide !== undefined) return iconv.decode(Buffer.from(bytes), wide);
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  return undefined;
}

/** UTF-32: every four bytes have one that is zero and one that is at most 16. Undefined for anything else. */
function wideCharset(bytes: Uint8Array): string | undefined {
  if (bytes.length < 8 || bytes.length % 4 !== 0) return undefined;
  const sample = bytes.subarray(0, 4_096);
  const fits = (highest: number, high: number) =>
    sample.every((byte, index) =>
      index % 4 === highest ? byte === 0 : index % 4 === high ? byte <= 16 : true,
    );
  if (sample.every((byte) => byte === 0)) return undefined;
  if (fits(3, 2)) return 'utf-32le';
  return fits(0, 1) ? 'utf-32be' : undefined;
}

function fromUtf8(bytes: Uint8Array): string | undefined {
  if (bytes.includes(0)) return undefined;
  const text = decodeStrictly('utf-8', bytes);
  // ISO-2022-JP uses only seven bits, so it looks like ASCII.
  if (text !== undefined && jisEscapes.some((escape) => text.includes(escape))) {
    return decodeStrictly('iso-2022-jp', bytes) ?? text;
  }
  return text;
}

/**
 * UTF-16 without a mark is recognised by its zero bytes. The byte order with more spaces, ASCII and kana is
 * the right one.
 */
function fromBareUtf16(bytes: Uint8Array): string | undefined {
  if (!bytes.includes(0)) return undefined;
  const onlyAscii = bytes.every((byte) => byte < 0x80);
  let best: { text: string; share: number } | undefined;
  for (const encoding of ['utf-16le', 'utf-16be']) {
    const text = decodeStrictly(encoding, bytes);
    if (text === undefined || isBinary(text)) continue;
    const share = commonShare(text.slice(0, guessSampleBytes), onlyAscii);
    if (share > (best?.share ?? 0)) best = { text, share };
  }
  const shareMin = onlyAscii ? commonShareMinAscii : commonShareMin;
  return best && best.share >= shareMin ? best.text : undefined;
}

/**
 * The share, 0 to 1, of characters that are common in any text of this script; with `withLetters`, letters
 * count too.
 */
function commonShare(sample: string, withLetters: boolean): number {
  const common = withLetters
    ? /[\n\u0020-\u06ff\u2010-\u203a]/g
    : /[\n\u0020-\u024f\u3000-\u30ff\uff00-\uffef]/g;
  return (sample.match(common)?.length ?? 0) / sample.length;
}

function fromLegacy(bytes: Uint8Array, declared: string | undefined): string {
  if (bytes.includes(0)) throw new ParseError('E1001', 'The file is not text: it contains zero bytes.');
  const { likely, unlikely } = guesses(bytes);
  const named = declared ? readable(declared, bytes) : undefined;
  if (named !== undefined) return named;
  if (isShortWestern(bytes) && !slavicInWestern.test(fromWindows1252(bytes))) return fromWindows1252(bytes);
  const plausible = [...alphabetCharsets(bytes), ...ideographCharsets(bytes)];
  for (const label of [...plausible, ...likely, 'windows-1252', ...unlikely]) {
    const text = readable(label, bytes);
    if (text !== undefined) return likelier(bytes, text);
  }
  return likelier(bytes, fromWindows1252(bytes));
}

/**
 * Whether a text has only a few single foreign letters beside ASCII ones, all common in Western languages.
 * Chardet takes `città` for Baltic.
 */
function isShortWestern(bytes: Uint8Array): boolean {
  let foreign = 0;
  let isBehindForeign = false;
  for (const byte of bytes) {
    if (byte > 0x7f) {
      foreign += 1;
      if (isBehindForeign || foreign > shortForeignMax || !commonWestern.has(byte)) return false;
    }
    isBehindForeign = byte > 0x7f;
  }
  return true;
}

/**
 * Decodes a text; undefined when the charset is unknown, or leaves bytes without a meaning, which come out as
 * C1 controls.
 */
function readable(label: string, bytes: Uint8Array): string | undefined {
  const text = decodeAs(label, bytes);
  return text !== undefined && /[\u0080-\u0084\u0086-\u009f]/.test(text) ? undefined : text;
}

/**
 * The text itself, or, if it looks odd, the text in one of the charsets that chardet does not know and that
 * looks much less odd.
 */
function likelier(bytes: Uint8Array, text: string): string {
  const sample = foreignSample(bytes, { before: 1, most: oddSampleCharacters });
  const foreign = Math.max(0, text.search(/[^\p{ASCII}]/u) - 1);
  const oddity = oddityOf(text.slice(foreign, foreign + oddSampleCharacters));
  let best = { label: '', oddity: oddity * sensibleShareMax };
  if (oddity < oddityMin) return text;
  for (const label of unguessedCharsets) {
    const other = oddityOf(decodeAs(label, sample) ?? '\ufffd');
    if (other < best.oddity) best = { label, oddity: other };
  }
  return decodeAs(best.label, bytes) ?? text;
}

/** The charset of a Windows code page; undefined for an unknown number. */
export function charsetOfCodePage(page: number): string | undefined {
  const label =
    codePages[page] ?? (page >= 28591 && page <= 28606 ? `iso-8859-${page - 28590}` : `cp${page}`);
  return isKnownCharset(label) ? label : undefined;
}

/**
 * The charset that a Content-Type names, unless it is Latin-1: clients name that by default whatever they
 * send, and guessing ends there anyway.
 */
export function sentCharset(contentType: string | undefined): string | undefined {
  const label = /;\s*charset\s*=\s*"?([\w.:+-]+)/i.exec(contentType ?? '')?.[1];
  return label === undefined || isWesternCharset(label) ? undefined : label;
}

function guesses(bytes: Uint8Array): { likely: string[]; unlikely: string[] } {
  const guessed = chardet.analyse(foreignSample(bytes, { before: 1024, most: guessSampleBytes }));
  const names = (likely: boolean) =>
    guessed.filter((guess) => guess.confidence >= guessConfidenceMin === likely).map((guess) => guess.name);
  return { likely: names(true), unlikely: names(false) };
}

/**
 * Whether a text contains zero characters or too many control characters. Bell, tab, line ends, form feed,
 * backspace, escape and the DOS end-of-file mark do occur in texts, and are not counted.
 */
function isBinary(text: string): boolean {
  if (text.includes('\u0000')) return true;
  // eslint-disable-next-line no-control-regex -- control characters are what is counted
  const controls = text.match(/[^\P{Cc}\u0007\t\n\v\f\r\b\u001a\u001b\u0085]|\ufffd|\uffff/gu)?.length ?? 0;
  return controls > text.length * controlShareMax;
}
