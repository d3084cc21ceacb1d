import { z } from 'zod';
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
import { GithubApi } from './github/github-api.js';
import type { GithubAnswer, GithubCredentials } from './github/github-api.js';
import {
  commentId,
  commentItem,
  commentVersion,
  fileId,
  fileItem,
  isOnPullRequest,
  ticketId,
  ticketItem,
  ticketNumberOf,
  ticketVersion,
} from './github/github-items.js';
import type { GithubComment, GithubFile, GithubTicket, Repository } from './github/github-items.js';
import { GithubTrees, textsOf } from './github/github-tree.js';
import { filtersOf, lists, marked, pathOf, placeAfter } from './github/position.js';
import type { FilesPlace, GithubRepository, ListPlace, Position, Step } from './github/position.js';

const pageMax = 100;

export const github: Provider<GithubCredentials> = {
  id: 'github',
  name: 'GitHub',
  category: 'code',
  authTypes: ['api_token', 'oauth'],
  resourceType: 'repository',
  supportsAcl: false,
  indexedObjectTypes: ['issue', 'pull_request', 'comment', 'review_comment', 'file'],
  searchableFields: ['title', 'description', 'body', 'status', 'assignee', 'reporter', 'author'],
  filterableFields: ['repository', 'number', 'state', 'labels', 'path'],
  credentials: z.strictObject({
    access_token: z
      .string()
      .trim()
      .min(1)
      .describe('Personal access token (github_pat_… or ghp_…), or a token of an OAuth or GitHub App'),
  }),
  filters: z.strictObject({
    include_issues: z.boolean().optional().describe('Issues and their comments (default true)'),
    include_pull_requests: z.boolean().optional().describe('Pull requests and their comments (default true)'),
    include_comments: z
      .boolean()
      .optional()
      .describe('Comments on the issues and pull requests that are read, and of reviews (default true)'),
    include_files: z
      .boolean()
      .optional()
      .describe('Markdown files in the root and in docs/ of the default branch (default true)'),
    labels: z
      .array(z.string().trim().min(1))
      .optional()
      .describe('Only issues and pull requests that have all of these labels, and their comments'),
  }),
  setupGuide: `1. On GitHub open **Settings → Developer settings → Personal access tokens → Fine-grained tokens** and generate a token.
2. Under **Repository access** choose the repositories to be read.
3. Under **Permissions** grant read-only **Metadata**, **Issues**, **Pull requests** and **Contents**.
4. Copy the token: it is the access_token. Where an organisation asks for single sign-on, authorise the token for it.

A resource is \`owner/repo\`. GitHub does not tell the addresses of those who may read a private repository: give the
resource an \`acl\` of your own, or everybody who may read the database reads its items.`,
  open: (connection) => new GithubSession(connection),
};

/**
 * Lists are read in the order of changes, so a page that was read stays valid whatever changes meanwhile. A
 * sync without news costs one request for the repository and one for each list. Files are listed only after a
 * push.
 */
class GithubSession implements Session {
  private readonly api: GithubApi;
  private readonly repositories = new Map<string, GithubRepository>();
  private readonly labelled = new Map<string, ReadonlySet<number>>();
  private readonly trees: GithubTrees;

  constructor(connection: Connection<GithubCredentials>) {
    this.api = new GithubApi(connection);
    this.trees = new GithubTrees(this.api);
  }

  // The only address that tokens of every kind may ask.
  async check(signal: AbortSignal): Promise<void> {
    await this.api.get('/', {}, signal);
  }

  async discover(
    { cursor, limit }: { cursor: string; limit: number },
    signal: AbortSignal,
  ): Promise<DiscoveredPage> {
    const page = readCursor(cursor, z.int().min(1)) ?? 1;
    const asked = { per_page: limit, page, sort: 'full_name' };
    const { data, more } = await this.shared(asked, signal);
    return { resources: data.map(resourceOf), nextCursor: more ? String(page + 1) : null };
  }

  async describe(resourceId: string, signal: AbortSignal): Promise<DiscoveredResource> {
    const repository = await this.repository(resourceId, signal);
    await this.list<GithubTicket>(lists.tickets, { ...pathOf(repository), per_page: 1 }, signal);
    return { ...resourceOf(repository), id: resourceId };
  }

  async read(resource: ResourceScope, cursor: string, signal: AbortSignal): Promise<Page> {
    const { position, ...found } = await this.next(resource, readCursor<Position>(cursor) ?? {}, signal);
    const { archived, ...kept } = position;
    const more = position.at !== undefined;
    return {
      ...found,
      cursor: JSON.stringify(more ? position : kept),
      more,
      isArchived: !more && archived === true,
    };
  }

