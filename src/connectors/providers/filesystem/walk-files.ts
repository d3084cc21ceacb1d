import type { Dirent } from 'node:fs';
import { lstat, readdir, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { z } from 'zod';
import { isWantedFile, isWantedPath } from '../../file-filters.js';
import type { fileFilters } from '../../file-filters.js';
import { ProviderError } from '../../provider.js';
import { isInside, unlessGone, unlessMissing } from './roots.js';

/** A file that was found. */
export interface WalkedFile {
  /** Relative to the folder, with `/`. */
  readonly path: string;
  readonly fullPath: string;
  /** Changes when the file is written to or replaced. */
  readonly version: string;
  readonly modifiedAt: Date;
}

/**
 * A file or folder that is there, but cannot be read: it may not be, its disk fails, or its name is not valid
 * UTF-8 and so cannot be found by its decoded form.
 */
export interface Unreadable {
  readonly path: string;
  readonly fullPath: string;
  readonly version?: undefined;
  readonly isFolder: boolean;
  readonly problem: string;
}

/** What a walk covers. */
export interface WalkOptions {
  readonly folder: string;
  /** The root that links must not leave. */
  readonly root: string;
  /** Only files after this path; all when empty. */
  readonly after: string;
  readonly filters: z.infer<typeof fileFilters>;
  /** Folders within it in which another disk was mounted when they were last read; the walk keeps them up to date. */
  readonly mounts: Set<string>;
}

/** So that they fit into a cursor: some file systems count each of their parts as a disk. */
const mountsMax = 1000;

/**
 * Yields the wanted files of a folder and its subfolders, always in the same order: by name, folder by
 * folder. @throws ProviderError when the folder itself cannot be read
 */
export function walkFiles(options: WalkOptions): AsyncGenerator<WalkedFile | Unreadable, undefined> {
  return walkFolder('', options.after === '' ? [] : options.after.split('/'), options);
}

async function* walkFolder(
  folder: string,
  after: readonly string[],
  options: WalkOptions,
): AsyncGenerator<WalkedFile | Unreadable, undefined> {
  const entries = await entriesOf(folder, options);
  if (!Array.isArray(entries)) {
    yield entries;
    return undefined;
  }
  const [first = '', ...deeper] = after;
  const sorted = entries
    .filter(({ name }) => name >= first)
    .sort((one, other) => (one.name < other.name ? -1 : 1));
  for (const entry of sorted) {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
    if (!isWantedPath(path, options.filters.exclude)) continue;
    const isFirst = after.length > 0 && entry.name === first;
    if (await isUnnamed(path, options)) {
      if (!isFirst && mayBeWanted(path, entry, options))
        yield unreadable(path, options, { isFolder: false, problem: 'its name is not UTF-8' });
    } else if (entry.isDirectory()) yield* walkFolder(path, isFirst ? deeper : [], options);
    // Also when the name was that of a folder, but is now that of a file.
    else if (!isFirst || deeper.length > 0) {
      const file = await wantedFile(path, entry, options);
      if (file) yield file;
    }
  }
  return undefined;
}

/** What is in a folder; a folder that cannot be read is not an empty one. */
async function entriesOf(folder: string, options: WalkOptions): Promise<Dirent[] | Unreadable> {
  const reading = readdir(join(options.folder, folder), { withFileTypes: true });
  if (folder === '') {
    const entries = await unlessMissing(reading);
    if (entries) return entries;
    throw new ProviderError('missing', 'the folder is not there, or may not be read');
  }
  try {
    const entries = (await unlessGone(reading)) ?? [];
    if (!(await isUnmounted(folder, entries, options))) return entries;
    return unreadable(folder, options, { isFolder: true, problem: 'the disk in it is not mounted now' });
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    return unreadable(folder, options, { isFolder: true, problem: error.message });
  }
}

/** Whether a disk was mounted in a folder that is empty now; notes whether one is. */
async function isUnmounted(
  folder: string,
  entries: readonly Dirent[],
  { folder: top, mounts }: WalkOptions,
): Promise<boolean> {
  const path = join(top, folder);
  const own = await unlessGone(stat(path));
  const above = await unlessGone(stat(dirname(path)));
  const isMount = own !== undefined && above !== undefined && own.dev !== above.dev;
  if (!isMount && entries.length === 0) return mounts.has(folder);
  if (!isMount) mounts.delete(folder);
  else if (mounts.size < mountsMax) mounts.add(folder);
  return false;
}

function unreadable(
  path: string,
  { folder }: WalkOptions,
  why: Pick<Unreadable, 'isFolder' | 'problem'>,
): Unreadable {
  return { path, fullPath: join(folder, path), ...why };
}

/**
 * Whether a name is not valid UTF-8. Invalid bytes are decoded as U+FFFD, but that can also be a character of
 * a name.
 */
async function isUnnamed(path: string, { folder }: WalkOptions): Promise<boolean> {
  if (!basename(path).includes('\ufffd')) return false;
  return lstat(join(folder, path)).then(
    () => false,
    () => true,
  );
}

/** Whether an entry may be wanted, judged by its name alone. */
function mayBeWanted(path: string, entry: Dirent, { filters }: WalkOptions): boolean {
  return entry.isDirectory() || isWantedFile({ path, bytes: 1, modifiedAt: new Date() }, filters);
}

async function wantedFile(
  path: string,
  entry: Dirent,
  options: WalkOptions,
): Promise<WalkedFile | Unreadable | undefined> {
  if (!entry.isFile() && !entry.isSymbolicLink()) return undefined;
  try {
    return await statOf(path, entry, options);
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    if (!mayBeWanted(path, entry, options)) return undefined;
    return unreadable(path, options, { isFolder: false, problem: error.message });
  }
}

async function statOf(
  path: string,
  entry: Dirent,
  { folder, root, filters }: WalkOptions,
): Promise<WalkedFile | undefined> {
  const fullPath = join(folder, path);
  const target = entry.isFile() ? fullPath : await unlessGone(realpath(fullPath));
  if (target === undefined || !isInside(target, root)) return undefined;
  const found = await unlessGone(stat(target, { bigint: true }));
  if (!found?.isFile()) return undefined;
  const modifiedAt = found.mtime;
  if (!isWantedFile({ path, bytes: Number(found.size), modifiedAt }, filters)) return undefined;
  return { path, fullPath, version: `${found.mtimeNs}-${found.size}-${found.ino}`, modifiedAt };
}
