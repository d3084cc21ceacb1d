import { z } from 'zod';
import { readCursor } from '../cursor.js';
import { noListOf } from '../provider-http.js';
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
import {
  AtlassianHttp,
  asListFailure,
  asWrongSite,
  atlassianCredentials,
  inQuery,
} from './atlassian/atlassian-http.js';
import type { AtlassianCredentials } from './atlassian/atlassian-http.js';
import { commentId, commentItem, isRestricted, issueFields, issueItem } from './jira/jira-item.js';
import type { CommentPage, JiraComment, JiraIssue } from './jira/jira-item.js';

const issuesPerPage = 50;
/** For an issue with more comments than the search returns. */
const commentsPerPage = 100;
/** Read again in the next sync, because the search lags behind changes. */
const overlapMs = 10 * 60_000;

const filters = z.strictObject({
  issue_types: z
    .array(z.string().trim().min(1))
    .min(1)
    .max(50)
    .optional()
    .describe('Only issues of these types: Bug'),
  labels: z
    .array(z.string().trim().min(1))
    .min(1)
    .max(50)
    .optional()
    .describe('Only issues with one of these labels'),
  include_comments: z.boolean().optional().describe('Comments too; default true'),
  include_restricted: z
    .boolean()
    .optional()
    .describe(
      'Issues with a security level, comments for a role or group, and internal notes of a service project, too; default false',
    ),
});
type Filters = z.infer<typeof filters>;

const cursorSchema = z.strictObject({
  /** The lower bound of this read, in Unix milliseconds. */
  since: z.number(),
  /** The latest change shown so far, in Unix milliseconds. */
  latest: z.number(),
  /** The search's token for its next page. */
  token: z.string().optional(),
  /** Issues whose comments are still to be read, each with the index of the next comment; `true`: of a hidden issue. */
  pending: z.array(z.tuple([z.string(), z.number(), z.boolean()])).optional(),
});
type Cursor = z.infer<typeof cursorSchema>;

interface SearchAnswer {
  readonly issues?: readonly JiraIssue[];
  readonly nextPageToken?: string;
  readonly isLast?: boolean;
}
interface Project {
  readonly key: string;
  readonly name?: string;
  readonly projectTypeKey?: string;
  readonly archived?: boolean;
}

class JiraSession implements Session {
  private readonly http: AtlassianHttp;

  constructor(connection: Connection<AtlassianCredentials>) {
    this.http = new AtlassianHttp('Jira', connection);
  }

  async check(signal: AbortSignal): Promise<void> {
    try {
      await this.http.get('/rest/api/3/myself', {}, signal);
    } catch (error) {
      throw asWrongSite('Jira', error);
    }
  }

  async discover(page: { cursor: string; limit: number }, signal: AbortSignal): Promise<DiscoveredPage> {
    const startAt = readCursor(page.cursor, z.number()) ?? 0;
    const parameters = { startAt, maxResults: page.limit, orderBy: 'key' };
    const answer = await this.http.get<{ values?: readonly Project[]; isLast?: boolean }>(
      '/rest/api/3/project/search',
      parameters,
      signal,
    );
    const { values = [], isLast = true } = answer;
    const next = isLast || values.length === 0 ? null : String(startAt + values.length);
    return { resources: values.map((project) => this.resourceOf(project)), nextCursor: next };
  }

  async describe(resourceId: string, signal: AbortSignal): Promise<DiscoveredResource> {
    const path = `/rest/api/3/project/${encodeURIComponent(resourceId)}`;
    return this.resourceOf(await this.http.get<Project>(path, {}, signal));
  }

  read(resource: ResourceScope, cursor: string, signal: AbortSignal): Promise<Page> {
    return this.page(new IssueReading(resource, this.http, 'changes'), cursor, signal);
  }

  walk(resource: ResourceScope, cursor: string, signal: AbortSignal): Promise<Page> {
    return this.page(new IssueReading(resource, this.http, 'walk'), cursor, signal);
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  private page(reading: IssueReading, cursor: string, signal: AbortSignal): Promise<Page> {
    const state = readCursor(cursor, cursorSchema) ?? reading.begin();
    const [next, ...later] = state.pending ?? [];
    return next ? reading.commentsPage(state, [next, later], signal) : reading.issuesPage(state, signal);
  }

  private resourceOf({ key, name, projectTypeKey, archived }: Project): DiscoveredResource {
    const kind = projectTypeKey === undefined ? {} : { project_type: projectTypeKey };
    const metadata = { ...kind, archived: archived === true, url: `${this.http.site}/browse/${key}` };
    return { id: key, name: name || key, type: 'project', metadata };
  }
}

type PendingComments = NonNullable<Cursor['pending']>;

/**
 * Reads the pages of a project: issues in the order of their changes or, for a walk, only as much of each as
 * shows that it exists.
 */
class IssueReading {
  private readonly filters: Filters;

