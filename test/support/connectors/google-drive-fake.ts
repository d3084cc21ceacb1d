import { createHash } from 'node:crypto';
import { googleDrive } from '../../../src/connectors/providers/google-drive.js';
import { readDriveQuery } from './drive-query.js';
import { GoogleRefusal, GoogleServer, googleCredentials, partOf } from './google-server.js';
import type { GoogleAnswer, GoogleRequest } from './google-server.js';
import type { FakeFailure, FakedProvider, ProviderFake } from './provider-fake.js';

const folderType = 'application/vnd.google-apps.folder';
const filesPerPageMax = 1000;
/** When permissions are asked for. */
const filesWithPermissionsMax = 100;
const driveOwner = { displayName: 'Olga Owner', emailAddress: 'Olga@example.com' };

export interface FakePermission {
  readonly id: string;
  readonly type: 'user' | 'group' | 'domain' | 'anyone';
  readonly emailAddress?: string;
  readonly domain?: string;
  readonly deleted?: boolean;
  readonly view?: string;
  readonly role?: string;
}

export const ownerPermission: FakePermission = {
  id: '0001',
  type: 'user',
  role: 'owner',
  emailAddress: driveOwner.emailAddress,
};

/** A file as Google Drive describes it, and what is in it. */
export interface FakeFile {
  id: string;
  name: string;
  mimeType: string;
  description?: string;
  parents?: string[];
  trashed: boolean;
  sharedWithMe?: boolean;
  driveId?: string;
  createdTime: string;
  modifiedTime: string;
  owners?: object[];
  lastModifyingUser?: object;
  shortcutDetails?: { targetId: string; targetMimeType: string };
  capabilities: { canDownload: boolean };
  /** What is told of them depends on where the file lies, and on who asks. */
  shared: FakePermission[];
  mayShare: boolean;
  content: string;
  /** Formats in which it is larger than 10 MB. */
  tooLargeAs: string[];
}

/** Google Drive with the one account that it knows: its drive, shared drives, and what was changed. */
export class GoogleDriveFake implements ProviderFake {
  readonly credentials = googleCredentials;
  readonly wrongCredentials = { ...googleCredentials, refresh_token: '1//another' };
  readonly missingResourceId = '1missing_missing_missing_missing_';
  readonly files = new Map<string, FakeFile>();
  readonly drives = new Map<string, { name: string; members: FakePermission[]; hidesMembers?: boolean }>();
  readonly root: FakeFile;
  readonly folder: FakeFile;
  /** Before it no change is remembered. */
  oldestChange = 1;
  private readonly changes: { fileId: string; driveId: string | undefined }[] = [];
  private count = 0;

  private constructor(readonly server: GoogleServer) {
    server.answer = (request) => this.answer(request);
    this.root = this.put({ name: 'My Drive', mimeType: folderType, parents: [] });
    this.folder = this.put({ name: 'Notes', mimeType: folderType, parents: [this.root.id] });
  }

  static async start(): Promise<GoogleDriveFake> {
    return new GoogleDriveFake(await GoogleServer.start());
  }

  get baseUrl(): string {
    return this.server.baseUrl;
  }

  get requests(): number {
    return this.server.requests;
  }

  get resource() {
    return { id: this.folder.id, type: 'folder' };
  }

  fail = (failure: FakeFailure, times: number): void => this.server.fail(failure, times);

  /** A file in the folder, unless something else is said. */
  put(given: Partial<FakeFile> & { readonly name: string }): FakeFile {
    const now = this.tick();
    const file: FakeFile = {
      id: `1${createHash('sha256').update(`${this.count}`).digest('base64url').slice(0, 32)}`,
      mimeType: 'text/plain',
      parents: given.parents ?? [this.folder.id],
      trashed: false,
      createdTime: now,
      modifiedTime: now,
      owners: [driveOwner],
      lastModifyingUser: driveOwner,
      capabilities: { canDownload: true },
      shared: [ownerPermission],
      mayShare: true,
      content: '',
      tooLargeAs: [],
      ...given,
    };
    this.files.set(file.id, file);
    this.note(file);
    return file;
  }

  putFolder(name: string, parent: FakeFile, more: Partial<FakeFile> = {}): FakeFile {
    return this.put({ name, mimeType: folderType, parents: [parent.id], ...more });
  }

  putDrive(name: string, members: FakePermission[]): FakeFile {
    const drive = this.put({ name: 'Drive', mimeType: folderType, parents: [] });
    delete drive.owners;
    drive.driveId = drive.id;
    this.drives.set(drive.id, { name, members });
    return drive;
  }

