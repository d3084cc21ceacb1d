import { clip } from '../../../lib/characters.js';
import type { Item } from '../../provider.js';
import { adfToMarkdown } from '../atlassian/adf-markdown.js';
import { atlassianPerson, timeOf } from '../atlassian/atlassian-http.js';
import { filled } from '../item-fields.js';

/** The fields that are requested of an issue. */
export const issueFields = [
  'summary',
  'description',
  'status',
  'priority',
  'assignee',
  'reporter',
  'issuetype',
  'labels',
  'components',
  'resolution',
  'parent',
  'issuelinks',
  'subtasks',
  'attachment',
  'security',
  'project',
  'created',
  'updated',
] as const;

interface Named {
  readonly name?: string;
}
interface Person {
  readonly displayName?: string;
  /** Missing or empty if the person hides it. */
  readonly emailAddress?: string;
}
interface Keyed {
  readonly key?: string;
}
interface Attachment {
  readonly id?: string;
  readonly filename?: string;
  readonly mimeType?: string;
  readonly size?: number;
  readonly content?: string;
}

/** An issue, as Jira returns it; only requested fields are there. */
export interface JiraIssue {
  readonly key: string;
  readonly fields?: {
    readonly summary?: string;
    readonly description?: unknown;
    readonly status?: Named;
    readonly priority?: Named;
    readonly assignee?: Person;
    readonly reporter?: Person;
    readonly issuetype?: Named;
    readonly labels?: readonly string[];
    readonly components?: readonly Named[];
    readonly resolution?: Named;
    readonly parent?: Keyed;
    readonly issuelinks?: readonly { readonly inwardIssue?: Keyed; readonly outwardIssue?: Keyed }[];
    readonly subtasks?: readonly Keyed[];
    readonly attachment?: readonly Attachment[];
    /** The level of issue security; without one, whoever sees the project sees the issue. */
    readonly security?: Named;
    readonly project?: Keyed;
    readonly created?: string;
    readonly updated?: string;
    readonly comment?: CommentPage;
  };
}

/** The comments of an issue; a search returns only the first ones. */
export interface CommentPage {
  readonly comments?: readonly JiraComment[];
  readonly total?: number;
}

/** A comment, as Jira returns it. */
export interface JiraComment {
  readonly id: string;
  readonly author?: Person;
  readonly body?: unknown;
  readonly created?: string;
  readonly updated?: string;
  /** The role or group to which the comment is restricted. */
  readonly visibility?: unknown;
  /** False for an internal note of a service project, which its customers do not see; true in other projects. */
  readonly jsdPublic?: boolean;
}

const nativeCharactersMax = 200;

/** The item of an issue; undefined for one without any text. */
export function issueItem({ key, fields = {} }: JiraIssue, site: string): Item | undefined {
  const { labels = [], components = [], issuetype, summary = '' } = fields;
  const description = adfToMarkdown(fields.description);
  if (!/\S/.test(summary) && description === '') return undefined;
  const createdAt = timeOf(fields.created);
  const url = `${site}/browse/${key}`;
  const areas = components.flatMap(({ name }) => name ?? []);
  return {
    kind: 'ticket',
    title: summary.trim() || key,
    url,
    ...(issuetype?.name ? { type: issuetype.name } : {}),
    ...(createdAt ? { timestamp: createdAt } : {}),
    fields: filled({
      title: summary.trim(),
      description,
      status: fields.status?.name,
      priority: fields.priority?.name,
      assignee: atlassianPerson(fields.assignee),
      reporter: atlassianPerson(fields.reporter),
      parent_id: fields.parent?.key,
      linked_issue_ids: linkedIssues(fields),
      created_at: createdAt,
      updated_at: timeOf(fields.updated),
      url,
      resolution: fields.resolution?.name,
    }),
    attachments: (fields.attachment ?? []).map(attachmentOf),
    native: filled({
      issue_key: key,
      project_key: fields.project?.key ?? key.replace(/-\d+$/, ''),
      issue_type: issuetype?.name,
      labels: clip(labels.join(', '), nativeCharactersMax),
      components: clip(areas.join(', '), nativeCharactersMax),
    }),
  };
}

function linkedIssues({
  issuelinks = [],
  subtasks = [],
}: NonNullable<JiraIssue['fields']>): string[] | undefined {
  const linked = [
    ...issuelinks.flatMap(({ inwardIssue, outwardIssue }) => [inwardIssue, outwardIssue]),
    ...subtasks,
  ];
  const keys = [...new Set(linked.flatMap((issue) => issue?.key ?? []))];
  return keys.length > 0 ? keys : undefined;
}

function attachmentOf({ id, filename, mimeType, size, content }: Attachment) {
  return {
    id: id ?? null,
    title: filename ?? null,
    url: content ?? null,
    contentType: mimeType ?? null,
    sizeBytes: size ?? null,
  };
}

/**
 * The id of a comment's item. The issue key is a part of it, because comments and issues are numbered
 * separately.
 */
export function commentId(issueKey: string, id: string): string {
  return `${issueKey}/comment/${id}`;
}

/** Whether not everybody who sees the issue may see a comment. */
export function isRestricted({ visibility, jsdPublic }: JiraComment): boolean {
  return visibility !== undefined || jsdPublic === false;
}

/** The item of a comment; undefined for one without text. */
export function commentItem(comment: JiraComment, issueKey: string, site: string): Item | undefined {
  const body = adfToMarkdown(comment.body);
  if (body === '') return undefined;
  const createdAt = timeOf(comment.created);
  const url = `${site}/browse/${issueKey}?focusedCommentId=${comment.id}`;
  return {
    kind: 'comment',
    url,
    ...(createdAt ? { timestamp: createdAt } : {}),
    fields: filled({
      body,
      author: atlassianPerson(comment.author),
      parent_id: issueKey,
      created_at: createdAt,
      updated_at: timeOf(comment.updated),
      url,
    }),
    native: { issue_key: issueKey, project_key: issueKey.replace(/-\d+$/, ''), comment_id: comment.id },
  };
}
