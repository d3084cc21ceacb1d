import { z } from 'zod';
import { readCursor } from '../cursor.js';
import { ProviderError } from '../provider.js';
import type {
  Connection,
  DiscoveredPage,
  DiscoveredResource,
  Entry,
  Item,
  Page,
  Provider,
  ResourceScope,
  Session,
} from '../provider.js';
import {
  AtlassianHttp,
  asListFailure,
  asWrongSite,
  atlassianCredentials,
  inQuery,
} from './atlassian/atlassian-http.js';
import type { AtlassianCredentials, Listed, Parameters } from './atlassian/atlassian-http.js';
import { isPart, listedExpansions, searchPath, wholeExpansions } from './confluence/confluence-content.js';
import type { ConfluenceContent } from './confluence/confluence-content.js';
import { confluenceItem } from './confluence/confluence-item.js';
import { PageReaders } from './confluence/page-readers.js';
import { cursorOf, spaceReaders } from './confluence/space-readers.js';

const contentsPerPage = 50;
/**
 * Subtracted from the lower bound of a search. The search reads times in the account's time zone, which may
 * be hidden and is at most twelve hours behind; besides, it lags by minutes.
 */
const marginMs = (12 * 60 + 10) * 60_000;

const filters = z.strictObject({
  include_blog_posts: z.boolean().optional().describe('Blog posts too; default true'),
  include_comments: z.boolean().optional().describe('Comments too; default true'),
  include_attachments: z.boolean().optional().describe('Attached documents too; default true'),
});

const cursorSchema = z.strictObject({
  /** The lower bound of this read, in Unix milliseconds. */
  since: z.number(),
  /** The latest change shown so far, in Unix milliseconds. */
  latest: z.number(),
  /** The parameters in the link to the next page of the search that say where it begins. */
  next: z.string().optional(),
});
type Cursor = z.infer<typeof cursorSchema>;

interface Space {
  readonly id: string;
  readonly key: string;
  readonly name?: string;
  readonly type?: string;
  readonly _links?: { readonly webui?: string };
}

class ConfluenceSession implements Session {
  private readonly http: AtlassianHttp;
  private readonly pageReaders: PageReaders;

  private readonly ownEmail: string;

  constructor(connection: Connection<AtlassianCredentials>) {
    this.ownEmail = connection.credentials.email.toLowerCase();
    this.http = new AtlassianHttp('Confluence', connection);
    this.pageReaders = new PageReaders(this.http);
  }

  async check(signal: AbortSignal): Promise<void> {
    const user = await this.currentUser(signal).catch((error: unknown) => {
      throw asWrongSite('Confluence', error);
    });
    if (user.type === 'anonymous')
      throw new ProviderError('credentials', 'Confluence rejected the credentials: it takes them for nobody');
  }

  private async currentUser(signal: AbortSignal): Promise<{ type?: string }> {
    // Rejects a token that the other would take for nobody's, and so finds out where one with scopes is taken.
    await this.http.list('/wiki/api/v2/spaces', { limit: 1 }, signal);
    return this.http.get('/wiki/rest/api/user/current', {}, signal);
  }

  async discover(page: { cursor: string; limit: number }, signal: AbortSignal): Promise<DiscoveredPage> {
    const parameters = { limit: page.limit, status: 'current', cursor: page.cursor || undefined };
    const answer = await this.http
      .list<Space>('/wiki/api/v2/spaces', parameters, signal)
      .catch((error: unknown) => {
        throw page.cursor === '' ? error : asListFailure('Confluence', error, true);
      });
    return {
      resources: answer.results.map((space) => this.resourceOf(space)),
      nextCursor: cursorOf(answer._links?.next) ?? null,
    };
  }

  async describe(resourceId: string, signal: AbortSignal): Promise<DiscoveredResource> {
    return this.resourceOf(await this.space(resourceId, signal));
  }

