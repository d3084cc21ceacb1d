import { createHash } from 'node:crypto';

const bytesMax = 300;
const unstorable = /\p{Cc}|\p{Cs}/u;

/** An id that can be stored: itself or, if it is long or has control characters, a digest of it. */
export function nativeId(id: string): string {
  if (Buffer.byteLength(id) <= bytesMax && !unstorable.test(id)) return id;
  return `sha256:${createHash('sha256').update(id).digest('hex')}`;
}

/** The entries of `native` that are short enough to be stored with an item. */
export function shortNative(native: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(native).filter(([, value]) => nativeId(value) === value));
}
