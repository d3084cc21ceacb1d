import type { EntityManager } from 'typeorm';
import { query } from '../../postgres/query.js';
import { GraphStatement } from '../graph-reads.js';
import type { GraphRead } from '../graph-reads.js';
import { legalFormPattern } from '../legal-forms.js';
import { joinNamesakes, namesakesSql } from './same-entities.js';
import type { NamesakeRow, SameEntities } from './same-entities.js';

/** Which of these entities are the same company as another, judged by what the reader may read. */
export async function sameAs(
  manager: EntityManager,
  read: GraphRead,
  entityIds: readonly string[],
): Promise<SameEntities> {
  if (entityIds.length === 0) return new Map();
  const statement = new GraphStatement(read);
  const ids = `unnest(${statement.add(entityIds)}::uuid[])`;
  const sql = namesakesSql(statement.seenIn('entity_mentions', 'm'), {
    ids,
    pattern: statement.add(legalFormPattern),
  });
  return joinNamesakes(await query<NamesakeRow>(manager, sql, statement.values));
}
