import { decodeAs, isWesternCharset } from '../../lib/named-charsets.js';
import { charsetOfCodePage, decodeText } from './charset.js';
import { mapiProperties, namedProperties } from './mail/mapi-properties.js';
import type { MapiProperties, NamedProperty } from './mail/mapi-properties.js';
import { mailDocument } from './mail/message.js';
import type { MailAttachment } from './mail/message.js';
import { itemLines } from './mail/outlook-items.js';
import { decompressRtf } from './mail/rtf-decompress.js';
import { openCompoundFile } from './office/compound-file.js';
import type { CompoundStorage } from './office/compound-file.js';
import { mislabelledFile, ParseError, parseSafely } from './parser.js';
import type { ParseContext, ParsedBlock, ParsedDocument, Parser } from './parser.js';

/** The ids of MAPI properties (MS-OXPROPS). */
const property = {
  messageClass: 0x001a,
  subject: 0x0037,
  submitTime: 0x0039,
  representedName: 0x0042,
  representedAddress: 0x0065,
  transportHeaders: 0x007d,
  recipientType: 0x0c15,
  senderName: 0x0c1a,
  senderAddress: 0x0c1f,
  displayTo: 0x0e04,
  displayCc: 0x0e03,
  displayBcc: 0x0e02,
  deliveryTime: 0x0e06,
  body: 0x1000,
  rtf: 0x1009,
  html: 0x1013,
  displayName: 0x3001,
  address: 0x3003,
  creationTime: 0x3007,
  attachedData: 0x3701,
  shortFileName: 0x3704,
  attachMethod: 0x3705,
  fileName: 0x3707,
  mimeType: 0x370e,
  contentId: 0x3712,
  smtpAddress: 0x39fe,
  internetCodePage: 0x3fde,
  messageCodePage: 0x3ffd,
  senderSmtpAddress: 0x5d01,
  representedSmtpAddress: 0x5d02,
} as const;
const propertiesStream = '__properties_version1.0';
const embeddedMessage = '__substg1.0_3701000D';
const [rootHeaderBytes, messageHeaderBytes, partHeaderBytes] = [32, 24, 8];
/** How deep messages may be attached within one another, as in parse-file.ts. */
const nestingMax = 3;
const recipientTypes = ['to', 'cc', 'bcc'] as const;

interface Message {
  readonly storage: CompoundStorage;
  readonly properties: MapiProperties;
  readonly named: NamedProperty;
  /** The value of a string property; empty when there is none. */
  readonly text: (id: number | undefined) => string;
  readonly decode: (bytes: Uint8Array) => string;
  readonly depth: number;
}

function outlookDocument(bytes: Uint8Array, context: ParseContext): Promise<ParsedDocument> {
  const root = openCompoundFile(bytes);
  if (!root.streams.has(propertiesStream)) {
    throw mislabelledFile('it is no Outlook message');
  }
  const properties = mapiProperties(root, rootHeaderBytes);
  return messageDocument(openMessage(root, properties, { named: namedProperties(root), depth: 0 }), context);
}

function openMessage(
  storage: CompoundStorage,
  properties: MapiProperties,
  place: Pick<Message, 'named' | 'depth'>,
): Message {
  const decode = stringDecoder(properties);
  const text = (id: number | undefined) => (id === undefined ? '' : properties.text(id, decode));
  return { ...place, storage, properties, decode, text };
}

/**
 * Returns a decoder for strings that are not Unicode, which are in the sender's code page. The names of that
 * page may be missing or wrong, so a charset must fit all strings; a Western one, which fits anything, is
 * tried last.
 */
