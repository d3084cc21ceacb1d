import type { JsonObject } from '../../../src/sources/source.types.js';
import { AtlassianFake } from './atlassian-fake.js';
import { adf, positionOf, readPosition } from './atlassian-server.js';
import type { FakeAnswer, FakeRequest } from './atlassian-server.js';
import type { ProviderFake } from './provider-fake.js';

export interface FakeIssue {
  key: string;
  updatedAt: number;
  /** As the API shows them, without comments. */
  fields: JsonObject;
  comments: JsonObject[];
}

/** A search shows no more of an issue's comments. */
const embeddedCommentsMax = 20;
const commentsPerPageMax = 100;

/** A site of Jira Cloud: projects OPS and HR. */
export class JiraFake extends AtlassianFake implements ProviderFake {
  /** Says that there is more, but not where. */
  hidesPositions = false;
  /** How many comments an issue is said to have; null: it is not said. */
  countedComments: number | null | undefined;
  /** How it says, in the language of the account, that there is no such project. */
  unknownProject = (project: string) => `The value '${project}' does not exist for the field 'project'.`;
  readonly issues = new Map<string, FakeIssue>();
  readonly projects = ['HR', 'OPS'];
  readonly resource = { id: 'OPS', type: 'project' };
  /** Bodies of searches. */
  readonly searches: JsonObject[] = [];
  private count = 0;

  static async start(): Promise<JiraFake> {
    return new JiraFake().serve();
  }

  addIssue(fields: JsonObject = {}, project = 'OPS'): FakeIssue {
    const key = `${project}-${++this.count}`;
    const at = this.tick();
    const issue: FakeIssue = {
      key,
      updatedAt: at,
      fields: {
        summary: `Issue ${key}`,
        description: null,
        status: { name: 'Open' },
        issuetype: { name: 'Task', subtask: false },
        labels: [],
        components: [],
        issuelinks: [],
        subtasks: [],
        attachment: [],
        project: { key: project },
        created: jiraTime(at),
        ...fields,
      },
      comments: [],
    };
    this.issues.set(key, issue);
    return issue;
  }

  comment(key: string, text: string, more: JsonObject = {}): string {
    const issue = this.require(key);
    const id = String(10_000 + ++this.count);
    issue.updatedAt = this.tick();
    const at = jiraTime(issue.updatedAt);
    const author = { accountId: 'a1', displayName: 'Ada Lovelace', emailAddress: 'ada@example.com' };
    issue.comments.push({ id, author, body: adf(text), created: at, updated: at, ...more });
    return id;
  }

  /** Something about an issue changes, and when. */
  touch(key: string, fields: JsonObject): void {
    const issue = this.require(key);
    Object.assign(issue.fields, fields);
    issue.updatedAt = this.tick();
  }

  add(count: number, word: string): Promise<string[]> {
    const added = Array.from({ length: count }, () => this.addIssue({ description: adf(`says ${word}`) }));
    return Promise.resolve(added.map(({ key }) => key));
  }

  edit(id: string, word: string): Promise<void> {
    this.touch(id, { description: adf(`says ${word}`) });
    return Promise.resolve();
  }

  remove(id: string): Promise<void> {
    this.issues.delete(id);
    return Promise.resolve();
  }

  private require(key: string): FakeIssue {
    const issue = this.issues.get(key);
    if (!issue) throw new Error(`no issue ${key}`);
    return issue;
  }

  protected answer(request: FakeRequest): FakeAnswer {
    const { path, query, isKnown } = request;
    if (path === '/rest/api/3/myself')
      return isKnown
        ? { body: { accountId: 'me', displayName: 'Reader', timeZone: 'Pacific/Auckland', active: true } }
        : wrong(401, 'Client must be authenticated to access this resource.');
    // A rejected token is nobody here, who sees nothing.
    if (!isKnown)
      return {
        headers: { 'x-seraph-loginreason': 'AUTHENTICATED_FAILED' },
        body: { values: [], issues: [], isLast: true },
      };
    if (path === '/rest/api/3/project/search') return this.projectPage(query);
    const project = /^\/rest\/api\/3\/project\/([^/]+)$/.exec(path)?.[1];
    if (project !== undefined)
      return this.projects.includes(project)
        ? { body: projectOf(project) }
        : wrong(404, `No project could be found with key '${project}'.`);
    if (path === '/rest/api/3/search/jql' && request.method === 'POST') return this.search(request.body);
    const [, key = '', comments] = /^\/rest\/api\/3\/issue\/([^/]+)(\/comment)?$/.exec(path) ?? [];
    const issue = this.issues.get(key);
    if (!issue) return wrong(404, 'Issue does not exist or you do not have permission to see it.');
    if (comments) return commentPage(issue, query, this.countedComments);
    return { body: shown(issue, (query.get('fields') ?? '').split(',')) };
  }

