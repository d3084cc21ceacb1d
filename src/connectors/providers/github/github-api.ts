import type { Octokit } from '@octokit/rest';
import type { Clock } from '../../../lib/clock.js';
import { withoutNulls } from '../../../lib/without-nulls.js';
import { ProviderError } from '../../provider.js';
import type { Connection } from '../../provider.js';
import { failureOf, noAnswerOf, readRetryAfterSeconds, timeOfAnswer } from '../../provider-http.js';

/** The version of the API that answers are read by. */
const apiVersion = '2022-11-28';
const answerMsMax = 60_000;
/** GitHub asks for at least a minute if it names no time. */
const limitedSecondsDefault = 60;

export interface GithubCredentials {
  readonly access_token: string;
}

/** A page of an answer. */
export interface GithubAnswer<Data> {
  readonly data: Data;
  /** Whether there is another page. */
  readonly more: boolean;
}

type Headers = Readonly<Record<string, string | number | undefined>>;

/**
 * GitHub's REST API, one request per call. Anything but success is thrown as a ProviderError, and nothing is
 * tried twice.
 */
export class GithubApi {
  private client: Promise<Octokit> | undefined;

  constructor(private readonly connection: Connection<GithubCredentials>) {}

  /**
   * Sends a GET request. `route` is written as in GitHub's reference, with placeholders for parameters:
   * `/repos/{owner}/{repo}`. @throws ProviderError; the signal's reason when it is aborted
   */
  async get<Data>(
    route: string,
    parameters: Record<string, unknown>,
    signal: AbortSignal,
  ): Promise<GithubAnswer<Data>> {
    signal.throwIfAborted();
    const client = await (this.client ??= this.connect());
    const within = AbortSignal.any([signal, AbortSignal.timeout(answerMsMax)]);
    const request = { signal: within };
    const headers = { 'x-github-api-version': apiVersion };
    const answer = await client
      .request(`GET ${route}`, { ...parameters, headers, request })
      .catch((error: unknown) => {
        signal.throwIfAborted();
        throw failed(error, this.connection.clock);
      });
    const data: unknown = answer.data;
    // The library hands over what it cannot read as text: half an answer, or the page of some proxy.
    if (typeof data !== 'object' || data === null)
      throw new ProviderError('unavailable', 'GitHub answered something that is not JSON');
    return { data: withoutNulls(data) as Data, more: answer.headers.link?.includes('rel="next"') ?? false };
  }

  private async connect(): Promise<Octokit> {
    const { Octokit } = await import('@octokit/rest');
    const { baseUrl, credentials, network } = this.connection;
    return new Octokit({
      auth: credentials.access_token,
      ...(baseUrl === undefined ? {} : { baseUrl }),
      log: silent,
      request: { fetch: network.fetch, log: silent },
    });
  }
}

const silent = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};

function failed(error: unknown, clock: Clock): ProviderError {
  const { response } = error as {
    response?: { status: number; headers: Headers; data?: { message?: unknown } };
  };
  if (!response) return noAnswerOf('GitHub', error);
  const { status, headers, data } = response;
  const reason = typeof data?.message === 'string' ? data.message : undefined;
  if (isLimit(status, headers, reason))
    return new ProviderError('limited', 'GitHub asks for fewer requests', {
      httpStatus: status,
      retryAfterSeconds: limitedSeconds(headers, clock),
    });
  if (status === 403 && headers['x-github-sso'] !== undefined)
    return new ProviderError(
      'refused',
      'the organisation asks for single sign-on: authorise the token for it in your settings on GitHub',
      { httpStatus: status },
    );
  if (status === 451)
    return new ProviderError('refused', 'GitHub has blocked this repository', { httpStatus: status });
  return failureOf('GitHub', { status, retryAfter: text(headers['retry-after']), reason });
}

/** Whether an answer means too many requests; GitHub uses 403 for that too. */
function isLimit(status: number, headers: Headers, reason: string | undefined): boolean {
  if (status === 429) return true;
  if (status !== 403) return false;
  const isUsedUp = text(headers['x-ratelimit-remaining']) === '0' || headers['retry-after'] !== undefined;
  return isUsedUp || /\brate limit\b/i.test(reason ?? '');
}

function limitedSeconds(headers: Headers, clock: Clock): number {
  const named = readRetryAfterSeconds(text(headers['retry-after']));
  if (named !== undefined) return named;
  const reset = Number(headers['x-ratelimit-reset']);
  if (text(headers['x-ratelimit-remaining']) !== '0' || !Number.isFinite(reset)) return limitedSecondsDefault;
  const now = timeOfAnswer(text(headers['date']), clock);
  return Math.max(1, Math.ceil(reset - now / 1000));
}

function text(header: string | number | undefined): string | undefined {
  return header === undefined ? undefined : String(header);
}
