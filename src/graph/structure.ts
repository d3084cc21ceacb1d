import type { DeclaredRelation } from '../sources/ingest/declared-relations.js';
import type { AppContent, AppKind } from '../sources/source.types.js';
import { entityId, externalKey, itemKey, threadKey } from './entity-key.js';
import { actorId, actorsOf, attachmentOf, commentOf } from './stored/auxiliary-entities.js';
import type { AuxiliaryEntity } from './stored/auxiliary-entities.js';

/**
 * The kinds of rows in item_links: a name of the item itself, a link to another item, membership in a
 * thread, and a link to a person or a part.
 */
export const LinkRole = { name: 0, link: 1, thread: 2, entity: 3 } as const;
type LinkRoleValue = (typeof LinkRole)[keyof typeof LinkRole];

/** Another item, as a link refers to it. */
export interface LinkTarget {
  readonly id?: string;
  readonly provider?: string | null;
  readonly externalId?: string;
}

/** A row of item_links. */
export interface ItemLink {
  readonly role: LinkRoleValue;
  readonly key: string;
  readonly predicate: string;
  readonly rawPredicate: string;
  readonly target: LinkTarget | AuxiliaryEntity | Record<string, never>;
}

/** What the links of an item are made from. */
export interface PlacedItem {
  readonly collectionId: number;
  readonly id: string;
  readonly app: AppContent | null;
  readonly declaredRelations: readonly DeclaredRelation[];
}

/** The keys of the threads that an item belongs to. */
export function threadsOf(
  collectionId: number,
  { appProvider, appThreadId }: { readonly appProvider: string | null; readonly appThreadId: string | null },
): string[] {
  return appThreadId === null ? [] : [threadKey(collectionId, appProvider, appThreadId)];
}

/** The keys that links to an item may use: one for its id, and one for its id in its application. */
export function keysOf(
  collectionId: number,
  item: {
    readonly id: string;
    readonly appKind: AppKind | null;
    readonly appProvider: string | null;
    readonly appExternalId: string | null;
  },
): string[] {
  const own = itemKey(collectionId, item.id);
  if (item.appKind === null) return [own];
  return [
    own,
    applicationKey(collectionId, item.id, { provider: item.appProvider, externalId: item.appExternalId }),
  ];
}

/** Fields of an item that hold people, and the predicate of their links. */
const predicatesOfPeople: Readonly<Record<string, string>> = {
  from: 'sent_by',
  author: 'sent_by',
  to: 'sent_to',
  cc: 'sent_to',
  mentions: 'mentions',
  assignee: 'assigned_to',
  reporter: 'reported_by',
  created_by: 'created_by',
  updated_by: 'updated_by',
};

/** The links that an item states itself: its names, links, threads, people, comments and attachments. */
export function itemLinks(item: PlacedItem): ItemLink[] {
  const { app, collectionId } = item;
  const declared = item.declaredRelations.map((relation) => declaredLink(collectionId, relation));
  const links = app
    ? [...namesOf(item, app), ...placesOf(item, app), ...declared, ...entitiesOf(item, app)]
    : declared;
  return withoutRepetitions(links);
}

function declaredLink(collectionId: number, { predicate, rawPredicate, target }: DeclaredRelation): ItemLink {
  const given = 'id' in target ? { id: target.id } : target;
  return { ...link(collectionId, predicate, given), rawPredicate };
}

function link(collectionId: number, predicate: string, target: LinkTarget): ItemLink {
  const { id, provider = null, externalId = '' } = target;
  const key = id === undefined ? externalKey(collectionId, provider, externalId) : itemKey(collectionId, id);
  return { role: LinkRole.link, key, predicate, rawPredicate: predicate, target };
}

function namesOf({ collectionId, id }: PlacedItem, app: AppContent): ItemLink[] {
  const key = applicationKey(collectionId, id, app);
  return [{ role: LinkRole.name, key, predicate: '', rawPredicate: '', target: {} }];
}

// An item without an id in its application is known there by its id here.
function applicationKey(
  collectionId: number,
  id: string,
  { provider, externalId }: Pick<AppContent, 'provider' | 'externalId'>,
): string {
  return externalKey(collectionId, provider, externalId ?? id);
}

function placesOf({ collectionId }: PlacedItem, { kind, provider, fields }: AppContent): ItemLink[] {
  const one = (field: string, predicate: string) => many([fields[field]], predicate);
  const many = (ids: unknown, predicate: string) =>
    (Array.isArray(ids) ? ids : []).flatMap((id) =>
      typeof id === 'string' ? [link(collectionId, predicate, { provider, externalId: id })] : [],
    );
  const thread = fields['thread_id'];
  return [
    ...one('parent_id', kind === 'comment' ? 'comment_on' : 'child_of'),
    ...(kind === 'email' ? one('reply_to_id', 'reply_to') : []),
    ...(kind === 'email' ? one('forwarded_from_id', 'forwarded_from') : []),
    ...(kind === 'ticket' ? many(fields['linked_issue_ids'], 'linked_to') : []),
    ...(typeof thread === 'string'
      ? [
          {
            role: LinkRole.thread,
            key: threadKey(collectionId, provider, thread),
            predicate: 'same_thread',
            rawPredicate: 'same_thread',
            target: {},
          },
        ]
      : []),
  ];
}

function entitiesOf({ collectionId, id }: PlacedItem, app: AppContent): ItemLink[] {
  const { provider, comments, attachments } = app;
  const people = peopleOf(app).map(({ predicate, actor }) =>
    entityLink(predicate, actorId(collectionId, actor), actor),
  );
  // Parts belong to this item only, whatever they are called elsewhere. The place of a part without an
  // id must not equal another's id.
  const own = (predicate: string, index: number, part: AuxiliaryEntity) => {
    const identifier = part.identifier === null ? `#${index + 1}` : `:${part.identifier}`;
    const key = entityId(collectionId, { ...part, identifier: itemKey(collectionId, id) + identifier });
    return entityLink(predicate, key, part);
  };
  return [
    ...people,
    ...comments.map((each, index) => own('comment_on', index, commentOf(each, provider))),
    ...attachments.map((each, index) => own('has_attachment', index, attachmentOf(each, index, provider))),
  ];
}

function peopleOf({
  fields,
  provider,
  comments,
}: AppContent): { predicate: string; actor: AuxiliaryEntity }[] {
  const named = Object.entries(predicatesOfPeople).flatMap(([field, predicate]) =>
    [fields[field]].flat().map((value) => ({ predicate, value })),
  );
  const commenters = comments.map(({ author }) => ({ predicate: 'commented_by', value: author }));
  return [...named, ...commenters].flatMap(({ predicate, value }) =>
    (typeof value === 'string' ? actorsOf(value, provider) : []).map((actor) => ({ predicate, actor })),
  );
}

function entityLink(predicate: string, key: string, target: AuxiliaryEntity): ItemLink {
  return { role: LinkRole.entity, key, predicate, rawPredicate: predicate, target };
}

function withoutRepetitions(links: readonly ItemLink[]): ItemLink[] {
  const known = new Map<string, ItemLink>();
  for (const each of links) {
    const name = `${each.role} ${each.key} ${each.predicate}`;
    if (!known.has(name)) known.set(name, each);
  }
  return [...known.values()];
}
