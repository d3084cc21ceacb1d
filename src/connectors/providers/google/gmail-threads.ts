import type { GmailApi } from './gmail-api.js';
import { ifGone } from './google-error.js';

const threadsKept = 500;

/** Gmail's ids of the mails in one thread, by Message-ID. */
type Thread = ReadonlyMap<string, string>;

/**
 * Finds the mail that another mail answers: mails refer to each other by Message-ID, Gmail by its own ids.
 */
export class GmailThreads {
  private readonly threads = new Map<string, Promise<Thread>>();

  constructor(private readonly api: GmailApi) {}

  /**
   * Gmail's id of the mail with a Message-ID; undefined when it is not in the thread of the mail that refers
   * to it.
   */
  async idOf(
    messageId: string | undefined,
    asking: { readonly id: string; readonly threadId: string | null | undefined },
    signal: AbortSignal,
  ): Promise<string | undefined> {
    if (messageId === undefined || !asking.threadId) return undefined;
    const thread = await this.known(asking.threadId, signal);
    if ([...thread.values()].includes(asking.id)) return thread.get(messageId);
    // The mail has come after its thread was requested.
    this.threads.delete(asking.threadId);
    return (await this.known(asking.threadId, signal)).get(messageId);
  }

  private known(threadId: string, signal: AbortSignal): Promise<Thread> {
    const known = this.threads.get(threadId);
    if (known) return known;
    const asked = this.ask(threadId, signal).catch((error: unknown) => {
      this.threads.delete(threadId);
      throw error;
    });
    this.threads.set(threadId, asked);
    const [oldest = ''] = this.threads.keys();
    if (this.threads.size > threadsKept) this.threads.delete(oldest);
    return asked;
  }

  private async ask(id: string, signal: AbortSignal): Promise<Thread> {
    const params = {
      userId: 'me',
      id,
      format: 'metadata',
      metadataHeaders: ['Message-ID'],
      fields: 'messages(id,payload(headers))',
    };
    const thread = await this.api
      .ask(signal, (gmail, options) => gmail.users.threads.get(params, options))
      .catch(ifGone);
    return new Map(
      (thread?.messages ?? []).flatMap(({ id: own, payload }) => {
        const [header] = payload?.headers ?? [];
        const [, messageId] = /<([^<>\s]+)>/.exec(header?.value ?? '') ?? [];
        return own && messageId !== undefined ? [[messageId, own] as const] : [];
      }),
    );
  }
}