  /** Changes a file; its children are not said to have changed with it. */
  change(file: FakeFile, changed: Partial<FakeFile>): void {
    Object.assign(file, { modifiedTime: this.tick(), ...changed });
    this.note(file);
  }

  async add(count: number, word: string): Promise<string[]> {
    return Array.from(
      { length: count },
      (_, index) => this.put({ name: `note ${index}.txt`, content: `${word} of note ${index}` }).id,
    );
  }

  async edit(id: string, word: string): Promise<void> {
    this.change(this.require(id), { content: `${word} was written` });
  }

  async remove(id: string): Promise<void> {
    this.note(this.require(id));
    this.files.delete(id);
  }

  async close(): Promise<void> {
    await this.server.close();
  }

  private tick(): string {
    return new Date(Date.now() - 86_400_000 + ++this.count * 1000).toISOString();
  }

  private note({ id, driveId }: FakeFile): void {
    this.changes.push({ fileId: id, driveId });
  }

  private require(id: string): FakeFile {
    const file = this.files.get(id);
    if (!file) throw new GoogleRefusal(404, 'notFound', `File not found: ${id}.`);
    return file;
  }

  private answer({ path, query }: GoogleRequest): GoogleAnswer {
    const [, , , kind = '', id = '', part = ''] = path.split('/').map(decodeURIComponent);
    const fields = query.get('fields') ?? '';
    if (!path.startsWith('/drive/v3/')) throw new GoogleRefusal(404, 'notFound', 'Not Found');
    if (kind === 'about') {
      if (fields === '')
        throw new GoogleRefusal(400, 'required', "The 'fields' parameter is required for this method.");
      return partOf({ kind: 'drive#about', user: driveOwner }, fields);
    }
    if (kind === 'drives') return partOf(id ? this.drive(id) : this.listDrives(query), fields);
    if (kind === 'changes' && id === 'startPageToken')
      return { kind: 'drive#startPageToken', startPageToken: String(this.changes.length + 1) };
    if (kind === 'changes') return partOf(this.listChanges(query), fields);
    if (kind === 'files' && id === '')
      return partOf(this.listFiles(query), fields || 'files(id,name,mimeType)');
    if (kind === 'files') return this.answerFile(this.visible(id, query), part, query);
    throw new GoogleRefusal(404, 'notFound', 'Not Found');
  }

  private answerFile(file: FakeFile, part: string, query: URLSearchParams): GoogleAnswer {
    const google = file.mimeType.startsWith('application/vnd.google-apps.');
    if (part === 'permissions') return partOf(this.listPermissions(file, query), query.get('fields') ?? '');
    if (part === 'export') {
      const format = query.get('mimeType') ?? '';
      if (!google || file.mimeType === folderType)
        throw new GoogleRefusal(403, 'fileNotExportable', 'Export only supports Docs Editors files.');
      if (file.tooLargeAs.includes(format))
        throw new GoogleRefusal(403, 'exportSizeLimitExceeded', 'This file is too large to be exported.');
      return Buffer.from(`${format}: ${file.content}`);
    }
    if (query.get('alt') !== 'media')
      return partOf(this.shown(file), query.get('fields') || 'id,name,mimeType');
    if (google)
      throw new GoogleRefusal(
        403,
        'fileNotDownloadable',
        'Only files with binary content can be downloaded.',
      );
    return Buffer.from(file.content);
  }

  private visible(id: string, query: URLSearchParams): FakeFile {
    const file = this.require(id === 'root' ? this.root.id : id);
    if (file.driveId && query.get('supportsAllDrives') !== 'true')
      throw new GoogleRefusal(404, 'notFound', `File not found: ${id}.`);
    return file;
  }

  /** In shared drives, and to who may not share, permissions are not told. */
  private shown(file: FakeFile): Readonly<Record<string, unknown>> {
    const { content, shared, mayShare, ...rest } = file;
    const all = file.driveId ? [...(this.drives.get(file.driveId)?.members ?? []), ...shared] : shared;
    const google = file.mimeType.startsWith('application/vnd.google-apps.');
    const stored = google
      ? {}
      : {
          size: String(Buffer.byteLength(content)),
          md5Checksum: createHash('md5').update(content).digest('hex'),
        };
    return {
      ...rest,
      ...stored,
      kind: 'drive#file',
      webViewLink: `https://drive.google.com/file/d/${file.id}/view?usp=drivesdk`,
      ...(mayShare ? { permissionIds: all.map(({ id }) => id) } : {}),
      ...(mayShare && !file.driveId ? { permissions: shared } : {}),
    };
  }

