import type { EntityManager } from 'typeorm';
import { query } from '../../postgres/query.js';
import { unexpiredSql } from '../sources.queries.js';
import type { StatusChange } from './status-feed.js';

/** A row of `sources` and its collection as a StatusChange. */
export const changeColumns = `s.database_id as "databaseId", c.name as collection, s.corpus, s.id,
  s.indexing_status as "indexingStatus", s.error_code as "errorCode", s.error_message as "errorMessage", s.acl`;

const pageRows = 1000;

/** Whether a database has not been deleted. */
export async function databaseExists(manager: EntityManager, databaseId: number): Promise<boolean> {
  const found = await query(manager, "select 1 from databases where id = $1 and status <> 'deleting'", [
    databaseId,
  ]);
  return found.length > 0;
}

/** Where items stand now, in the form of changes. */
export async function findCurrentStatuses(
  manager: EntityManager,
  databaseId: number,
  { ids, now }: { ids: readonly string[]; now: Date },
): Promise<StatusChange[]> {
  return query<StatusChange>(
    manager,
    `select ${changeColumns} from sources s join collections c on c.id = s.collection_id and not c.deleting
      where c.database_id = $1 and s.database_id = $1 and s.corpus in ('knowledge', 'memory') and s.id = any($2)
        and s.latest and ${unexpiredSql('s', '$3')}`,
    [databaseId, ids, now],
  );
}

/** Where the items of a database stand now whose status has changed since a time. */
export async function findStatusesChangedSince(
  manager: EntityManager,
  databaseId: number,
  { since, now }: { since: Date; now: Date },
): Promise<StatusChange[]> {
  const found: StatusChange[] = [];
  let after = '0';
  for (;;) {
    const page: (StatusChange & { uid: string })[] = await query(
      manager,
      `select ${changeColumns}, s.uid from sources s join collections c on c.id = s.collection_id and not c.deleting
        where s.database_id = $1 and s.uid > $2 and s.latest and s.status_updated_at >= $3
          and ${unexpiredSql('s', '$4')} order by s.uid limit $5`,
      [databaseId, after, since, now, pageRows],
    );
    found.push(...page);
    const last = page.at(-1);
    if (!last || page.length < pageRows) return found;
    after = last.uid;
  }
}
