import type { Address, Attachment, Email } from 'postal-mime';
import { withoutC1 } from '../../lib/named-charsets.js';
import { calendar, calendarBlocks } from './calendar.js';
import { decodeText } from './charset.js';
import { mailInUtf8 } from './mail/charset.js';
import { mailDocument } from './mail/message.js';
import type { MailAttachment, MailMessage } from './mail/message.js';
import { signedContent } from './mail/signed-content.js';
import { withoutSignature } from './mail/signed-text.js';
import { isTnef, readTnef } from './mail/tnef.js';
import { mislabelledFile, ParseError, parseSafely } from './parser.js';
import type { ParseContext, ParsedBlock, ParsedDocument, Parser } from './parser.js';
import { plainTextDocument } from './plain-text.js';

/** A text without any of these header fields is no mail. */
const mailFields = new Set(
  'from to cc bcc subject date sender reply-to message-id received return-path delivered-to mime-version content-type'.split(
    ' ',
  ),
);
const byteOrderMark = '\ufeff';
const headerBytesMax = 1024 * 1024;
/** How often a mail may be signed, one signature around the other. */
const nestingMax = 3;
const encryptedTypes = /^(?:application\/(?:x-)?pkcs7-mime|application\/pgp-encrypted)$/;
const encryptedText = /^\s*-----BEGIN PGP MESSAGE-----/;
/** Signatures, and what Outlook wraps a message in, of which only the content is read. */
const machineTypes = /^application\/(?:(?:x-)?pkcs7-signature|pgp-signature|ms-tnef|vnd\.ms-tnef)$/;
/** The parts that say why a mail came back; they are read as text. */
const reportTypes = /^(?:message\/delivery-status|message\/disposition-notification)$/;

/*
 * The mail library decodes windows-1252 and the charsets that it contains as Node does, which leaves 0x80 to
 * 0x9F as C1 controls (see charset.ts). So all of its texts go through withoutC1.
 */

/** The header of a mail; people as `Name <address>`, ids without angle brackets. */
export interface MailHead {
  readonly from: string | undefined;
  readonly to: readonly string[];
  readonly cc: readonly string[];
  readonly subject: string;
  /** Undefined when there is none that can be read. */
  readonly date: Date | undefined;
  readonly messageId: string | undefined;
  readonly inReplyTo: string | undefined;
  /** The oldest first. */
  readonly references: readonly string[];
}

/** Reads only the header, so that attachments cost no time. */
export async function readMailHead(source: Uint8Array): Promise<MailHead> {
  const { default: PostalMime } = await import('postal-mime');
  const start = readableBytes(source.subarray(0, headerBytesMax));
  const end = headerEnd(Buffer.from(start).toString('latin1'));
  const email = await PostalMime.parse(start.subarray(0, end));
  return {
    from: people([email.from ?? email.sender])[0],
    to: people(email.to),
    cc: people(email.cc),
    subject: withoutC1(email.subject ?? ''),
    date: instantOf(email),
    messageId: idsIn(email.messageId)[0],
    inReplyTo: idsIn(email.inReplyTo)[0],
    references: idsIn(email.references),
  };
}

function idsIn(header = ''): string[] {
  return [...header.matchAll(/<([^<>\s]+)>/g)].map(([, id = '']) => id);
}

async function emailDocument(source: Uint8Array, context: ParseContext, depth = 0): Promise<ParsedDocument> {
  const { default: PostalMime } = await import('postal-mime');
  const email = await PostalMime.parse(readableBytes(source), {
    forceRfc822Attachments: true,
    maxNestingDepth: 64,
  });
  if (!email.headers.some(({ key, value }) => mailFields.has(key) && value !== '')) {
    throw mislabelledFile('it is no e-mail');
  }
  if (isEncrypted(email)) {
    const signed = signedIn(email);
    if (signed === undefined || depth >= nestingMax)
      throw new ParseError('E1001', 'The e-mail is encrypted.');
    return emailDocument(inPlaceOfBody(source, signed), context, depth + 1);
  }
  return mailDocument(messageOf(email), context);
}

function signedIn({ attachments }: Email): Buffer | undefined {
  return attachments.map((part) => signedContent(contentOf(part))).find((content) => content !== undefined);
}

/** A mail with its own header, but what another part says of its content, and that content. */
function inPlaceOfBody(source: Uint8Array, part: Buffer): Buffer {
  const all = Buffer.from(readableBytes(source));
  const head = all.toString('latin1', 0, headerEnd(all.toString('latin1', 0, headerBytesMax)));
  const kept = `${head}\n`.replace(/^content-[\w-]+:.*\n(?:[ \t].*\n)*/gim, '');
  return Buffer.concat([Buffer.from(kept, 'latin1'), part]);
}

function messageOf(email: Email): MailMessage {
  const files = email.attachments.filter(
    (part) => !machineTypes.test(part.mimeType) && !isTnef(contentOf(part)),
  );
  return {
    from: people([email.from ?? email.sender]),
    to: people(email.to),
    cc: people(email.cc),
    bcc: people(email.bcc),
    date: dateOf(email),
    sentAt: instantOf(email),
    subject: withoutC1(email.subject ?? ''),
    text: withoutSignature(withoutC1(email.text ?? '')),
    html: withoutC1(email.html ?? ''),
    after: withoutRepeats(files.flatMap(partBlocks)),
    attachments: [...files.filter(isFile).map(attachmentOf), ...email.attachments.flatMap(wrappedIn(email))],
  };
}

