import type { FetchMessageObject, ImapFlow, MailboxObject } from 'imapflow';
import { z } from 'zod';
import { dayMs } from '../../lib/units.js';
import { LIMITS } from '../../limits.js';
import { readCursor } from '../cursor.js';
import { ProviderError } from '../provider.js';
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
import { ImapAccount } from './imap/account.js';
import { fetchHeads, fetchMails, stillThere } from './imap/fetch.js';
import { mailDigest, mailId, mailItem, mailVersion } from './imap/mail.js';

const resourceType = 'mailbox';
const readMails = 50;
// More than in a read, because a walk fetches only headers.
const walkMails = 200;

/** Flags of what is only a folder of mailboxes; servers write them in any case. */
const withoutMails = /^\\(?:noselect|nonexistent)$/i;

const text = z.string().trim().min(1);
const credentials = z.strictObject({
  host: text
    .max(253)
    .regex(/^[^\s/@]+$/, 'must be the name of a host, without imaps:// before it')
    .describe('The mail server, e.g. imap.example.com'),
  port: z.int().min(1).max(65_535).default(993).describe('993, or 143 where TLS is begun by STARTTLS'),
  tls: z.boolean().default(true).describe('False sends mails and the password in the clear.'),
  user: text.describe('Mostly the whole address, e.g. ada@example.com'),
  password: z.string().min(1).describe('The password, or an app password where two factors are needed'),
});
export type ImapCredentials = z.infer<typeof credentials>;

const filters = z.strictObject({
  from: text.max(320).optional().describe('Only mails whose sender has this in name or address.'),
  subject: text.max(320).optional().describe('Only mails with this in their subject.'),
});

/**
 * Mailboxes of any mail server. A mail is identified by its Message-ID: in two mailboxes, or moved between
 * them, it is one item. Another mail with a Message-ID that is known, as anybody may send, does not take the place of the first.
 */
export const imap: Provider<ImapCredentials> = {
  id: 'imap',
  name: 'E-mail (IMAP)',
  category: 'email',
  authTypes: ['password'],
  resourceType,
  supportsAcl: false,
  indexedObjectTypes: ['email'],
  searchableFields: ['subject', 'body', 'from', 'to', 'cc', 'attachments'],
  filterableFields: ['message_id'],
  credentials,
  filters,
  setupGuide: `1. Find the IMAP server of your mail in its help pages, e.g. \`imap.gmail.com\` or \`imap.fastmail.com\`.
   Microsoft 365 and Outlook.com accept no passwords over IMAP, so their mailboxes cannot be read.
2. Where you sign in with two factors, make an *app password* for this connector; your own password is not accepted then.
   Some providers want IMAP to be switched on first.
3. Enter server, user and password. Mails are only read: none is marked, moved or deleted.

A resource is a mailbox as the server writes it: \`INBOX\`, \`Archive/2026\`. Of mails of more than 50 MB only the sender, the
recipients, the subject and the date are read.

A mailbox is private, and IMAP has no list of readers: set the \`acl\` of the resource, for example to \`user_email:<owner>\`, unless
everybody who may search the database may read these mails.`,
  open: (connection) => new ImapSession(connection),
};

/** The cursor, a place in a mailbox: all mails up to this uid have been read. */
const placeForm = z.strictObject({ uidValidity: z.string(), uid: z.int() });
type Place = z.infer<typeof placeForm>;

/** The results of a search that are left after a page. Another session searches again. */
interface Rest {
  readonly key: string;
  readonly uids: readonly number[];
  /** The highest uid at the time of the search. */
  readonly highest: number;
}

class ImapSession implements Session {
  private readonly account: ImapAccount;
  private rest: Rest | undefined;

  constructor(connection: Connection<ImapCredentials>) {
    this.account = new ImapAccount(connection);
  }

  async check(signal: AbortSignal): Promise<void> {
    await this.account.use(signal, (client) => client.noop());
  }

  async discover(
    { cursor, limit }: { cursor: string; limit: number },
    signal: AbortSignal,
  ): Promise<DiscoveredPage> {
    const all = await this.account.use(signal, (client) => client.list());
    const rest = all
      .filter(({ path, flags }) => path > cursor && ![...flags].some((flag) => withoutMails.test(flag)))
      .sort((one, other) => (one.path < other.path ? -1 : 1));
    const shown = rest.slice(0, limit);
    return {
      resources: shown.map(mailboxResource),
      nextCursor: rest.length > limit ? (shown.at(-1)?.path ?? null) : null,
    };
  }

  async describe(resourceId: string, signal: AbortSignal): Promise<DiscoveredResource> {
    const mailbox = await this.account.inMailbox(resourceId, signal, async (_client, opened) => opened);
    const { metadata, ...resource } = mailboxResource(mailbox);
    return { ...resource, metadata: { ...metadata, messages: mailbox.exists } };
  }

  async read(resource: ResourceScope, cursor: string, signal: AbortSignal): Promise<Page> {
    return this.page(resource, { cursor, mails: readMails }, signal);
  }

  async walk(resource: ResourceScope, cursor: string, signal: AbortSignal): Promise<Page> {
    return this.page(resource, { cursor, mails: walkMails }, signal);
  }

  async close(): Promise<void> {
    this.account.close();
  }

