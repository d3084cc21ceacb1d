import { LIMITS } from '../../limits.js';
import type { InnerFile } from './parser.js';
import { extensionOf, innerParserFor } from './parsers.js';
import { isZip, unzip } from './zip.js';

const archiveTypes = /^application\/(?:x-)?zip(?:-compressed)?$/;
/** What systems add for themselves. */
const hidden = /(?:^|\/)(?:__MACOSX\/|\.)/;

/** Whether a file is a zip archive, and no document that is packed as one. */
export function isArchive({ name, contentType = '', bytes }: InnerFile): boolean {
  return isZip(bytes) && (extensionOf(name) === 'zip' || archiveTypes.test(contentType));
}

/**
 * The files of an archive that can be read, archives included; it may hold as much as an uploaded file.
 * @throws ParseError E1001 as `unzip` does
 */
export async function filesInArchive(archive: InnerFile): Promise<InnerFile[]> {
  const files = await unzip(archive.bytes, isShown, LIMITS.fileBytesMax);
  return [...files].map(([name, bytes]) => ({ name, bytes }));
}

function isShown(name: string): boolean {
  const isRead = extensionOf(name) === 'zip' || innerParserFor({ name }) !== undefined;
  return isRead && !hidden.test(name);
}
