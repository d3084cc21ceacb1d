/** The same bytes as a Buffer, without copying; empty for undefined. */
export function bufferOf(bytes: Uint8Array = new Uint8Array()): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
