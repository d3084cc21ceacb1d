import { constants } from 'node:fs';
import { open, readdir, realpath, stat } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { basename, isAbsolute, join, relative, resolve, sep } from 'node:path';
import type { Readable } from 'node:stream';
import { LIMITS } from '../../../limits.js';
import { ProviderError } from '../../provider.js';

/** A folder that may be read, by its real path without links. */
export interface Folder {
  readonly path: string;
  /** The real path of the root that contains it. */
  readonly root: string;
}

/** Errors for what is gone, is something else by now, or has no valid path. */
const goneCodes = new Set('ENOENT ENOTDIR ELOOP ENAMETOOLONG EISDIR ENXIO ERR_INVALID_ARG_VALUE'.split(' '));
/** Errors for what may not be read. */
const forbiddenCodes = new Set(['EACCES', 'EPERM']);

/**
 * Returns what is found; undefined when it is gone. @throws ProviderError when it cannot be read, which says
 * nothing of whether it is there: `refused` or, when the disk fails, `unavailable`
 */
export async function unlessGone<Found>(found: Promise<Found>): Promise<Found | undefined> {
  try {
    return await found;
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (goneCodes.has(code)) return undefined;
    if (forbiddenCodes.has(code))
      throw new ProviderError('refused', `it may not be read (${code})`, { cause: error });
    throw new ProviderError('unavailable', `the disk cannot be read (${code})`, { cause: error });
  }
}

/**
 * The same for the folder of a resource, which counts as missing for as long as it may not be read: so it is
 * looked for again.
 */
export async function unlessMissing<Found>(found: Promise<Found>): Promise<Found | undefined> {
  return unlessGone(found).catch((error: unknown) => {
    if (error instanceof ProviderError && error.kind === 'refused') return undefined;
    throw error;
  });
}

/** The real paths of the roots. @throws ProviderError when none can be read */
export async function rootsThatExist(roots: readonly string[]): Promise<string[]> {
  const real = await Promise.all(roots.map((root) => realpath(root).catch(() => undefined)));
  const existing = real.filter((root) => root !== undefined);
  if (existing.length > 0) return existing;
  throw new ProviderError('unavailable', 'none of the folders in FILESYSTEM_ROOTS can be read');
}

/** The folders directly in the roots, sorted by path. */
export async function foldersUnder(roots: readonly string[]): Promise<Folder[]> {
  const found: Folder[] = [];
  for (const root of await rootsThatExist(roots)) {
    const entries = await readdir(root, { withFileTypes: true }).catch(() => []);
    for (const entry of entries)
      if (entry.isDirectory() && !isHidden(entry.name)) found.push({ path: join(root, entry.name), root });
  }
  return found.sort((one, other) => (one.path < other.path ? -1 : 1));
}

/**
 * The folder that a resource names, by its path or relative to a root. @throws ProviderError `refused` for
 * one outside of the roots, whether or not it exists; `missing`
 */
export async function resolveFolder(id: string, roots: readonly string[]): Promise<Folder> {
  if (id === '')
    throw new ProviderError('missing', 'a folder is needed, e.g. the name of one in FILESYSTEM_ROOTS');
  const existing = await rootsThatExist(roots);
  const named = [...new Set([...roots.map((root) => resolve(root)), ...existing])];
  const candidates = isAbsolute(id)
    ? named.map((root) => ({ root, path: resolve(id) }))
    : named.map((root) => ({ root, path: resolve(root, id) }));
  const inside = candidates.filter(({ path, root }) => isInside(path, root));
  if (inside.length === 0) throw outside();
  for (const { path, root } of inside) {
    if (relative(root, path).split(sep).some(isHidden)) continue;
    const real = await unlessMissing(realpath(path));
    if (real === undefined || !(await unlessMissing(stat(real)))?.isDirectory()) continue;
    const realRoot = existing.find((each) => isInside(real, each));
    if (realRoot === undefined) throw outside();
    return { path: real, root: realRoot };
  }
  throw new ProviderError('missing', 'there is no such folder in FILESYSTEM_ROOTS');
}

/** Whether a path is a folder or within it, judged by the paths alone. */
export function isInside(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

function isHidden(name: string): boolean {
  return name.startsWith('.');
}

/**
 * Opens a file's content. Where it really is, is checked after it was opened, since links may have been
 * placed in its path meanwhile. @throws ProviderError `missing` when it is gone; others when it cannot be read
 */
export async function openInside(path: string, root: string, signal: AbortSignal): Promise<Readable> {
  signal.throwIfAborted();
  const target = await unlessGone(realpath(path));
  // O_NONBLOCK, because opening a pipe in place of a file would wait.
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  const handle = target === undefined ? undefined : await unlessGone(open(target, flags));
  if (!handle) throw gone(path);
  try {
    await checkInside(handle, path, root);
    return handle.createReadStream({ end: LIMITS.fileBytesMax - 1, signal });
  } catch (error) {
    await handle.close();
    throw error;
  }
}

async function checkInside(handle: FileHandle, path: string, root: string): Promise<void> {
  const opened = await handle.stat();
  const target = await unlessGone(realpath(path));
  if (!opened.isFile() || target === undefined || !isInside(target, root)) throw gone(path);
  const named = await unlessGone(stat(target));
  if (named?.ino !== opened.ino || named.dev !== opened.dev)
    throw new ProviderError('unavailable', `${basename(path)} was replaced while it was read`);
}

function gone(path: string): ProviderError {
  return new ProviderError('missing', `${basename(path)} is not there any more`);
}

function outside(): ProviderError {
  return new ProviderError('refused', 'the folder is outside of FILESYSTEM_ROOTS');
}
