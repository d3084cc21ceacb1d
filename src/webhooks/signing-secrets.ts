import type { SecretBox } from '../lib/secret-box.js';

/** The secrets of a registration as they are stored. */
export interface SealedSecrets {
  readonly signingSecret: Buffer | null;
  /** Signs beside the other until then. */
  readonly previousSecret: Buffer | null;
  readonly previousUntil: Date | null;
}

/** How long a secret that was replaced goes on signing beside the new one. */
export const rotationMs = 24 * 3_600_000;

/** What secrets of an account are sealed for. */
export function secretContext(accountId: string): string {
  return `webhook signing secret of ${accountId}`;
}

/** The secrets that sign now, the one in force first. @throws UnopenableSecretError */
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
