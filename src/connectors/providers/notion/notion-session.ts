import type { PageObjectResponse } from '@notionhq/client';
import { readCursor } from '../../cursor.js';
import { ProviderError } from '../../provider.js';
import type {
  Connection,
  DiscoveredPage,
  DiscoveredResource,
  Page,
  ResourceScope,
  Session,
} from '../../provider.js';
import { NotionApi, ifThere } from './notion-api.js';
import type { NotionCredentials } from './notion-api.js';
import { NotionBlocks } from './notion-blocks.js';
import { NotionDatabases, databaseBeginning } from './notion-databases.js';
import type { DatabaseCursor } from './notion-databases.js';
import { plainTextOf } from './notion-markdown.js';
import { NotionPages } from './notion-pages.js';
import { titleOf } from './notion-properties.js';
import { NotionTrees, treeBeginning } from './notion-trees.js';
import type { TreeCursor } from './notion-trees.js';

type Cursor = TreeCursor | DatabaseCursor;

const untitled = 'Untitled';

/** Reads pages as trees and databases as lists, whichever a resource is. */
export class NotionSession implements Session {
  private readonly api: NotionApi;
  private readonly databases: NotionDatabases;
  private readonly trees: NotionTrees;

  constructor(connection: Connection<NotionCredentials>) {
    this.api = new NotionApi(connection);
    const blocks = new NotionBlocks(this.api);
    const pages = new NotionPages(this.api, blocks, connection.clock);
    const databases = new NotionDatabases(this.api, pages);
    this.databases = databases;
    this.trees = new NotionTrees(this.api, { pages, blocks, databases });
  }

  async check(signal: AbortSignal): Promise<void> {
    await this.api.call((client) => client.users.me({}), signal);
  }

  /** Lists the shared pages and databases. Pages of databases are left out; there may be thousands. */
  async discover(page: { cursor: string; limit: number }, signal: AbortSignal): Promise<DiscoveredPage> {
    const { results, next_cursor } = await this.api.call(
      (client) =>
        client.search({
          sort: { timestamp: 'last_edited_time', direction: 'descending' },
          page_size: page.limit,
          ...(page.cursor === '' ? {} : { start_cursor: page.cursor }),
        }),
      signal,
    );
    const resources = results.flatMap((found): DiscoveredResource[] => {
      if (found.object === 'page')
        return 'parent' in found && !('database_id' in found.parent) ? [pageResource(found.id, found)] : [];
      if (!('title' in found && 'parent' in found && 'database_id' in found.parent)) return [];
      const name = plainTextOf(found.title) || untitled;
      return [{ id: found.parent.database_id, name, type: 'database', metadata: { url: found.url } }];
    });
    return { resources, nextCursor: next_cursor ?? null };
  }

  async describe(resourceId: string, signal: AbortSignal): Promise<DiscoveredResource> {
    const id = await nativeId(resourceId);
    const page = await this.pageOf(id, signal);
    if (page) return pageResource(resourceId, page);
    const database = await this.api.call((client) => client.databases.retrieve({ database_id: id }), signal);
    if (!('title' in database) || database.in_trash)
      throw new ProviderError('missing', 'The database is in the trash of Notion', { httpStatus: 404 });
    const name = plainTextOf(database.title) || untitled;
    return { id: resourceId, name, type: 'database', metadata: { url: database.url } };
  }

  async read(resource: ResourceScope, cursor: string, signal: AbortSignal): Promise<Page> {
    const scope = { ...resource, id: await nativeId(resource.id) };
    const position = await this.position(scope, cursor, signal);
    return position.kind === 'tree'
      ? this.trees.read(scope, position, signal)
      : this.databases.read(scope, position, signal);
  }

  async walk(resource: ResourceScope, cursor: string, signal: AbortSignal): Promise<Page> {
    const scope = { ...resource, id: await nativeId(resource.id) };
    const position = await this.position(scope, cursor, signal);
    if (position.kind === 'tree') {
      const { path, ...found } = await this.trees.walk(scope, position.path, signal);
      const next: TreeCursor = { ...treeBeginning, path: path ?? null };
      return { ...found, cursor: JSON.stringify(next), more: path !== undefined };
    }
    const { entries, next } = await this.databases.walk(scope, position, signal);
    return { entries, cursor: JSON.stringify(next ?? databaseBeginning), more: next !== undefined };
  }

  async close(): Promise<void> {}

  /**
   * The position that a cursor stands for. At the beginning Notion is asked whether the resource is a page or
   * a database.
   */
  private async position({ id }: ResourceScope, cursor: string, signal: AbortSignal): Promise<Cursor> {
    const saved = readCursor<Cursor>(cursor);
    if (saved) return saved;
    return (await this.pageOf(id, signal)) ? treeBeginning : databaseBeginning;
  }

  private async pageOf(id: string, signal: AbortSignal): Promise<PageObjectResponse | undefined> {
    const page = await ifThere(this.api.call((client) => client.pages.retrieve({ page_id: id }), signal));
    return page && 'properties' in page && !page.in_trash ? page : undefined;
  }
}

/** Notion's id, with dashes, from an id or a URL. @throws ProviderError `missing` */
async function nativeId(given: string): Promise<string> {
  const { extractNotionId } = await import('@notionhq/client');
  const id = extractNotionId(given);
  if (id) return id;
  throw new ProviderError('missing', 'Give the id or the URL of a page or a database of Notion');
}

function pageResource(id: string, page: PageObjectResponse): DiscoveredResource {
  return { id, name: titleOf(page.properties) || untitled, type: 'page', metadata: { url: page.url } };
}
