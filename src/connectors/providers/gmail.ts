import type { gmail_v1 } from '@googleapis/gmail';
import { z } from 'zod';
import { readCursor } from '../cursor.js';
import type {
  Connection,
  DiscoveredPage,
  DiscoveredResource,
  Entry,
  Item,
  Page,
  Provider,
  ResourceScope,
  Session,
} from '../provider.js';
import { ProviderError } from '../provider.js';
import { GmailApi } from './google/gmail-api.js';
import { allMail, gmailChanges, isIn } from './google/gmail-labels.js';
import type { LabelScope } from './google/gmail-labels.js';
import { ExcludedMails, listMails } from './google/gmail-lists.js';
import { GmailThreads } from './google/gmail-threads.js';
import { credentialSteps, googleCredentials } from './google/google-account.js';
import type { GoogleCredentials } from './google/google-account.js';
import { expiredOf } from './google/google-error.js';
import { mailItem } from './google/mail-item.js';
import { filled } from './item-fields.js';

const mailsPerPage = 100;
const changesPerPage = 200;
/** A mail never changes: a new draft is a new mail. But other filters may leave it out, which loading it tells. */
const versionFor = ({ excluded }: LabelScope) => ['1', ...excluded].join(' ');
/** The system labels that are worth syncing. Others are for rubbish, unfinished mails, or states. */
const systemLabels = new Set(['INBOX', 'SENT', 'STARRED', 'IMPORTANT']);

const filters = z.strictObject({
  exclude_labels: z
    .array(z.string().trim().min(1))
    .optional()
    .describe('Mails with one of these labels are left out, by their ids, e.g. CATEGORY_PROMOTIONS'),
});

/** A page of a list, and the date that the list began at: Gmail continues pages only for the same query. */
const listingShape = z.object({ page: z.string().optional(), afterSeconds: z.int() });
type Listing = z.infer<typeof listingShape>;
/**
 * The cursor of `read`: during the first reading a page of the list, with the history id from which changes
 * will be read; afterwards a page of changes.
 */
const readingShape = z.union([
  z.object({ history: z.string(), page: z.string().optional() }),
  z.object({ list: listingShape, since: z.string() }),
]);

class GmailSession implements Session {
  private readonly api: GmailApi;
  private readonly threads: GmailThreads;
  private readonly excluded: ExcludedMails;

  constructor(connection: Connection<GoogleCredentials>) {
    this.api = new GmailApi(connection);
    this.threads = new GmailThreads(this.api);
    this.excluded = new ExcludedMails(this.api);
  }

  async check(signal: AbortSignal): Promise<void> {
    await this.historyId(signal);
  }

  /** Gmail returns all labels at once, so they are paged here. */
  async discover(
    { cursor, limit }: { cursor: string; limit: number },
    signal: AbortSignal,
  ): Promise<DiscoveredPage> {
    const { labels = [] } = await this.api.ask(signal, (gmail, options) =>
      gmail.users.labels.list({ userId: 'me' }, options),
    );
    const wanted = labels.filter(({ id, type }) => type === 'user' || systemLabels.has(id ?? ''));
    const resources = [allMailResource, ...wanted.map(resourceOf)];
    const start = readCursor(cursor, z.int().min(0)) ?? 0;
    const end = start + limit;
    return {
      resources: resources.slice(start, end),
      nextCursor: end < resources.length ? String(end) : null,
    };
  }

  async describe(resourceId: string, signal: AbortSignal): Promise<DiscoveredResource> {
    if (resourceId === allMail) {
      await this.check(signal);
      return allMailResource;
    }
    const label = await this.api
      .ask(signal, (gmail, options) => gmail.users.labels.get({ userId: 'me', id: resourceId }, options))
      .catch((error: unknown) => {
        throw missingOf(error, resourceId);
      });
    return resourceOf(label);
  }

  async read(resource: ResourceScope, cursor: string, signal: AbortSignal): Promise<Page> {
    signal.throwIfAborted();
    const from = readCursor(cursor, readingShape);
    if (from && 'history' in from) return this.changes(resource, from, signal);
    const since = from?.since ?? (await this.historyId(signal));
    const { entries, next } = await this.list(resource, from?.list, signal);
    const after: z.infer<typeof readingShape> = next ? { list: next, since } : { history: since };
    return { entries, cursor: JSON.stringify(after), more: next !== undefined };
  }

  async walk(resource: ResourceScope, cursor: string, signal: AbortSignal): Promise<Page> {
    signal.throwIfAborted();
    const { entries, next } = await this.list(resource, readCursor(cursor, listingShape), signal);
    return {
      entries,
      cursor: next ? JSON.stringify(next) : '',
      more: next !== undefined,
    };
  }

  async close(): Promise<void> {}

  private async historyId(signal: AbortSignal): Promise<string> {
    const { historyId } = await this.api.ask(signal, (gmail, options) =>
      gmail.users.getProfile({ userId: 'me' }, options),
    );
    if (historyId) return historyId;
    throw new ProviderError('unavailable', 'Gmail does not say where its changes begin');
  }