  private async page(
    resource: ResourceScope,
    { cursor, mails }: { cursor: string; mails: number },
    signal: AbortSignal,
  ): Promise<Page> {
    return this.account.inMailbox(resource.id, signal, async (client, mailbox) => {
      const uidValidity = String(mailbox.uidValidity);
      const place = readCursor(cursor, placeForm) ?? { uidValidity, uid: 0 };
      if (place.uidValidity !== uidValidity) throw numberedAnew();
      const keyOf = (after: string) =>
        JSON.stringify([mailbox.path, resource.oldest, resource.filters, after]);
      const found =
        this.rest?.key === keyOf(cursor)
          ? this.rest
          : await search(client, mailbox, { resource, after: place.uid });
      const uids = found.uids.slice(0, mails);
      const { heads, failed } = await fetchHeads(client, uids);
      const wanted = heads.filter((head) => isThere(head) && isRecent(head, resource));
      const more = uids.length < found.uids.length;
      const uid = more ? (uids.at(-1) ?? place.uid) : Math.max(place.uid, uids.at(-1) ?? 0, found.highest);
      const next = JSON.stringify({ uidValidity, uid } satisfies Place);
      this.rest = more ? { ...found, key: keyOf(next), uids: found.uids.slice(mails) } : undefined;
      // Which items the failed ones are, nobody knows.
      const unlisted = failed.map((each) => ({ idPrefix: '', problem: notHandedOver(each) }));
      return {
        entries: wanted.map((each) => this.entry(mailbox, each)),
        unlisted,
        cursor: next,
        more,
      };
    });
  }

  private entry({ path, uidValidity }: MailboxObject, message: FetchMessageObject): Entry {
    // Programs put the next edition of a draft in its place, with its Message-ID.
    const isDraft = message.flags?.has('\\Draft') ?? false;
    return {
      id: mailId(message),
      ...(isDraft ? {} : { ownId: mailDigest(message) }),
      version: mailVersion(message),
      load: (signal) =>
        this.account.use(signal, async (client) => {
          const isOpen = client.mailbox && client.mailbox.path === path;
          const opened = isOpen ? client.mailbox : await client.mailboxOpen(path, { readOnly: true });
          if (!opened || opened.uidValidity !== uidValidity) throw numberedAnew();
          return fetchItem(client, message);
        }),
    };
  }
}

/** Whether a mail is more than what its owner has deleted, or moved elsewhere: many programs mark that, and remove it later or never. */
function isThere({ flags }: FetchMessageObject): boolean {
  return !flags?.has('\\Deleted');
}

function isRecent({ internalDate: at }: FetchMessageObject, { oldest }: ResourceScope): boolean {
  return !(at instanceof Date) || at >= oldest;
}

function numberedAnew(): ProviderError {
  return new ProviderError('expired', 'the mail server has numbered the mailbox anew');
}

function notHandedOver(uid: number): string {
  return `the mail server does not hand over the mail with the number ${uid}`;
}

function mailboxResource({
  path,
  specialUse,
}: {
  path: string;
  specialUse?: string | undefined;
}): DiscoveredResource {
  return {
    id: path,
    name: path,
    type: resourceType,
    metadata: specialUse ? { special_use: specialUse } : {},
  };
}

/** The uids of the wanted mails after one, ascending. */
async function search(
  client: ImapFlow,
  mailbox: MailboxObject,
  { resource, after }: { resource: ResourceScope; after: number },
): Promise<Omit<Rest, 'key'>> {
  // A server need not announce the next uid; then the last one found counts.
  const highest = mailbox.uidNext ? mailbox.uidNext - 1 : undefined;
  if (mailbox.exists === 0 || (highest ?? Infinity) <= after) return { uids: [], highest: after };
  const { from, subject } = filters.parse(resource.filters);
  const found = await client.search(
    {
      uid: `${after + 1}:*`,
      // One day earlier, because servers count days in their own time zone.
      since: new Date(resource.oldest.getTime() - dayMs),
      ...(from !== undefined && { from }),
      ...(subject !== undefined && { subject }),
    },
    { uid: true },
  );
  if (!found) throw new ProviderError('unavailable', 'the mail server does not search the mailbox');
  // IMAP ranges also include the last mail when its uid is lower than the start.
  const uids = found.filter((uid) => uid > after).sort((one, other) => one - other);
  const isFiltered = from !== undefined || subject !== undefined;
  if (uids.length === 0 && !isFiltered) await checkNone(client, { resource, after });
  return { uids, highest: highest ?? after };
}

/**
 * Servers whose index is damaged or being made find nothing. @throws ProviderError when the last mail of the
 * mailbox should have been found
 */
async function checkNone(
  client: ImapFlow,
  { resource, after }: { resource: ResourceScope; after: number },
): Promise<void> {
  const last = await client.fetchOne('*', { uid: true, internalDate: true });
  if (!last || last.uid <= after) return;
  if (last.internalDate instanceof Date && last.internalDate >= resource.oldest)
    throw new ProviderError('unavailable', 'the mail server does not find mails that are there');
}

async function fetchItem(client: ImapFlow, { uid, size = 0 }: FetchMessageObject): Promise<Item | undefined> {
  const query = {
    uid: true,
    envelope: true,
    internalDate: true,
    size: true,
    threadId: true,
    bodyStructure: true,
    headers: ['references'],
    source: size <= LIMITS.fileBytesMax,
  };
  const [message] = await fetchMails(client, [uid], query);
  if (message) return mailItem(message);
  if ((await stillThere(client, [uid])).length === 0) return undefined;
  throw new ProviderError('refused', notHandedOver(uid));
}
