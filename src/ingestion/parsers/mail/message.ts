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
  /** In the form in which it is shown. */
  readonly date: string;
  readonly sentAt: Date | undefined;
  readonly subject: string;
  /** Further lines for the header, `Label: value`. */
  readonly lines?: readonly string[];
  readonly text: string;
  readonly html: string;
  /** Blocks that follow the body. */
  readonly after?: readonly ParsedBlock[];
  readonly attachments: readonly MailAttachment[];
}

/** A file attached to a mail. */
export interface MailAttachment extends InnerFile {
  /** Whether it is shown within the text, such as a logo or a picture. */
  readonly isInline: boolean;
}

/** Smaller pictures within the text are logos, icons of social networks, or pictures that count readers. */
const inlinePictureBytesMin = 20 * 1024;
/**
 * The plain text beside HTML may lack some of its letters, for example those of pictures and links; this
 * share is enough.
 */
const textShareMin = 0.7;

/** A mail as blocks: its header as one block, then the body, then the attachments, by name. */
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

/** The plain text, unless the HTML has tables or says much more. */
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

/** If the HTML cannot be read, there is still the plain text. */
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

/**
 * The blocks of an attachment. One that cannot be read is at least named, unless it is a picture within the
 * text.
 */
async function attachmentBlocks(
  { isInline, ...file }: MailAttachment,
  context: ParseContext,
): Promise<ParsedBlock[]> {
  if (isInline && file.bytes.length < inlinePictureBytesMin) return [];
  const found = await context.readInner(file);
  // Text of an unknown kind, and attachments without a kind, are plain text (RFC 2046 4.1.4, RFC 2045 5.2).
  const isText = found.length === 0 && /^text\b|^[^/]*$/.test(file.contentType ?? '');
  const blocks = isText ? await context.readInner({ ...file, contentType: 'text/plain' }) : found;
  if (blocks.length > 0 || isInline) return blocks;
  return [{ text: `Attachment: ${file.name}`, headings: [], layout: { file: file.name } }];
}
