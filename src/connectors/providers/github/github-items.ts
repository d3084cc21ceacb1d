import { hash } from 'node:crypto';
import { clip } from '../../../lib/characters.js';
import type { Item } from '../../provider.js';
import { linkedTickets } from './linked-tickets.js';

/** What items need to know of their repository. */
export interface Repository {
  /**
   * `owner/repo` in lower case, as the resource names it. Item ids are made of it, so they survive a
   * renaming.
   */
  readonly key: string;
  readonly fullName: string;
  readonly webUrl: string;
  readonly branch: string;
}

interface GithubUser {
  readonly login: string;
}

/** An issue, or a pull request as the list of issues shows it. */
export interface GithubTicket {
  readonly id: number;
  readonly number: number;
  readonly title: string;
  readonly body?: string;
  readonly state: string;
  readonly html_url: string;
  readonly user?: GithubUser;
  readonly assignee?: GithubUser;
  readonly labels?: readonly (string | { readonly name?: string })[];
  readonly pull_request?: { readonly merged_at?: string };
  readonly created_at: string;
  readonly updated_at: string;
}

/** A comment on an issue or pull request, or one of a review on a line of a file. */
export interface GithubComment {
  readonly id: number;
  readonly body?: string;
  readonly html_url?: string;
  /** The address of what it is on, in the API: of a comment, and of a review comment. */
  readonly issue_url?: string;
  readonly pull_request_url?: string;
  readonly user?: GithubUser;
  /** The file that a review comment is on; missing for other comments. */
  readonly path?: string;
  readonly created_at: string;
  readonly updated_at: string;
}

/** A file in a tree of git. */
export interface GithubFile {
  readonly path: string;
  readonly type: string;
  readonly mode?: string;
  readonly sha: string;
  readonly size?: number;
}

const labelsCharactersMax = 300;
const ghost = 'ghost';

/** The id of the item of an issue or pull request. */
export function ticketId({ key }: Repository, number: number): string {
  return `${key}#${number}`;
}

/** The id of the item of a comment. */
export function commentId(repository: Repository, comment: GithubComment): string {
  const kind = comment.path === undefined ? 'comment' : 'review-comment';
  return `${ticketId(repository, ticketNumberOf(comment))}/${kind}/${comment.id}`;
}

/** The id of the item of a file. */
export function fileId({ key }: Repository, path: string): string {
  return `${key}/blob/${path}`;
}

/** The number of the issue or pull request that a comment belongs to, taken from its addresses. */
export function ticketNumberOf(comment: GithubComment): number {
  return Number(/\/(?:issues|pulls?)\/(\d+)(?:#|$)/.exec(placeOf(comment))?.[1] ?? 0);
}

/** Whether a comment is on a pull request, and not on an issue. */
export function isOnPullRequest(comment: GithubComment): boolean {
  return /\/pulls?\/\d+(?:#|$)/.test(placeOf(comment));
}

function placeOf({ html_url, issue_url, pull_request_url }: GithubComment): string {
  return html_url ?? pull_request_url ?? issue_url ?? '';
}

/**
 * The version of an issue or pull request: its time with a digest of its content, since times are whole
 * seconds, in which much can change.
 */
export function ticketVersion(ticket: GithubTicket): string {
  const { title, body, state, pull_request, assignee, updated_at } = ticket;
  return version(updated_at, [
    title,
    body,
    state,
    pull_request?.merged_at,
    assignee?.login,
    labelsOf(ticket),
  ]);
}

/** The version of a comment, in the same form. */
export function commentVersion({ body, updated_at }: GithubComment): string {
  return version(updated_at, [body]);
}

/** The item of an issue or pull request. */
export function ticketItem(ticket: GithubTicket, repository: Repository): Item {
  const { number, title, html_url, pull_request, created_at, updated_at } = ticket;
  const id = ticketId(repository, number);
  const description = written(ticket.body);
  const linked = linkedTickets(description, repository).filter((each) => each !== id);
  const state = pull_request?.merged_at ? 'merged' : ticket.state;
  const labels = labelsOf(ticket);
  return {
    kind: 'ticket',
    title: `${title} (#${number})`,
    url: html_url,
    type: pull_request ? 'pull_request' : 'issue',
    timestamp: created_at,
    fields: {
      title,
      ...(description === '' ? {} : { description }),
      status: state,
      ...(ticket.assignee ? { assignee: ticket.assignee.login } : {}),
      reporter: ticket.user?.login ?? ghost,
      ...(linked.length > 0 ? { linked_issue_ids: linked } : {}),
      thread_id: id,
      created_at,
      updated_at,
      url: html_url,
    },
    native: {
      repository: repository.fullName,
      number: String(number),
      state,
      ...(labels === '' ? {} : { labels }),
    },
  };
}

/** An item of a comment; undefined for one without text. */
export function commentItem(comment: GithubComment, repository: Repository): Item | undefined {
  const { html_url, path, user, created_at, updated_at } = comment;
  const body = written(comment.body);
  if (body === '') return undefined;
  const number = ticketNumberOf(comment);
  const ticket = ticketId(repository, number);
  return {
    kind: 'comment',
    ...(path === undefined ? {} : { title: `Review of ${path} in #${number}` }),
    ...(html_url === undefined ? {} : { url: html_url }),
    type: path === undefined ? 'comment' : 'review_comment',
    timestamp: created_at,
    fields: {
      body,
      author: user?.login ?? ghost,
      parent_id: ticket,
      thread_id: ticket,
      created_at,
      updated_at,
      ...(html_url === undefined ? {} : { url: html_url }),
    },
    native: {
      repository: repository.fullName,
      number: String(number),
      ...(path === undefined ? {} : { path }),
    },
  };
}

/** The item of a file, without a time: when it was written, git tells only in another request. */
export function fileItem(
  { path }: GithubFile,
  { fullName, webUrl, branch }: Repository,
  open: (signal: AbortSignal) => Promise<Buffer>,
): Item {
  const encoded = [branch, path].map((part) => part.split('/').map(encodeURIComponent).join('/'));
  const url = `${webUrl}/blob/${encoded.join('/')}`;
  return {
    kind: 'knowledge_base',
    title: path,
    url,
    type: 'file',
    fields: { title: path, url },
    file: { filename: path.slice(path.lastIndexOf('/') + 1), contentType: 'text/markdown', open },
    native: { repository: fullName, path },
  };
}

/** The text of a body, without the hints that templates hide in comments. */
function written(body: string | undefined): string {
  const text = body ?? '';
  // Every beginning before the last end has an end, so that none is sought in vain.
  const hintsEnd = text.lastIndexOf('-->') + 3;
  return `${text.slice(0, hintsEnd).replace(/<!--[\s\S]*?-->/g, '')}${text.slice(hintsEnd)}`.trim();
}

function labelsOf({ labels = [] }: GithubTicket): string {
  const names = labels.map((label) => (typeof label === 'string' ? label : (label.name ?? '')));
  return clip(names.filter(Boolean).join(', '), labelsCharactersMax);
}

function version(updatedAt: string, content: readonly unknown[]): string {
  return `${updatedAt} ${hash('sha256', JSON.stringify(content)).slice(0, 16)}`;
}
