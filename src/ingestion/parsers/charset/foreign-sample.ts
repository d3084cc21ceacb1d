/**
 * A sample of a text, beginning `before` bytes before its first byte that is not ASCII: the bytes before say
 * nothing about the charset.
 */
export function foreignSample(
  bytes: Uint8Array,
  { before, most }: { before: number; most: number },
): Uint8Array {
  const start = Math.max(0, bytes.findIndex((byte) => byte > 0x7f) - before);
  return bytes.subarray(start, start + most);
}
