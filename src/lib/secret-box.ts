import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const keyBytes = 32;
/** A sealed text begins with the id of the key that sealed it. */
export const keyIdBytes = 8;
const ivBytes = 12;
const tagBytes = 16;
const keyFile = 'credentials-key';

/** None of our keys opens a sealed text, or it was changed or moved. */
export class UnopenableSecretError extends Error {
  override name = 'UnopenableSecretError';

  constructor() {
    super(
      'a stored secret was sealed with another key; CREDENTIALS_KEY must be that of the process that sealed it',
    );
  }
}

/**
 * Seals what must not be readable in the database (AES-256-GCM). The first key seals; the others open what
 * they sealed earlier, so that a key can be replaced.
 */
export class SecretBox {
  private readonly keys: ReadonlyMap<string, Buffer>;

  constructor(
    private readonly sealing: Buffer,
    older: readonly Buffer[] = [],
  ) {
    this.keys = new Map([sealing, ...older].map((key) => [idOf(key).toString('hex'), key]));
  }

  /** The ids of the keys that open, but seal no more. */
  get olderKeyIds(): Buffer[] {
    return [...this.keys.values()].filter((key) => !key.equals(this.sealing)).map(idOf);
  }

  /** `context` says whose secret it is: sealed for one context, it opens in no other. */
  seal(text: string, context: string): Buffer {
    const iv = randomBytes(ivBytes);
    const cipher = createCipheriv('aes-256-gcm', this.sealing, iv, { authTagLength: tagBytes });
    cipher.setAAD(Buffer.from(context));
    const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
    return Buffer.concat([idOf(this.sealing), iv, cipher.getAuthTag(), sealed]);
  }

  /** @throws UnopenableSecretError */
  open(sealed: Buffer, context: string): string {
    const key = this.keys.get(sealed.subarray(0, keyIdBytes).toString('hex'));
    if (!key) throw new UnopenableSecretError();
    const iv = sealed.subarray(keyIdBytes, keyIdBytes + ivBytes);
    const tag = sealed.subarray(keyIdBytes + ivBytes, keyIdBytes + ivBytes + tagBytes);
    try {
      const decipher = createDecipheriv('aes-256-gcm', key, iv, { authTagLength: tagBytes });
      decipher.setAAD(Buffer.from(context)).setAuthTag(tag);
      const text = decipher.update(sealed.subarray(keyIdBytes + ivBytes + tagBytes));
      return Buffer.concat([text, decipher.final()]).toString('utf8');
    } catch {
      throw new UnopenableSecretError();
    }
  }
}

/**
 * Opens the box with the configured keys, the sealing one first; without any, with a key that is kept in a
 * folder.
 */
export function openSecretBox(configured: readonly Buffer[], folder: string): SecretBox {
  const [sealing, ...older] = configured;
  return sealing ? new SecretBox(sealing, older) : new SecretBox(keptKey(join(folder, keyFile)));
}

/** Reads a key as it is configured, 32 bytes in hex or base64; undefined for anything else. */
export function readSecretKey(text: string): Buffer | undefined {
  const isHex = /^[0-9a-f]{64}$/i.test(text);
  if (!isHex && !/^[A-Za-z0-9+/_-]{43}=?$/.test(text)) return undefined;
  return Buffer.from(text, isHex ? 'hex' : 'base64');
}

function keptKey(file: string): Buffer {
  try {
    // Never overwrites one: another process may have been first.
    writeFileSync(file, `${randomBytes(keyBytes).toString('base64')}\n`, { mode: 0o600, flag: 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  const key = readSecretKey(readFileSync(file, 'utf8').trim());
  if (!key) throw new Error(`${file} does not hold a key of ${keyBytes} bytes`);
  return key;
}

function idOf(key: Buffer): Buffer {
  return createHash('sha256').update('key id').update(key).digest().subarray(0, keyIdBytes);
}
