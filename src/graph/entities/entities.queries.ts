import type { EntityManager } from 'typeorm';
import { rowsOf } from '../../lib/page.types.js';
import type { PageRange } from '../../lib/page.types.js';
import { query, queryOne } from '../../postgres/query.js';
import { storeTable } from '../../postgres/stores.js';
import { entityId } from '../entity-key.js';
import { GraphStatement } from '../graph-reads.js';
import type { GraphRead } from '../graph-reads.js';
import { groupColumns } from '../relations/relations.queries.js';
import type { GroupOfRelations } from '../relations/relations.queries.js';
import type { Entity } from './entities.types.js';

/**
 * A name that is searched for: its key and its misspellings. If it is an e-mail address, this finds the
 * entity with that address, whatever its name.
 */
export interface WantedName {
  readonly key: string;
  /** Its words; undefined for a single character, with which too many words begin. */
  readonly words: readonly string[] | undefined;
  readonly variants: readonly string[];
  readonly address: string | undefined;
}

/** The entities that are searched for: by name, by id, or by both. */
export interface WantedEntities {
  readonly name: WantedName | undefined;
  readonly ids: readonly string[] | undefined;
}

const namesShownMax = 20;
const sourcesShownMax = 20;
// In byte order, a name followed by this is behind all longer names that begin with it.
const lastCharacter = '\u{10FFFF}';

/** An entity with what search results are ordered by. */
export type FoundEntity = Entity & { readonly match: number; readonly nameKey: string };

/** A page of the entities that match, best match first. */
export function findEntities(
  manager: EntityManager,
  read: GraphRead,
  {
    wanted,
    range,
    behind,
  }: { wanted: WantedEntities; range: PageRange; behind: readonly string[] | undefined },
): Promise<FoundEntity[]> {
  const statement = new GraphStatement(read);
  const { skip, take } = rowsOf(range);
  const mentions = statement.seenIn('entity_mentions', 'm');
  const ofEntity = 'm.entity_id = p.entity_id';
  const [match, nameKey, id] = (behind ?? []).map((value) => statement.add(value));
  const goesOn = behind
    ? `having (min(match), min(name_key), entity_id) > (${match}::int, ${nameKey}::text, ${id}::uuid)`
    : '';
  return query(
    manager,
    `with page as (
       select entity_id, min(match) as match, min(name_key) as name_key from (${matches(statement, wanted)}) f group by entity_id ${goesOn}
        order by min(match), min(name_key), entity_id offset ${statement.add(skip)} limit ${statement.add(take)})
     select p.entity_id as id, p.match, p.name_key as "nameKey", d.name, d.type, d.namespace, d.identifier, d.provider, i.count as "sourceCount", i.ids as "sourceIds",
            array(select distinct m.name from ${mentions} where ${ofEntity} and m.name_key <> d.name_key and m.name is distinct from m.identifier
                   order by m.name limit ${namesShownMax}) as aliases
       from page p
      cross join lateral (
        select m.* from ${mentions} where ${ofEntity} and not m.is_alias
         order by m.name is not distinct from m.identifier, upper(m.type) in ('', 'OTHER', 'EMAIL'),
                  count(*) over (partition by m.type) desc, s.uid desc limit 1) d
      cross join lateral (
        select count(*)::int as count, (array_agg(u.id order by u.uid desc))[1:${sourcesShownMax}] as ids
          from (select distinct s.uid, s.id from ${mentions} where ${ofEntity}) u) i
      order by p.match, p.name_key, p.entity_id`,
    statement.values,
  );
}

/** How many items name the members of each family, each item once, and the newest of them. */
export function findSourcesOf(
  manager: EntityManager,
  read: GraphRead,
  members: readonly { readonly id: string; readonly family: string }[],
): Promise<Pick<Entity, 'id' | 'sourceCount' | 'sourceIds'>[]> {
  const statement = new GraphStatement(read);
  const mentions = statement.seenIn('entity_mentions', 'm');
  const ids = statement.add(members.map(({ id }) => id));
  const families = statement.add(members.map(({ family }) => family));
  return query(
    manager,
    `select u.family as id, count(*)::int as "sourceCount", (array_agg(u.id order by u.uid desc))[1:${sourcesShownMax}] as "sourceIds"
       from (select distinct f.family, s.uid, s.id from ${mentions}
               join unnest(${ids}::uuid[], ${families}::uuid[]) as f(member, family) on m.entity_id = f.member) u
      group by u.family`,
    statement.values,
  );
}

/** The number of entities that match. */
export async function countEntities(
  manager: EntityManager,
  read: GraphRead,
  wanted: WantedEntities,
): Promise<number> {
  const statement = new GraphStatement(read);
  const row = await queryOne<{ count: number }>(
    manager,
    `select count(distinct entity_id)::int as count from (${matches(statement, wanted)}) f`,
    statement.values,
  );
  return row?.count ?? 0;
}

/** The ids of up to `limit` entities that match, in no particular order. */
export async function findSomeIds(
  manager: EntityManager,
  read: GraphRead,
  { wanted, limit }: { wanted: WantedEntities; limit: number },
): Promise<string[]> {
  const statement = new GraphStatement(read);
  const rows = await query<{ id: string }>(
    manager,
    `select distinct entity_id as id from (${matches(statement, wanted)}) f limit ${statement.add(limit)}`,
    statement.values,
  );
  return rows.map(({ id }) => id);
}

