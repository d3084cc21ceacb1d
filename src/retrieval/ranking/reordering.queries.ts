import type { DataSource } from 'typeorm';
import { prepared } from '../../postgres/prepared-statements.js';
import { query } from '../../postgres/query.js';
import { storeTable } from '../../postgres/stores.js';
import type { Store } from '../../postgres/stores.js';
import type { HitOrigin } from './reordering.js';
import { versionSql } from '../../sources/sources.queries.js';

/** The collections of chunks and the times of their items, by chunk id. */
export async function findOrigins(
  postgres: DataSource,
  stores: readonly Store[],
  chunkIds: readonly string[],
): Promise<Map<string, HitOrigin>> {
  const rows = await Promise.all(
    stores.map((store) =>
      query<HitOrigin & { readonly id: string }>(
        postgres.manager,
        prepared(`select c.id, c.collection_id as "collectionId",
                coalesce(s.item_time, (s.memory ->> 'observationDate')::timestamp at time zone 'UTC', s.created_at) as time,
                (s.item_time is not null or s.memory ->> 'observationDate' is not null) as "isDated"
           from ${storeTable('chunks', store)} c
           cross join lateral ${versionSql('c.database_id', 'c.source_uid')} s
          where c.id = any($1::bigint[])`),
        [chunkIds],
      ),
    ),
  );
  return new Map(rows.flat().map(({ id, ...origin }) => [id, origin]));
}
