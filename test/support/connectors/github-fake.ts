import { createHash } from 'node:crypto';
import { JsonFake } from './json-fake.js';
import type { FakeAnswer, FakeRequest } from './json-fake.js';
import type { FakeFailure, ProviderFake } from './provider-fake.js';

const token = 'github_pat_good';
/** Of an installation of an app. */
export const appToken = 'ghs_good';
const docs = 'https://docs.github.com/rest';
const startedDaysAgo = 20;
const fullName = 'Acme/Web';

type Fields = Record<string, unknown>;
interface Changing extends Fields {
  id: number;
  body: string | null;
  html_url: string;
  created_at: string;
  updated_at: string;
}
interface FakeTicket extends Changing {
  number: number;
  state: string;
  labels: { name: string }[];
}

/** A repository as GitHub's REST API shows it: whole seconds, links between pages, comments that touch what they are on. */
export class GithubFake implements ProviderFake {
  readonly credentials = { access_token: token };
  readonly wrongCredentials = { access_token: 'github_pat_revoked' };
  readonly resource = { id: fullName, type: 'repository' };
  readonly missingResourceId = 'acme/nothing';
  readonly tickets: FakeTicket[] = [];
  readonly comments: Changing[] = [];
  readonly reviews: Changing[] = [];
  /** Texts by their paths. */
  readonly files = new Map<string, string>();
  /** The files of the trees that were shown, by their hashes: git keeps what was pushed over. */
  readonly trees = new Map<string, ReadonlyMap<string, string>>();
  /** Paths of `files` that are symbolic links. */
  readonly links = new Set<string>();
  /** Whether trees are not found, whichever are asked for. */
  hidesTrees = false;
  /** How many entries a recursive list of a tree may have; further ones are cut off. */
  treeMax = 100_000;
  readonly repository: Fields = {
    id: 77,
    name: 'Web',
    full_name: fullName,
    html_url: `https://github.com/${fullName}`,
    owner: { login: 'Acme' },
    default_branch: 'main',
    description: 'The site',
    private: true,
    archived: false,
    pushed_at: '2024-01-01T00:00:00Z',
  };
  /** Answers all requests for the repository so; undefined: as it is. */
  refusal: FakeAnswer | undefined;
  hasIssues = true;
  /** Stands still for what happens within a second. */
  isClockStopped = false;
  private seconds = Math.floor(Date.now() / 1000) - startedDaysAgo * 86_400;
  private ids = 1000;
  private readonly http: JsonFake;

  constructor() {
    this.http = new JsonFake((request) => this.answer(request), failed);
  }

  async listen(): Promise<this> {
    await this.http.listen();
    return this;
  }

  get baseUrl(): string {
    return this.http.url;
  }

  get requests(): number {
    return this.http.asked.length;
  }

  /** Paths that were asked for, in their order. */
  get asked(): readonly string[] {
    return this.http.asked;
  }

  readonly fail = (failure: FakeFailure, times: number): void => this.http.fail(failure, times);

  addTicket(body: string | null, more: Fields = {}): FakeTicket {
    const number = this.tickets.length + 1;
    const kind = 'pull_request' in more ? 'pull' : 'issues';
    const ticket: FakeTicket = {
      ...this.changing(body, `${kind}/${number}`),
      number,
      title: `Ticket ${number}`,
      state: 'open',
      user: { login: 'alice' },
      assignee: null,
      labels: [],
      ...more,
    };
    this.tickets.push(ticket);
    return ticket;
  }

  addComment(ticket: FakeTicket, body: string | null, more: Fields = {}): Changing {
    const made = this.changing(body, '');
    const list = 'path' in more ? this.reviews : this.comments;
    const anchor = 'path' in more ? 'discussion_r' : 'issuecomment-';
    const comment = {
      ...made,
      html_url: `${ticket.html_url}#${anchor}${made.id}`,
      user: { login: 'bob' },
      ...more,
    };
    list.push(comment);
    ticket.updated_at = comment.updated_at;
    return comment;
  }

  /** Writes a file, or removes it, with a push. */
  push(path: string, text: string | undefined): void {
    if (text === undefined) this.files.delete(path);
    else this.files.set(path, text);
    this.repository['pushed_at'] = this.now();
  }