  private listFiles(query: URLSearchParams): object {
    const q = query.get('q') ?? '';
    const matches = readDriveQuery(q);
    const driveId = query.get('driveId') ?? undefined;
    if (driveId !== undefined && query.get('corpora') !== 'drive')
      throw new GoogleRefusal(400, 'invalid', 'driveId requires corpora=drive');
    const everywhere =
      query.get('includeItemsFromAllDrives') === 'true' && query.get('supportsAllDrives') === 'true';
    if (driveId !== undefined && !everywhere)
      throw new GoogleRefusal(403, 'teamDrivesParametersRequired', 'includeItemsFromAllDrives is required');
    const [, parent] = /^'([^']+)' in parents/.exec(q) ?? [];
    if (parent !== undefined && parent !== 'root' && !this.files.has(parent))
      throw new GoogleRefusal(404, 'notFound', `File not found: ${parent}.`);
    const found = [...this.files.values()]
      .filter((file) => file.driveId === driveId && matches(this.asAsked(file)))
      .map((file) => this.shown(file));
    const max = (query.get('fields') ?? '').includes('permissions(')
      ? filesWithPermissionsMax
      : filesPerPageMax;
    return page('files', found, { query, q, max });
  }

  /** The root may be called `root` in a query. */
  private asAsked(file: FakeFile): Readonly<Record<string, unknown>> {
    const parents = (file.parents ?? []).flatMap((id) => (id === this.root.id ? [id, 'root'] : [id]));
    return { ...file, parents };
  }

  private listPermissions(file: FakeFile, query: URLSearchParams): object {
    const drive = this.drives.get(file.driveId ?? '');
    if (!file.mayShare || drive?.hidesMembers)
      throw new GoogleRefusal(
        403,
        'insufficientFilePermissions',
        'The user does not have sufficient permissions',
      );
    const all =
      file.id === file.driveId ? (drive?.members ?? []) : [...(drive?.members ?? []), ...file.shared];
    return page('permissions', all, { query, q: file.id, max: 100 });
  }

  private drive(id: string): object {
    const drive = this.drives.get(id);
    if (!drive) throw new GoogleRefusal(404, 'notFound', `Shared drive not found: ${id}`);
    return { kind: 'drive#drive', id, name: drive.name };
  }

  private listDrives(query: URLSearchParams): object {
    const all = [...this.drives].map(([id, { name }]) => ({ kind: 'drive#drive', id, name }));
    return page('drives', all, { query, q: 'drives', max: 100 });
  }

  /** Each file once, as it is now. */
  private listChanges(query: URLSearchParams): object {
    const token = query.get('pageToken') ?? '';
    const start = Number(token);
    if (!/^\d+$/.test(token) || start < this.oldestChange || start > this.changes.length + 1)
      throw new GoogleRefusal(400, 'invalid', 'Invalid Value');
    const driveId = query.get('driveId') ?? undefined;
    const size = Math.min(Number(query.get('pageSize') ?? 100), 1000);
    const changes: object[] = [];
    let at = start - 1;
    for (; at < this.changes.length && changes.length < size; at++) {
      const change = this.changes[at];
      if (!change || change.driveId !== driveId) continue;
      if (this.changes.some((later, index) => index > at && later.fileId === change.fileId)) continue;
      const file = this.files.get(change.fileId);
      changes.push({
        kind: 'drive#change',
        changeType: 'file',
        fileId: change.fileId,
        removed: file === undefined,
        ...(file ? { file: this.shown(file) } : {}),
      });
    }
    const isLast = at >= this.changes.length;
    return { changes, [isLast ? 'newStartPageToken' : 'nextPageToken']: String(at + 1) };
  }
}

/** A page of a list; its token is good for the same question only. */
function page(
  key: string,
  all: readonly object[],
  { query, q, max }: { query: URLSearchParams; q: string; max: number },
): object {
  const size = Number(query.get('pageSize') ?? 100);
  const invalid = new GoogleRefusal(400, 'invalid', 'Invalid Value');
  if (!Number.isInteger(size) || size < 1 || size > filesPerPageMax) throw invalid;
  const token = query.get('pageToken');
  const [asked, from = '0'] = token === null ? [q] : Buffer.from(token, 'base64url').toString().split('\n');
  if (asked !== q || !/^\d+$/.test(from)) throw invalid;
  const end = Number(from) + Math.min(size, max);
  return {
    [key]: all.slice(Number(from), end),
    ...(end < all.length ? { nextPageToken: Buffer.from(`${q}\n${end}`).toString('base64url') } : {}),
  };
}

export const fakedGoogleDrive: FakedProvider = {
  provider: googleDrive,
  start: () => GoogleDriveFake.start(),
  manyObjects: 250,
};
