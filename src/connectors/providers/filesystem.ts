import { basename } from 'node:path';
import { pathToFileURL } from 'node:url';
import { z } from 'zod';
import { readCursor } from '../cursor.js';
import { fileFilters } from '../file-filters.js';
import { nativeId, shortNative } from '../native-id.js';
import { ProviderError } from '../provider.js';
import type {
  Connection,
  DiscoveredPage,
  DiscoveredResource,
  Entry,
  Page,
  Provider,
  ResourceScope,
  Session,
  Unlisted,
} from '../provider.js';
import { foldersUnder, openInside, resolveFolder, rootsThatExist } from './filesystem/roots.js';
import type { Folder } from './filesystem/roots.js';
import { walkFiles } from './filesystem/walk-files.js';
import type { Unreadable, WalkedFile } from './filesystem/walk-files.js';

const pageFiles = 200;
const resourceType = 'folder';

const credentials = z.strictObject({});
type Credentials = z.infer<typeof credentials>;

/** Folders on the server's own disk, within those that its operator has listed. */
export const filesystem: Provider<Credentials> = {
  id: 'filesystem',
  name: 'Filesystem',
  category: 'files',
  authTypes: ['none'],
  resourceType,
  supportsAcl: false,
  indexedObjectTypes: ['file'],
  searchableFields: ['title', 'content'],
  filterableFields: ['path'],
  credentials,
  filters: fileFilters,
  setupGuide: `Whoever runs the server names the folders that may be read in \`FILESYSTEM_ROOTS\`, e.g.
\`FILESYSTEM_ROOTS=/srv/documents\`. The credentials are \`{}\`.

A resource is a folder in one of them: \`handbook\`, \`handbook/2026\` or \`/srv/documents/handbook\`. It is read with the
folders in it. Left out are hidden files and folders, kinds of files that cannot be read, files of more than 50 MB, and
symbolic links but for those to files of the same root.

Files that cannot be read for now stay, and so do those of a disk within the folder, as long as the place where it was mounted is there and
empty. When the folder itself is empty, or less than half of many files are left, all stay for three days. If a folder is meant to be emptied, say so with its filter \`may_be_empty\`.`,
  open: (connection) => new FilesystemSession(connection),
};

const placeForm = z.strictObject({
  /** The path of the last file that was shown; empty after all, when the next read begins again. */
  after: z.string(),
  /** Folders in which another disk was mounted when they were last read. */
  mounts: z.array(z.string()),
});
type Place = z.infer<typeof placeForm>;

/**
 * A walk that is continued where its last page ended, as long as the session lives. Another session starts
 * from the cursor.
 */
interface Walk {
  readonly key: string;
  readonly files: AsyncGenerator<WalkedFile | Unreadable, undefined>;
  /** Kept up to date by the walk. */
  readonly mounts: Set<string>;
}

class FilesystemSession implements Session {
  private begun: Walk | undefined;

  constructor(private readonly connection: Connection<Credentials>) {}

  async check(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    await rootsThatExist(this.connection.filesystemRoots);
  }

  async discover(
    { cursor, limit }: { cursor: string; limit: number },
    signal: AbortSignal,
  ): Promise<DiscoveredPage> {
    signal.throwIfAborted();
    const folders = await foldersUnder(this.connection.filesystemRoots);
    const rest = folders.filter(({ path }) => path > cursor);
    const shown = rest.slice(0, limit);
    const last = rest.length > limit ? shown.at(-1) : undefined;
    return { resources: shown.map(({ path }) => folderResource(path, path)), nextCursor: last?.path ?? null };
  }

  async describe(resourceId: string, signal: AbortSignal): Promise<DiscoveredResource> {
    signal.throwIfAborted();
    const { path } = await resolveFolder(resourceId, this.connection.filesystemRoots);
    return folderResource(resourceId, path);
  }

  async read(resource: ResourceScope, cursor: string, signal: AbortSignal): Promise<Page> {
    signal.throwIfAborted();
    const folder = await resolveFolder(resource.id, this.connection.filesystemRoots);
    const filters = fileFilters.parse(resource.filters);
    const keyOf = (next: string) => JSON.stringify([folder.path, filters, next]);
    const { after, mounts: known } = readCursor(cursor, placeForm) ?? { after: '', mounts: [] };
    const walk = this.begun?.key === keyOf(cursor) ? this.begun : walkFrom(folder, filters, { after, known });
    this.begun = undefined;
    const found: (WalkedFile | Unreadable)[] = [];
    const cursorAt = (path: string) =>
      JSON.stringify({ after: path, mounts: [...walk.mounts] } satisfies Place);
    while (found.length < pageFiles) {
      const { value } = await walk.files.next();
      signal.throwIfAborted();
      if (!value) return pageOf(found, folder, { cursor: cursorAt(''), more: false });
      found.push(value);
    }
    const next = cursorAt(found.at(-1)?.path ?? '');
    this.begun = { ...walk, key: keyOf(next) };
    return pageOf(found, folder, { cursor: next, more: true });
  }

  async close(): Promise<void> {
    this.begun = undefined;
  }
}

function folderResource(id: string, path: string): DiscoveredResource {
  return { id, name: basename(path), type: resourceType, metadata: { path } };
}

function walkFrom(
  { path, root }: Folder,
  given: z.infer<typeof fileFilters>,
  { after, known }: { after: string; known: readonly string[] },
): Omit<Walk, 'key'> {
  const mounts = new Set(known);
  return { files: walkFiles({ folder: path, root, after, filters: given, mounts }), mounts };
}

function pageOf(
  found: readonly (WalkedFile | Unreadable)[],
  folder: Folder,
  next: Pick<Page, 'cursor' | 'more'>,
): Page {
  const unlisted: Unlisted[] = [];
  const entries: Entry[] = [];
  for (const file of found)
    if (file.version === undefined && file.isFolder)
      unlisted.push({ idPrefix: `${file.fullPath}/`, problem: `${file.path}/: ${file.problem}` });
    else entries.push(entryOf(file, folder));
  return { entries, unlisted, ...next, coverage: 'all' };
}

function entryOf(file: WalkedFile | Unreadable, folder: Folder): Entry {
  const { path, fullPath } = file;
  if (file.version === undefined)
    return {
      id: nativeId(fullPath),
      load: () => Promise.reject(new ProviderError('refused', file.problem)),
    };
  const { version, modifiedAt } = file;
  const name = basename(path);
  return {
    id: nativeId(fullPath),
    version,
    load: async () => ({
      kind: 'custom',
      title: name,
      url: pathToFileURL(fullPath).href,
      type: 'file',
      timestamp: modifiedAt.toISOString(),
      fields: {},
      file: { filename: name, open: (signal) => openInside(fullPath, folder.root, signal) },
      native: shortNative({ path }),
    }),
  };
}
