import type { EntityManager } from 'typeorm';
import { LIMITS } from '../../limits.js';
import { query, queryOne } from '../../postgres/query.js';
import { SqlParameters } from '../../postgres/sql-parameters.js';
import type { AddParameter } from '../../postgres/sql-parameters.js';
import { unexpiredSql } from '../sources.queries.js';
import type { SourceScope } from '../sources.queries.js';
import { shownColumns, shownVersionSql } from './shown-items.queries.js';
import type { ShownItem } from './shown-items.queries.js';
import type { SourceCondition } from './source-filters.js';

/** Which items a list holds. */
export interface ListedItems {
  readonly scope: SourceScope;
  readonly ids: readonly string[] | null;
  /** Conditions on the version that is shown. */
  readonly conditions: readonly SourceCondition[];
  /** Whether comments on listed items are left out, since they are shown with these. */
  readonly withoutComments: boolean;
  readonly now: Date;
}

/** The place of an item in a list. */
export interface ListKey {
  /** Microseconds since 1970, as Postgres knows them. */
  readonly createdAtMicros: string;
  /**
   * The id, and not the number of its version, which changes when it is replaced: items of one request share
   * one time.
   */
  readonly id: string;
}

/** An item of a page with its place. */
export type ListedRow = ShownItem & { readonly listedAt: string };

const newestFirst = 'l.created_at desc, l.id collate "C" desc';

/**
 * A page of items, newest first: behind a place, which costs the same wherever it is, or behind a number of
 * items. Without conditions one index finds it.
 */
export async function findListedPage(
  manager: EntityManager,
  items: ListedItems,
  { skip, take, behind }: { skip: number; take: number; behind: ListKey | undefined },
): Promise<ListedRow[]> {
  const statement = new ListStatement(items);
  const start = behind ? `and ${statement.isBehind(behind)}` : '';
  const skipped = behind ? '' : `offset ${statement.add(skip)}::bigint`;
  return query<ListedRow>(
    manager,
    `with page as materialized (
       select l.uid from sources l where ${statement.where} ${start}
        order by ${newestFirst} ${skipped} limit ${statement.add(take)}::int)
     select ${shownColumns}, (extract(epoch from l.created_at) * 1000000)::bigint as "listedAt"
       from page join sources l on l.database_id = $1 and l.uid = page.uid
       cross join lateral ${shownVersionSql('*', statement.now)} s order by ${newestFirst}`,
    statement.values,
  );
}

/** The number of items in a list, in all or behind a place. */
export async function countListed(
  manager: EntityManager,
  items: ListedItems,
  behind?: ListKey,
): Promise<number> {
  const statement = new ListStatement(items);
  const start = behind ? `and ${statement.isBehind(behind)}` : '';
  const row = await queryOne<{ count: number }>(
    manager,
    `select count(*)::int as count from sources l where ${statement.where} ${start}`,
    statement.values,
  );
  return row?.count ?? 0;
}

/** The comments on items of an application, oldest first, that meet a condition. */
export async function findComments(
  manager: EntityManager,
  { scope, now }: ListedItems,
  { parents, allowed }: { parents: readonly ShownItem[]; allowed: SourceCondition },
): Promise<ShownItem[]> {
  const parameters = new SqlParameters([
    scope.databaseId,
    scope.collectionId,
    scope.corpus,
    now,
    parents.map((parent) => parent.appProvider),
    parents.map((parent) => parent.appExternalId),
  ]);
  const holds = allowed('s', parameters.add);
  return query<ShownItem>(
    manager,
    // Items may share an id of their application.
    `select c.* from (select distinct * from unnest($5::text[], $6::text[])) as p(provider, external_id) cross join lateral (
       select ${shownColumns} from sources l cross join lateral ${shownVersionSql('*', '$4')} s
        where ${inScope} and ${unexpiredSql('l', '$4')} and l.app_kind = 'comment' and l.app_provider = p.provider
          and l.app_parent_id = p.external_id and ${holds}
        order by l.created_at, l.uid limit ${LIMITS.listCommentsMax}) c`,
    parameters.values,
  );
}

const inScope = 'l.database_id = $1 and l.collection_id = $2 and l.corpus = $3 and l.latest';

/** The condition on `l`, the latest versions of a list's items, with its parameters. */
class ListStatement extends SqlParameters {
  readonly now = '$4';
  readonly where: string;

  constructor({ scope, ids, conditions, withoutComments, now }: ListedItems) {
    super([scope.databaseId, scope.collectionId, scope.corpus, now]);
    const clauses = [inScope, unexpiredSql('l', this.now)];
    const amongIds = ids ? [this.isAmong(ids)] : [];
    clauses.push(...amongIds.map((holds) => holds('l')));
    const ofShown = withoutComments
      ? [...conditions, this.hasNoListedParent([...amongIds, ...conditions])]
      : conditions;
    if (ofShown.length > 0) clauses.push(this.holdsOfShown(ofShown));
    this.where = clauses.join(' and ');
  }

  /** One row comparison, so that the index scan begins there. */
  isBehind({ createdAtMicros, id }: ListKey): string {
    const createdAt = `timestamptz 'epoch' + ${this.add(createdAtMicros)}::bigint * interval '1 microsecond'`;
    return `(l.created_at, l.id collate "C") < (${createdAt}, ${this.add(id)}::text)`;
  }

  private isAmong(ids: readonly string[]): (alias: string) => string {
    const values = this.add(ids);
    return (alias) => `${alias}.id = any(${values}::text[])`;
  }

  // The latest version is nearly always the one that is shown, and then no other row is looked at.
  private holdsOfShown(conditions: readonly SourceCondition[]): string {
    const holds = this.allOf(conditions);
    return `case when l.visible then ${holds('l')}
      else coalesce(${shownVersionSql(holds('s'), this.now)}, false) end`;
  }

  private hasNoListedParent(conditions: readonly SourceCondition[]): SourceCondition {
    const holds = this.allOf(conditions);
    return (alias) => `not (${alias}.app_kind is not distinct from 'comment' and exists (
      select from sources p where p.database_id = $1 and p.collection_id = $2 and p.corpus = $3 and p.latest
        and ${unexpiredSql('p', this.now)} and p.app_provider = ${alias}.app_provider
        and p.app_external_id = ${alias}.app_parent_id and p.app_kind <> 'comment' and ${holds('p')}))`;
  }

  /** All conditions on one alias. Each value is added once, for any number of aliases. */
  private allOf(conditions: readonly SourceCondition[]): (alias: string) => string {
    const placed = new Map<string, string>();
    return (alias) => {
      let nth = 0;
      const addOnce: AddParameter = (value) => {
        const key = String((nth += 1));
        const known = placed.get(key) ?? this.add(value);
        placed.set(key, known);
        return known;
      };
      return ['true', ...conditions.map((condition) => `(${condition(alias, addOnce)})`)].join(' and ');
    };
  }
}