  constructor(
    private readonly resource: ResourceScope,
    private readonly http: AtlassianHttp,
    private readonly what: 'changes' | 'walk',
  ) {
    this.filters = filters.parse(resource.filters);
  }

  begin(): Cursor {
    const since = this.resource.oldest.getTime();
    return { since, latest: since };
  }

  async issuesPage(state: Cursor, signal: AbortSignal): Promise<Page> {
    const { issues = [], nextPageToken, isLast } = await this.search(state, signal);
    const token = isLast === true ? undefined : (nextPageToken ?? undefined);
    if (isLast === false && token === undefined) throw noListOf('Jira', 'that there is more, but not where');
    const entries: Entry[] = [];
    const hidden: string[] = [];
    const pending: PendingComments = [];
    let { latest } = state;
    for (const issue of issues) {
      const { updated, security, comment } = issue.fields ?? {};
      latest = Math.max(latest, Date.parse(updated ?? '') || 0);
      const isHidden = security !== undefined && this.filters.include_restricted !== true;
      if (isHidden) hidden.push(issue.key);
      else entries.push(this.issueEntry(issue));
      if ((comment?.total ?? 0) > (comment?.comments?.length ?? 0)) pending.push([issue.key, 0, isHidden]);
      else this.addComments(comment?.comments, { key: issue.key, isHidden }, { entries, hidden });
    }
    return {
      entries,
      hidden,
      ...this.ending({ ...state, latest, token, pending }),
    };
  }

  /** Reads comments of the first issue whose comments are pending. */
  async commentsPage(
    state: Cursor,
    [[key, startAt, isHidden], later]: [PendingComments[number], PendingComments],
    signal: AbortSignal,
  ): Promise<Page> {
    const path = `/rest/api/3/issue/${encodeURIComponent(key)}/comment`;
    const parameters = { startAt, maxResults: commentsPerPage, orderBy: 'created' };
    const answer = await this.http
      .get<CommentPage>(path, parameters, signal)
      .catch(ifMissing<CommentPage>({ comments: [], total: 0 }));
    const { comments, total } = answer;
    if (!comments) throw noListOf('Jira', 'a list without comments');
    const entries: Entry[] = [];
    const hidden: string[] = [];
    this.addComments(comments, { key, isHidden }, { entries, hidden });
    const next = startAt + comments.length;
    const isCut = comments.length === 0 && next < (total ?? 0);
    const isDone = comments.length === 0 || next >= (total ?? Infinity);
    const pending: PendingComments = isDone ? later : [[key, next, isHidden], ...later];
    const problem = `Jira shows fewer comments on ${key} than it counts`;
    const unlisted = isCut && !isHidden ? [{ idPrefix: commentId(key, ''), problem }] : [];
    return { entries, hidden, unlisted, ...this.ending({ ...state, pending }) };
  }

  private ending(state: Cursor): Pick<Page, 'cursor' | 'more'> {
    const { pending = [], token, since, latest } = state;
    const more = pending.length > 0 || token !== undefined;
    const from = Math.max(since, latest - overlapMs);
    const next = more ? { ...state, pending } : { since: from, latest: from };
    return { cursor: JSON.stringify(next), more };
  }

  private async search(state: Cursor, signal: AbortSignal): Promise<SearchAnswer> {
    const comments = this.filters.include_comments === false ? [] : ['comment'];
    const fields = this.what === 'walk' ? ['updated', 'security'] : issueFields;
    const body = {
      jql: this.jql(state.since),
      fields: [...fields, ...comments],
      maxResults: issuesPerPage,
      ...(state.token === undefined ? {} : { nextPageToken: state.token }),
    };
    try {
      const answer = await this.http.post<SearchAnswer>('/rest/api/3/search/jql', body, signal);
      if (answer.issues) return answer;
      throw noListOf('Jira', 'a search without issues');
    } catch (error) {
      if (isRefusedQuery(error) && !(await this.hasProject(signal))) throw noProject(error);
      throw asListFailure('Jira', error, state.token !== undefined);
    }
  }

