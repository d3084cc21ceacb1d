import { createHash } from 'node:crypto';
import type { drive_v3 } from '@googleapis/drive';
import { z } from 'zod';
import { forEachConcurrently } from '../../lib/for-each-concurrently.js';
import { readCursor } from '../cursor.js';
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
} from '../provider.js';
import { DriveApi, driveOf, fileFields, folderType, shortcutType } from './google/drive-api.js';
import type { DriveFile, DriveFolder } from './google/drive-api.js';
import { driveItem, isReadable } from './google/drive-item.js';
import { DriveReaders } from './google/drive-readers.js';
import { DriveTree } from './google/drive-tree.js';
import type { Place, TreeScope } from './google/drive-tree.js';
import { credentialSteps, googleCredentials } from './google/google-account.js';
import type { GoogleCredentials } from './google/google-account.js';
import { expiredOf } from './google/google-error.js';

const changesPerPage = 200;
const requestsAtOnce = 8;

const filters = z.strictObject({
  recursive: z.boolean().optional().describe('Whether folders within the folder are read too; default true'),
  mime_types: z
    .array(z.string().trim().min(1))
    .optional()
    .describe('Only files of these MIME types, e.g. application/pdf or application/vnd.google-apps.document'),
});

/** The cursor of `discover`: a list, and Google's token for its next page. */
const discoverCursor = /^(drives|folders):(.*)$/s;

const placeShape = z.object({
  path: z.array(z.string()).min(1).readonly(),
  page: z.string().optional(),
  oldest: z.iso.datetime(),
});
/**
 * The cursor of `read`: during the first reading a place in the tree, with the token from which changes will
 * be read; afterwards a page of changes.
 */
const readingShape = z.union([
  z.object({ changes: z.string() }),
  z.object({ at: placeShape, since: z.string() }),
]);

/** The parameters for a page of a list. */
interface ListPart {
  readonly pageSize: number;
  readonly pageToken?: string;
}

interface DriveScope extends TreeScope {
  readonly oldest: Date;
  readonly mimeTypes: readonly string[] | undefined;
}

class GoogleDriveSession implements Session {
  private readonly api: DriveApi;
  private readonly tree: DriveTree;
  private readonly whoReads: DriveReaders;

  constructor(connection: Connection<GoogleCredentials>) {
    this.api = new DriveApi(connection);
    this.tree = new DriveTree(this.api);
    this.whoReads = new DriveReaders(this.api);
  }

  async check(signal: AbortSignal): Promise<void> {
    await this.api.ask(signal, (drive, options) =>
      drive.about.get({ fields: 'user(emailAddress)' }, options),
    );
  }

  /**
   * First the account's own drive, then shared drives, then the folders at the top of the drive and those
   * shared by others.
   */
  async discover(
    { cursor, limit }: { cursor: string; limit: number },
    signal: AbortSignal,
  ): Promise<DiscoveredPage> {
    if (cursor === '') return { resources: [await this.describe('root', signal)], nextCursor: 'drives:' };
    const [, part, token = ''] = discoverCursor.exec(cursor) ?? [];
    if (part === undefined) throw new ProviderError('expired', 'no list of Google Drive goes on there');
    const asked = { pageSize: limit, ...(token === '' ? {} : { pageToken: token }) };
    const listed = part === 'drives' ? this.sharedDrives(asked, signal) : this.topFolders(asked, signal);
    return listed.catch((error: unknown) => {
      throw token === '' ? error : expiredOf(error, [400, 404, 410]);
    });
  }

  private async sharedDrives(asked: ListPart, signal: AbortSignal): Promise<DiscoveredPage> {
    const { drives = [], nextPageToken } = await this.api.ask(signal, (drive, options) =>
      drive.drives.list({ ...asked, fields: 'nextPageToken,drives(id,name)' }, options),
    );
    return {
      resources: drives.map((each) => resourceOf(each, { shared_drive: true })),
      nextCursor: nextPageToken ? `drives:${nextPageToken}` : 'folders:',
    };
  }

  private async topFolders(asked: ListPart, signal: AbortSignal): Promise<DiscoveredPage> {
    const q = `mimeType = '${folderType}' and trashed = false and ('root' in parents or sharedWithMe = true)`;
    const { files = [], nextPageToken } = await this.api.ask(signal, (drive, options) =>
      drive.files.list(
        { ...asked, q, fields: 'nextPageToken,files(id,name,webViewLink)', orderBy: 'name_natural' },
        options,
      ),
    );
    return {
      resources: files.map((each) =>
        resourceOf(each, { shared_drive: false, ...(each.webViewLink ? { url: each.webViewLink } : {}) }),
      ),
      nextCursor: nextPageToken ? `folders:${nextPageToken}` : null,
    };
  }

