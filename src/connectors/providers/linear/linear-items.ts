import type { Item } from '../../provider.js';
import { filled, personOf } from '../item-fields.js';

interface Person {
  readonly name?: string | null;
  readonly email?: string | null;
}

interface Thing {
  readonly id: string;
  readonly url: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly archivedAt: string | null;
  readonly trashed?: boolean | null;
}

interface List<Node> {
  readonly nodes: readonly Node[];
}
type Listed<Node> = List<Node> | null | undefined;

export interface LinearIssue extends Thing {
  readonly identifier: string;
  readonly title: string;
  readonly description: string | null;
  readonly priorityLabel: string;
  readonly dueDate: string | null;
  readonly state: { readonly name: string } | null;
  readonly assignee: Person | null;
  readonly creator: Person | null;
  readonly externalUserCreator: Person | null;
  readonly botActor: Person | null;
  readonly parent: { readonly id: string } | null;
  readonly project: { readonly id: string; readonly name: string } | null;
  readonly team: { readonly id: string; readonly key: string } | null;
  readonly labels: Listed<{ readonly name: string }>;
  readonly relations: Listed<{ readonly relatedIssue: { readonly id: string } }>;
  readonly inverseRelations: Listed<{ readonly issue: { readonly id: string } }>;
  readonly attachments: Listed<{ readonly id: string; readonly title: string; readonly url: string }>;
}

export interface LinearComment extends Thing {
  readonly body: string | null;
  readonly parentId: string | null;
  readonly user: Person | null;
  readonly externalUser: Person | null;
  readonly botActor: Person | null;
  readonly issue:
    | (Pick<Thing, 'id' | 'archivedAt' | 'trashed'> & {
        readonly identifier: string;
        readonly title: string;
        readonly team: { readonly id: string } | null;
      })
    | null;
}

export interface LinearDocument extends Thing {
  readonly title: string;
  readonly content: string | null;
  readonly creator: Person | null;
  readonly updatedBy: Person | null;
  readonly parentDocument: { readonly id: string } | null;
  readonly project: { readonly id: string; readonly name: string } | null;
  readonly team: { readonly id: string } | null;
}

/** An issue as an item: a ticket, linked with the issues that it relates to. */
export function issueItem(issue: LinearIssue): Item {
  const linked = [
    ...nodesOf(issue.relations).map(({ relatedIssue }) => relatedIssue.id),
    ...nodesOf(issue.inverseRelations).map((relation) => relation.issue.id),
  ];
  const title = titleOf(issue.title);
  return {
    kind: 'ticket',
    title,
    url: issue.url,
    type: 'issue',
    timestamp: issue.createdAt,
    fields: filled({
      title,
      description: issue.description,
      status: issue.state?.name,
      priority: issue.priorityLabel,
      assignee: linearPerson(issue.assignee),
      reporter: linearPerson(issue.creator ?? issue.externalUserCreator ?? issue.botActor),
      parent_id: issue.parent?.id,
      linked_issue_ids: [...new Set(linked)],
      created_at: issue.createdAt,
      updated_at: issue.updatedAt,
      url: issue.url,
      labels: nodesOf(issue.labels).map(({ name }) => name),
      project: issue.project?.name,
      due_date: issue.dueDate,
    }),
    attachments: nodesOf(issue.attachments).map(({ id, title: name, url }) => ({ id, title: name, url })),
    native: {
      issue_id: issue.id,
      identifier: issue.identifier,
      ...(issue.team ? { team_id: issue.team.id } : {}),
      ...(issue.project ? { project_id: issue.project.id } : {}),
    },
  };
}

/** The item of a comment on an issue; undefined for other comments, and for one without text. */
export function commentItem(comment: LinearComment): Item | undefined {
  const { issue } = comment;
  if (!issue || !comment.body?.trim()) return undefined;
  return {
    kind: 'comment',
    title: titleOf(`Comment on ${issue.identifier}: ${issue.title}`),
    url: comment.url,
    type: 'comment',
    timestamp: comment.createdAt,
    fields: filled({
      body: comment.body,
      author: linearPerson(comment.user ?? comment.externalUser ?? comment.botActor),
      parent_id: comment.parentId ?? issue.id,
      thread_id: issue.id,
      created_at: comment.createdAt,
      updated_at: comment.updatedAt,
      url: comment.url,
    }),
    native: {
      comment_id: comment.id,
      issue_id: issue.id,
      identifier: issue.identifier,
      ...(issue.team ? { team_id: issue.team.id } : {}),
    },
  };
}

/** The item of a document; undefined for one without title and text. */
function documentItem(document: LinearDocument): Item | undefined {
  const title = titleOf(document.title);
  if (`${title}${document.content ?? ''}`.trim() === '') return undefined;
  return {
    kind: 'knowledge_base',
    title,
    url: document.url,
    type: 'document',
    timestamp: document.createdAt,
    fields: filled({
      title,
      body: document.content,
      parent_id: document.parentDocument?.id,
      created_by: linearPerson(document.creator),
      updated_by: linearPerson(document.updatedBy),
      created_at: document.createdAt,
      updated_at: document.updatedAt,
      url: document.url,
      project: document.project?.name,
    }),
    native: {
      document_id: document.id,
      ...(document.project ? { project_id: document.project.id } : {}),
      ...(document.team ? { team_id: document.team.id } : {}),
    },
  };
}

/** What is read of a team, by its list. */
export interface LinearThings {
  readonly issues: LinearIssue;
  readonly comments: LinearComment;
  readonly documents: LinearDocument;
}

/** Makes an item of something, by its list. */
export const LINEAR_ITEMS: {
  readonly [Stream in keyof LinearThings]: (thing: LinearThings[Stream]) => Item | undefined;
} = { issues: issueItem, comments: commentItem, documents: documentItem };

function nodesOf<Node>(list: Listed<Node>): readonly Node[] {
  return list?.nodes ?? [];
}

function titleOf(title: string | null | undefined): string {
  return (title ?? '').trim();
}

function linearPerson(person: Person | null | undefined): string | undefined {
  return personOf(person?.name, person?.email);
}
