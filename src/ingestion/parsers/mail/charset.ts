import { isAscii, isUtf8 } from 'node:buffer';
import { bufferOf } from '../../../lib/buffer-of.js';
import { decodeAs, isKnownCharset, isWesternCharset } from '../../../lib/named-charsets.js';
import { decodeText } from '../charset.js';
import { declaredCharset } from '../html.js';
import { ParseError } from '../parser.js';
import { unflowed } from './flowed-text.js';

/**
 * A part of a mail, from its delimiter to the next, as Latin-1. The first is the mail's own header with the
 * text before its parts.
 */
interface MailPart {
  /** The header, with the delimiter before it and the blank line that ends it. */
  readonly head: string;
  readonly body: string;
  /** The media type of its Content-Type, in lower case. */
  readonly type: string;
  readonly charset: string | undefined;
}

const contentTypeField = /^content-type:[^\r\n]*(?:\r?\n[ \t][^\r\n]*)*/im;
const transferField = /^content-transfer-encoding:[^\r\n]*(?:\r?\n[ \t][^\r\n]*)*\r?\n?/im;
const headCharactersMax = 1024 * 1024;

/**
 * A mail whose heads and texts are in UTF-8 or in the charset they name. The mail reader takes a text that
 * names none for UTF-8, and replaces whatever does not fit by U+FFFD; such a text is decoded here as a file
 * would be.
 */
export function mailInUtf8(source: Uint8Array): Uint8Array {
  const all = bufferOf(source).toString('latin1');
  const parts = partsOf(all);
  const [whole] = parts;
  if (whole !== undefined && parts.length === 1 && whole.type.startsWith('multipart/')) {
    return mailInUtf8(bytesOf(withoutParts(whole)));
  }
  const charset = parts.find((part) => part.charset !== undefined)?.charset;
  if (charset === undefined && !isUtf8(source)) {
    // The mail as a whole tells more of its charset than a short text in it.
    const page = parts.find(({ type }) => type === 'text/html');
    return mailInUtf8(Buffer.from(decodeText(source, page && metaOf(page.body))));
  }
  const readable = parts.map((part) => readablePart(part, charset)).join('');
  return readable === all ? source : Buffer.from(readable, 'latin1');
}

/**
 * A mail that declares parts but has none, because their boundary is lost or they were removed, as a plain
 * text. The mail reader would pass over what is left.
 */
function withoutParts({ head, body }: MailPart): string {
  return head.replace(contentTypeField, 'Content-Type: text/plain') + body;
}

/**
 * The parts in the order of the mail. A part ends before a line that is a delimiter of a boundary declared
 * earlier.
 */
function partsOf(all: string): MailPart[] {
  const parts: MailPart[] = [];
  const boundaries = new Set<string | undefined>();
  let start = 0;
  let head = headOf(all, 0, 0);
  const end = (at: number) => {
    const type = /^content-type:\s*([\w.+/-]+)/im.exec(head)?.[1]?.toLowerCase() ?? 'text/plain';
    const body = all.slice(start + head.length, at);
    parts.push({ head, body, type, charset: parameterOf(head, 'charset') });
  };
  boundaries.add(parameterOf(head, 'boundary'));
  for (const { 0: line, index } of all.matchAll(/^--[^\r\n]+(?:\r?\n)?/gm)) {
    const name = line.slice(2).trimEnd();
    const isDelimiter = boundaries.has(name) || boundaries.has(name.replace(/--$/, ''));
    if (!isDelimiter || index < start + head.length) continue;
    end(index);
    start = index;
    head = headOf(all, start, start + line.length);
    boundaries.add(parameterOf(head, 'boundary'));
  }
  end(all.length);
  return parts;
}

/**
 * The header of the part that begins at `start` and whose delimiter ends at `fields`. A header without a
 * blank line ends at the next delimiter.
 */
function headOf(all: string, start: number, fields: number): string {
  const end = /^\r?\n|\r?\n\r?\n|\r?\n(?=--)/.exec(all.slice(fields, fields + headCharactersMax));
  return end ? all.slice(start, fields + end.index + end[0].length) : all.slice(start);
}

