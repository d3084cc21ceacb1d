import { ParseError } from './parser.js';

const signature = [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1];

/** Streams of an OLE compound file by their paths, `/` between storages; without the name of the root. */
export type CompoundFile = ReadonlyMap<string, Uint8Array>;

/** What its types leave open. */
interface CompoundReader {
  read(
    bytes: Buffer,
    options: { type: 'buffer' },
  ): { FullPaths: string[]; FileIndex: { type: number; content?: ArrayLike<number> }[] };
}

export function isCompoundFile(bytes: Uint8Array): boolean {
  return signature.every((byte, index) => bytes[index] === byte);
}

/** @throws ParseError E1001: damaged, or an encrypted document */
export async function openCompoundFile(bytes: Uint8Array): Promise<CompoundFile> {
  const { CFB } = (await import('@e965/xlsx')) as unknown as { CFB: CompoundReader };
  const streams = new Map<string, Uint8Array>();
  try {
    const { FullPaths, FileIndex } = CFB.read(Buffer.from(bytes), { type: 'buffer' });
    FullPaths.forEach((path, index) => {
      const entry = FileIndex[index];
      if (entry?.type !== 2 || !entry.content) return;
      streams.set(path.slice(path.indexOf('/') + 1), Uint8Array.from(entry.content));
    });
  } catch (error) {
    throw new ParseError(
      'E1001',
      `The file is damaged: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
  return streams;
}
