import { gmail } from '../../../src/connectors/providers/gmail.js';
import { GoogleRefusal, GoogleServer, googleCredentials, partOf } from './google-server.js';
import type { GoogleAnswer, GoogleRequest } from './google-server.js';
import type { FakeFailure, FakedProvider, ProviderFake } from './provider-fake.js';

/** A mail as Gmail keeps it. */
export interface FakeMail {
  readonly id: string;
  readonly threadId: string;
  labelIds: string[];
  readonly internalDate: number;
  /** As it was sent (RFC 822). */
  readonly raw: Buffer;
  readonly messageId: string;
}

export interface NewMail {
  readonly subject: string;
  readonly body?: string;
  readonly labels?: string[];
  readonly inReplyTo?: FakeMail;
  readonly receivedAt?: Date;
  /** Further lines of the head. */
  readonly headers?: string[];
  /** Instead of all the above. */
  readonly raw?: Buffer;
}

const systemLabels = 'INBOX SENT DRAFT SPAM TRASH UNREAD STARRED IMPORTANT CHAT CATEGORY_PROMOTIONS'.split(
  ' ',
);
const maxResultsMax = 500;

/** A mailbox of Gmail: mails, labels, and the history of both. */
export class GmailFake implements ProviderFake {
  readonly credentials = googleCredentials;
  readonly wrongCredentials = { ...googleCredentials, client_secret: 'another' };
  readonly missingResourceId = 'Label_404';
  readonly resource = { id: 'INBOX', type: 'label' };
  /** A mail is never changed. */
  readonly edit = undefined;
  readonly mails = new Map<string, FakeMail>();
  readonly labels = new Map<string, string>(systemLabels.map((id) => [id, id]));
  /** Before it no history is kept. */
  oldestHistory = 1000;
  private readonly history: Record<string, unknown>[] = [];
  private historyId = 1000;
  private count = 0;

  private constructor(readonly server: GoogleServer) {
    server.answer = (request) => this.answer(request);
  }

  static async start(): Promise<GmailFake> {
    return new GmailFake(await GoogleServer.start());
  }

  get baseUrl(): string {
    return this.server.baseUrl;
  }

  get requests(): number {
    return this.server.requests;
  }

  fail = (failure: FakeFailure, times: number): void => this.server.fail(failure, times);

  receive({ subject, body = '', labels = ['INBOX', 'UNREAD'], inReplyTo, ...more }: NewMail): FakeMail {
    const id = (0x18c0ffee0000 + ++this.count).toString(16);
    const receivedAt = more.receivedAt ?? new Date(Date.now() - 86_400_000 + this.count * 1000);
    const messageId = `CAF${this.count}=x+y@mail.gmail.com`;
    const head = [
      'From: Ann Archer <ann@example.com>',
      'To: Bob Baker <bob@example.com>, carol@example.com',
      `Subject: ${subject}`,
      `Date: ${receivedAt.toUTCString()}`,
      `Message-Id: <${messageId}>`,
      ...(inReplyTo ? [`In-Reply-To: <${inReplyTo.messageId}>`, `References: <${inReplyTo.messageId}>`] : []),
      'MIME-Version: 1.0',
      'Content-Type: text/plain; charset=UTF-8',
      ...(more.headers ?? []),
    ];
    const raw = more.raw ?? Buffer.from(`${head.join('\r\n')}\r\n\r\n${body}\r\n`);
    const internalDate = Math.floor(receivedAt.getTime() / 1000) * 1000;
    const threadId = inReplyTo?.threadId ?? id;
    const mail = { id, threadId, labelIds: [...labels], internalDate, raw, messageId };
    this.mails.set(id, mail);
    this.note('messagesAdded', mail);
    return mail;
  }

  addLabels(mail: FakeMail, labelIds: string[]): void {
    mail.labelIds = [...new Set([...mail.labelIds, ...labelIds])];
    this.note('labelsAdded', mail, labelIds);
  }

  removeLabels(mail: FakeMail, labelIds: string[]): void {
    mail.labelIds = mail.labelIds.filter((label) => !labelIds.includes(label));
    this.note('labelsRemoved', mail, labelIds);
  }

  async add(count: number, word: string): Promise<string[]> {
    return Array.from(
      { length: count },
      (_, index) => this.receive({ subject: `Mail ${index}`, body: `${word} in mail ${index}` }).id,
    );
  }

  async remove(id: string): Promise<void> {
    this.note('messagesDeleted', this.mail(id));
    this.mails.delete(id);
  }

  async close(): Promise<void> {
    await this.server.close();
  }

  private mail(id: string): FakeMail {
    const mail = this.mails.get(id);
    if (!mail) throw new GoogleRefusal(404, 'notFound', 'Requested entity was not found.');
    return mail;
  }

  private note(kind: string, { id, threadId, labelIds }: FakeMail, changed?: string[]): void {
    const message = { id, threadId, labelIds: [...labelIds] };
    const of = changed ? { message, labelIds: changed } : { message };
    // Between ids there are gaps of any size.
    this.historyId += 7;
    this.history.push({ id: String(this.historyId), messages: [{ id, threadId }], [kind]: [of] });
  }

