import type { PageObjectResponse } from '@notionhq/client';
import { ProviderError } from '../../provider.js';
import type { Entry, Page, ResourceScope, Unlisted } from '../../provider.js';
import { isInvalid, unless } from './notion-api.js';
import type { NotionApi } from './notion-api.js';
import { databaseBeginning, sinceOf } from './notion-databases.js';
import type { DatabaseCursor, NotionDatabases } from './notion-databases.js';
import type { NotionBlocks } from './notion-blocks.js';
import type { BlockNode } from './notion-markdown.js';
import type { NotionPages, PageWish } from './notion-pages.js';

/** A page or database on the path from the root to the current place of a walk. */
interface Step {
  readonly id: string;
  /** The `last_edited_time` of a page that is still to be shown; null afterwards. */
  readonly edited: string | null;
  /** The child that was visited last. Children are visited in the order of their ids, which never changes. */
  readonly last: string;
  /** Set for a database: the position in its pages. */
  readonly rows?: DatabaseCursor;
}

/** The cursor for reading a tree. */
export interface TreeCursor {
  readonly kind: 'tree';
  /**
   * The time of edits up to which earlier syncs have read everything; null before the first one has ended.
   */
  readonly mark: string | null;
  /** The next mark, fixed when a read begins. */
  readonly newest: string | null;
  /** The path of a walk. */
  readonly path: readonly Step[] | null;
  /** The cursor of a search. */
  readonly start: string | null;
}

/** The cursor before the first sync. */
export const treeBeginning: TreeCursor = { kind: 'tree', mark: null, newest: null, path: null, start: null };

/** A walk of which a page is being made. */
interface Walk {
  readonly resource: ResourceScope;
  readonly signal: AbortSignal;
  readonly entries: Entry[];
  readonly unlisted: Unlisted[];
}

interface Child {
  readonly id: string;
  /** Null for a block of the page itself that was too much to be read with it, but may have pages in it. */
  readonly edited: string | null;
  readonly isDatabase: boolean;
}

const entriesPerPage = 25;
/** After so many requests a walk's page ends. */
const requestsPerPage = 300;
/** Of each edited page its place is asked for, with some requests: so many are to fit into a limit of three a second. */
const searchSize = 25;
const depthMax = 100;

/**
 * Reads a page, the pages below it, and the pages of databases among them; pages below those do not belong to
 * it. The first read walks the tree. Later reads search for edited pages, which takes few requests, and check
 * where these are.
 */
export class NotionTrees {
  private readonly children = new Map<string, readonly Child[]>();

  constructor(
    private readonly api: NotionApi,
    private readonly parts: {
      readonly pages: NotionPages;
      readonly blocks: NotionBlocks;
      readonly databases: NotionDatabases;
    },
  ) {}

  async read(resource: ResourceScope, cursor: TreeCursor, signal: AbortSignal): Promise<Page> {
    if (resource.filters['include_child_pages'] === false || cursor.mark === null)
      return this.readFirst(resource, cursor, signal);
    if (cursor.start === null) {
      this.parts.pages.forgetPlaces();
      await this.rootOf(resource.id, signal);
    }
    const { results, next_cursor } = await this.search(searchSize, cursor.start, signal);
    const since = sinceOf(resource, cursor.mark);
    const recent = results.filter(
      ({ last_edited_time }) => Date.parse(last_edited_time) >= Date.parse(since),
    );
    const newest = cursor.newest ?? results[0]?.last_edited_time ?? cursor.mark;
    const entries: Entry[] = [];
    for (const page of recent)
      if (await this.isInside(page, resource.id, signal))
        entries.push(this.entry({ id: page.id, edited: page.last_edited_time, page }, resource));
    const more = next_cursor !== null && recent.length === results.length;
    const state: TreeCursor = more
      ? { ...cursor, newest, start: next_cursor }
      : { ...treeBeginning, mark: newest };
    return { entries, cursor: JSON.stringify(state), more };
  }

  /**
   * A page of a walk; `path` is undefined at its end. If Notion stops answering, what was read so far is kept: the limit of
   * requests may be less than a page takes.
   */
  async walk(
    resource: ResourceScope,
    begun: readonly Step[] | null,
    signal: AbortSignal,
  ): Promise<Pick<Page, 'entries' | 'unlisted'> & { path: readonly Step[] | undefined }> {
    let path = begun ?? [await this.firstStep(resource.id, signal)];
    const entries: Entry[] = [];
    const unlisted: Unlisted[] = [];
    const walk: Walk = { resource, signal, entries, unlisted };
    const { requests } = this.api;
    const isFull = () => entries.length >= entriesPerPage || this.api.requests - requests >= requestsPerPage;
    // Databases are listed, which is faster than reading pages, so their portions are larger.
    for (let steps = 0; path.length > 0 && steps < entriesPerPage && !isFull(); steps += 1) {
      try {
        path = await this.step(path, walk);
      } catch (error) {
        if (steps === 0 || signal.aborted) throw error;
        break;
      }
    }
    return { entries, unlisted, path: path.length > 0 ? path : undefined };
  }

  /** Looks at the place where a walk is. @returns the path to the next one */
  private async step(path: readonly Step[], walk: Walk): Promise<readonly Step[]> {
    const { resource, signal, entries } = walk;
    const top = path.at(-1) as Step;
    const below = path.slice(0, -1);
    if (top.rows) {
      const listed = this.parts.databases.walk({ ...resource, id: top.id }, top.rows, signal);
      const { entries: rows, next } = (await ifListed(listed, walk)) ?? { entries: [], next: undefined };
      entries.push(...rows);
      return next ? [...below, { ...top, rows: next }] : below;
    }
    if (top.edited !== null) entries.push(...(await this.visit({ id: top.id, edited: top.edited }, walk)));
    return [...below, ...(await this.descend(top, walk))];
  }