  async walk(resource: ResourceScope, cursor: string, signal: AbortSignal): Promise<Page> {
    const { position, ...found } = await this.next(resource, readCursor<Position>(cursor) ?? {}, signal);
    const more = position.at !== undefined;
    return { ...found, cursor: more ? JSON.stringify(position) : '', more };
  }

  async close(): Promise<void> {}

  private async next(
    resource: ResourceScope,
    from: Position,
    signal: AbortSignal,
  ): Promise<Pick<Step, 'entries' | 'deleted' | 'unlisted'> & { position: Position }> {
    const found = await this.repository(resource.id, signal);
    const archived = from.archived ?? found.archived === true;
    const at = from.at ?? placeAfter(undefined, { resource, from, found });
    if (!at) return { entries: [], deleted: [], position: { ...from, archived } };
    const step =
      at.stream === 'files'
        ? await this.files(resource, at, signal)
        : await this.changed(resource, at, signal);
    const read = { ...from, archived, ...marked(from, at, step) };
    const next = step.next ?? placeAfter(at.stream, { resource, from: read, found });
    const { entries, deleted = [], unlisted = [] } = step;
    return { entries, deleted, unlisted, position: { ...read, at: next } };
  }

  /** Reads a page of a list. What changes while the list is read comes again at its end. */
  private async changed(resource: ResourceScope, at: ListPlace, signal: AbortSignal): Promise<Step> {
    const { stream, since, page, seen } = at;
    const { labels } = filtersOf(resource);
    const found = await this.repository(resource.id, signal);
    const asked = {
      ...pathOf(found),
      since,
      page,
      per_page: pageMax,
      sort: 'updated',
      direction: 'asc',
      ...(stream === 'tickets'
        ? { state: 'all', ...(labels.length > 0 ? { labels: labels.join(',') } : {}) }
        : {}),
    };
    const { data, more } = await this.list<GithubTicket & GithubComment>(lists[stream], asked, signal);
    const last = data.at(-1)?.updated_at ?? since;
    const fresh = data.filter(({ id }) => !seen.includes(id));
    const repository = placed(resource, found);
    const entries =
      stream === 'tickets'
        ? ticketEntries(fresh, repository, resource)
        : commentEntries(await this.wanted(fresh, resource, signal), repository);
    if (!more) return { entries, next: undefined, mark: last };
    if (last === since) return { entries, next: { ...at, page: page + 1 } };
    const shown = data.filter(({ updated_at }) => updated_at === last).map(({ id }) => id);
    return { entries, next: { stream, since: last, page: 1, seen: shown } };
  }

  /** The comments on issues and pull requests that are read. */
  private async wanted<Comment extends GithubComment>(
    comments: readonly Comment[],
    resource: ResourceScope,
    signal: AbortSignal,
  ): Promise<Comment[]> {
    const { issues, pullRequests, labels } = filtersOf(resource);
    const ofKind = comments.filter((comment) => (isOnPullRequest(comment) ? pullRequests : issues));
    if (labels.length === 0 || ofKind.length === 0) return ofKind;
    const numbers = await this.labelledNumbers(resource.id, labels, signal);
    return ofKind.filter((comment) => numbers.has(ticketNumberOf(comment)));
  }

  /**
   * The numbers of the issues and pull requests with all of the labels, which comments do not tell. Asked
   * once per session.
   */
  private async labelledNumbers(
    resourceId: string,
    labels: readonly string[],
    signal: AbortSignal,
  ): Promise<ReadonlySet<number>> {
    const key = JSON.stringify([resourceId, labels]);
    const known = this.labelled.get(key);
    if (known) return known;
    const path = pathOf(await this.repository(resourceId, signal));
    const numbers = new Set<number>();
    for (let page = 1; ; page++) {
      const asked = { ...path, labels: labels.join(','), state: 'all', per_page: pageMax, page };
      const { data, more } = await this.list<GithubTicket>(lists.tickets, asked, signal);
      for (const { number } of data) numbers.add(number);
      if (!more) break;
    }
    this.labelled.set(key, numbers);
    return numbers;
  }

