import type { Readable } from 'node:stream';
import type { Entry } from 'yauzl';
import { bufferOf } from '../../lib/buffer-of.js';
import { reasonOf } from '../../lib/reason-of.js';
import { encryptedFile, mislabelledFile, ParseError } from './parser.js';

/** Limits for an archive; more would fill the memory of its reader. */
const entriesMax = 20_000;
const inflatedBytesMax = 200 * 1024 * 1024;
/**
 * A limit for one entry: the XML of a sheet full of one number shrinks to a hundredth, and nothing honest
 * shrinks more.
 */
const inflationMax = 250;
const inflationFreeBytes = 1024 * 1024;

const zipSignature = [0x50, 0x4b];
/** The signature of the record that ends an archive; the archive's comment follows it. */
const endSignature = Buffer.from([0x50, 0x4b, 0x05, 0x06]);
const endBytes = 22;

/** Parts of yauzl 3 that its published types lack. */
interface Archive {
  eachEntry(): AsyncIterable<Entry>;
  openReadStreamPromise(entry: Entry): Promise<Readable>;
}

/** Whether bytes begin as a zip archive does. */
export function isZip(bytes: Uint8Array): boolean {
  return zipSignature.every((byte, index) => bytes[index] === byte);
}

/**
 * The wanted files of a zip archive by name, with `/` between folders. Declared sizes are not trusted:
 * unpacking stops at the first byte beyond a limit, `bytesMax` for all of them.
 * @throws ParseError E1001 when it is no archive, damaged, encrypted, or beyond the limits
 */
export async function unzip(
  bytes: Uint8Array,
  isWanted: (name: string) => boolean = () => true,
  bytesMax = inflatedBytesMax,
): Promise<Map<string, Uint8Array>> {
  if (!isZip(bytes)) throw mislabelledFile('it is no zip archive');
  const yauzl = (await import('yauzl')) as unknown as {
    fromBufferPromise(buffer: Buffer, options: object): Promise<Archive>;
  };
  const files = new Map<string, Uint8Array>();
  try {
    const archive = await yauzl.fromBufferPromise(withoutTail(bufferOf(bytes)), {
      lazyEntries: true,
      validateEntrySize: true,
    });
    let entries = 0;
    let inflated = 0;
    for await (const entry of archive.eachEntry()) {
      entries += 1;
      if (entries > entriesMax) throw tooLarge(`more than ${entriesMax} files`);
      if (entry.fileName.endsWith('/') || !isWanted(entry.fileName)) continue;
      const content = await inflate(archive, entry, bytesMax - inflated);
      inflated += content.byteLength;
      files.set(entry.fileName, content);
    }
  } catch (error) {
    if (error instanceof ParseError) throw error;
    throw new ParseError('E1001', `The archive is damaged: ${reasonOf(error)}`);
  }
  return files;
}

/**
 * An archive without bytes after its end. Web servers and mail programs add a line end or zeros, which the
 * library does not expect.
 */
function withoutTail(archive: Buffer): Buffer {
  const start = archive.lastIndexOf(endSignature);
  if (start < 0 || start + endBytes > archive.length) return archive;
  return archive.subarray(0, start + endBytes + archive.readUInt16LE(start + endBytes - 2));
}

async function inflate(archive: Archive, entry: Entry, bytesMax: number): Promise<Uint8Array> {
  if (entry.isEncrypted()) throw encryptedFile();
  const ofEntry = Math.max(entry.compressedSize * inflationMax, inflationFreeBytes);
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of await archive.openReadStreamPromise(entry)) {
    bytes += (part as Buffer).byteLength;
    if (bytes > Math.min(bytesMax, ofEntry)) throw tooLarge(`${entry.fileName} inflates to more than it may`);
    parts.push(part as Buffer);
  }
  return Buffer.concat(parts, bytes);
}

function tooLarge(what: string): ParseError {
  return new ParseError('E1001', `The archive is too large to be read safely: ${what}.`);
}