  /**
   * Walks the tree, as there is no mark to search from. The next mark is the time of the latest edit before
   * the walk, which is a time of Notion's own clock.
   */
  private async readFirst(resource: ResourceScope, cursor: TreeCursor, signal: AbortSignal): Promise<Page> {
    const latest = async () => (await this.search(1, null, signal)).results[0]?.last_edited_time;
    const newest = cursor.newest ?? (await latest()) ?? resource.oldest.toISOString();
    const { path, ...found } = await this.walk(resource, cursor.path, signal);
    const state: TreeCursor = path ? { ...cursor, newest, path } : { ...treeBeginning, mark: newest };
    return { ...found, cursor: JSON.stringify(state), more: path !== undefined };
  }

  private async firstStep(root: string, signal: AbortSignal): Promise<Step> {
    const { last_edited_time: edited } = await this.rootOf(root, signal);
    return { id: root, edited, last: '' };
  }

  private async rootOf(root: string, signal: AbortSignal): Promise<PageObjectResponse> {
    const page = await this.api.call((client) => client.pages.retrieve({ page_id: root }), signal);
    if (!('properties' in page) || page.in_trash)
      throw new ProviderError('missing', 'The page is in the trash of Notion', { httpStatus: 404 });
    return page;
  }

  /** Reads the blocks of a page, for its content and for its children. */
  private async visit(step: { id: string; edited: string }, walk: Walk): Promise<Entry[]> {
    const { resource, signal } = walk;
    const blocks = await ifListed(this.parts.blocks.read(step.id, signal), walk);
    if (!blocks) return [];
    this.children.set(step.id, childrenAmong(blocks));
    if (Date.parse(step.edited) < resource.oldest.getTime()) return [];
    return [this.entry({ ...step, blocks }, resource)];
  }

  /** The page with its next child; empty when all children have been visited. */
  private async descend(top: Step, walk: Walk): Promise<Step[]> {
    if (walk.resource.filters['include_child_pages'] === false) return [];
    let children = this.children.get(top.id);
    if (!children) {
      children = childrenAmong((await ifListed(this.parts.blocks.read(top.id, walk.signal), walk)) ?? []);
      this.children.set(top.id, children);
    }
    const child = children.find(({ id }) => id > top.last);
    if (!child) {
      this.children.delete(top.id);
      return [];
    }
    const step: Step = child.isDatabase
      ? { id: child.id, edited: null, last: '', rows: databaseBeginning }
      : { id: child.id, edited: child.edited, last: '' };
    return [{ ...top, edited: null, last: child.id }, step];
  }

  private async search(
    size: number,
    start: string | null,
    signal: AbortSignal,
  ): Promise<{ results: PageObjectResponse[]; next_cursor: string | null }> {
    const { results, next_cursor } = await this.api.call(
      (client) =>
        client.search({
          filter: { property: 'object', value: 'page' },
          sort: { timestamp: 'last_edited_time', direction: 'descending' },
          page_size: size,
          ...(start === null ? {} : { start_cursor: start }),
        }),
      signal,
    );
    const pages = results.filter(
      (each): each is PageObjectResponse => each.object === 'page' && 'properties' in each,
    );
    return { results: pages, next_cursor: next_cursor ?? null };
  }

  private async isInside(page: PageObjectResponse, root: string, signal: AbortSignal): Promise<boolean> {
    if (page.id === root) return true;
    let at: Awaited<ReturnType<NotionPages['parentOf']>> = page.parent;
    for (let steps = 0; at && steps < depthMax; steps += 1) {
      if (at.type === 'page_id') {
        if (at.page_id === root) return true;
        at = await this.parts.pages.parentOf('page', at.page_id, signal);
        // It is below a page of a database.
        if (at && 'database_id' in at) return false;
      } else if (at.type === 'block_id') at = await this.parts.pages.parentOf('block', at.block_id, signal);
      else if ('database_id' in at) at = await this.parts.pages.parentOf('database', at.database_id, signal);
      else return false;
    }
    return false;
  }

  private entry(page: Omit<PageWish, 'withComments'>, { filters }: ResourceScope): Entry {
    return this.parts.pages.entry({ ...page, withComments: filters['include_comments'] !== false });
  }
}

/** What is in a page or a database; undefined if it is gone. What Notion does not list is not gone, and what is below it neither. */
function ifListed<Listed>(work: Promise<Listed>, { unlisted }: Walk): Promise<Listed | undefined> {
  return unless(work, (error) => {
    if (isInvalid(error)) unlisted.push({ idPrefix: '', problem: `a part is not shown: ${error.message}` });
    return error.kind === 'missing' || isInvalid(error);
  });
}

function childrenAmong(blocks: readonly BlockNode[]): Child[] {
  const found = blocks.flatMap(({ block, children, isCut }): Child[] => {
    const { id, type, last_edited_time: edited } = block;
    if (type === 'child_page' || type === 'child_database')
      return [{ id, edited, isDatabase: type === 'child_database' }];
    // A copy shows pages that belong elsewhere.
    if (type === 'synced_block' && block.synced_block.synced_from) return [];
    return isCut ? [{ id, edited: null, isDatabase: false }] : childrenAmong(children);
  });
  return found.sort((a, b) => (a.id < b.id ? -1 : 1));
}
