import type { DriveApi, DriveFile, DriveFolder } from './drive-api.js';
import { corpusOf, fileFields, folderType, shortcutType } from './drive-api.js';
import { ifGone } from './google-error.js';

/** More come in no page of files whose permissions are told. */
const filesPerListing = 100;
const foldersPerListing = 1000;
/** Small folders are listed together, until there are so many files, or so many listings were needed. */
const filesPerPage = 100;
const listingsPerPage = 10;

/** Where a walk through folders is: a folder with all those above it, and a page of its files. */
export interface Place {
  readonly path: readonly string[];
  readonly page?: string | undefined;
  /** Nothing changed before is listed, ISO-8601: pages go on with the same question only. */
  readonly oldest: string;
}

export interface TreeScope {
  readonly folder: DriveFolder;
  readonly recursive: boolean;
}

interface Listing {
  readonly files: readonly DriveFile[];
  readonly next: Place | undefined;
}

/**
 * The files below a folder, depth first, folders in the order of their ids: so a place is a single path,
 * however many folders there are, and another process finds the next one.
 */
export class DriveTree {
  private readonly subfolders = new Map<string, readonly string[]>();
  private readonly listed = new Map<string, string[]>();
  private readonly parents = new Map<string, readonly string[]>();

  constructor(private readonly api: DriveApi) {}

  /** The files at a place and from there on, about a page of them. @throws ProviderError expired */
  async list(place: Place, scope: TreeScope, signal: AbortSignal): Promise<Listing> {
    const files: DriveFile[] = [];
    let next: Place | undefined = place;
    for (let count = 0; next && count < listingsPerPage && files.length < filesPerPage; count++) {
      const listing: Listing = await this.listOnce(next, scope, signal);
      files.push(...listing.files);
      next = listing.next;
    }
    return { files, next };
  }

  /** Whether a file lies in a folder, or in one below it. */
  async isBelow(file: DriveFile, { folder, recursive }: TreeScope, signal: AbortSignal): Promise<boolean> {
    const asked = new Set<string>();
    for (let level = file.parents ?? []; level.length > 0;) {
      if (level.includes(folder.id)) return true;
      if (!recursive) return false;
      const above: string[] = [];
      for (const id of level) {
        if (asked.has(id)) continue;
        asked.add(id);
        above.push(...(await this.parentsOf(id, signal)));
      }
      level = above;
    }
    return false;
  }

  /** Takes note of a folder that was changed. */
  moved(folderId: string, parents: readonly string[] | undefined): void {
    if (parents) this.parents.set(folderId, parents);
    else this.parents.delete(folderId);
  }

  private async parentsOf(folderId: string, signal: AbortSignal): Promise<readonly string[]> {
    const known = this.parents.get(folderId);
    if (known) return known;
    const parents = (await this.api.fileIfAny(folderId, 'parents', signal))?.parents ?? [];
    this.parents.set(folderId, parents);
    return parents;
  }

  /** One request for files, and what the next place needs. A folder that is gone by now is empty. */
  private async listOnce(place: Place, scope: TreeScope, signal: AbortSignal): Promise<Listing> {
    const folderId = place.path.at(-1) ?? '';
    const asked = this.request(place, scope, signal);
    const answer = place.path.length > 1 ? await asked.catch(ifGone) : await asked;
    const all = answer?.files ?? [];
    const page = answer?.nextPageToken ?? undefined;
    this.rememberFolders(folderId, all, { isFirst: place.page === undefined, isLast: page === undefined });
    return {
      files: all.filter(({ mimeType }) => mimeType !== folderType),
      next: page === undefined ? await this.following(place, scope, signal) : { ...place, page },
    };
  }

  private request(
    { path, page, oldest: time }: Place,
    { folder, recursive }: TreeScope,
    signal: AbortSignal,
  ) {
    // A file that was put there lately may have been changed last long ago; a shortcut is as old as its target.
    const wanted = `modifiedTime >= '${time}' or createdTime >= '${time}' or mimeType = '${shortcutType}'`;
    const kinds = recursive
      ? `(mimeType = '${folderType}' or ${wanted})`
      : `mimeType != '${folderType}' and (${wanted})`;
    return this.api.ask(signal, (drive, options) =>
      drive.files.list(
        {
          ...corpusOf(folder),
          q: `'${quoted(path.at(-1) ?? '')}' in parents and trashed = false and ${kinds}`,
          fields: `nextPageToken,files(${fileFields})`,
          pageSize: filesPerListing,
          ...(page === undefined ? {} : { pageToken: page }),
        },
        options,
      ),
    );
  }

  private rememberFolders(
    folderId: string,
    files: readonly DriveFile[],
    { isFirst, isLast }: { isFirst: boolean; isLast: boolean },
  ): void {
    if (isFirst) this.listed.set(folderId, []);
    const listed = this.listed.get(folderId);
    for (const { id, mimeType, parents } of files) {
      if (!id || mimeType !== folderType) continue;
      this.parents.set(id, parents ?? []);
      listed?.push(id);
    }
    if (!isLast || !listed) return;
    this.subfolders.set(folderId, listed.sort());
    this.listed.delete(folderId);
  }

  /** The place after all files of a folder: the first folder in it, else the next one beside it or beside one above it. */
  private async following(
    { path, oldest }: Place,
    { folder, recursive }: TreeScope,
    signal: AbortSignal,
  ): Promise<Place | undefined> {
    if (!recursive) return undefined;
    let above = path;
    for (let last = ''; above.length > 0; above = above.slice(0, -1)) {
      const id = above.at(-1) ?? '';
      const next = (await this.subfoldersOf(id, folder, signal)).find((each) => each > last);
      if (next !== undefined) return { path: [...above, next], oldest };
      this.subfolders.delete(id);
      last = id;
    }
    return undefined;
  }

  /** Known from its listing, unless that began in another process. */
  private async subfoldersOf(
    folderId: string,
    folder: DriveFolder,
    signal: AbortSignal,
  ): Promise<readonly string[]> {
    const known = this.subfolders.get(folderId);
    if (known) return known;
    const ids: string[] = [];
    let pageToken: string | undefined;
    do {
      const answer = await this.api
        .ask(signal, (drive, options) =>
          drive.files.list(
            {
              ...corpusOf(folder),
              q: `'${quoted(folderId)}' in parents and trashed = false and mimeType = '${folderType}'`,
              fields: 'nextPageToken,files(id)',
              pageSize: foldersPerListing,
              ...(pageToken === undefined ? {} : { pageToken }),
            },
            options,
          ),
        )
        .catch(ifGone);
      ids.push(...(answer?.files ?? []).flatMap(({ id }) => id ?? []));
      pageToken = answer?.nextPageToken ?? undefined;
    } while (pageToken !== undefined);
    this.subfolders.set(folderId, ids.sort());
    return ids;
  }
}

/** A text within a query. */
function quoted(text: string): string {
  return text.replace(/[\\']/g, '\\$&');
}