  /** Its old name is redirected. */
  rename(name: string): void {
    Object.assign(this.repository, {
      name,
      full_name: `Acme/${name}`,
      html_url: `https://github.com/Acme/${name}`,
    });
  }

  async add(count: number, word: string): Promise<string[]> {
    const ids: string[] = [];
    for (let index = 0; index < count; index++) {
      const last = this.tickets.at(-1);
      const text = `Text ${word} ${index}`;
      if (!last || index % 4 < 2) {
        const { number } = this.addTicket(text, index % 4 === 1 ? { pull_request: { merged_at: null } } : {});
        ids.push(`acme/web#${number}`);
      } else if (index % 4 === 2) {
        ids.push(`acme/web#${last.number}/comment/${this.addComment(last, text).id}`);
      } else {
        const { id } = this.addComment(last, text, { path: 'src/a.ts' });
        ids.push(`acme/web#${last.number}/review-comment/${id}`);
      }
    }
    return ids;
  }

  async edit(id: string, word: string): Promise<void> {
    const ticket = this.ticketOf(id);
    ticket.body = `Edited ${word}`;
    ticket.updated_at = this.now();
  }

  async remove(id: string): Promise<void> {
    this.tickets.splice(this.tickets.indexOf(this.ticketOf(id)), 1);
  }

  close(): Promise<void> {
    return this.http.close();
  }

  private ticketOf(id: string): FakeTicket {
    const found = this.tickets.find(({ number }) => id === `acme/web#${number}`);
    if (!found) throw new Error(`no ticket ${id}`);
    return found;
  }

  private changing(body: string | null, path: string): Changing {
    const at = this.now();
    const html_url = `${String(this.repository['html_url'])}/${path}`;
    return { id: ++this.ids, body, html_url, created_at: at, updated_at: at };
  }

  private now(): string {
    if (!this.isClockStopped) this.seconds++;
    return new Date(this.seconds * 1000).toISOString().replace('.000Z', 'Z');
  }

  private answer(request: FakeRequest): FakeAnswer {
    const { path, query, headers } = request;
    if (headers['x-github-api-version'] !== '2022-11-28')
      return { status: 400, body: { message: 'Not a supported version', documentation_url: docs } };
    const isApp = headers.authorization === `token ${appToken}`;
    if (headers.authorization !== `token ${token}` && !isApp)
      return { status: 401, body: { message: 'Bad credentials', documentation_url: docs, status: '401' } };
    if (path === '/') return { body: { current_user_url: 'https://api.github.com/user' } };
    if (path === (isApp ? '/user/repos' : '/installation/repositories'))
      return { status: 403, body: { message: 'Resource not accessible by integration', status: '403' } };
    if (path === '/user/repos') return this.page([this.repository], request);
    if (path === '/installation/repositories') {
      const { body, ...rest } = this.page([this.repository], request);
      return { ...rest, body: { total_count: 1, repositories: body } };
    }
    const [, owner = '', repo = '', rest = ''] = /^\/repos\/([^/]+)\/([^/]+)(.*)$/.exec(path) ?? [];
    const moved = /^\/repositories\/77(.*)$/.exec(path)?.[1];
    const name = `${owner}/${repo}`.toLowerCase();
    if (moved !== undefined || name === String(this.repository['full_name']).toLowerCase())
      return this.refusal ?? this.answerOf(moved ?? rest, request);
    if (name !== fullName.toLowerCase()) return notFound;
    const location = `${this.http.url}/repositories/77${rest}?${query.toString()}`;
    return { status: 301, headers: { location }, body: { message: 'Moved Permanently', url: location } };
  }