function parameterOf(head: string, name: string): string | undefined {
  const field = contentTypeField.exec(head)?.[0] ?? '';
  const [, quoted, bare] =
    new RegExp(`[;\\s]${name}\\s*=\\s*(?:"([^"]*)"|([^\\s;"]+))`, 'i').exec(field) ?? [];
  return quoted ?? bare;
}

function readablePart(part: MailPart, mailCharset: string | undefined): string {
  const head = isUtf8(bytesOf(part.head))
    ? part.head
    : Buffer.from(decodeText(bytesOf(part.head), part.charset ?? mailCharset)).toString('latin1');
  const text = /^text\//.test(part.type) ? (flowedText(part) ?? repairedText(part)) : undefined;
  if (text === undefined) return head + part.body;
  return `${headOfUtf8(head)}${Buffer.from(text).toString('base64')}\n`;
}

function headOfUtf8(head: string): string {
  const fields = head.replace(transferField, '').trimEnd();
  const typed = contentTypeField.test(fields) ? fields : `${fields}\nContent-Type: text/plain`;
  const named = typed.replace(
    contentTypeField,
    (field) => `${field.replace(/[;\s](?:charset|format)\s*=\s*(?:"[^"]*"|[^\s;"]+)/gi, '')}; charset=utf-8`,
  );
  return `${named}\nContent-Transfer-Encoding: base64\n\n`;
}

/** The text of a part whose lines flow, decoded: the mail reader joins quoted lines with their marks. */
function flowedText(part: MailPart): string | undefined {
  if (part.type !== 'text/plain' || parameterOf(part.head, 'format')?.toLowerCase() !== 'flowed')
    return undefined;
  const bytes = contentOf(part);
  const charset = isMisnamed(part, bytes) ? undefined : part.charset;
  const text = decodeAs(charset ?? 'utf-8', bytes) ?? repairedText(part);
  return text === undefined
    ? undefined
    : unflowed(text, parameterOf(part.head, 'delsp')?.toLowerCase() === 'yes');
}

/** The text of a part, decoded; undefined for a text that the mail reader reads as well. */
function repairedText(part: MailPart): string | undefined {
  const bytes = contentOf(part);
  if (isMisnamed(part, bytes)) return bytes.toString('utf8');
  if (isUtf8(bytes) || bytes.includes(0)) return undefined;
  const charset = part.charset !== undefined && isKnownCharset(part.charset) ? part.charset : undefined;
  if (charset !== undefined && !/^utf-?8$/i.test(charset)) return decodeAs(charset, bytes);
  // Attachments without a charset are left alone: what reads them guesses the charset itself, or knows it
  // better, as XML does.
  if (charset === undefined && /^content-disposition:\s*attachment/im.test(part.head)) return undefined;
  try {
    return decodeText(bytes, part.type === 'text/html' ? declaredCharset(bytes) : undefined);
  } catch (error) {
    if (error instanceof ParseError) return undefined;
    throw error;
  }
}

/** Whether a text is UTF-8 and said to be ASCII or Latin-1, in which whatever a program sends is valid. */
function isMisnamed({ charset }: MailPart, bytes: Buffer): boolean {
  return charset !== undefined && isWesternCharset(charset) && isUtf8(bytes) && !isAscii(bytes);
}

function metaOf(body: string): string | undefined {
  return declaredCharset(bytesOf(body.slice(0, 4096)));
}

function contentOf({ head, body }: MailPart): Buffer {
  const [field = ''] = transferField.exec(head) ?? [];
  if (/:\s*"?base64/i.test(field)) return Buffer.from(body, 'base64');
  if (!/:\s*"?quoted-printable/i.test(field)) return bytesOf(body);
  const unfolded = body.replace(/=[ \t]*\r?\n/g, '');
  return bytesOf(
    unfolded.replace(/=([\da-f]{2})/gi, (_escape, digits: string) =>
      String.fromCharCode(parseInt(digits, 16)),
    ),
  );
}

function bytesOf(text: string): Buffer {
  return Buffer.from(text, 'latin1');
}
