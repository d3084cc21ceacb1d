import type { EntityManager } from 'typeorm';
import { query } from '../../postgres/query.js';
import { GraphStatement } from '../graph-reads.js';
import type { GraphRead } from '../graph-reads.js';
import { groupColumns } from '../relations/relations.queries.js';
import type { GroupOfRelations } from '../relations/relations.queries.js';
import type { Step } from './entity-paths.js';

/** The entities between which steps are wanted, and how many of these. */
export interface StepEnds {
  readonly near: readonly string[];
  readonly far: readonly string[];
  readonly limit: number;
}

/** Steps from one of some entities to any, or to one of others, in both directions of a relation. */
export function findSteps(
  manager: EntityManager,
  read: GraphRead,
  { near, far, limit }: Pick<StepEnds, 'near' | 'limit'> & Partial<Pick<StepEnds, 'far'>>,
): Promise<Step[]> {
  const statement = new GraphStatement(read);
  const from = statement.add(near);
  const steps = stepsSql(statement, far ? { from, to: statement.add(far) } : { from });
  return query(
    manager,
    `select distinct s."from", s."to" from (${steps}) s order by 1, 2 limit ${statement.add(limit)}`,
    statement.values,
  );
}

/** Entities that are related to one of some entities and to one of others, among so many steps of either. */
export function findStepsAcross(
  manager: EntityManager,
  read: GraphRead,
  { near, far, limit, joinedMax }: StepEnds & { joinedMax: number },
): Promise<{ near: string; to: string; far: string }[]> {
  const statement = new GraphStatement(read);
  const most = statement.add(joinedMax);
  const [ofNear, ofFar] = [near, far].map((ends) => stepsSql(statement, { from: statement.add(ends) }));
  return query(
    manager,
    `select distinct n."to", n."from" as near, f."from" as far
       from (${ofNear} limit ${most}) n join (${ofFar} limit ${most}) f on f."to" = n."to"
      order by 1, 2, 3 limit ${statement.add(limit)}`,
    statement.values,
  );
}

/** SQL: the steps from some entities, to any or to some others, in both directions of a relation. */
function stepsSql(statement: GraphStatement, { from, to }: { from: string; to?: string }): string {
  const groups = statement.seenIn('relation_groups', 'g');
  const along = (source: string, target: string) => {
    const arrives = to === undefined ? '' : `and g.${target} = any(${to}::uuid[])`;
    return `select g.${source} as "from", g.${target} as "to" from ${groups}
      where g.collection_id = $2 and g.${source} = any(${from}::uuid[]) ${arrives}`;
  };
  return `${along('source_entity', 'target_entity')} union all ${along('target_entity', 'source_entity')}`;
}

/** The newest group of each pair of entities, in either direction, with the pair's number from 1. */
export function findPairs(
  manager: EntityManager,
  read: GraphRead,
  pairs: readonly (readonly [string, string])[],
): Promise<(GroupOfRelations & { nth: number })[]> {
  const statement = new GraphStatement(read);
  const ends = [0, 1].map((side) => statement.add(pairs.map((pair) => pair[side])));
  const groups = statement.seenIn('relation_groups', 'g');
  const between = (source: string, target: string) =>
    `(select ${groupColumns} from ${groups}
       where g.collection_id = $2 and g.source_entity = ${source} and g.target_entity = ${target} order by g.position desc limit 1)`;
  return query(
    manager,
    `select p.nth::int as nth, g.* from unnest(${ends.map((end) => `${end}::uuid[]`).join(', ')}) with ordinality as p(a, b, nth)
      cross join lateral (select * from (${between('p.a', 'p.b')} union all ${between('p.b', 'p.a')}) e
        order by e.position desc limit 1) g`,
    statement.values,
  );
}
