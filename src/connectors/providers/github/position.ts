import type { Entry, ResourceScope } from '../../provider.js';

/** Lists that GitHub sorts by the time of the last change, in the order in which they are read. */
export const lists = {
  tickets: '/repos/{owner}/{repo}/issues',
  comments: '/repos/{owner}/{repo}/issues/comments',
  reviews: '/repos/{owner}/{repo}/pulls/comments',
} as const;
type List = keyof typeof lists;
type Stream = List | 'files';

/** A place in a list: what has changed since `since`, except for what was already shown of that second. */
export interface ListPlace {
  readonly stream: List;
  readonly since: string;
  /** From 1; above it where a second fills pages. */
  readonly page: number;
  readonly seen: readonly number[];
}

/** A place in the files of a tree; `tree` is its hash, or a branch before the hash is known. */
export interface FilesPlace {
  readonly stream: 'files';
  readonly tree: string;
  readonly offset: number;
  /** Of the repository, when its tree was asked for. */
  readonly state: string;
}
type Place = ListPlace | FilesPlace;

/** How far reading a repository has come. */
export interface Position {
  /** By list, when the last that was read had changed. */
  readonly marks?: Readonly<Partial<Record<List, string>>>;
  /** Of which state of the repository the files were read. */
  readonly pushed?: string;
  /** Absent between syncs. */
  readonly at?: Place | undefined;
  /** Was archived when this sync began. */
  readonly archived?: boolean;
}

export interface Step {
  readonly entries: readonly Entry[];
  /** Undefined: the stream is through. */
  readonly next: Place | undefined;
  /** When the last of a list that was read had changed. */
  readonly mark?: string;
}

export interface GithubRepository {
  readonly name: string;
  readonly full_name: string;
  readonly html_url: string;
  readonly owner: { readonly login: string };
  readonly default_branch: string;
  readonly description?: string | null;
  readonly private?: boolean;
  readonly archived?: boolean;
  readonly pushed_at?: string | null;
}

/** What remains of a stream that has been read to its end, for the next sync. */
export function marked(known: Position, at: Place, { next, mark }: Step): Partial<Position> {
  if (next) return {};
  if (at.stream === 'files') return { pushed: at.state };
  return mark === undefined ? {} : { marks: { ...known.marks, [at.stream]: mark } };
}

/** Where the stream after this one begins; undefined after the last. */
export function placeAfter(
  stream: Stream | undefined,
  { resource, from, found }: { resource: ResourceScope; from: Position; found: GithubRepository },
): Place | undefined {
  const { issues, pullRequests, comments, files } = filtersOf(resource);
  const isAny = issues || pullRequests;
  const isPushed = from.pushed !== stateOf(found);
  const all: readonly (readonly [Stream, boolean])[] = [
    ['tickets', isAny],
    ['comments', isAny && comments],
    ['reviews', pullRequests && comments],
    ['files', files && isPushed],
  ];
  const [next] = all.slice(all.findIndex(([name]) => name === stream) + 1).find(([, is]) => is) ?? [];
  if (next === undefined) return undefined;
  if (next === 'files') return { stream: next, tree: found.default_branch, offset: 0, state: stateOf(found) };
  // GitHub knows whole seconds.
  const oldest = resource.oldest.toISOString().replace(/\.\d+Z$/, 'Z');
  return { stream: next, since: from.marks?.[next] ?? oldest, page: 1, seen: [] };
}

/** Changes with every push, and with the branch that files are read of. */
function stateOf({ pushed_at, default_branch }: GithubRepository): string {
  return `${pushed_at ?? ''} ${default_branch}`;
}

export function filtersOf({ filters }: ResourceScope) {
  const is = (name: string) => filters[name] !== false;
  const labels = filters['labels'];
  return {
    issues: is('include_issues'),
    pullRequests: is('include_pull_requests'),
    comments: is('include_comments'),
    files: is('include_files'),
    labels: Array.isArray(labels) ? labels.map(String) : [],
  };
}
