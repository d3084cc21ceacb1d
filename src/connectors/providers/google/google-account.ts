import { z } from 'zod';
import { untilAborted } from '../../../lib/cancellation.js';
import { ProviderError } from '../../provider.js';
import type { Connection } from '../../provider.js';
import { noAnswerOf } from '../../provider-http.js';
import { failureOfAnswer, failureOfToken, jsonOf } from './google-error.js';

const tokenUrl = 'https://oauth2.googleapis.com/token';
const tokenTimeoutMs = 60_000;
/** How long before its end a token is renewed. */
const tokenReserveMs = 60_000;

export const googleCredentials = z.strictObject({
  client_id: z.string().trim().min(1).describe('Client id of an OAuth client in the Google Cloud console'),
  client_secret: z.string().trim().min(1).describe('Client secret of that OAuth client'),
  refresh_token: z
    .string()
    .trim()
    .min(1)
    .describe('Refresh token that the OAuth client was given for the account'),
});
export type GoogleCredentials = z.infer<typeof googleCredentials>;

/** How to get these credentials, as the first steps of a guide. */
export function credentialSteps(api: string, scope: string): string {
  return `1. In the [Google Cloud console](https://console.cloud.google.com/) choose a project and enable the **${api}**.
2. Under **Google Auth Platform**, set up the consent screen, add the scope \`https://www.googleapis.com/auth/${scope}\` and publish the app (or make it internal): refresh tokens of an app in testing end after 7 days.
3. Under **Clients**, create an OAuth client of type **Web application** with the redirect URI \`https://developers.google.com/oauthplayground\`. It shows \`client_id\` and \`client_secret\`.
4. In the [OAuth playground](https://developers.google.com/oauthplayground/), tick **Use your own OAuth credentials** in its settings, authorise the scope above as the account to read, and exchange the code for tokens: \`refresh_token\` is the third credential.`;
}

const issued = z.object({
  access_token: z.string().min(1),
  expires_in: z.number().positive().catch(3600),
  refresh_token: z.string().min(1).optional().catch(undefined),
});

interface AccessToken {
  readonly value: string;
  readonly endsAtMs: number;
}

/** The options for a call of Google's library; all of its requests go through `fetchImplementation`. */
export interface CallOptions {
  readonly fetchImplementation: typeof globalThis.fetch;
  readonly signal: AbortSignal;
  readonly retry: false;
}

/** A signed-in account: keeps the access token, and makes the requests of Google's APIs. */
export class GoogleAccount {
  private credentials: GoogleCredentials;
  private token: AccessToken | undefined;
  private renewing: Promise<AccessToken> | undefined;

  constructor(
    /** The name for messages, such as `Gmail`. */
    private readonly provider: string,
    private readonly connection: Connection<GoogleCredentials>,
  ) {
    this.credentials = connection.credentials;
  }

  /**
   * Runs a call of Google's library, and returns its data. The library's own errors contain the request, so
   * they are not passed on. @throws ProviderError; the signal's reason when it is aborted
   */
  async ask<Data>(
    signal: AbortSignal,
    call: (options: CallOptions) => Promise<{ readonly data: Data }>,
  ): Promise<Data> {
    signal.throwIfAborted();
    let failure: { readonly cause: unknown } | undefined;
    const fetchImplementation: typeof globalThis.fetch = (input, init) =>
      this.fetch(input, init).catch((cause: unknown) => {
        failure = { cause };
        throw cause;
      });
    try {
      const { data } = await call({ fetchImplementation, signal, retry: false });
      if (typeof data === 'object' && data !== null) return data;
    } catch {
      signal.throwIfAborted();
      if (failure) throw failure.cause;
    }
    throw new ProviderError('unavailable', `${this.provider} answered what cannot be read`);
  }

  /**
   * Sends a request with the access token; rejects with ProviderError unless it succeeds. After a 401 it is
   * sent once more with a new token.
   */
  private readonly fetch: typeof globalThis.fetch = async (input, init) => {
    const signal = init?.signal ?? undefined;
    const url = this.placed(new URL(input instanceof Request ? input.url : input));
    const token = await this.currentToken(signal);
    const answer = await this.fetchWith(token, url, init);
    if (answer.status !== 401) return this.successOf(answer);
    await answer.body?.cancel();
    if (this.token === token) this.token = undefined;
    return this.successOf(await this.fetchWith(await this.currentToken(signal), url, init));
  };

  /** Moves a URL to the base URL of the connection. Google's library would drop the path of such a base. */
  private placed(url: URL): URL {
    const { baseUrl } = this.connection;
    return baseUrl === undefined ? url : new URL(`${baseUrl}${url.pathname}${url.search}`);
  }

  private async fetchWith(token: AccessToken, url: URL, init: RequestInit = {}): Promise<Response> {
    const { method = 'GET', signal } = init;
    const headers = new Headers(init.headers);
    headers.set('authorization', `Bearer ${token.value}`);
    return this.answerOf(url, { method, headers: Object.fromEntries(headers), signal: signal ?? null });
  }

  private async answerOf(url: URL | string, init: RequestInit): Promise<Response> {
    return this.connection.network.fetch(url, init).catch((error: unknown) => {
      init.signal?.throwIfAborted();
      throw noAnswerOf(this.provider, error);
    });
  }

  private async successOf(answer: Response): Promise<Response> {
    if (answer.ok) return answer;
    throw await failureOfAnswer(this.provider, answer);
  }

  private async currentToken(signal: AbortSignal | undefined): Promise<AccessToken> {
    const now = this.connection.clock.now().getTime();
    if (this.token && this.token.endsAtMs - tokenReserveMs > now) return this.token;
    this.renewing ??= this.renew().finally(() => (this.renewing = undefined));
    return signal ? untilAborted(signal, this.renewing) : this.renewing;
  }

  /**
   * Renews the access token. It has no signal of a caller, so that callers who give up do not stop it for
   * others.
   */
  private async renew(): Promise<AccessToken> {
    const { baseUrl, clock } = this.connection;
    const answer = await this.answerOf(baseUrl === undefined ? tokenUrl : `${baseUrl}/token`, {
      method: 'POST',
      body: new URLSearchParams({ ...this.credentials, grant_type: 'refresh_token' }).toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      signal: AbortSignal.timeout(tokenTimeoutMs),
    }).catch((error: unknown) => {
      throw error instanceof ProviderError ? error : noAnswerOf(this.provider, error);
    });
    if (!answer.ok) throw await failureOfToken(this.provider, answer);
    const read = issued.safeParse(await jsonOf(answer));
    if (!read.success) throw new ProviderError('unavailable', `${this.provider} gave no access token`);
    await this.keepRefreshToken(read.data.refresh_token);
    this.token = {
      value: read.data.access_token,
      endsAtMs: clock.now().getTime() + read.data.expires_in * 1000,
    };
    return this.token;
  }

  /** Saves a new refresh token before it is used, because the old one may not be accepted again. */
  private async keepRefreshToken(refreshToken: string | undefined): Promise<void> {
    if (refreshToken === undefined || refreshToken === this.credentials.refresh_token) return;
    const credentials = { ...this.credentials, refresh_token: refreshToken };
    await this.connection.saveCredentials(credentials);
    this.credentials = credentials;
  }
}
