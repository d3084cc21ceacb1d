import type { Entry, ResourceScope, Unlisted } from '../../provider.js';

/** The lists, in the order in which they are read. GitHub sorts each by the time of the last change. */
export const lists = {
  tickets: '/repos/{owner}/{repo}/issues',
  comments: '/repos/{owner}/{repo}/issues/comments',
  reviews: '/repos/{owner}/{repo}/pulls/comments',
} as const;
type List = keyof typeof lists;
type Stream = List | 'files';

/**
 * A place in a list: everything that changed from `since` on, except `seen`, the ids already shown of that
 * second.
 */
export interface ListPlace {
  readonly stream: List;
  readonly since: string;
  /** From 1; higher only when the changes of one second fill more than a page. */
  readonly page: number;
  readonly seen: readonly number[];
}

/** A place in the files of a tree; `tree` is its hash, or a branch before the hash is known. */
export interface FilesPlace {
  readonly stream: 'files';
  readonly tree: string;
  readonly offset: number;
  /** The state of the repository when its tree was requested; see stateOf. */
  readonly state: string;
  /** The hash of the tree that was read before. */
  readonly before?: string | undefined;
}
type Place = ListPlace | FilesPlace;

/** How far reading a repository has come. */
export interface Position {
  /** By list, the time of change of the last entry that was read. */
  readonly marks?: Readonly<Partial<Record<List, string>>>;
  /** The state of the repository whose files were read; see stateOf. */
  readonly pushed?: string;
  /** The hash of their tree. */
  readonly tree?: string;
  /** The current place; missing between syncs. */
  readonly at?: Place | undefined;
  /** Whether the repository was archived when this sync began. */
  readonly archived?: boolean;
}

/** A step of reading: what it found, and where the next one begins. */
export interface Step {
  readonly entries: readonly Entry[];
  /** Native ids of what is gone. */
  readonly deleted?: readonly string[];
  /** Undefined when the stream has been read to its end. */
  readonly next: Place | undefined;
  /** The time of change of the last entry of a list that was read. */
  readonly mark?: string;
  /** The hash of the tree whose files were read. */
  readonly tree?: string;
  /** What could not be listed, and is looked for again in the next sync. */
  readonly unlisted?: readonly Unlisted[];
}

/** The parts of a repository that are read. */
export interface GithubRepository {
  readonly name: string;
  readonly full_name: string;
  readonly html_url?: string;
  readonly owner: { readonly login: string };
  readonly default_branch: string;
  readonly description?: string;
  readonly private?: boolean;
  readonly archived?: boolean;
  /** False where pull requests are switched off: then nothing of theirs is found. */
  readonly has_pull_requests?: boolean;
  readonly pushed_at?: string;
}

/** A repository in the addresses of the API. */
export function pathOf({ owner, name }: GithubRepository): { owner: string; repo: string } {
  return { owner: owner.login, repo: name };
}

/** What is kept for the next sync of a stream that has been read to its end. */
export function marked(known: Position, at: Place, { next, mark, tree, unlisted }: Step): Partial<Position> {
  if (next || unlisted) return {};
  if (at.stream === 'files') return { pushed: at.state, ...(tree === undefined ? {} : { tree }) };
  return mark === undefined ? {} : { marks: { ...known.marks, [at.stream]: mark } };
}

/** The beginning of the next stream after this one; undefined after the last. */
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
    ['reviews', pullRequests && comments && found.has_pull_requests !== false],
    ['files', files && isPushed],
  ];
  const [next] = all.slice(all.findIndex(([name]) => name === stream) + 1).find(([, is]) => is) ?? [];
  if (next === undefined) return undefined;
  if (next === 'files') {
    const { tree: before } = from;
    return { stream: next, tree: found.default_branch, offset: 0, state: stateOf(found), before };
  }
  // GitHub knows whole seconds only.
  const oldest = resource.oldest.toISOString().replace(/\.\d+Z$/, 'Z');
  return { stream: next, since: from.marks?.[next] ?? oldest, page: 1, seen: [] };
}

/** A value that changes with every push, and with the default branch. */
function stateOf({ pushed_at, default_branch }: GithubRepository): string {
  return `${pushed_at ?? ''} ${default_branch}`;
}

/** The filters of a resource, with their defaults. */
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