  async read(resource: ResourceScope, cursor: string, signal: AbortSignal): Promise<Page> {
    return this.page(resource, { cursor, isWalk: false }, signal);
  }

  async walk(resource: ResourceScope, cursor: string, signal: AbortSignal): Promise<Page> {
    return this.page(resource, { cursor, isWalk: true }, signal);
  }

  async readers(resource: ResourceScope, signal: AbortSignal): Promise<readonly string[]> {
    const { id } = await this.space(resource.id, signal);
    // The account itself is always a reader, even if no other can be named.
    const own = `user_email:${this.ownEmail}`;
    return [...new Set([own, ...(await spaceReaders(id, this.http, signal))])];
  }

  close(): Promise<void> {
    this.pageReaders.forget();
    return Promise.resolve();
  }

  private async page(
    resource: ResourceScope,
    { cursor, isWalk }: { cursor: string; isWalk: boolean },
    signal: AbortSignal,
  ): Promise<Page> {
    const oldest = resource.oldest.getTime();
    const state = readCursor(cursor, cursorSchema) ?? { since: oldest, latest: oldest };
    if (state.next === undefined) this.pageReaders.forget();
    const answer = await this.search(
      {
        limit: contentsPerPage,
        ...Object.fromEntries(new URLSearchParams(state.next)),
        cql: cqlOf(resource, state.since, isWalk),
        expand: (isWalk ? listedExpansions : wholeExpansions).join(','),
      },
      state.next !== undefined,
      signal,
    );
    const { results } = answer;
    // A space that this account may not see any more looks like an empty one, so it is asked for by itself.
    if (results.length === 0 && state.next === undefined) await this.space(resource.id, signal);
    const next = positionOf(answer, state.next);
    const latest = Math.max(state.latest, ...results.map(changedAt));
    const read: Cursor = next === undefined ? { since: latest, latest } : { ...state, latest, next };
    return {
      entries: await this.entries(
        resource,
        { results: results.filter((each) => changedAt(each) >= oldest), isWalk },
        signal,
      ),
      deleted: results.filter((each) => !isCurrent(each)).map(({ id }) => id),
      cursor: JSON.stringify(read),
      more: next !== undefined,
    };
  }

  private async entries(
    resource: ResourceScope,
    { results, isWalk }: { results: readonly ConfluenceContent[]; isWalk: boolean },
    signal: AbortSignal,
  ): Promise<Entry[]> {
    const shown = results.filter(isCurrent);
    const readers = await this.pageReaders.of(shown, signal);
    return shown.map((content, index) => {
      const whoever = readers[index];
      const load = async (within: AbortSignal): Promise<Item | undefined> => {
        const whole = isWalk ? await this.content(content.id, within) : content;
        return whole && confluenceItem(whole, resource.id, this.http);
      };
      return { id: content.id, ...versionOf(content), ...(whoever ? { readers: whoever } : {}), load };
    });
  }

  private async content(id: string, signal: AbortSignal): Promise<ConfluenceContent | undefined> {
    const parameters = { cql: `id = ${inQuery(id)}`, limit: 1, expand: wholeExpansions.join(',') };
    return (await this.search(parameters, false, signal)).results[0];
  }

  private async search(
    parameters: Parameters,
    isContinued: boolean,
    signal: AbortSignal,
  ): Promise<Listed<ConfluenceContent>> {
    try {
      return await this.http.list(searchPath, parameters, signal);
    } catch (error) {
      throw asListFailure('Confluence', error, isContinued);
    }
  }

  private async space(key: string, signal: AbortSignal): Promise<Space> {
    const { results } = await this.http.list<Space>('/wiki/api/v2/spaces', { keys: key, limit: 1 }, signal);
    const [space] = results;
    if (space) return space;
    throw new ProviderError(
      'missing',
      'Confluence does not find the space, or does not show it to this account',
    );
  }

