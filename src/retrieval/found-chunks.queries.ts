import type { DataSource } from 'typeorm';
import { LinkRole } from '../graph/structure.js';
import { prepared, unseenList } from '../postgres/prepared-statements.js';
import { query } from '../postgres/query.js';
import { SqlParameters } from '../postgres/sql-parameters.js';
import { storeTable } from '../postgres/stores.js';
import type { Corpus, Store } from '../postgres/stores.js';
import { mayReadSql } from '../sources/acl.js';
import type { Readers } from '../sources/acl.js';
import { outdatedFactsSql, findOutdated } from '../sources/facts.queries.js';
import type { OutdatedFact } from '../sources/facts.queries.js';
import type { AppKind, JsonObject } from '../sources/source.types.js';
import { unexpiredSql, versionSql } from '../sources/sources.queries.js';
import { saysMore } from './ranking/says-more.js';

/** A chunk with its item, as an answer shows them. */
export interface ChunkRow {
  readonly chunkId: string;
  readonly chunkUuid: string;
  readonly sourceUid: string;
  readonly content: string;
  /** Whether relations are stated in it, or its item has links. */
  readonly hasRelations: boolean;
  readonly layout: JsonObject;
  readonly corpus: Corpus;
  readonly id: string;
  readonly title: string;
  readonly collectionId: number;
  readonly metadata: JsonObject;
  readonly additionalMetadata: JsonObject;
  readonly type: string | null;
  readonly description: string | null;
  readonly url: string | null;
  readonly itemTime: Date | null;
  readonly appKind: AppKind | null;
  readonly appProvider: string | null;
  readonly appExternalId: string | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  /** Of a memory: whose it is. */
  readonly speaker?: string | null;
  /** Of a memory: its facts that later ones repeat or contradict; null when there are none. */
  readonly outdatedFacts?: readonly OutdatedFact[] | null;
}

interface WantedChunks {
  readonly chunkIds: readonly string[];
  readonly readers: Readers;
  readonly now: Date;
  /** Whether `hasRelations` has to be found out. */
  readonly withRelations: boolean;
  /** Whether later facts may have outdated what memories say. */
  readonly withFacts: boolean;
}

/** SQL: the columns of a chunk `c` and its item `s` that an answer shows. */
export const chunkColumns = `c.id as "chunkId", c.chunk_uuid as "chunkUuid", c.source_uid as "sourceUid", c.content,
            c.layout, s.corpus, s.id, s.title,
            c.collection_id as "collectionId", s.metadata, s.additional_metadata as "additionalMetadata",
            s.type, s.description, s.url, s.item_time as "itemTime", s.app_kind as "appKind",
            s.app_provider as "appProvider", s.app_external_id as "appExternalId",
            s.created_at as "createdAt", s.updated_at as "updatedAt"`;

/**
 * Reads chunks by their ids. Left out are chunks whose item has been replaced or may not be read, and
 * memories that later facts repeat. The layout of a memory names, as `former`, those of its statements that
 * later facts contradict.
 */
export async function findChunks(
  postgres: DataSource,
  store: Store,
  { chunkIds, readers, now, withRelations, withFacts }: WantedChunks,
): Promise<ChunkRow[]> {
  if (chunkIds.length === 0) return [];
  const parameters = new SqlParameters();
  const wanted = parameters.add(chunkIds);
  const readable = mayReadSql('s.acl', readers, parameters.add);
  const moment = parameters.add(now);
  // By indexes alone, and so without a statement of its own.
  const hasRelations = withRelations
    ? `coalesce(
        (select true from ${storeTable('relation_groups', store)} g where g.chunk_uuid = c.chunk_uuid limit 1),
        (select true from ${storeTable('item_links', store)} l
          where l.source_uid = c.source_uid and l.role = any('{${LinkRole.link},${LinkRole.entity}}') limit 1), false)`
    : 'false';
  // In the same statement, because there are no such facts for most memories.
  const outdated = withFacts ? `, ${outdatedFactsSql(moment)} as "outdatedFacts"` : '';
  const ofMemory = store.corpus === 'memory' ? `, s.memory ->> 'userName' as speaker${outdated}` : '';
  const rows = await query<ChunkRow>(
    postgres.manager,
    prepared(`select ${chunkColumns}, ${hasRelations} as "hasRelations"${ofMemory}
       from ${storeTable('chunks', store)} c
       cross join lateral ${versionSql('c.database_id', 'c.source_uid')} s
      where s.visible and c.id = any(${unseenList(wanted, 'bigint[]')}) and ${readable} and ${unexpiredSql('s', moment)}`),
    parameters.values,
  );
  return rows.flatMap(withStanding);
}

/**
 * Adds to a chunk which of its statements hold no longer; no chunk if later facts repeat all that it says.
 */
function withStanding({ outdatedFacts, ...row }: ChunkRow): ChunkRow[] {
  const facts = outdatedFacts ?? [];
  if (facts.length === 0) return [row];
  const former = facts.filter(({ repeats }) => !repeats).map(({ statement }) => statement);
  if (former.length > 0) return [{ ...row, outdatedFacts: facts, layout: { ...row.layout, former } }];
  return row.layout['inferred'] === true && !saysMore(row.content, facts)
    ? []
    : [{ ...row, outdatedFacts: facts }];
}

/**
 * Removes chunks whose fact a later one contradicts or repeats. Postgres is asked only if some chunks are
 * facts; most are not.
 */
export async function withoutOutdated<Row extends Pick<ChunkRow, 'chunkId' | 'layout'>>(
  postgres: DataSource,
  store: Store,
  { rows, now }: { rows: Row[]; now: Date },
): Promise<Row[]> {
  const inferred = rows.filter(({ layout }) => layout['inferred'] === true).map(({ chunkId }) => chunkId);
  if (inferred.length === 0) return rows;
  const outdated = await findOutdated(postgres.manager, store, { chunkIds: inferred, now });
  return rows.filter(({ chunkId }) => !outdated.has(chunkId));
}

/**
 * Of chunks that cannot be shown, the ids of those whose version has not been replaced: it is hidden, or not
 * searchable yet.
 */
export async function findUnreplaced(
  postgres: DataSource,
  store: Store,
  chunkIds: readonly string[],
): Promise<string[]> {
  const rows = await query<{ id: string }>(
    postgres.manager,
    `select c.id from ${storeTable('chunks', store)} c
       cross join lateral ${versionSql('c.database_id', 'c.source_uid')} s
      where (s.latest or s.visible) and c.id = any($1::bigint[])`,
    [chunkIds],
  );
  return rows.map((row) => row.id);
}
