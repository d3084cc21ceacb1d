import { inOneLine } from '../../../text/one-line.js';
import { ParseError } from '../parser.js';
import type { InnerFile, ParseContext, ParsedBlock, ParsedDocument } from '../parser.js';
import { plainTextDocument } from '../plain-text.js';
import { withHistory } from './body.js';

/** A mail, whatever format it was stored in; people as `Name <address>`. */
export interface MailMessage {
  readonly from: readonly string[];
  readonly to: readonly string[];
  readonly cc: readonly string[];
  readonly bcc: readonly string[];
  /** As it is to be shown. */
  readonly date: string;
  readonly sentAt: Date | undefined;
  readonly subject: string;
  /** More lines of the head, `Label: value`. */
  readonly lines?: readonly string[];
  readonly text: string;
  readonly html: string;
  /** Blocks that stand after the body. */
  readonly after?: readonly ParsedBlock[];
  readonly attachments: readonly MailAttachment[];
}

export interface MailAttachment extends InnerFile {
  /** Shown within the text, as a logo or a picture is. */
  readonly isInline: boolean;
}

/** A smaller picture within the text is a logo, an icon of a social network or one that counts readers. */
const inlinePictureBytesMin = 20 * 1024;
/** The plain text that comes along with HTML may lack this much of its letters, e.g. those of pictures and links. */
const textShareMin = 0.7;

/** A mail as blocks: its head as one, then its body; and its attachments, by name. */
export async function mailDocument(message: MailMessage, context: ParseContext): Promise<ParsedDocument> {
  const body = await bodyBlocks(message);
  const blocks = [...headBlocks(message), ...body, ...(message.after ?? [])];
  for (const attachment of message.attachments) {
    for (const block of await attachmentBlocks(attachment, context)) blocks.push(block);
  }
  const title = inOneLine(message.subject);
  const { sentAt } = message;
  return { ...(title !== '' && { title }), ...(sentAt && { sentAt }), blocks };
}

function headBlocks({ from, to, cc, bcc, date, subject, lines = [] }: MailMessage): ParsedBlock[] {
  const fields: [string, string][] = [
    ['From', from.join(', ')],
    ['To', to.join(', ')],
    ['Cc', cc.join(', ')],
    ['Bcc', bcc.join(', ')],
    ['Date', date],
    ['Subject', subject],
  ];
  const head = fields
    .filter(([, value]) => /\S/.test(value))
    .map(([label, value]) => `${label}: ${inOneLine(value)}`);
  const text = [...head, ...lines].join('\n');
  return text === '' ? [] : [{ text, headings: [], keepTogether: true }];
}

/** The plain text, unless the HTML has tables or says more. */
async function bodyBlocks({ text, html, subject }: MailMessage): Promise<ParsedBlock[]> {
  const plain = /\S/.test(text) ? textBlocks(text, subject) : [];
  if (!/\S/.test(html)) return plain;
  const rich = await htmlBlocks(html, subject);
  const hasTables = rich.some(({ layout }) => layout?.row !== undefined);
  const enough = lettersIn(plain) >= lettersIn(rich) * textShareMin;
  return plain.length > 0 && enough && !hasTables ? plain : rich;
}

function textBlocks(text: string, subject: string): ParsedBlock[] {
  return withHistory(plainTextDocument(text.replace(/\r\n?/g, '\n')).blocks, subject);
}

/** HTML that cannot be read leaves the mail its plain text. */
async function htmlBlocks(html: string, subject: string): Promise<ParsedBlock[]> {
  const { htmlDocument } = await import('../html/document.js');
  try {
    return withHistory(htmlDocument(html, 'mail').blocks, subject);
  } catch (error) {
    if (error instanceof ParseError) return [];
    throw error;
  }
}

function lettersIn(blocks: readonly ParsedBlock[]): number {
  return blocks.reduce((sum, { text }) => sum + (text.match(/[\p{L}\p{N}]/gu)?.length ?? 0), 0);
}

/** What cannot be read is at least named, but for pictures within the text. */
async function attachmentBlocks(
  { isInline, ...file }: MailAttachment,
  context: ParseContext,
): Promise<ParsedBlock[]> {
  if (isInline && file.bytes.length < inlinePictureBytesMin) return [];
  const found = await context.readInner(file);
  // Text of an unknown kind, and what names no kind at all, is plain text (RFC 2046 4.1.4, RFC 2045 5.2).
  const isText = found.length === 0 && /^text\b|^[^/]*$/.test(file.contentType ?? '');
  const blocks = isText ? await context.readInner({ ...file, contentType: 'text/plain' }) : found;
  if (blocks.length > 0 || isInline) return blocks;
  return [{ text: `Attachment: ${file.name}`, headings: [], layout: { file: file.name } }];
}
