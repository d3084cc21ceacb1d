import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { SecretBox, UnopenableSecretError, openSecretBox, readSecretKey } from '../../src/lib/secret-box.js';

const [key, other] = [randomBytes(32), randomBytes(32)];
const box = new SecretBox(key);

describe('a sealed secret', () => {
  test('opens as it was, does not show it, and differs every time', () => {
    const sealed = box.seal('whsec_pärl', 'a');
    expect(box.open(sealed, 'a')).toBe('whsec_pärl');
    expect(sealed.includes('whsec')).toBe(false);
    expect(box.seal('whsec_pärl', 'a')).not.toEqual(sealed);
  });

  test('opens in no other place, with no other key, and not when a bit of it was changed', () => {
    const sealed = box.seal('secret', 'a');
    expect(() => box.open(sealed, 'b')).toThrow(UnopenableSecretError);
    expect(() => new SecretBox(other).open(sealed, 'a')).toThrow(/CREDENTIALS_KEY/);
    for (const at of [0, 8, 20, sealed.length - 1]) {
      const changed = Buffer.from(sealed);
      changed[at] = (changed[at] ?? 0) ^ 1;
      expect(() => box.open(changed, 'a')).toThrow(UnopenableSecretError);
    }
    expect(() => box.open(sealed.subarray(0, 10), 'a')).toThrow(UnopenableSecretError);
  });

  test('still opens when another key seals', () => {
    const sealed = box.seal('secret', 'a');
    const rotated = new SecretBox(other, [key]);
    expect(rotated.open(sealed, 'a')).toBe('secret');
    expect(() => box.open(rotated.seal('new', 'a'), 'a')).toThrow(UnopenableSecretError);
  });
});

describe('the key', () => {
  test('is read from hex and base64, and is 32 bytes', () => {
    for (const encoding of ['hex', 'base64', 'base64url'] as const)
      expect(readSecretKey(key.toString(encoding))).toEqual(key);
    for (const bad of ['', 'short', 'x'.repeat(64), randomBytes(31).toString('hex')])
      expect(readSecretKey(bad)).toBeUndefined();
  });

  test('that nobody configured is made once, for its owner alone', () => {
    const folder = mkdtempSync(join(process.env['TEST_FOLDER'] ?? '', 'secret-box-'));
    const sealed = openSecretBox([], folder).seal('secret', 'a');
    expect(openSecretBox([], folder).open(sealed, 'a')).toBe('secret');
    const file = join(folder, 'credentials-key');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readSecretKey(readFileSync(file, 'utf8').trim())).toHaveLength(32);
    expect(() => openSecretBox([other], folder).open(sealed, 'a')).toThrow(UnopenableSecretError);
    writeFileSync(file, 'nonsense');
    expect(() => openSecretBox([], folder)).toThrow(/credentials-key/);
  });
});
