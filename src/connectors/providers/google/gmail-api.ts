import type { gmail_v1 } from '@googleapis/gmail';
import type { Connection } from '../../provider.js';
import { GoogleAccount } from './google-account.js';
import type { CallOptions, GoogleCredentials } from './google-account.js';

/** Gmail's API; failures are thrown as ProviderErrors. */
export class GmailApi {
  private readonly account: GoogleAccount;
  private client: Promise<gmail_v1.Gmail> | undefined;

  constructor(connection: Connection<GoogleCredentials>) {
    this.account = new GoogleAccount('Gmail', connection);
  }

  async ask<Data>(
    signal: AbortSignal,
    call: (gmail: gmail_v1.Gmail, options: CallOptions) => Promise<{ readonly data: Data }>,
  ): Promise<Data> {
    this.client ??= import('@googleapis/gmail').then(({ gmail }) => gmail({ version: 'v1' }));
    const client = await this.client;
    return this.account.ask(signal, (options) => call(client, options));
  }
}