  /**
   * Reads a page of files. Their version is git's hash of the content, so unchanged files are not loaded. What a push has
   * removed or renamed is told by the tree before it.
   */
  private async files(resource: ResourceScope, at: FilesPlace, signal: AbortSignal): Promise<Step> {
    const found = await this.repository(resource.id, signal);
    const repository = placed(resource, found);
    const listed = await this.trees.find(found, at.tree, signal);
    if (!listed) {
      const problem = `GitHub does not find the files of the branch ${found.default_branch}; they stay as they were`;
      return { entries: [], next: undefined, unlisted: [{ idPrefix: fileId(repository, ''), problem }] };
    }
    const { sha } = listed;
    const texts = textsOf(listed);
    const entries = texts.slice(at.offset, at.offset + pageMax).map((file) => ({
      id: fileId(repository, file.path),
      version: file.sha,
      load: async () => fileItem(file, repository, (within) => this.content(found, file, within)),
    }));
    const { before } = at;
    const removed =
      at.offset === 0 && before !== undefined
        ? await this.trees.removed(found, { before, now: listed }, signal)
        : [];
    const offset = at.offset + pageMax;
    return {
      entries,
      deleted: removed.map((path) => fileId(repository, path)),
      next: offset < texts.length ? { ...at, tree: sha, offset } : undefined,
      tree: sha,
    };
  }

  private async content(
    repository: GithubRepository,
    { sha }: GithubFile,
    signal: AbortSignal,
  ): Promise<Buffer> {
    const asked = { ...pathOf(repository), sha };
    const { data } = await this.api.get<{ content: string }>(
      '/repos/{owner}/{repo}/git/blobs/{sha}',
      asked,
      signal,
    );
    return Buffer.from(data.content, 'base64');
  }

  /** Reads a page of a list; empty if issues are switched off in the repository. */
  private async list<Entry>(
    route: string,
    asked: Record<string, unknown>,
    signal: AbortSignal,
  ): Promise<GithubAnswer<Entry[]>> {
    try {
      return await this.api.get<Entry[]>(route, asked, signal);
    } catch (error) {
      const isOff = error instanceof ProviderError && error.kind === 'missing' && error.httpStatus === 410;
      if (isOff) return { data: [], more: false };
      throw error;
    }
  }

  /** Repositories that the token may read, of its user or of the installation of an app that it stands for. */
  private async shared(
    asked: Record<string, unknown>,
    signal: AbortSignal,
  ): Promise<GithubAnswer<GithubRepository[]>> {
    try {
      return await this.api.get<GithubRepository[]>('/user/repos', asked, signal);
    } catch (error) {
      if (!isForUsersOnly(error)) throw error;
    }
    const path = '/installation/repositories';
    const answer = await this.api.get<{ repositories: GithubRepository[] }>(path, asked, signal);
    return { data: answer.data.repositories, more: answer.more };
  }

  /**
   * Asks for the repository once per session. Later requests use its current name, so that none is
   * redirected.
   */
  private async repository(resourceId: string, signal: AbortSignal): Promise<GithubRepository> {
    signal.throwIfAborted();
    const known = this.repositories.get(resourceId);
    if (known) return known;
    // A name of dots alone would lead to another address.
    const [, owner, repo] = /^([\w-]+)\/(?!\.{1,2}$)([\w.-]+)$/.exec(resourceId) ?? [];
    if (!owner || !repo)
      throw new ProviderError(
        'missing',
        `a repository of GitHub is named owner/repo, not "${resourceId.slice(0, 100)}"`,
      );
    const { data } = await this.api.get<GithubRepository>('/repos/{owner}/{repo}', { owner, repo }, signal);
    this.repositories.set(resourceId, data);
    return data;
  }
}

/** Whether GitHub refused because the token is that of an installation of an app, and so of no user. */
function isForUsersOnly(error: unknown): boolean {
  return error instanceof ProviderError && /not accessible by integration/i.test(error.message);
}

function ticketEntries(
  tickets: readonly GithubTicket[],
  repository: Repository,
  resource: ResourceScope,
): Entry[] {
  const { issues, pullRequests } = filtersOf(resource);
  return tickets
    .filter(({ pull_request }) => (pull_request ? pullRequests : issues))
    .map((ticket) => ({
      id: ticketId(repository, ticket.number),
      version: ticketVersion(ticket),
      load: async () => ticketItem(ticket, repository),
    }));
}

function commentEntries(comments: readonly GithubComment[], repository: Repository): Entry[] {
  return comments.map((comment) => ({
    id: commentId(repository, comment),
    version: commentVersion(comment),
    load: async () => commentItem(comment, repository),
  }));
}

function placed(
  { id }: ResourceScope,
  { full_name, html_url = `https://github.com/${full_name}`, default_branch }: GithubRepository,
): Repository {
  return { key: id.toLowerCase(), fullName: full_name, webUrl: html_url, branch: default_branch };
}

function resourceOf(repository: GithubRepository): DiscoveredResource {
  const { full_name, html_url, description, default_branch } = repository;
  return {
    id: full_name,
    name: full_name,
    type: 'repository',
    metadata: {
      ...(html_url === undefined ? {} : { url: html_url }),
      description: description ?? '',
      is_private: repository.private === true,
      is_archived: repository.archived === true,
      default_branch,
    },
  };
}
