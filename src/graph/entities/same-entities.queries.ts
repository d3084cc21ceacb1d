import type { EntityManager } from 'typeorm';
import { query } from '../../postgres/query.js';
import { GraphStatement } from '../graph-reads.js';
import type { GraphRead } from '../graph-reads.js';
import { legalFormPattern } from '../legal-forms.js';
import { bothSame, joinNamesakes, namesakesSql } from './same-entities.js';
import type { NamesakeRow, SameEntities } from './same-entities.js';
import { bearersSql, joinBearers } from './same-bearers.js';
import type { BearerRow } from './same-bearers.js';

/** Which of these entities are the same company or person as another, judged by what the reader may read. */
export async function sameAs(
  manager: EntityManager,
  read: GraphRead,
  entityIds: readonly string[],
): Promise<SameEntities> {
  if (entityIds.length === 0) return new Map();
  return bothSame(await sameCompanies(manager, read, entityIds), await sameBearers(manager, read, entityIds));
}

/** Which of these entities are the same company as another. */
export async function sameCompanies(
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

async function sameBearers(
  manager: EntityManager,
  read: GraphRead,
  entityIds: readonly string[],
): Promise<SameEntities> {
  const statement = new GraphStatement(read);
  const sql = bearersSql(
    statement.seenIn('entity_mentions', 'm'),
    `unnest(${statement.add(entityIds)}::uuid[])`,
  );
  return joinBearers(await query<BearerRow>(manager, sql, statement.values));
}