function stringDecoder(properties: MapiProperties): (bytes: Uint8Array) => string {
  const sample = Buffer.concat(properties.eightBitTexts().flatMap((text) => [text, Buffer.from('\n')]));
  const head = sample.toString('latin1');
  const pages = [property.messageCodePage, property.internetCodePage].map((id) => properties.number(id));
  const named = [
    ...pages.map((page) => (page === undefined ? undefined : charsetOfCodePage(page))),
    /charset\s*=\s*"?([\w.:-]+)/i.exec(head)?.[1],
  ].filter((label) => label !== undefined);
  const fits = named.filter((label) => decodeAs(label, sample) !== undefined);
  const label = fits.find((each) => !isWesternCharset(each)) ?? fits[0];
  if (label !== undefined) return (bytes) => decodeAs(label, bytes) ?? decodeText(bytes);
  return (bytes) => decodeText(bytes);
}

async function messageDocument(message: Message, context: ParseContext): Promise<ParsedDocument> {
  const { text, properties } = message;
  const messageClass = text(property.messageClass);
  const body = text(property.body);
  const html = htmlOf(message);
  const rtf = /\S/.test(body + html) ? [] : await rtfBlocks(properties, context);
  const attachments = fileAttachments(message, messageClass);
  if (isEncrypted(messageClass) && !/\S/.test(body + html) && rtf.length === 0) {
    throw new ParseError('E1001', 'The message is encrypted.');
  }
  const document = await mailDocument(
    {
      ...recipientsOf(message),
      from: senderOf(message),
      date: dateText(message),
      sentAt: timeOf(message),
      subject: subjectOf(message),
      lines: itemLines({ messageClass, ...message }),
      text: body,
      html,
      after: rtf,
      attachments,
    },
    context,
  );
  return { ...document, blocks: [...document.blocks, ...(await embeddedBlocks(message, context))] };
}

/** The subject may begin with two characters that tell where `Re: ` ends; they are dropped. */
function subjectOf({ text }: Message): string {
  const subject = text(property.subject);
  return subject.startsWith('\u0001') ? subject.slice(2) : subject;
}

function isEncrypted(messageClass: string): boolean {
  return /\.SMIME$/i.test(messageClass);
}

function htmlOf({ properties, text, decode }: Message): string {
  const wide = text(property.html);
  if (wide !== '') return wide;
  const bytes = properties.bytes(property.html);
  if (bytes === undefined) return '';
  const page = properties.number(property.internetCodePage);
  const declared = /charset\s*=\s*["']?([\w-]+)/i.exec(
    Buffer.from(bytes.subarray(0, 2048)).toString('latin1'),
  );
  const label = declared?.[1] ?? (page === undefined ? undefined : charsetOfCodePage(page));
  return (label === undefined ? undefined : decodeAs(label, bytes)) ?? decode(bytes);
}

/** The blocks of a rich text body. It is read like an attachment, but gets no file name as heading. */
async function rtfBlocks(properties: MapiProperties, context: ParseContext): Promise<ParsedBlock[]> {
  const packed = properties.bytes(property.rtf);
  if (packed === undefined) return [];
  const blocks = await context.readInner({ name: 'body.rtf', bytes: decompressRtf(packed) });
  return blocks.map(({ layout: { file: _file, ...layout } = {}, headings, ...block }) => ({
    ...block,
    headings: headings.slice(1),
    ...(Object.keys(layout).length > 0 && { layout }),
  }));
}

function senderOf({ text }: Message): string[] {
  const name = text(property.senderName) || text(property.representedName);
  const addresses = [
    property.senderSmtpAddress,
    property.representedSmtpAddress,
    property.senderAddress,
    property.representedAddress,
  ].map(text);
  const address = addresses.find((each) => each.includes('@'));
  if (name === '' && address === undefined) {
    const written = /^From:[ \t]*(.+(?:\n[ \t].*)*)/im.exec(text(property.transportHeaders))?.[1];
    return written === undefined ? [] : [written];
  }
  return [person(name, address)];
}

