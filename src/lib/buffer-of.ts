/** The same bytes as a Buffer, not a copy of them; of nothing an empty one. */
export function bufferOf(bytes: Uint8Array = new Uint8Array()): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
