import { createHash } from 'node:crypto';
import type { FetchMessageObject, MessageAddressObject, MessageStructureObject } from 'imapflow';
import { clip } from '../../../lib/characters.js';
import { LIMITS } from '../../../limits.js';
import type { AppAttachment } from '../../../sources/source.types.js';
import { nativeId, shortNative } from '../../native-id.js';
import type { Item } from '../../provider.js';
import { writtenAt } from '../mail-time.js';

/**
 * The id of a mail: its Message-ID, which is the same in every mailbox and is what answers refer to. Without
 * one, its digest.
 */
export function mailId(message: FetchMessageObject): string {
  const [id] = messageIds(message.envelope?.messageId);
  return id === undefined ? mailDigest(message) : nativeId(id);
}

/** A digest of what does not change when a mail is moved. */
export function mailDigest({ envelope, internalDate, size }: FetchMessageObject): string {
  const { date, from, to, subject } = envelope ?? {};
  const facts = JSON.stringify([date, from, to, subject, internalDate, size]);
  return `sha256:${createHash('sha256').update(facts).digest('hex')}`;
}

/**
 * Changes when a mail is replaced by another with the same Message-ID, as drafts are, but not when it is
 * copied or moved.
 */
export function mailVersion({ envelope, internalDate }: FetchMessageObject): string {
  const date = envelope?.date ?? internalDate ?? '';
  const text = date instanceof Date ? date.toISOString() : date;
  return nativeId(text);
}

/** A mail as an item; its text is that of `source`, read like an .eml file, attachments and all. */
export function mailItem(message: FetchMessageObject): Item {
  const { envelope = {}, headers, source, threadId, bodyStructure } = message;
  const id = mailId(message);
  const [replyTo] = messageIds(envelope.inReplyTo);
  const [root] = messageIds(headers?.toString('latin1'));
  const subject = shown(envelope.subject ?? '', LIMITS.titleCharactersMax);
  const [sent, received] = [envelope.date, message.internalDate].map((time) =>
    time instanceof Date ? time : undefined,
  );
  const createdAt = writtenAt(sent, received);
  const [messageId] = messageIds(envelope.messageId);
  return {
    kind: 'email',
    ...(subject !== '' && { title: subject }),
    ...(messageId !== undefined && messageId === id && { url: `mid:${encodeURIComponent(id)}` }),
    ...(createdAt !== undefined && { timestamp: createdAt }),
    fields: {
      subject,
      from: people(envelope.from ?? envelope.sender)[0] ?? '',
      to: people(envelope.to),
      cc: people(envelope.cc),
      thread_id: threadId ?? nativeId(root ?? replyTo ?? id),
      ...(replyTo !== undefined && { reply_to_id: nativeId(replyTo) }),
      ...(createdAt !== undefined && { created_at: createdAt }),
    },
    attachments: bodyStructure ? attachmentsOf(bodyStructure).slice(0, LIMITS.appAttachmentsMax) : [],
    ...(source && {
      file: { filename: 'mail.eml', contentType: 'message/rfc822', open: async () => source },
    }),
    native: shortNative({ message_id: id }),
  };
}

/** The ids in a header, without angle brackets; a single id without brackets is accepted too. */
function messageIds(header: string | undefined): string[] {
  const text = header?.trim() ?? '';
  const bracketed = [...text.matchAll(/<([^<>]+)>/g)].map(([, id = '']) => id.replace(/\s+/g, ''));
  const ids = bracketed.length > 0 || /\s/.test(text) ? bracketed : [text];
  return ids.filter((id) => id !== '');
}

function people(addresses: readonly MessageAddressObject[] = []): string[] {
  const named = addresses.flatMap(({ name = '', address = '' }) => {
    const called = shown(name.replace(/["<>]/g, ' '), LIMITS.graphNameCharactersMax);
    const at = shown(address, LIMITS.graphNameCharactersMax);
    if (called === '' || called === at) return at === '' ? [] : [at];
    return [at === '' ? called : `${called} <${at}>`];
  });
  return named.slice(0, LIMITS.appFieldValuesMax);
}

/** The names, types and sizes of attachments, without those of attached mails. */
function attachmentsOf(node: MessageStructureObject): Partial<AppAttachment>[] {
  if (node.childNodes && node.type !== 'message/rfc822') return node.childNodes.flatMap(attachmentsOf);
  const name = node.dispositionParameters?.['filename'] ?? node.parameters?.['name'];
  if (name === undefined && node.disposition !== 'attachment') return [];
  // Base64 writes three bytes as four characters.
  const share = node.encoding?.toLowerCase() === 'base64' ? 3 / 4 : 1;
  return [
    {
      title: shown(name ?? node.type, LIMITS.titleCharactersMax),
      contentType: shown(node.type, LIMITS.appValueCharactersMax),
      ...(node.size !== undefined && { sizeBytes: Math.round(node.size * share) }),
    },
  ];
}

/** A text in one line, clipped. */
function shown(text: string, charactersMax: number): string {
  return clip(text.replace(/[\s\0]+/g, ' ').trim(), charactersMax);
}