  async describe(resourceId: string, signal: AbortSignal): Promise<DiscoveredResource> {
    const { name, driveId, url } = await this.api.describedFolder(resourceId, signal);
    const metadata = { shared_drive: driveId !== undefined, ...(url ? { url } : {}) };
    return { id: resourceId, name, type: 'folder', metadata };
  }

  async read(resource: ResourceScope, cursor: string, signal: AbortSignal): Promise<Page> {
    signal.throwIfAborted();
    const scope = await this.scopeOf(resource, signal);
    const from = readCursor(cursor, readingShape);
    if (from && 'changes' in from) return this.changes(from.changes, scope, signal);
    const since = from?.since ?? (await this.startOfChanges(scope.folder, signal));
    const { entries, next } = await this.page(from?.at, scope, signal);
    const after: z.infer<typeof readingShape> = next ? { at: next, since } : { changes: since };
    return { entries, cursor: JSON.stringify(after), more: next !== undefined };
  }

  async walk(resource: ResourceScope, cursor: string, signal: AbortSignal): Promise<Page> {
    signal.throwIfAborted();
    const scope = await this.scopeOf(resource, signal);
    const { entries, next } = await this.page(readCursor(cursor, placeShape), scope, signal);
    return { entries, cursor: next ? JSON.stringify(next) : '', more: next !== undefined };
  }

  async close(): Promise<void> {}

  private async scopeOf(resource: ResourceScope, signal: AbortSignal): Promise<DriveScope> {
    const { recursive = true, mime_types: mimeTypes } = filters.parse(resource.filters);
    return {
      folder: await this.api.folder(resource.id, signal),
      oldest: resource.oldest,
      recursive,
      mimeTypes,
    };
  }

  private async startOfChanges({ driveId }: DriveFolder, signal: AbortSignal): Promise<string> {
    const { startPageToken } = await this.api.ask(signal, (drive, options) =>
      drive.changes.getStartPageToken({ supportsAllDrives: true, ...(driveId ? { driveId } : {}) }, options),
    );
    if (startPageToken) return startPageToken;
    throw new ProviderError('unavailable', 'Google Drive does not say where its changes begin');
  }

  private async page(
    at: Place | undefined,
    scope: DriveScope,
    signal: AbortSignal,
  ): Promise<{ entries: Entry[]; next: Place | undefined }> {
    const { files, next } = await this.tree
      .list(at ?? { path: [scope.folder.id], oldest: scope.oldest.toISOString() }, scope, signal)
      .catch((error: unknown) => {
        throw at?.page === undefined ? error : expiredOf(error, [400, 410]);
      });
    const entries = await entriesOf(files, (file) => this.entryOf(file, scope, signal));
    return { entries, next };
  }

  /**
   * Reads changes in the whole account or shared drive. Changed files that are not below the folder (any
   * more) count as deleted from it.
   */
  private async changes(pageToken: string, scope: DriveScope, signal: AbortSignal): Promise<Page> {
    const fields = `nextPageToken,newStartPageToken,changes(changeType,fileId,removed,file(${fileFields}))`;
    const answer = await this.api
      .ask(signal, (drive, options) =>
        drive.changes.list(
          { ...driveOf(scope.folder), pageToken, pageSize: changesPerPage, fields },
          options,
        ),
      )
      .catch((error: unknown) => {
        throw expiredOf(error, [400, 404, 410]);
      });
    const files = latestOf(answer.changes ?? []);
    for (const [id, file] of files)
      if (!file || file.mimeType === folderType) this.tree.moved(id, file?.parents ?? undefined);
    const existing = [...files.values()].filter((file) => file !== undefined);
    const entries = await entriesOf(existing, async (file) =>
      (await this.tree.isBelow(file, scope, signal)) ? this.entryOf(file, scope, signal) : undefined,
    );
    const shownIds = new Set(entries.map(({ id }) => id));
    const next = answer.nextPageToken ?? undefined;
    return {
      entries,
      deleted: [...files.keys()].filter((id) => !shownIds.has(id)),
      cursor: JSON.stringify({ changes: next ?? answer.newStartPageToken ?? pageToken }),
      more: next !== undefined,
    };
  }