  private answerOf(part: string, request: FakeRequest): FakeAnswer {
    if (part === '') return { body: this.repository, headers: rates };
    if (part === '/issues') {
      const wanted = (request.query.get('labels') ?? '').split(',').filter(Boolean);
      const state = request.query.get('state') ?? 'open';
      const found = this.tickets.filter(
        (ticket) =>
          (state === 'all' || ticket.state === state) &&
          wanted.every((label) => ticket.labels.some(({ name }) => name === label)),
      );
      if (!this.hasIssues) return { status: 410, body: { message: 'Issues are disabled for this repo' } };
      return this.page(changedSince(found, request), request);
    }
    if (part === '/issues/comments') return this.page(changedSince(this.comments, request), request);
    if (part.startsWith('/pulls') && this.repository['has_pull_requests'] === false) return notFound;
    if (part === '/pulls/comments') return this.page(changedSince(this.reviews, request), request);
    const [, tree] = /^\/git\/trees\/(.+)$/.exec(part) ?? [];
    if (tree) return this.tree(tree, request);
    const [, sha] = /^\/git\/blobs\/(\w+)$/.exec(part) ?? [];
    const text = [...this.files.values()].find((each) => shaOf(each) === sha);
    if (text === undefined) return notFound;
    return {
      body: {
        sha,
        encoding: 'base64',
        content: Buffer.from(text).toString('base64').replace(/.{60}/g, '$&\n'),
      },
    };
  }

  private tree(ref: string, { query }: FakeRequest): FakeAnswer {
    if (this.files.size === 0) return { status: 409, body: { message: 'Git Repository is empty.' } };
    const sha = shaOf(JSON.stringify([...this.files]));
    this.trees.set(sha, new Map(this.files));
    const isDocs = ref === shaOf('docs');
    const isHead = isDocs || ref === this.repository['default_branch'];
    const files = isHead ? this.files : this.trees.get(ref);
    if (this.hidesTrees || !files) return notFound;
    const folder = isDocs ? 'docs/' : '';
    const blobs = [...files].map(([path, text]) => ({
      path: path.slice(folder.length),
      mode: this.links.has(path) ? '120000' : '100644',
      type: 'blob',
      sha: shaOf(text),
      size: Buffer.byteLength(text),
      isBelow: path.startsWith(folder),
    }));
    const docsTree = { path: 'docs', mode: '040000', type: 'tree', sha: shaOf('docs'), isBelow: !isDocs };
    const all = [docsTree, ...blobs].filter(({ isBelow }) => isBelow);
    const tree = query.get('recursive') ? all : all.filter(({ path }) => !path.includes('/'));
    const truncated = tree.length > this.treeMax;
    return { body: { sha: isHead && !isDocs ? sha : ref, tree: tree.slice(0, this.treeMax), truncated } };
  }

  /** At most 100, with the address of the next page among the headers. */
  private page(all: readonly unknown[], { path, query }: FakeRequest): FakeAnswer {
    const size = Math.min(Number(query.get('per_page') ?? 30), 100);
    const page = Math.max(Number(query.get('page') ?? 1), 1);
    const next = new URLSearchParams([...query, ['page', String(page + 1)]]);
    const link =
      page * size < all.length ? { link: `<${this.http.url}${path}?${next.toString()}>; rel="next"` } : {};
    return { headers: { ...rates, ...link }, body: all.slice((page - 1) * size, page * size) };
  }
}

export async function startGithubFake(): Promise<GithubFake> {
  return new GithubFake().listen();
}

const rates = {
  'x-ratelimit-limit': '5000',
  'x-ratelimit-remaining': '4000',
  'x-ratelimit-reset': '1893456000',
};
const notFound = { status: 404, body: { message: 'Not Found', documentation_url: docs, status: '404' } };

/** Newest made first, unless asked otherwise; `since` is the last change. */
function changedSince<Each extends Changing>(all: readonly Each[], { query }: FakeRequest): Each[] {
  const since = query.get('since') ?? '';
  const key = query.get('sort') === 'updated' ? 'updated_at' : 'created_at';
  const sorted = all
    .filter(({ updated_at }) => updated_at >= since)
    .sort((one, other) => (one[key] < other[key] ? -1 : one[key] > other[key] ? 1 : one.id - other.id));
  return query.get('direction') === 'asc' ? sorted : sorted.reverse();
}

function shaOf(text: string): string {
  return createHash('sha1').update(text).digest('hex');
}

function failed({ status, retryAfterSeconds }: FakeFailure): FakeAnswer {
  if (status === 401)
    return { status, body: { message: 'Bad credentials', documentation_url: docs, status: '401' } };
  if (status !== 429) return { status, body: { message: 'Unicorn!' } };
  const headers = { 'retry-after': String(retryAfterSeconds ?? 60) };
  return {
    status,
    headers,
    body: { message: 'You have exceeded a secondary rate limit.', documentation_url: docs },
  };
}
