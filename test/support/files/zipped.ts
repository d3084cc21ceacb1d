import { strToU8, zipSync } from 'fflate';

/** A zip archive of texts, which compose the newer Office files, OpenDocument and EPUB. */
export function zipped(files: Readonly<Record<string, string | Uint8Array>>): Uint8Array {
  return zipSync(
    Object.fromEntries(
      Object.entries(files).map(([name, content]) => [
        name,
        typeof content === 'string' ? strToU8(content) : content,
      ]),
    ),
  );
}
