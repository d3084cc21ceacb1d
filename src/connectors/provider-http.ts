import { RefusedAddress } from '../lib/address-guard.js';
import { readRetryAfterMs } from '../lib/retry-after.js';
import { ProviderError } from './provider.js';

const retryAfterSecondsDefault = 30;
const retryAfterSecondsMax = 3600;

/** How a provider answered: the part of a response that says why it failed. */
export interface FailedAnswer {
  readonly status: number;
  /** `Retry-After` as it was sent. */
  readonly retryAfter?: string | null | undefined;
  /** What the provider says, for the message; no secret. */
  readonly reason?: string | undefined;
}

/** What an HTTP status means of a provider: 401 its credentials, 403 and 404 the resource, 429 and 5xx another time. */
export function failureOf(provider: string, { status, retryAfter, reason }: FailedAnswer): ProviderError {
  const said = reason ? `: ${reason.slice(0, 300)}` : '';
  const options = { httpStatus: status };
  if (status === 401)
    return new ProviderError('credentials', `${provider} rejected the credentials${said}`, options);
  if (status === 403) return new ProviderError('refused', `${provider} refused access${said}`, options);
  if (status === 404 || status === 410)
    return new ProviderError('missing', `${provider} does not find it${said}`, options);
  const retryAfterSeconds = readRetryAfterSeconds(retryAfter);
  if (status === 429)
    return new ProviderError('limited', `${provider} asks for fewer requests${said}`, {
      ...options,
      retryAfterSeconds: retryAfterSeconds ?? retryAfterSecondsDefault,
    });
  return new ProviderError('unavailable', `${provider} answered ${status}${said}`, {
    ...options,
    retryAfterSeconds,
  });
}

/** No answer came: refused by our own guard, or the network failed. */
export function noAnswerOf(provider: string, error: unknown): ProviderError {
  for (let cause = error; cause instanceof Error; cause = cause.cause)
    if (cause instanceof RefusedAddress)
      return new ProviderError('credentials', `the address of ${provider} ${cause.message}`, {
        cause: error,
      });
  return new ProviderError('unavailable', `${provider} cannot be reached`, { cause: error });
}

/** Whole seconds that a Retry-After header asks to wait, an hour at most; undefined when it says nothing. */
export function readRetryAfterSeconds(text: string | null | undefined): number | undefined {
  const milliseconds = readRetryAfterMs(text, new Date());
  if (milliseconds === undefined) return undefined;
  return Math.min(Math.max(Math.ceil(milliseconds / 1000), 1), retryAfterSecondsMax);
}
