/** Bytes of a text from so many before the first that is not ASCII: what stands before them tells nothing of its charset. */
export function foreignSample(
  bytes: Uint8Array,
  { before, most }: { before: number; most: number },
): Uint8Array {
  const start = Math.max(0, bytes.findIndex((byte) => byte > 0x7f) - before);
  return bytes.subarray(start, start + most);
}
