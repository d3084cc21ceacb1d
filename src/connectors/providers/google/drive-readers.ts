import type { drive_v3 } from '@googleapis/drive';
import { permissionFields } from './drive-api.js';
import type { DriveApi, DriveFile } from './drive-api.js';
import { ifGone } from './google-error.js';

type Permission = drive_v3.Schema$Permission;

const permissionsPerListing = 100;

/**
 * Finds who may read a file. In the account's own drive a file comes with its permissions; in a shared drive
 * only with their ids, each of which means the same person, group or domain everywhere.
 */
export class DriveReaders {
  /** Principals by permission id; null for a permission that gives access to nobody whom we can name. */
  private readonly principals = new Map<string, string | null>();
  private readonly drives = new Map<string, Promise<void>>();

  constructor(private readonly api: DriveApi) {}

  async of(file: DriveFile, signal: AbortSignal): Promise<readonly string[]> {
    if (file.permissions?.length) return named(file.permissions.map(principalOf));
    return file.driveId && file.permissionIds
      ? this.inSharedDrive(file.driveId, { id: file.id ?? '', ids: file.permissionIds }, signal)
      : this.withoutPermissions(file, signal);
  }

  private async inSharedDrive(
    driveId: string,
    file: { readonly id: string; readonly ids: readonly string[] },
    signal: AbortSignal,
  ): Promise<readonly string[]> {
    const isUnknown = (id: string) => !this.principals.has(id);
    if (file.ids.some(isUnknown)) await this.learnDrive(driveId, signal);
    if (file.ids.some(isUnknown)) await this.learn(file.id, signal);
    for (const id of file.ids.filter(isUnknown)) this.principals.set(id, null);
    return named([...file.ids.map((id) => this.principals.get(id) ?? null), await this.own(signal)]);
  }

  /** Requests the members of a shared drive, who may read all of it; once per drive. */
  private learnDrive(driveId: string, signal: AbortSignal): Promise<void> {
    const known = this.drives.get(driveId);
    if (known) return known;
    const learnt = this.learn(driveId, signal).catch((error: unknown) => {
      this.drives.delete(driveId);
      throw error;
    });
    this.drives.set(driveId, learnt);
    return learnt;
  }

  /**
   * The readers of a file whose permissions are hidden because this account may not share it: this account
   * and the owners.
   */
  private async withoutPermissions(file: DriveFile, signal: AbortSignal): Promise<readonly string[]> {
    const isPublic = (file.permissionIds ?? []).some((id) => id.startsWith('anyone'));
    const owners = (file.owners ?? []).map(({ emailAddress }) => user(emailAddress));
    return named([...(isPublic ? ['public'] : []), await this.own(signal), ...owners]);
  }

  private async own(signal: AbortSignal): Promise<string | null> {
    return user(await this.api.ownAddress(signal));
  }

  /**
   * Requests the permissions of a file or a shared drive; learns nothing when this account may not see them.
   */
  private async learn(fileId: string, signal: AbortSignal): Promise<void> {
    let pageToken: string | undefined;
    do {
      const answer = await this.api
        .ask(signal, (drive, options) =>
          drive.permissions.list(
            {
              fileId,
              supportsAllDrives: true,
              pageSize: permissionsPerListing,
              fields: `nextPageToken,permissions(${permissionFields})`,
              ...(pageToken === undefined ? {} : { pageToken }),
            },
            options,
          ),
        )
        .catch(ifGone);
      for (const permission of answer?.permissions ?? [])
        if (permission.id) this.principals.set(permission.id, principalOf(permission));
      pageToken = answer?.nextPageToken ?? undefined;
    } while (pageToken !== undefined);
  }
}

/**
 * The principal that a permission admits; every role may read. One for a view admits to that alone: `metadata` shows
 * only that a folder exists, `published` a copy on the web, which may be older or less than the file.
 */
function principalOf({ type, emailAddress, domain, deleted, view }: Permission): string | null {
  if (deleted || view) return null;
  if (type === 'anyone') return 'public';
  if (type === 'domain') return domain ? `domain:${domain.toLowerCase()}` : null;
  if (type === 'group') return emailAddress ? `group:${emailAddress.toLowerCase()}` : null;
  return user(emailAddress);
}

function user(address: string | null | undefined): string | null {
  return address ? `user_email:${address.toLowerCase()}` : null;
}

function named(principals: readonly (string | null)[]): readonly string[] {
  return [...new Set(principals.filter((each) => each !== null))].sort();
}
