import { characterCount } from '../lib/characters.js';
import { LIMITS } from '../limits.js';
import { IndexingStatus } from '../sources/status/indexing-status.js';
import { statusChangedEvent } from './payload.js';
import { unprocessable } from './refusals.js';
import type { RegisterWebhookInput } from './webhook.types.js';

/** A registration after the checks that need no look-up of its URL's host. */
export interface ReadRegistration {
  readonly url: string;
  readonly eventTypes: readonly string[];
  readonly statuses: readonly IndexingStatus[];
  readonly signingSecret: string | null;
  readonly generate: boolean;
}

export const allStatuses = Object.values(IndexingStatus);

/** @throws AppError UNPROCESSABLE naming the field. */
export function readRegistration(input: RegisterWebhookInput): ReadRegistration {
  const { signingSecret = null, generateSigningSecret } = input;
  // What stands behind `#` is sent to nobody.
  const url = input.url.trim().replace(/#.*$/s, '');
  if (url.length > LIMITS.urlCharactersMax)
    throw unprocessable('url', `must have at most ${LIMITS.urlCharactersMax} characters`);
  const generate = generateSigningSecret ?? false;
  if (generate && signingSecret !== null)
    throw unprocessable('signing_secret', 'cannot be combined with generate_signing_secret');
  return {
    url,
    eventTypes: readChoice('event_types', input.eventTypes, [statusChangedEvent]),
    statuses: readChoice('statuses', input.statuses, allStatuses),
    signingSecret: signingSecret === null ? null : readSigningSecret(signingSecret),
    generate,
  };
}

/** @throws AppError UNPROCESSABLE naming the bound. */
export function readSigningSecret(secret: string): string {
  const [min, max] = [LIMITS.signingSecretCharactersMin, LIMITS.signingSecretCharactersMax];
  const characters = characterCount(secret);
  if (characters >= min && characters <= max) return secret;
  throw unprocessable('signing_secret', `must have ${min} to ${max} characters, not ${characters}`);
}

function readChoice<Value extends string>(
  field: string,
  given: readonly string[] | null | undefined,
  choices: readonly Value[],
): Value[] {
  if (given == null) return [...choices];
  const isChoice = (value: string): value is Value => (choices as readonly string[]).includes(value);
  if (given.length > 0 && given.every(isChoice)) return [...new Set(given)];
  throw unprocessable(field, `must name at least one of ${choices.join(', ')}, and nothing else`);
}