/** The recipients by the table of recipients, or else as the message shows them. */
function recipientsOf(message: Message): Record<(typeof recipientTypes)[number], string[]> {
  const found: Record<(typeof recipientTypes)[number], string[]> = { to: [], cc: [], bcc: [] };
  for (const [name, storage] of message.storage.storages) {
    if (!name.startsWith('__recip_version1.0')) continue;
    const properties = mapiProperties(storage, partHeaderBytes);
    const text = (id: number) => properties.text(id, message.decode);
    const type = recipientTypes[((properties.number(property.recipientType) ?? 1) & 0xf) - 1];
    const address = [property.smtpAddress, property.address].map(text).find((each) => each.includes('@'));
    const shown = person(text(property.displayName), address);
    if (type !== undefined && shown !== '') found[type].push(shown);
  }
  const shownAs = { to: property.displayTo, cc: property.displayCc, bcc: property.displayBcc };
  for (const type of recipientTypes) {
    const shown = message.text(shownAs[type]);
    if (found[type].length === 0 && shown !== '') found[type].push(shown);
  }
  return found;
}

function person(name: string, address: string | undefined): string {
  if (address === undefined || name.includes(address)) return name;
  return name === '' ? address : `${name} <${address}>`;
}

function dateText(message: Message): string {
  const time = timeOf(message);
  return time === undefined ? '' : `${time.toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}

function timeOf({ properties }: Message): Date | undefined {
  const times = [property.submitTime, property.deliveryTime, property.creationTime];
  return times.map((id) => properties.time(id)).find((each) => each !== undefined);
}

function attachmentStorages({ storage }: Message): CompoundStorage[] {
  return [...storage.storages].flatMap(([name, each]) =>
    name.startsWith('__attach_version1.0') ? [each] : [],
  );
}

/**
 * The attached files. A message signed so that mail programs without S/MIME can read it is an e-mail in an
 * attachment.
 */
function fileAttachments(message: Message, messageClass: string): MailAttachment[] {
  const isSigned = /\.SMIME\.MultipartSigned$/i.test(messageClass);
  return attachmentStorages(message).flatMap((storage) => {
    const properties = mapiProperties(storage, partHeaderBytes);
    const text = (id: number) => properties.text(id, message.decode);
    const bytes = properties.bytes(property.attachedData);
    if (bytes === undefined || bytes.length === 0) return [];
    const name = text(property.fileName) || text(property.shortFileName) || text(property.displayName);
    const contentType = text(property.mimeType);
    return [
      {
        name: isSigned ? 'message.eml' : name || 'attachment',
        contentType: contentType || undefined,
        bytes,
        isInline:
          text(property.contentId) !== '' && /^image\/|\.(?:png|jpe?g|gif|bmp)$/i.test(contentType || name),
      },
    ];
  });
}

async function embeddedBlocks(message: Message, context: ParseContext): Promise<ParsedBlock[]> {
  if (message.depth >= nestingMax) return [];
  const blocks: ParsedBlock[] = [];
  for (const storage of attachmentStorages(message)) {
    const inner = storage.storages.get(embeddedMessage);
    if (!inner?.streams.has(propertiesStream)) continue;
    const properties = mapiProperties(inner, messageHeaderBytes);
    const opened = openMessage(inner, properties, { named: message.named, depth: message.depth + 1 });
    const name = subjectOf(opened) || 'Message';
    for (const block of await readableBlocks(opened, context)) {
      blocks.push({ ...block, headings: [name, ...block.headings], layout: { file: name, ...block.layout } });
    }
  }
  return blocks;
}

/** The blocks of an attached message; none if it cannot be read, so that the outer message still is. */
async function readableBlocks(message: Message, context: ParseContext): Promise<ParsedBlock[]> {
  try {
    return (await messageDocument(message, context)).blocks;
  } catch (error) {
    if (error instanceof ParseError) return [];
    throw error;
  }
}

export const outlook: Parser = {
  name: 'outlook',
  extensions: ['msg'],
  contentTypes: ['application/vnd.ms-outlook'],
  parse: (bytes, context) => parseSafely(() => outlookDocument(bytes, context)),
};