  private resourceOf({ id, key, name, type, _links }: Space): DiscoveredResource {
    const url = _links?.webui ? { url: `${this.http.site}/wiki${_links.webui}` } : {};
    return {
      id: key,
      name: name || key,
      type: 'space',
      metadata: { space_id: id, ...(type ? { space_type: type } : {}), ...url },
    };
  }
}

function cqlOf(resource: ResourceScope, since: number, isWalk: boolean): string {
  const chosen = filters.parse(resource.filters);
  const types = [
    'page',
    ...(chosen.include_blog_posts === false ? [] : ['blogpost']),
    ...(chosen.include_comments === false ? [] : ['comment']),
    ...(chosen.include_attachments === false ? [] : ['attachment']),
  ];
  const from = new Date(Math.max(since - marginMs, 0)).toISOString();
  const minute = `${from.slice(0, 10)} ${from.slice(11, 16)}`;
  return [
    `space = ${inQuery(resource.id)} AND type in (${types.join(', ')}) AND lastmodified >= ${inQuery(minute)}`,
    `ORDER BY ${isWalk ? 'created' : 'lastmodified'} ASC`,
  ].join(' ');
}

/**
 * The position of the next page; undefined at the end. A page may be empty and still not be the last, because
 * the search leaves out what this account may not see; unless it names itself as the next one.
 */
function positionOf(
  { results, _links }: Listed<ConfluenceContent>,
  current: string | undefined,
): string | undefined {
  const link = _links?.next;
  if (!link) return undefined;
  const parameters = new URL(link, 'http://next').searchParams;
  for (const name of ['cql', 'expand']) parameters.delete(name);
  const position = parameters.toString();
  return results.length === 0 && position === current ? undefined : position;
}

function changedAt({ version }: ConfluenceContent): number {
  return Date.parse(version?.when ?? '') || 0;
}

/** Whether it is neither archived, nor a draft, nor in the trash. */
function isCurrent({ status }: ConfluenceContent): boolean {
  return status === undefined || status === 'current';
}

/** The version with the parent, because a page that is moved keeps its version number. */
function versionOf(content: ConfluenceContent): { version?: string } {
  const number = content.version?.number;
  if (number === undefined) return {};
  const parent = isPart(content) ? content.container?.id : content.ancestors?.at(-1)?.id;
  return { version: `${number}/${parent ?? ''}` };
}

const setupGuide = `1. Choose the Atlassian account that reads: it must be able to view the spaces to sync, restricted pages too where they are to be found.
2. Signed in as that account, make an API token at https://id.atlassian.com/manage-profile/security/api-tokens. With scopes, choose
   all of Confluence that begin with \`read\`, \`readonly\` or \`search\`. Tokens expire after at most a year.
3. Enter the address of your site (\`https://example.atlassian.net\`, without \`/wiki\`), the account's e-mail address and the token.

A resource is a space, by its key (\`DOCS\`). Pages and blog posts are synced with their comments and with attached documents.

**Access rights are taken over**: view permissions of the space, and restrictions of pages with those of all pages above them, as
\`group:<name>\` and \`user_email:<address>\`. People who hide their address in their profile are left out, so prefer groups. Where a page and
a page above it name different groups, only people who are named at one of them and belong to the other are let
through. A changed restriction counts from the next daily walk on, or when the page changes. Whoever a page names is taken to have access
to the space. Anonymous access is not taken over.`;

export const confluence: Provider<AtlassianCredentials> = {
  id: 'confluence',
  name: 'Confluence',
  category: 'wiki',
  authTypes: ['api_token'],
  resourceType: 'space',
  supportsAcl: true,
  indexedObjectTypes: ['page', 'blog_post', 'comment', 'attachment'],
  searchableFields: ['title', 'body', 'created_by', 'updated_by', 'author', 'file content'],
  filterableFields: ['space_key', 'page_id', 'labels'],
  credentials: atlassianCredentials,
  filters,
  setupGuide,
  open: (connection) => new ConfluenceSession(connection),
};
