import type { WebClient } from '@slack/web-api';
import { withoutNulls } from '../../../lib/without-nulls.js';
import { ProviderError } from '../../provider.js';
import type { Connection, ProviderFailure } from '../../provider.js';
import { failureOf, noAnswerOf } from '../../provider-http.js';

const answerMsMax = 60_000;
const retryAfterSecondsDefault = 30;

/** The failures that Slack's error codes stand for. */
const failures: Readonly<Record<string, ProviderFailure>> = {
  invalid_auth: 'credentials',
  not_authed: 'credentials',
  token_revoked: 'credentials',
  token_expired: 'credentials',
  account_inactive: 'credentials',
  missing_scope: 'refused',
  not_in_channel: 'refused',
  no_permission: 'refused',
  access_denied: 'refused',
  ekm_access_denied: 'refused',
  team_access_not_granted: 'refused',
  restricted_action: 'refused',
  not_allowed_token_type: 'refused',
  method_not_supported_for_channel_type: 'refused',
  channel_not_found: 'missing',
  thread_not_found: 'missing',
  user_not_found: 'missing',
  user_not_visible: 'missing',
  users_not_found: 'missing',
  invalid_cursor: 'expired',
  ratelimited: 'limited',
};

/** The part of an unsuccessful answer that gives the reason. */
interface RefusedAnswer {
  readonly error?: string;
  readonly needed?: string;
  readonly response_metadata?: { readonly retryAfter?: number };
}

export interface SlackCredentials {
  readonly access_token: string;
}

/**
 * Slack's Web API, one request per call. An answer that is not `ok` is thrown as a ProviderError, and nothing
 * is tried twice.
 */
export class SlackApi {
  constructor(private readonly connection: Connection<SlackCredentials>) {}

  async call<Answer>(
    method: string,
    parameters: Record<string, unknown>,
    signal: AbortSignal,
  ): Promise<Answer> {
    signal.throwIfAborted();
    const client = await this.client(signal);
    try {
      return withoutNulls(await client.apiCall(method, parameters)) as Answer;
    } catch (error) {
      signal.throwIfAborted();
      throw failed(error);
    }
  }

  /** A client for each call, because it takes no signal; making one costs next to nothing. */
  private async client(signal: AbortSignal): Promise<WebClient> {
    const { WebClient } = await import('@slack/web-api');
    const { baseUrl, credentials, network } = this.connection;
    return new WebClient(credentials.access_token, {
      ...(baseUrl === undefined ? {} : { slackApiUrl: `${baseUrl}/` }),
      retryConfig: { retries: 0 },
      rejectRateLimitedCalls: true,
      allowAbsoluteUrls: false,
      logger: silent,
      fetch: async (input, init) => {
        const within = AbortSignal.any([signal, AbortSignal.timeout(answerMsMax)]);
        const response = await network.fetch(input, { ...init, signal: within });
        if (response.ok) return response;
        await response.body?.cancel();
        throw failureOf('Slack', {
          status: response.status,
          retryAfter: response.headers.get('retry-after'),
        });
      },
    });
  }
}

const silent = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
  setLevel: () => undefined,
  getLevel: () => 'error' as never,
  setName: () => undefined,
};

/**
 * The failure for an error of the SDK, which wraps what fetch throws, and carries an unsuccessful answer as
 * `data`.
 */
function failed(error: unknown): ProviderError {
  const { original, data } = error as { original?: unknown; data?: RefusedAnswer };
  if (original instanceof ProviderError) return original;
  return data ? refusalOf(data) : noAnswerOf('Slack', original ?? error);
}

function refusalOf({ error = '', needed, response_metadata }: RefusedAnswer): ProviderError {
  // Anything but a code of Slack's comes from a page of some proxy.
  if (!/^[a-z_]{1,100}$/.test(error))
    return new ProviderError('unavailable', 'Slack answered with something else than JSON');
  const kind = failures[error] ?? 'unavailable';
  const retryAfterSeconds = response_metadata?.retryAfter ?? retryAfterSecondsDefault;
  return new ProviderError(kind, adviceOn(error, needed), kind === 'limited' ? { retryAfterSeconds } : {});
}

function adviceOn(error: string, needed: string | undefined): string {
  if (error === 'missing_scope')
    return `the Slack app lacks the scope ${needed ?? 'that this needs'}: add it and install the app again`;
  if (error === 'not_in_channel')
    return 'the Slack app is not in this channel: invite the app with /invite in the channel';
  if (error === 'channel_not_found')
    return 'Slack does not find this channel: it does not exist, or it is private and the app must be invited to it';
  if (failures[error] === 'credentials') return `Slack rejected the credentials: ${error}`;
  if (error === 'ratelimited') return 'Slack asks for fewer requests';
  return `Slack answered: ${error}`;
}
