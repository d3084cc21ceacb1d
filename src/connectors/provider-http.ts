import { RefusedAddress } from '../lib/address-guard.js';
import type { Clock } from '../lib/clock.js';
import { readRetryAfterMs } from '../lib/retry-after.js';
import { ProviderError } from './provider.js';

const retryAfterSecondsDefault = 30;
const retryAfterSecondsMax = 3600;

/** The part of a provider's response that says why it failed. */
export interface FailedAnswer {
  readonly status: number;
  /** The header Retry-After, as sent. */
  readonly retryAfter?: string | null | undefined;
  /** The provider's own reason, for the message; without secrets. Missing or empty in the page of a proxy. */
  readonly reason?: string | undefined;
}

/**
 * Turns an HTTP status into a failure: 401 means the credentials, 403 and 404 the resource if the provider
 * says so itself, everything else that it may succeed later. A refusal without a reason is that of a firewall
 * or of a gateway whose server is away: it stops no connector, and what it hides is not gone.
 */
export function failureOf(provider: string, { status, retryAfter, reason }: FailedAnswer): ProviderError {
  const said = reason ? `: ${reason.slice(0, 300)}` : '';
  const options = { httpStatus: status };
  if (status === 401)
    return new ProviderError('credentials', `${provider} rejected the credentials${said}`, options);
  if (status === 403 && said)
    return new ProviderError('refused', `${provider} refused access${said}`, options);
  if (isMissing(status) && said)
    return new ProviderError('missing', `${provider} does not find it${said}`, options);
  const retryAfterSeconds = readRetryAfterSeconds(retryAfter);
  if (status === 429)
    return new ProviderError('limited', `${provider} asks for fewer requests${said}`, {
      ...options,
      retryAfterSeconds: retryAfterSeconds ?? retryAfterSecondsDefault,
    });
  const told =
    said || (status >= 400 && status < 500 ? ' without a reason, as a proxy or a firewall does' : '');
  return new ProviderError('unavailable', `${provider} answered ${status}${told}`, {
    ...options,
    retryAfterSeconds,
  });
}

/** Whether an HTTP status says that something is not there. */
export function isMissing(status: number): boolean {
  return status === 404 || status === 410;
}

/** The failure when no answer came: our own guard refused the address, or the network failed. */
export function noAnswerOf(provider: string, error: unknown): ProviderError {
  for (let cause = error; cause instanceof Error; cause = cause.cause)
    if (cause instanceof RefusedAddress)
      return new ProviderError('credentials', `the address of ${provider} ${cause.message}`, {
        cause: error,
      });
  return new ProviderError('unavailable', `${provider} cannot be reached`, { cause: error });
}

/**
 * The failure of an answer that lacks a list which the provider sends even when it is empty: it is from a proxy,
 * perhaps. As an empty one it would end a walk, and so delete everything, or hide what nobody is named for.
 */
export function noListOf(provider: string, answered: string): ProviderError {
  return new ProviderError('unavailable', `${provider} answered ${answered}`);
}

/** How many seconds a Retry-After header asks to wait, an hour at most; undefined when it says nothing. */
export function readRetryAfterSeconds(text: string | null | undefined): number | undefined {
  const milliseconds = readRetryAfterMs(text, new Date());
  if (milliseconds === undefined) return undefined;
  return Math.min(Math.max(Math.ceil(milliseconds / 1000), 1), retryAfterSecondsMax);
}

/**
 * The time by the provider's clock, which the header Date of its answer tells, in milliseconds since 1970; ours where
 * it tells none. Times that the answer names, as the end of a limit, are of that clock.
 */
export function timeOfAnswer(date: string | null | undefined, clock: Clock): number {
  return Date.parse(date ?? '') || clock.now().getTime();
}
