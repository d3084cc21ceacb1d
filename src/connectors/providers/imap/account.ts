import { isIP } from 'node:net';
import type { ImapFlow, MailboxObject } from 'imapflow';
import { unbracketed } from '../../../lib/address-guard.js';
import { LIMITS } from '../../../limits.js';
import { ProviderError } from '../../provider.js';
import type { Connection } from '../../provider.js';
import type { ImapCredentials } from '../imap.js';
import { failureOfImap } from './failure.js';

/** On this port TLS is begun by a command (STARTTLS). */
const startTlsPort = 143;
const connectMsMax = 15_000;
// The longest silence, for example while a large mailbox is searched.
const silenceMsMax = 120_000;
// Limits for what a server may send at once; the uids of a mailbox come as one line.
const lineBytesMax = 32 * 1024 * 1024;
const literalBytesMax = LIMITS.fileBytesMax + 1024 * 1024;

const discard = () => undefined;

/**
 * A single connection to a mail server. Its users take turns, because only one mailbox can be open at a time.
 */
export class ImapAccount {
  private client: ImapFlow | undefined;
  private lastTurn: Promise<unknown> = Promise.resolve();

  constructor(private readonly connection: Connection<ImapCredentials>) {}

  /**
   * Asks the server, and connects first if necessary. @throws ProviderError; the signal's reason when it is
   * aborted
   */
  async use<Answer>(signal: AbortSignal, ask: (client: ImapFlow) => Promise<Answer>): Promise<Answer> {
    const turn = this.lastTurn.then(() => this.ask(signal, ask));
    this.lastTurn = turn.catch(discard);
    return turn;
  }

  /** The same with a mailbox opened, in its current state. Nothing is marked as read. */
  async inMailbox<Answer>(
    path: string,
    signal: AbortSignal,
    ask: (client: ImapFlow, mailbox: MailboxObject) => Promise<Answer>,
  ): Promise<Answer> {
    return this.use(signal, async (client) =>
      ask(client, await client.mailboxOpen(path, { readOnly: true })),
    );
  }

  close(): void {
    this.client?.close();
    this.client = undefined;
  }

  private async ask<Answer>(
    signal: AbortSignal,
    ask: (client: ImapFlow) => Promise<Answer>,
  ): Promise<Answer> {
    signal.throwIfAborted();
    // A command that was sent cannot be cancelled, so the connection is closed.
    const hangUp = () => this.close();
    signal.addEventListener('abort', hangUp, { once: true });
    try {
      const client = await this.connected();
      signal.throwIfAborted();
      const answer = await ask(client);
      // When the connection was lost, the library reports that it found nothing.
      if (client.usable) return answer;
      throw new ProviderError('unavailable', 'the mail server has closed the connection');
    } catch (error) {
      signal.throwIfAborted();
      throw failureOfImap(error);
    } finally {
      signal.removeEventListener('abort', hangUp);
    }
  }

  private async connected(): Promise<ImapFlow> {
    if (this.client?.usable) return this.client;
    this.close();
    const { ImapFlow } = await import('imapflow');
    const { host, port, tls, user, password } = this.connection.credentials;
    const name = unbracketed(host);
    const client = new ImapFlow({
      host: await this.connection.network.addressOf(host),
      port,
      ...(isIP(name) === 0 && { servername: name }),
      secure: tls && port !== startTlsPort,
      ...((!tls || port === startTlsPort) && { doSTARTTLS: tls }),
      auth: { user, pass: password },
      logger: false,
      disableAutoIdle: true,
      connectionTimeout: connectMsMax,
      greetingTimeout: connectMsMax,
      socketTimeout: silenceMsMax,
      maxLineLength: lineBytesMax,
      maxLiteralSize: literalBytesMax,
      maxResponseSize: literalBytesMax + lineBytesMax,
    });
    // The failure is reported to the caller anyway; without a listener it would end the process.
    client.on('error', discard);
    this.client = client;
    await client.connect();
    return client;
  }
}
