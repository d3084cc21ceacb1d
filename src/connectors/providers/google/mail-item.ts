import { readMailHead } from '../../../ingestion/parsers/email.js';
import type { MailHead } from '../../../ingestion/parsers/email.js';
import type { Item } from '../../provider.js';
import { writtenAt } from '../mail-time.js';

/** The place of a mail in its account. Ids are those of the provider. */
export interface MailPlace {
  readonly threadId?: string | undefined;
  readonly replyToId?: string | undefined;
  readonly url?: string | undefined;
  /** When it arrived; used for a mail that does not say when it was written, or cannot have been written then. */
  readonly receivedAt?: Date | undefined;
  readonly native: Readonly<Record<string, string>>;
}

/**
 * A mail as it was sent (RFC 822): its head as fields, and all of it as a file, which is parsed with its
 * attachments.
 */
export async function mailItem(
  source: Buffer,
  placeOf: (head: MailHead) => MailPlace | Promise<MailPlace>,
): Promise<Item> {
  const head = await readMailHead(source);
  const { threadId, replyToId, url, receivedAt, native } = await placeOf(head);
  const createdAt = writtenAt(head.date, receivedAt);
  const title = head.subject;
  return {
    kind: 'email',
    ...(title ? { title } : {}),
    ...(url === undefined ? {} : { url }),
    ...(createdAt === undefined ? {} : { timestamp: createdAt }),
    fields: {
      subject: title,
      from: head.from ?? null,
      to: head.to,
      cc: head.cc,
      thread_id: threadId ?? null,
      reply_to_id: replyToId ?? null,
      created_at: createdAt ?? null,
    },
    file: {
      filename: 'message.eml',
      contentType: 'message/rfc822',
      open: () => Promise.resolve(source),
    },
    native,
  };
}