  private projectPage(query: URLSearchParams): FakeAnswer {
    const startAt = Number(query.get('startAt') ?? 0);
    const maxResults = Math.min(Number(query.get('maxResults') ?? 50), 50);
    const values = this.projects.slice(startAt, startAt + maxResults).map(projectOf);
    const total = this.projects.length;
    return { body: { startAt, maxResults, total, isLast: startAt + values.length >= total, values } };
  }

  private search(body: JsonObject): FakeAnswer {
    this.searches.push(body);
    const jql = String(body['jql']);
    const query =
      /^project = "([^"]+)" AND updated >= (\d+)(.*?) ORDER BY (updated|key) ASC(, key ASC)?$/.exec(jql);
    if (!query) return wrong(400, `Error in the JQL Query: '${jql}'`);
    const [, project = '', since, more = '', order] = query;
    if (!this.projects.includes(project)) return wrong(400, this.unknownProject(project));
    const token = body['nextPageToken'] as string | undefined;
    const after = token === undefined ? undefined : readPosition(token);
    if (token !== undefined && !after)
      return wrong(400, 'Invalid request payload. Refer to the REST API documentation and try again.');
    const keysOf = ({ key, updatedAt }: FakeIssue) =>
      order === 'updated' ? [updatedAt, numberOf(key)] : [numberOf(key)];
    const found = [...this.issues.values()]
      .filter(({ key }) => key.startsWith(`${project}-`))
      .filter(({ updatedAt }) => updatedAt >= Number(since))
      .filter((issue) => satisfies(issue, more))
      .sort((a, b) => compare(keysOf(a), keysOf(b)))
      .filter((issue) => !after || compare(keysOf(issue), after as number[]) > 0);
    const page = found.slice(0, Math.min(Number(body['maxResults'] ?? 50), 100));
    const last = page.at(-1);
    const isLast = page.length === found.length;
    const issues = page.map((issue) => shown(issue, body['fields'] as string[]));
    return {
      body: {
        issues,
        isLast,
        ...(isLast || !last || this.hidesPositions ? {} : { nextPageToken: positionOf(keysOf(last)) }),
      },
    };
  }
}

function satisfies({ fields }: FakeIssue, conditions: string): boolean {
  const valuesOf = (field: string) =>
    new RegExp(`AND ${field} in \\(([^)]*)\\)`)
      .exec(conditions)?.[1]
      ?.split(', ')
      .map((value) => JSON.parse(value) as string);
  const types = valuesOf('issuetype');
  const labels = valuesOf('labels');
  const type = (fields['issuetype'] as { name: string }).name;
  return (
    (!types || types.includes(type)) &&
    (!labels || (fields['labels'] as string[]).some((label) => labels.includes(label)))
  );
}

/** No field that was not asked for. */
function shown({ key, fields, comments, updatedAt }: FakeIssue, asked: readonly string[]): JsonObject {
  const comment = {
    comments: comments.slice(0, embeddedCommentsMax),
    maxResults: embeddedCommentsMax,
    total: comments.length,
    startAt: 0,
  };
  const all: JsonObject = { ...fields, updated: jiraTime(updatedAt), comment };
  const picked = Object.entries(all).filter(([name]) => asked.includes(name));
  return { id: String(90_000 + numberOf(key)), key, fields: Object.fromEntries(picked) };
}

function commentPage(
  { comments }: FakeIssue,
  query: URLSearchParams,
  total: number | null | undefined = comments.length,
): FakeAnswer {
  const startAt = Number(query.get('startAt') ?? 0);
  const maxResults = Math.min(Number(query.get('maxResults') ?? 50), commentsPerPageMax);
  const page = comments.slice(startAt, startAt + maxResults);
  return { body: { startAt, maxResults, total, comments: page } };
}

function projectOf(key: string): JsonObject {
  return { id: `1${key.length}`, key, name: `Project ${key}`, projectTypeKey: 'software', archived: false };
}

/** Jira writes times in the zone of the account. */
function jiraTime(milliseconds: number): string {
  return new Date(milliseconds + 2 * 3_600_000).toISOString().replace('Z', '+0200');
}

function numberOf(key: string): number {
  return Number(key.split('-')[1]);
}

function compare(left: readonly number[], right: readonly number[]): number {
  const index = left.findIndex((value, at) => value !== right[at]);
  return index < 0 ? 0 : (left[index] ?? 0) - (right[index] ?? 0);
}

function wrong(status: number, message: string): FakeAnswer {
  return { status, body: { errorMessages: [message], errors: {} } };
}
