const firstBytes = 1024;

/** Collects bytes, one by one or in runs, until they are decoded together. */
export class ByteText {
  length = 0;
  private bytes = Buffer.alloc(firstBytes);

  add(bytes: Uint8Array): void {
    this.grow(bytes.length);
    this.bytes.set(bytes, this.length);
    this.length += bytes.length;
  }

  addByte(byte: number): void {
    this.grow(1);
    this.bytes[this.length] = byte;
    this.length += 1;
  }

  /** The bytes added since the last call, as a view that is valid only until the next byte is added. */
  take(): Buffer {
    const taken = this.bytes.subarray(0, this.length);
    this.length = 0;
    return taken;
  }

  private grow(more: number): void {
    if (this.length + more <= this.bytes.length) return;
    const larger = Buffer.alloc(Math.max(this.bytes.length * 2, this.length + more));
    this.bytes.copy(larger, 0, 0, this.length);
    this.bytes = larger;
  }
}
