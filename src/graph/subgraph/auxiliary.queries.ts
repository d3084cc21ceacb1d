import type { EntityManager } from 'typeorm';
import { prepared } from '../../postgres/prepared-statements.js';
import { query } from '../../postgres/query.js';
import { storeTable } from '../../postgres/stores.js';
import { itemKey } from '../entity-key.js';
import { GraphStatement } from '../graph-reads.js';
import type { GraphRead } from '../graph-reads.js';
import { itemColumns } from '../relations/relations.queries.js';
import type { GraphItem } from '../relations/relations.queries.js';
import type { AuxiliaryEntity } from '../stored/auxiliary-entities.js';
import { LinkRole } from '../structure.js';
import type { LinkTarget } from '../structure.js';

/** A link of a readable item, and the item that it leads to if that is readable too. */
export interface AuxiliaryLink {
  readonly item: GraphItem;
  readonly other: GraphItem | null;
  readonly role: number;
  readonly key: string;
  readonly predicate: string;
  readonly rawPredicate: string;
  readonly target: LinkTarget & Partial<AuxiliaryEntity>;
  readonly statedAt: Date;
}

/** The part of an ordered list of links that is read. */
export interface LinksWindow {
  readonly limit: number;
  readonly offset: number;
}

const { name, link, thread } = LinkRole;

/**
 * The links of all items of a collection from one position up to another,
 * newest first. Null means no bound.
 */
export function findLinksBetween(
  manager: EntityManager,
  read: GraphRead,
  { from, below, limit, offset }: LinksWindow & { from: number | null; below: number | null },
): Promise<AuxiliaryLink[]> {
  const statement = new GraphStatement(read);
  const clauses = [
    'l.collection_id = $2',
    `l.role <> ${name}`,
    ...(from === null ? [] : [`l.position >= ${statement.add(from)}::bigint`]),
    ...(below === null ? [] : [`l.position < ${statement.add(below)}::bigint`]),
  ];
  const newestFirst = (row: string) =>
    `${row}.position desc, ${row}.source_uid, ${row}.role desc, ${row}.key, ${row}.predicate`;
  return findLinks(manager, {
    statement,
    page: `select l.* from ${statement.seenIn('item_links', 'l')}
      where ${clauses.join(' and ')} order by ${newestFirst('l')}
      limit ${statement.add(limit)} offset ${statement.add(offset)}`,
    order: newestFirst('p'),
  });
}

/** The links of one item, and those of other items to it. */
export function findLinksAround(
  manager: EntityManager,
  read: GraphRead,
  { item, limit, offset }: LinksWindow & { item: GraphItem },
): Promise<AuxiliaryLink[]> {
  const statement = new GraphStatement(read);
  const links = storeTable('item_links', read.scope);
  const uid = statement.add(item.uid);
  const own = `select key from ${links} where source_uid = ${uid}::bigint and role = ${name}
    union all select ${statement.add(itemKey(read.scope.collectionId, item.id))}::uuid`;
  const most = statement.add(limit + offset);
  const firstOf = (from: string, order: string) =>
    `(select l.*, row_number() over (order by ${order}) as place from ${from} order by ${order} limit ${most})`;
  const ofItem = `${links} l where l.source_uid = ${uid}::bigint and l.role <> ${name}`;
  const ofOthers = `(${own}) k join ${links} l on l.key = k.key and l.role = ${link} and l.source_uid <> ${uid}::bigint
    cross join lateral ${statement.seen('l.source_uid')} s`;
  // Those of the item itself come first.
  const inOrder = (row: string) => `${row}.source_uid <> ${uid}::bigint, ${row}.place`;
  return findLinks(manager, {
    statement,
    asked: uid,
    page: `select l.* from (
        ${firstOf(ofItem, 'l.role desc, l.predicate, l.key')}
        union all ${firstOf(ofOthers, 'l.stated_at desc, l.source_uid, l.predicate, l.key')}) l
      order by ${inOrder('l')} limit ${statement.add(limit)} offset ${statement.add(offset)}`,
    order: inOrder('p'),
  });
}

/** Rows of item_links, and their order, as `p`, in the answer. */
interface LinksPage {
  readonly statement: GraphStatement;
  readonly page: string;
  readonly order: string;
  /** The place of the uid of the item that was asked for. */
  readonly asked?: string;
}

function findLinks(
  manager: EntityManager,
  { statement, page, order, asked }: LinksPage,
): Promise<AuxiliaryLink[]> {
  const links = storeTable('item_links', statement.scope);
  const shown = (alias: string) => `(select to_jsonb(i) from (select ${itemColumns(alias)}) i)`;
  // Several items may go by the same key of their application; the one that was asked for is preferred.
  const askedFirst = asked === undefined ? '' : `b.source_uid <> ${asked}::bigint, `;
  return query(
    manager,
    prepared(`with page as (${page})
     select ${shown('s')} as item, o.item as other, p.role, p.key, p.predicate, p.raw_predicate as "rawPredicate", p.target,
            p.stated_at as "statedAt"
       from page p cross join lateral ${statement.seen('p.source_uid')} s
       left join lateral (
         (select ${shown('t')} as item from ${statement.seenById("p.target ->> 'id'")} t
           where p.role = ${link} and p.target ? 'id')
         union all
         (select ${shown('t')} from ${links} b cross join lateral ${statement.seen('b.source_uid')} t
           where p.role = ${link} and not p.target ? 'id' and b.key = p.key and b.role = ${name}
           order by ${askedFirst}b.stated_at, b.source_uid limit 1)
         union all
         (select ${shown('t')} from ${links} b cross join lateral ${statement.seen('b.source_uid')} t
           where p.role = ${thread} and b.key = p.key and b.role = ${thread}
           order by b.stated_at, b.source_uid limit 1)) o on true
      order by ${order}`),
    statement.values,
  );
}