  /** Jira calls a search in a project wrong that it does not show, or that is archived, and says why in the account's language. */
  private async hasProject(signal: AbortSignal): Promise<boolean> {
    const path = `/rest/api/3/project/${encodeURIComponent(this.resource.id)}`;
    const project = await this.http
      .get<Project | undefined>(path, {}, signal)
      .catch(ifMissing<Project | undefined>(undefined));
    return project !== undefined && project.archived !== true;
  }

  /**
   * The query. Times are in milliseconds; dates would be in the account's time zone, and exact only to the
   * minute.
   */
  private jql(since: number): string {
    const { issue_types: types, labels } = this.filters;
    const conditions = [
      `project = ${inQuery(this.resource.id)}`,
      `updated >= ${since}`,
      ...(types ? [`issuetype in (${types.map(inQuery).join(', ')})`] : []),
      ...(labels ? [`labels in (${labels.map(inQuery).join(', ')})`] : []),
    ];
    return `${conditions.join(' AND ')} ORDER BY ${this.what === 'walk' ? 'key ASC' : 'updated ASC, key ASC'}`;
  }

  private issueEntry(issue: JiraIssue): Entry {
    const version = issue.fields?.updated;
    const load = async (signal: AbortSignal) => {
      const whole = this.what === 'walk' ? await this.issue(issue.key, signal) : issue;
      // An issue that was moved meanwhile still answers to its old key.
      return whole?.key === issue.key ? issueItem(whole, this.http.site) : undefined;
    };
    return { id: issue.key, ...(version === undefined ? {} : { version }), load };
  }

  private issue(key: string, signal: AbortSignal): Promise<JiraIssue | undefined> {
    const path = `/rest/api/3/issue/${encodeURIComponent(key)}`;
    return this.http
      .get<JiraIssue | undefined>(path, { fields: issueFields.join(',') }, signal)
      .catch(ifMissing<JiraIssue | undefined>(undefined));
  }

  private addComments(
    comments: readonly JiraComment[] | undefined,
    { key, isHidden }: { key: string; isHidden: boolean },
    to: { entries: Entry[]; hidden: string[] },
  ): void {
    if (this.filters.include_comments === false) return;
    for (const comment of comments ?? []) {
      const id = commentId(key, comment.id);
      if (isHidden || (isRestricted(comment) && this.filters.include_restricted !== true)) {
        to.hidden.push(id);
        continue;
      }
      const version = comment.updated ?? comment.created;
      const load = () => Promise.resolve(commentItem(comment, key, this.http.site));
      to.entries.push({ id, ...(version === undefined ? {} : { version }), load });
    }
  }
}

/** Replaces the failure to find something by a value: it was deleted while it was being read. */
function ifMissing<Value>(value: Value): (error: unknown) => Value {
  return (error) => {
    if (error instanceof ProviderError && error.kind === 'missing') return value;
    throw error;
  };
}

function isRefusedQuery(error: unknown): boolean {
  return error instanceof ProviderError && error.httpStatus === 400;
}

function noProject(cause: unknown): ProviderError {
  const problem = 'Jira does not find the project, or does not show it to this account';
  return new ProviderError('missing', problem, { httpStatus: 400, cause });
}

const setupGuide = `1. Choose the Atlassian account that reads: whatever it sees can be found by everybody who may search the collection. Best is an
   account of its own that is a member of the projects to sync and nothing else.
2. Signed in as that account, make an API token at https://id.atlassian.com/manage-profile/security/api-tokens. With scopes, choose
   \`read:jira-work\` and \`read:jira-user\`. Tokens expire after at most a year.
3. Enter the address of your site (\`https://example.atlassian.net\`), the account's e-mail address and the token.

A resource is a project, by its key (\`OPS\`). Issues become tickets, their comments items of their own.

**Access rights are not taken over.** Who may see an issue depends on permission schemes, roles and security levels that Jira does not
tell per issue. Give each resource an \`acl\` of your own, or everybody who may search the database reads its issues. Issues with a security level, comments
for a role or group only, and internal notes of service projects are left out unless the filter \`include_restricted\` is set.`;

export const jira: Provider<AtlassianCredentials> = {
  id: 'jira',
  name: 'Jira',
  category: 'tickets',
  authTypes: ['api_token'],
  resourceType: 'project',
  supportsAcl: false,
  indexedObjectTypes: ['issue', 'comment'],
  searchableFields: ['title', 'description', 'status', 'priority', 'assignee', 'reporter', 'body', 'author'],
  filterableFields: ['issue_key', 'project_key', 'issue_type', 'labels', 'components', 'comment_id'],
  credentials: atlassianCredentials,
  filters,
  setupGuide,
  open: (connection) => new JiraSession(connection),
};
