import type { drive_v3 } from '@googleapis/drive';
import { noListOf } from '../../provider-http.js';
import type { DriveApi, DriveFile, DriveFolder } from './drive-api.js';
import { corpusOf, fileFields, folderType, shortcutType } from './drive-api.js';
import { ifGone } from './google-error.js';

/** Google returns no larger pages when files come with their permissions. */
const filesPerListing = 100;
const foldersPerListing = 1000;
/** Small folders are listed together, until there are this many files, or this many listings were needed. */
const filesPerPage = 100;
const listingsPerPage = 10;

/** A place in a walk through folders: a folder with all those above it, and a page of its files. */
export interface Place {
  readonly path: readonly string[];
  readonly page?: string | undefined;
  /**
   * An ISO-8601 time; older files are not listed. It is kept, because Google continues pages only for the
   * same query.
   */
  readonly oldest: string;
}

/** The folder that is read, and whether its subfolders are. */
export interface TreeScope {
  readonly folder: DriveFolder;
  readonly recursive: boolean;
}

interface Listing {
  readonly files: readonly DriveFile[];
  readonly next: Place | undefined;
}

/**
 * Lists the files below a folder, depth first, with folders in the order of their ids. So a place is a single
 * path, however many folders there are, and another process finds the next one too.
 */
export class DriveTree {
  private readonly subfolders = new Map<string, readonly string[]>();
  private readonly listed = new Map<string, string[]>();
  private readonly parents = new Map<string, readonly string[]>();

  constructor(private readonly api: DriveApi) {}

  /** The files from a place on, about a page of them, and the next place. @throws ProviderError */
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

  /** Whether a file is in a folder, or in one below it. */
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

  /** Notes the new parents of a folder that has changed; undefined if it is gone. */
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

  /** Sends one request for files, and finds the next place. A subfolder that is gone by now is empty. */
  private async listOnce(place: Place, scope: TreeScope, signal: AbortSignal): Promise<Listing> {
    const folderId = place.path.at(-1) ?? '';
    const asked = this.request(place, scope, signal);
    const answer = place.path.length > 1 ? await asked.catch(ifGone) : await asked;
    const all = answer ? filesOf(answer) : [];
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
    // Also by the time of creation, because a file put there recently may have been changed long ago; and
    // shortcuts, which are as old as their targets.
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

  /**
   * The place after all files of a folder: its first subfolder, else the next sibling of it or of a folder
   * above it.
   */
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

  /**
   * The subfolders of a folder, sorted. They are known from its listing, unless that began in another
   * process.
   */
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
      ids.push(...(answer ? filesOf(answer) : []).flatMap(({ id }) => id ?? []));
      pageToken = answer?.nextPageToken ?? undefined;
    } while (pageToken !== undefined);
    this.subfolders.set(folderId, ids.sort());
    return ids;
  }
}

/** The files of a list, which Google shows even where there are none. @throws ProviderError */
function filesOf({ files }: drive_v3.Schema$FileList): readonly DriveFile[] {
  if (files) return files;
  throw noListOf('Google Drive', 'a list without files');
}

/** Escapes a text for a query. */
function quoted(text: string): string {
  return text.replace(/[\\']/g, '\\$&');
}