/** Each text once: an invitation is often in a mail twice, for two kinds of readers. */
function withoutRepeats(blocks: readonly ParsedBlock[]): ParsedBlock[] {
  return [...new Map(blocks.map((block) => [block.text, block])).values()];
}

/** What Outlook has wrapped (`winmail.dat`): the attached files, and the text of a mail that has no other. */
function wrappedIn({ text, html }: Email): (part: Attachment) => MailAttachment[] {
  const isEmpty = !/\S/.test(`${text ?? ''}${html ?? ''}`);
  return (part) => {
    const bytes = contentOf(part);
    if (!isTnef(bytes)) return [];
    const { body, files } = readTnef(bytes);
    return [...(isEmpty && body ? [body] : []), ...files].map((file) => ({ ...file, isInline: false }));
  };
}

/** Whether everything but the header is one encrypted part, so that nothing can be read. */
function isEncrypted({ text, html, attachments }: Email): boolean {
  if (text !== undefined && encryptedText.test(text) && attachments.length === 0) return true;
  if (/\S/.test(`${text ?? ''}${html ?? ''}`)) return false;
  return attachments.some(({ mimeType }) => encryptedTypes.test(mimeType));
}

/** The text of parts that are no files: invitations and delivery reports. */
function partBlocks(part: Attachment): ParsedBlock[] {
  if (isFile(part)) return [];
  const text = withoutC1(decodeText(contentOf(part)));
  return isCalendar(part) ? calendarBlocks(text) : plainTextDocument(text).blocks;
}

function isFile(part: Attachment): boolean {
  return !isCalendar(part) && !reportTypes.test(part.mimeType);
}

function isCalendar({ mimeType }: Attachment): boolean {
  return calendar.contentTypes.includes(mimeType);
}

function attachmentOf(part: Attachment): MailAttachment {
  const isPicture = part.mimeType.startsWith('image/');
  const fallback = part.mimeType === 'message/rfc822' ? 'message.eml' : 'attachment';
  return {
    name: withoutC1(part.filename?.trim() || part.description?.trim() || fallback),
    contentType: part.mimeType,
    bytes: contentOf(part),
    isInline: isPicture && (part.related === true || part.disposition === 'inline'),
  };
}

function contentOf({ content }: Attachment): Uint8Array {
  return typeof content === 'string' ? new TextEncoder().encode(content) : new Uint8Array(content);
}

function people(addresses: readonly (Address | undefined)[] = []): string[] {
  return addresses.flatMap((each) => {
    if (each === undefined) return [];
    const name = withoutC1(each.name);
    if (each.group) return [`${name}: ${people(each.group).join(', ')}`];
    if (name === '' || each.name === each.address) return [each.address];
    return [each.address === '' ? name : `${name} <${each.address}>`];
  });
}

function instantOf({ date = '' }: Pick<Email, 'date'>): Date | undefined {
  const instant = new Date(date);
  return Number.isNaN(instant.getTime()) ? undefined : instant;
}

/** The date as the sender saw it, `2012-11-21 21:11:32 +0100`; in UTC it may be another day. */
function dateOf({ headers, date = '' }: Email): string {
  const written = headers.find(({ key }) => key === 'date')?.value ?? '';
  const instant = Date.parse(date);
  const [, sign, hours, minutes] = /([+-])(\d\d):?(\d\d)\b(?!.*[+-]\d\d)/.exec(written.slice(0, 100)) ?? [];
  if (Number.isNaN(instant) || sign === undefined) return written;
  const offsetMinutes = (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
  const local = new Date(instant + offsetMinutes * 60_000).toISOString();
  return `${local.slice(0, 10)} ${local.slice(11, 19)} ${sign}${hours}${minutes}`;
}

/**
 * The bytes in the form that the mail library reads: without byte order mark, blank lines or a `From ` line
 * of a mailbox before the mail, and with all texts in charsets that they name.
 */
function readableBytes(source: Uint8Array): Uint8Array {
  const isUtf16 = source.subarray(0, 256).includes(0);
  const bytes = isUtf16 ? Buffer.from(decodeText(source).replace(byteOrderMark, '')) : source;
  const start = Buffer.from(bytes.subarray(0, headerBytesMax)).toString('latin1');
  const before = /^(?:\xef\xbb\xbf)?\s*(?:>?From [^\n]*\n)?/.exec(start)?.[0].length ?? 0;
  return mailInUtf8(bytes.subarray(before));
}

/** Where the first blank line begins. */
function headerEnd(all: string): number {
  const end = /\r?\n\r?\n/.exec(all.slice(0, headerBytesMax));
  return end?.index ?? Math.min(all.length, headerBytesMax);
}

export const email: Parser = {
  name: 'email',
  extensions: ['eml'],
  contentTypes: ['message/rfc822'],
  parse: (bytes, context) => parseSafely(() => emailDocument(bytes, context)),
};
