import type { drive_v3 } from '@googleapis/drive';
import { ProviderError } from '../../provider.js';
import type { Connection } from '../../provider.js';
import { GoogleAccount } from './google-account.js';
import type { CallOptions, GoogleCredentials } from './google-account.js';
import { ifGone } from './google-error.js';

export type DriveFile = drive_v3.Schema$File;

export const folderType = 'application/vnd.google-apps.folder';
export const shortcutType = 'application/vnd.google-apps.shortcut';

const personFields = 'displayName,emailAddress';
/** The fields requested for every permission. */
export const permissionFields = 'id,type,emailAddress,domain,deleted,view';
/** The fields requested for every file; by default Google returns only a few. */
export const fileFields = `id,name,description,mimeType,md5Checksum,size,parents,trashed,driveId,createdTime,modifiedTime,webViewLink,owners(${personFields}),lastModifyingUser(${personFields}),capabilities(canDownload),shortcutDetails(targetId,targetMimeType),permissionIds,permissions(${permissionFields})`;

/** A folder that is read, with its place in the account. */
export interface DriveFolder {
  /** The real id, never the alias `root`. */
  readonly id: string;
  readonly name: string;
  readonly url: string | undefined;
  /** The shared drive that it is in, or is itself; undefined in the account's own drive. */
  readonly driveId: string | undefined;
}

/** Google Drive's API; failures are thrown as ProviderErrors. */
export class DriveApi {
  private readonly account: GoogleAccount;
  private client: Promise<drive_v3.Drive> | undefined;
  private readonly folders = new Map<string, DriveFolder>();
  private address: string | undefined;

  constructor(connection: Connection<GoogleCredentials>) {
    this.account = new GoogleAccount('Google Drive', connection);
  }

  async ask<Data>(
    signal: AbortSignal,
    call: (drive: drive_v3.Drive, options: CallOptions) => Promise<{ readonly data: Data }>,
  ): Promise<Data> {
    this.client ??= import('@googleapis/drive').then(({ drive }) => drive({ version: 'v3' }));
    const client = await this.client;
    return this.account.ask(signal, (options) => call(client, options));
  }

  /** Requests a file. @throws ProviderError `missing`, `refused` */
  file(fileId: string, fields: string, signal: AbortSignal): Promise<DriveFile> {
    return this.ask(signal, (drive, options) =>
      drive.files.get({ fileId, fields, supportsAllDrives: true }, options),
    );
  }

  /** Requests a file; undefined when there is none that this account may see. */
  async fileIfAny(fileId: string, fields: string, signal: AbortSignal): Promise<DriveFile | undefined> {
    return this.file(fileId, fields, signal).catch(ifGone);
  }

  /** The folder of a resource, requested once. @throws ProviderError `missing`, `refused` */
  async folder(resourceId: string, signal: AbortSignal): Promise<DriveFolder> {
    return this.folders.get(resourceId) ?? this.describedFolder(resourceId, signal);
  }

  /** The same, but requested again. */
  async describedFolder(resourceId: string, signal: AbortSignal): Promise<DriveFolder> {
    const fields = 'id,name,mimeType,trashed,driveId,webViewLink';
    const { id, mimeType, trashed, ...file } = await this.file(resourceId, fields, signal);
    if (!id || trashed || mimeType !== folderType)
      throw new ProviderError('missing', `Google Drive has no folder ${resourceId.slice(0, 100)}`);
    const driveId = file.driveId ?? undefined;
    const name = driveId === id ? await this.driveName(id, signal) : (file.name ?? '');
    const folder = { id, driveId, name: name || id, url: file.webViewLink ?? undefined };
    this.folders.set(resourceId, folder);
    return folder;
  }

  /** The e-mail address of the account. */
  async ownAddress(signal: AbortSignal): Promise<string> {
    if (this.address !== undefined) return this.address;
    const { user } = await this.ask(signal, (drive, options) =>
      drive.about.get({ fields: 'user(emailAddress)' }, options),
    );
    return (this.address = user?.emailAddress ?? '');
  }

  /** The name of a shared drive. Its own folder is always named `Drive`. */
  private async driveName(driveId: string, signal: AbortSignal): Promise<string> {
    const drive = await this.ask(signal, (client, options) =>
      client.drives.get({ driveId, fields: 'name' }, options),
    );
    return drive.name ?? '';
  }
}

/** The parameters that choose the account's own drive or a shared one for listing changes. */
export function driveOf({ driveId }: DriveFolder) {
  const everywhere = { supportsAllDrives: true, includeItemsFromAllDrives: true };
  return driveId === undefined ? everywhere : { ...everywhere, driveId };
}

/** The same for listing files, for which a shared drive also needs a corpus. */
export function corpusOf(folder: DriveFolder) {
  return folder.driveId === undefined ? driveOf(folder) : { ...driveOf(folder), corpora: 'drive' };
}
