import type { DataSource } from 'typeorm';
import { prepared, unseenList } from '../../postgres/prepared-statements.js';
import { query } from '../../postgres/query.js';
import { SqlParameters } from '../../postgres/sql-parameters.js';
import { storeTable } from '../../postgres/stores.js';
import { mayReadSql } from '../../sources/acl.js';
import { unexpiredSql, versionSql } from '../../sources/sources.queries.js';
import { chunkColumns, withoutOutdated } from '../found-chunks.queries.js';
import type { ChunkRow } from '../found-chunks.queries.js';
import type { SearchScope } from '../search-scope.js';

/** A chunk with the ids of the chunks that it is a neighbour of. */
export interface NeighbourRow extends ChunkRow {
  readonly hitIds: readonly string[];
}

/**
 * The chunks next to some chunks, in the same version of the same item, that may be read and are not
 * outdated. At most `perHit` for each.
 */
export async function findNeighbours(
  postgres: DataSource,
  { store, readers, now }: SearchScope,
  { chunkIds, perHit }: { chunkIds: readonly string[]; perHit: number },
): Promise<NeighbourRow[]> {
  if (chunkIds.length === 0) return [];
  const parameters = new SqlParameters();
  const hits = parameters.add(chunkIds);
  const readable = mayReadSql('s.acl', readers, parameters.add);
  const chunks = storeTable('chunks', store);
  const rows = await query<NeighbourRow>(
    postgres.manager,
    prepared(`with beside as materialized (
       select n.id, array_agg(h.id::text) as hits
         from ${chunks} h
        cross join lateral (
          select c.id from ${chunks} c
           where c.source_uid = h.source_uid and c.position <> h.position
             and c.position between h.position - ${perHit} and h.position + ${perHit}
           order by abs(c.position - h.position), c.position limit ${perHit}) n
        where h.id = any(${unseenList(hits, 'bigint[]')}) group by n.id)
     select ${chunkColumns}, false as "hasRelations", b.hits as "hitIds"
       from beside b
       join ${chunks} c on c.id = b.id
       cross join lateral ${versionSql('c.database_id', 'c.source_uid')} s
      where s.visible and not c.id = any(${unseenList(hits, 'bigint[]')}) and ${readable} and ${unexpiredSql('s', parameters.add(now))}
      order by c.id`),
    parameters.values,
  );
  return withoutOutdated(postgres, store, { rows, now });
}
