import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

const base32 = 'abcdefghijklmnopqrstuvwxyz234567';
const prefixCharacters = 12;
const secretBytes = 32;

export interface KeyParts {
  readonly prefix: string;
  readonly secret: string;
}

/** A new key: `ctx_` and 12 base32 characters, a dot, 32 random bytes in base64url. */
export function generateKey(): KeyParts {
  const prefix = [...randomBytes(prefixCharacters)]
    .map((byte) => base32.charAt(byte % base32.length))
    .join('');
  return { prefix: `ctx_${prefix}`, secret: randomBytes(secretBytes).toString('base64url') };
}

/** Splits `prefix.secret`; undefined when the text does not have this form. */
export function parseKey(text: string): KeyParts | undefined {
  const dot = text.indexOf('.');
  if (dot < 1 || dot === text.length - 1) return undefined;
  return { prefix: text.slice(0, dot), secret: text.slice(dot + 1) };
}

/** The digest of a secret (SHA-256), which is stored in its place. */
export function hashSecret(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}

/** Compares in constant time. */
export function secretMatches(secret: string, hash: Buffer): boolean {
  const given = hashSecret(secret);
  return given.length === hash.length && timingSafeEqual(given, hash);
}