  /**
   * The entry of a file; undefined if it is not to be read. A shortcut is read as its target, but under its
   * own id, because the target may be elsewhere.
   */
  private async entryOf(file: DriveFile, scope: DriveScope, signal: AbortSignal): Promise<Entry | undefined> {
    if (!file.id || file.mimeType === folderType) return undefined;
    const target = file.mimeType === shortcutType ? await this.targetOf(file, signal) : file;
    if (!target || !isWanted(target, scope) || !isReadable(target)) return undefined;
    return {
      id: file.id,
      version: versionOf(target),
      readers: await this.whoReads.of(target, signal),
      load: (loadSignal) => driveItem(this.api, target, loadSignal),
    };
  }

  private async targetOf(
    { shortcutDetails }: DriveFile,
    signal: AbortSignal,
  ): Promise<DriveFile | undefined> {
    const { targetId, targetMimeType } = shortcutDetails ?? {};
    if (!targetId || targetMimeType === folderType) return undefined;
    const target = await this.api.fileIfAny(targetId, fileFields, signal);
    return target?.trashed || target?.mimeType === shortcutType ? undefined : target;
  }
}

/** The entries of files in their order, without files that are not read. */
async function entriesOf(
  files: readonly DriveFile[],
  entryOf: (file: DriveFile) => Promise<Entry | undefined>,
): Promise<Entry[]> {
  const entries: (Entry | undefined)[] = files.map(() => undefined);
  await forEachConcurrently([...files.entries()], requestsAtOnce, async ([index, file]) => {
    entries[index] = await entryOf(file);
  });
  return entries.filter((entry) => entry !== undefined);
}

function resourceOf(
  { id, name }: { readonly id?: string | null; readonly name?: string | null },
  metadata: DiscoveredResource['metadata'],
): DiscoveredResource {
  return { id: id ?? '', name: name || (id ?? ''), type: 'folder', metadata };
}

function isWanted({ mimeType, modifiedTime, createdTime }: DriveFile, { oldest, mimeTypes }: DriveScope) {
  if (mimeTypes && !mimeTypes.includes(mimeType ?? '')) return false;
  return [modifiedTime, createdTime].some((time) => Date.parse(time ?? '') >= oldest.getTime());
}

/** A version of our own. Google's counts views too. */
function versionOf({ md5Checksum, modifiedTime, name, description, mimeType, parents }: DriveFile): string {
  const shown = [md5Checksum ?? null, modifiedTime, name, description ?? null, mimeType, parents ?? []];
  return createHash('sha256').update(JSON.stringify(shown)).digest('base64url');
}

/** The last state of each changed file; undefined if it is gone. */
function latestOf(changes: readonly drive_v3.Schema$Change[]): Map<string, DriveFile | undefined> {
  const files = new Map<string, DriveFile | undefined>();
  for (const { changeType, fileId, removed, file } of changes) {
    if (changeType === 'drive' || !fileId) continue;
    files.set(fileId, removed || !file || file.trashed ? undefined : file);
  }
  return files;
}

export const googleDrive: Provider<GoogleCredentials> = {
  id: 'google-drive',
  name: 'Google Drive',
  category: 'files',
  authTypes: ['oauth'],
  resourceType: 'folder',
  supportsAcl: true,
  indexedObjectTypes: ['document', 'spreadsheet', 'presentation', 'drawing', 'file'],
  searchableFields: ['title', 'description', 'content'],
  filterableFields: ['file_id', 'folder_id', 'drive_id', 'mime_type'],
  credentials: googleCredentials,
  filters,
  setupGuide: `${credentialSteps('Google Drive API', 'drive.readonly')}
5. A resource is the id of a folder: the last part of its address in the browser. \`root\` is the whole My Drive; the id of a shared drive is that whole drive.

Google Docs, Sheets, Slides and Drawings are read, and files of every kind that can be uploaded, up to 50 MB. Shortcuts to files are followed, those to folders are not. A folder that is moved in or out is noticed by the daily walk. A file is for those with whom it is shared: people (\`user_email:…\`), groups (\`group:<address>\`), domains (\`domain:…\`); with a link for everyone it is \`public\`. Where the account is not told with whom, it is for the account itself and the owner.
`,
  open: (connection) => new GoogleDriveSession(connection),
};
