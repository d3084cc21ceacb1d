import type { SecretBox } from '../lib/secret-box.js';
import { dayMs } from '../lib/units.js';

/** The secrets of a webhook as they are stored, sealed. */
export interface SealedSecrets {
  readonly signingSecret: Buffer | null;
  /** Also signs until then. */
  readonly previousSecret: Buffer | null;
  readonly previousUntil: Date | null;
}

/** How long a replaced secret keeps signing beside the new one. */
export const rotationMs = dayMs;

/** The context that the secrets of an account are sealed for. */
export function secretContext(accountId: string): string {
  return `webhook signing secret of ${accountId}`;
}

/** The secrets to sign with now, the current one first. @throws UnopenableSecretError */
export function openSecrets(
  secretBox: SecretBox,
  sealed: SealedSecrets & { readonly accountId: string },
  now: Date,
): string[] {
  const { accountId, signingSecret, previousSecret, previousUntil } = sealed;
  const previous = previousUntil && previousUntil > now ? previousSecret : null;
  const secrets = [signingSecret, previous].flatMap((secret) =>
    secret ? [secretBox.open(secret, secretContext(accountId))] : [],
  );
  return [...new Set(secrets)];
}