  private answer({ path, query }: GoogleRequest): GoogleAnswer {
    const [, kind = '', id = ''] = /^\/gmail\/v1\/users\/me\/(\w+)(?:\/([^/]+))?$/.exec(path) ?? [];
    const fields = query.get('fields') ?? '';
    if (kind === 'profile')
      return {
        emailAddress: 'bob@example.com',
        messagesTotal: this.mails.size,
        threadsTotal: this.mails.size,
        historyId: String(this.historyId),
      };
    if (kind === 'labels') return id ? this.label(decodeURIComponent(id)) : this.listLabels();
    if (kind === 'history') return this.listHistory(query);
    if (kind === 'messages' && id === '') return this.listMessages(query);
    if (kind === 'messages') return partOf(this.message(this.mail(id), query), fields);
    if (kind === 'threads' && id !== '') return partOf(this.thread(id, query), fields);
    throw new GoogleRefusal(404, 'notFound', 'Not Found');
  }

  private label(id: string): object {
    const name = this.labels.get(id);
    if (name === undefined) throw new GoogleRefusal(404, 'notFound', 'Requested entity was not found.');
    return { id, name, type: systemLabels.includes(id) ? 'system' : 'user', messagesTotal: this.mails.size };
  }

  private listLabels(): object {
    return { labels: [...this.labels.keys()].map((id) => this.label(id)) };
  }

  private message(mail: FakeMail, query: URLSearchParams): object {
    const { id, threadId, labelIds, internalDate, raw } = mail;
    const shown = { id, threadId, labelIds, internalDate: String(internalDate), sizeEstimate: raw.length };
    if (query.get('format') === 'raw') return { ...shown, raw: raw.toString('base64url') };
    if (query.get('format') !== 'metadata')
      throw new GoogleRefusal(400, 'invalidArgument', 'not served here');
    const wanted = query.getAll('metadataHeaders').map((name) => name.toLowerCase());
    const headers = [{ name: 'Message-Id', value: `<${mail.messageId}>` }];
    return {
      ...shown,
      payload: { headers: headers.filter(({ name }) => wanted.includes(name.toLowerCase())) },
    };
  }

  private thread(id: string, query: URLSearchParams): object {
    const mails = [...this.mails.values()].filter(({ threadId }) => threadId === id);
    if (mails.length === 0) throw new GoogleRefusal(404, 'notFound', 'Requested entity was not found.');
    return {
      id,
      historyId: String(this.historyId),
      messages: mails.map((mail) => this.message(mail, query)),
    };
  }

  /** The newest first. An empty list has no key. */
  private listMessages(query: URLSearchParams): object {
    const labels = query.getAll('labelIds');
    const unknown = labels.find((label) => !this.labels.has(label));
    if (unknown !== undefined) throw new GoogleRefusal(400, 'invalidArgument', `Invalid label: ${unknown}`);
    const q = query.get('q') ?? '';
    const after = Number(/(?:^| )after:(\d+)/.exec(q)?.[1] ?? 0);
    const left = [...q.matchAll(/-in:(\w+)/g)].map(([, name = '']) => name.toUpperCase().replace(/S$/, ''));
    if (query.get('includeSpamTrash') !== 'true') left.push('SPAM', 'TRASH');
    const found = [...this.mails.values()]
      .filter(
        ({ labelIds, internalDate }) =>
          labels.every((label) => labelIds.includes(label)) &&
          !left.some((label) => labelIds.includes(label)) &&
          internalDate > after * 1000,
      )
      .sort((a, b) => b.internalDate - a.internalDate);
    return pageOf('messages', found, query, ({ id, threadId }) => ({ id, threadId }));
  }

  private listHistory(query: URLSearchParams): object {
    const start = query.get('startHistoryId') ?? '';
    if (!/^\d+$/.test(start)) throw new GoogleRefusal(400, 'invalidArgument', 'Invalid startHistoryId');
    if (Number(start) < this.oldestHistory)
      throw new GoogleRefusal(404, 'notFound', 'Requested entity was not found.');
    const kinds = query.getAll('historyTypes').map((type) => type.replace(/^(message|label)/, '$1s'));
    const found = this.history.filter(
      (record) => Number(record['id']) > Number(start) && kinds.some((kind) => kind in record),
    );
    return { ...pageOf('history', found, query, (record) => record), historyId: String(this.historyId) };
  }
}

/** Tokens are numbers that say nothing. */
function pageOf<Row>(
  key: string,
  all: readonly Row[],
  query: URLSearchParams,
  shown: (row: Row) => object,
): object {
  const token = query.get('pageToken');
  const from = Number(token ?? 1e15) - 1e15;
  if (!Number.isInteger(from) || from < 0)
    throw new GoogleRefusal(400, 'invalidArgument', 'Invalid pageToken');
  const end = from + Math.min(Number(query.get('maxResults') ?? 100), maxResultsMax);
  const rows = all.slice(from, end).map(shown);
  return {
    ...(rows.length > 0 ? { [key]: rows } : {}),
    ...(end < all.length ? { nextPageToken: String(1e15 + end) } : {}),
    ...(key === 'messages' ? { resultSizeEstimate: all.length } : {}),
  };
}

export const fakedGmail: FakedProvider = {
  provider: gmail,
  start: () => GmailFake.start(),
  manyObjects: 250,
};