  private async list(
    resource: ResourceScope,
    at: Listing | undefined,
    signal: AbortSignal,
  ): Promise<{ entries: Entry[]; next: Listing | undefined }> {
    const { page, afterSeconds } = at ?? { afterSeconds: secondsOf(resource.oldest) };
    const listed = { scope: labelsOf(resource), afterSeconds };
    const { ids, nextPage } = await listMails(
      this.api,
      { ...listed, count: mailsPerPage, page },
      signal,
    ).catch((error: unknown) => {
      throw page === undefined ? missingOf(error, resource.id) : expiredOf(error, [400, 404, 410]);
    });
    const excluded = await this.excluded.of(listed, { anew: page === undefined }, signal);
    return {
      entries: ids.filter((id) => !excluded.has(id)).map((id) => this.entryOf(id, resource)),
      next: nextPage === undefined ? undefined : { page: nextPage, afterSeconds },
    };
  }

  /**
   * Reads changes, of all labels: Gmail does not document whether the history of one label tells that a mail
   * has lost it.
   */
  private async changes(
    resource: ResourceScope,
    { history, page }: { history: string; page?: string | undefined },
    signal: AbortSignal,
  ): Promise<Page> {
    const answer = await this.api
      .ask(signal, (gmail, options) =>
        gmail.users.history.list(
          {
            userId: 'me',
            startHistoryId: history,
            historyTypes: ['messageAdded', 'messageDeleted', 'labelAdded', 'labelRemoved'],
            maxResults: changesPerPage,
            ...(page === undefined ? {} : { pageToken: page }),
          },
          options,
        ),
      )
      .catch((error: unknown) => {
        throw expiredOf(error, [400, 404, 410]);
      });
    const { shown, gone } = gmailChanges(answer.history ?? [], labelsOf(resource));
    const next = answer.nextPageToken ?? undefined;
    const after = next === undefined ? { history: answer.historyId ?? history } : { history, page: next };
    return {
      entries: shown.map((id) => this.entryOf(id, resource)),
      deleted: gone,
      cursor: JSON.stringify(after),
      more: next !== undefined,
    };
  }

  private entryOf(id: string, resource: ResourceScope): Entry {
    return { id, version: versionFor(labelsOf(resource)), load: (signal) => this.load(id, resource, signal) };
  }

  /** Loads a mail. Only the mail itself says for sure which labels it has and how old it is. */
  private async load(id: string, resource: ResourceScope, signal: AbortSignal): Promise<Item | undefined> {
    const fields = 'threadId,labelIds,internalDate,raw';
    const message = await this.api.ask(signal, (gmail, options) =>
      gmail.users.messages.get({ userId: 'me', id, format: 'raw', fields }, options),
    );
    const { threadId, internalDate, raw } = message;
    if (!raw || !isWanted(message, resource)) return undefined;
    return mailItem(Buffer.from(raw, 'base64url'), async ({ messageId, inReplyTo, references }) => ({
      threadId: threadId ?? undefined,
      replyToId: await this.threads.idOf(inReplyTo ?? references.at(-1), { id, threadId }, signal),
      url: `https://mail.google.com/mail/u/0/#all/${id}`,
      receivedAt: new Date(Number(internalDate)),
      native: nativeOf(message, messageId),
    }));
  }
}

const allMailResource: DiscoveredResource = { id: allMail, name: 'All mail', type: 'label', metadata: {} };

function resourceOf({ id, name, type }: gmail_v1.Schema$Label): DiscoveredResource {
  return {
    id: id ?? '',
    name: name || (id ?? ''),
    type: 'label',
    metadata: { label_type: type ?? 'user' },
  };
}

/** Google answers with 400 for a label that does not exist. */
function missingOf(error: unknown, resourceId: string): unknown {
  if (!(error instanceof ProviderError) || error.httpStatus !== 400) return error;
  return new ProviderError('missing', `Gmail has no label ${resourceId.slice(0, 100)}`, { httpStatus: 400 });
}

function secondsOf(time: Date): number {
  return Math.max(Math.floor(time.getTime() / 1000), 0);
}

function labelsOf({ id, filters: given }: ResourceScope): LabelScope {
  const { exclude_labels: excluded = [] } = filters.parse(given);
  return { id, excluded: excluded.toSorted() };
}

function isWanted({ labelIds, internalDate }: gmail_v1.Schema$Message, resource: ResourceScope): boolean {
  if (!isIn(labelIds ?? [], labelsOf(resource))) return false;
  return Number(internalDate ?? 0) >= secondsOf(resource.oldest) * 1000;
}

/** Labels as of the time of reading; whether the mail was unread then is of no use. */
function nativeOf(
  { threadId, labelIds }: gmail_v1.Schema$Message,
  messageId: string | undefined,
): Record<string, string> {
  const labels = (labelIds ?? []).filter((label) => label !== 'UNREAD').join(',');
  return filled({ message_id: messageId, thread_id: threadId, label_ids: labels.slice(0, 250) });
}

export const gmail: Provider<GoogleCredentials> = {
  id: 'gmail',
  name: 'Gmail',
  category: 'email',
  authTypes: ['oauth'],
  resourceType: 'label',
  supportsAcl: false,
  indexedObjectTypes: ['email'],
  searchableFields: ['subject', 'body', 'from', 'to', 'cc', 'attachments'],
  filterableFields: ['message_id', 'thread_id', 'label_ids'],
  credentials: googleCredentials,
  filters,
  setupGuide: `${credentialSteps('Gmail API', 'gmail.readonly')}
5. A resource is the id of a label: \`INBOX\`, \`SENT\`, an id such as \`Label_12\` (see discover), or \`all\` for all mail without drafts, spam and bin.

A mailbox is private, and Gmail has no list of readers: set the \`acl\` of the resource, for example to \`user_email:<owner>\`, unless everybody who may search the database may read these mails.
`,
  open: (connection) => new GmailSession(connection),
};