/**
 * SQL: the mentions that match, each with how well. 0: this very name; 1: a name that begins with it;
 * 2: a name with words that begin with its words, in any order; 3: a name that is one typing error
 * away, or begins with a word that is.
 */
function matches(statement: GraphStatement, { name, ids }: WantedEntities): string {
  const mentions = statement.seenIn('entity_mentions', 'm');
  const scope = [
    'm.collection_id = $2',
    ...(ids ? [`m.entity_id = any(${statement.add(ids)}::uuid[])`] : []),
  ].join(' and ');
  if (!name) return `select m.entity_id, m.name_key, 0 as match from ${mentions} where ${scope}`;
  const key = statement.add(name.key);
  const end = statement.add(name.key + lastCharacter);
  const variants = statement.add(name.variants);
  const { address } = name;
  const ofAddress = (called: string) =>
    entityId(statement.scope.collectionId, { name: called, type: null, namespace: null, identifier: null });
  const begun = name.key.includes(' ')
    ? ''
    : `union all select b.entity_id, b.name_key, 3 from unnest(${variants}::text[]) as v(word) cross join lateral (
         select m.entity_id, m.name_key from ${mentions}
          where ${scope} and m.name_key >= v.word || ' ' and m.name_key < v.word || '!') b`;
  const worded =
    name.words === undefined
      ? ''
      : `union all select m.entity_id, m.name_key, 2 from ${mentions}
          where ${scope} and to_tsvector('simple', m.name_key) @@ to_tsquery('simple', ${statement.add(beginningsOf(name.words))})`;
  const addressed =
    address === undefined
      ? ''
      : `union all select m.entity_id, m.name_key, 0 from ${mentions}
          where ${scope} and m.entity_id = ${statement.add(ofAddress(address))}::uuid`;
  return `select m.entity_id, m.name_key, case when m.name_key = ${key} then 0 else 1 end as match
      from ${mentions} where ${scope} and m.name_key >= ${key} and m.name_key < ${end}
    union all select m.entity_id, m.name_key, 3 from ${mentions} where ${scope} and m.name_key = any(${variants}::text[])
    ${worded} ${begun} ${addressed}`;
}

/** A text query for names that contain, for each of these words, a word that begins with it. */
function beginningsOf(words: readonly string[]): string {
  return words.map((word) => `'${word.replace(/['\\]/g, ' ')}':*`).join(' & ');
}

/** A group of relations between an entity and one of its neighbours. */
export interface NeighbourGroup extends GroupOfRelations {
  readonly other: string;
  readonly count: number;
  /** The position of the newest group with this neighbour. */
  readonly newest: string;
}

/** For each neighbour of the entities its newest groups of relations, neighbours with most groups first. */
export function findNeighbours(
  manager: EntityManager,
  read: GraphRead,
  {
    entityIds,
    range,
    behind: [count, newest] = [],
    groupsMax,
  }: {
    entityIds: readonly string[];
    range: PageRange;
    behind: readonly string[] | undefined;
    groupsMax: number;
  },
): Promise<NeighbourGroup[]> {
  const statement = new GraphStatement(read);
  const { skip, take } = rowsOf(range);
  const [offset, limit] = [statement.add(skip), statement.add(take)];
  const goesOn =
    count === undefined
      ? ''
      : `having (count(*), max(t.position)) < (${statement.add(count)}::bigint, ${statement.add(newest)}::bigint)`;
  // Only positions pass through the sort: a hub has tens of thousands of groups, of which few are shown.
  return query(
    manager,
    `with page as (
       select t.other, count(*)::int as count, max(t.position) as newest,
              (array_agg(t.position order by t.position desc))[1:${statement.add(groupsMax)}] as positions
         from (${touching(statement, entityIds)}) t group by t.other ${goesOn}
        order by count(*) desc, max(t.position) desc offset ${offset} limit ${limit})
     select p.other, p.count, p.newest, ${groupColumns}
       from page p cross join unnest(p.positions) as shown(position)
       join ${storeTable('relation_groups', statement.scope)} g on g.collection_id = $2 and g.position = shown.position
      order by p.count desc, p.newest desc, g.position desc`,
    statement.values,
  );
}

/** The number of neighbours of the entities together. */
export async function countNeighbours(
  manager: EntityManager,
  read: GraphRead,
  entityIds: readonly string[],
): Promise<number> {
  const statement = new GraphStatement(read);
  const row = await queryOne<{ count: number }>(
    manager,
    `select count(distinct other)::int as count from (${touching(statement, entityIds)}) g`,
    statement.values,
  );
  return row?.count ?? 0;
}

function touching(statement: GraphStatement, entityIds: readonly string[]): string {
  const entity = `any(${statement.add(entityIds)}::uuid[])`;
  const groups = statement.seenIn('relation_groups', 'g');
  return `select g.position, g.target_entity as other from ${groups} where g.collection_id = $2 and g.source_entity = ${entity}
    union all select g.position, g.source_entity from ${groups}
     where g.collection_id = $2 and g.target_entity = ${entity} and not g.source_entity = ${entity}`;
}
