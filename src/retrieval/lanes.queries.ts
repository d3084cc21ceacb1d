import type { DataSource } from 'typeorm';
import { LinkRole } from '../graph/structure.js';
import { chunksCounter, vectorText } from '../ingestion/chunks.queries.js';
import { findOutdated } from '../ingestion/facts.queries.js';
import { partition } from '../postgres/partitions.js';
import type { Corpus, Store } from '../postgres/partitions.js';
import { prepared, unseenList } from '../postgres/prepared-statements.js';
import { query } from '../postgres/query.js';
import type { VectorIndex } from '../postgres/vector-index.js';
import { vectorTable } from '../postgres/vector-tables.js';
import type { VectorStore } from '../postgres/vector-tables.js';
import { mayReadSql } from '../sources/acl.js';
import type { Readers } from '../sources/acl.js';
import { hasMetadataSql, metadataSql, needsMetadata } from '../sources/metadata-condition.js';
import type { MetadataCondition } from '../sources/metadata-condition.js';
import { unexpiredSql } from '../sources/sources.queries.js';
import type { JsonObject } from '../sources/source.types.js';

/** Which chunks of a store may be found. */
export interface SearchScope {
  readonly store: VectorStore;
  /** Undefined while its vectors are few enough to be scanned. */
  readonly vectorIndex: VectorIndex | undefined;
  readonly collectionIds: readonly number[];
  /** Only these items; null for all. */
  readonly sourceIds: readonly string[] | null;
  readonly conditions: readonly MetadataCondition[];
  /** Whom the search answers as. */
  readonly readers: Readers;
  /** Some items nobody may read: not even their places among the others are to be told. */
  readonly hidesItems: boolean;
  readonly now: Date;
}

/** A chunk that a lane found. */
export interface LaneHit {
  readonly id: string;
  readonly score: number;
}

/** How often the terms of a query occur in a store. */
export interface TermStatistics {
  readonly chunks: number;
  readonly frequencies: ReadonlyMap<number, number>;
}

/** The same, and how far the store goes. */
export interface StoreTerms extends TermStatistics {
  /** The number of the last chunk; 0 when there is none. */
  readonly newest: number;
}

/** Collects the parameters of one statement. */
export class Parameters {
  readonly values: unknown[] = [];

  add(value: unknown): string {
    this.values.push(value);
    return `$${this.values.length}`;
  }
}

// Among counters of terms: not one that is counted.
const newestMark = -2;

/** The number of chunks in a store and, of these, with each term; and the last chunk. */
export async function findTermStatistics(
  postgres: DataSource,
  store: Store,
  terms: readonly number[],
): Promise<StoreTerms> {
  const rows = await query<{ term: number; amount: number }>(
    postgres.manager,
    prepared(`select term, sum(amount)::float8 as amount from ${partition('term_frequencies', store)}
      where term = any($1) group by term
      union all select ${newestMark}, max(id)::float8 from ${partition('chunks', store)}`),
    [[chunksCounter, ...terms]],
  );
  const frequencies = new Map(rows.map((row) => [row.term, row.amount]));
  const newest = frequencies.get(newestMark) ?? 0;
  return { chunks: frequencies.get(chunksCounter) ?? 0, newest, frequencies };
}

/** The chunks nearest in meaning: an exact scan of the scope's vectors by inner product, of those after a chunk. */
export function searchDense(
  postgres: DataSource,
  scope: SearchScope,
  search: { vector: Float32Array; limit: number; after: number },
): Promise<LaneHit[]> {
  return searchLane(postgres, scope, {
    limit: search.limit,
    statement: (parameters) => {
      const distance = `v.embedding <#> ${parameters.add(vectorText(search.vector))}::vector`;
      return {
        from: `${vectorTable(scope.store)} v`,
        id: 'v.chunk_id',
        distance,
        where:
          inCollections('v', scope, parameters) +
          (search.after > 0 ? ` and v.chunk_id > ${parameters.add(search.after)}` : ''),
        alias: 'v',
      };
    },
  });
}

// A search of one collection is the common one, and comparing with a number is cheaper than looking into a list.
export function inCollections(alias: string, { collectionIds }: SearchScope, parameters: Parameters): string {
  const [first, ...more] = collectionIds;
  if (more.length === 0) return `${alias}.collection_id = ${parameters.add(first)}::int`;
  return `${alias}.collection_id = any(${parameters.add(collectionIds)}::int[])`;
}

interface LaneStatement {
  readonly from: string;
  readonly id: string;
  readonly distance: string;
  readonly where: string;
  readonly alias: string;
  /** Another column of `from` that `n` has. */
  readonly carries?: string;
  /** What is told of a found row `n` besides. */
  readonly columns?: string;
}

interface LaneRequest {
  readonly limit: number;
  readonly statement: (parameters: Parameters) => LaneStatement;
}

/**
 * Runs a lane. With a filter or a list of readers the candidates are the chunks of visible items that match. Without one
 * nearly every chunk may be read, so that is left to whoever reads the best of them (findChunks), but for items that nobody may read.
 */
export function searchLane<Hit extends LaneHit>(
  postgres: DataSource,
  scope: SearchScope,
  lane: LaneRequest,
): Promise<Hit[]> {
  const parameters = new Parameters();
  const { from, id, distance, where, alias, carries, columns } = lane.statement(parameters);
  const matching = matchingItems(alias, scope, parameters);
  const found = `select ${id} as id, ${distance} as distance, ${[`${alias}.source_uid`, ...(carries ? [carries] : [])].join(', ')}
    from ${from}
    where ${where}${matching ? ` and ${matching}` : ''} order by distance limit ${lane.limit}`;
  const selected = ['n.id', '-n.distance as score', ...(columns ? [columns] : [])].join(', ');
  return query<Hit>(
    postgres.manager,
    plannedOnce(scope, `select ${selected} from (${found}) n order by n.distance, n.id`),
    parameters.values,
  );
}

/** Whether only some of the items in its collections may be found. */
export function isFiltered({ sourceIds, conditions, readers }: SearchScope): boolean {
  return sourceIds !== null || conditions.length > 0 || readers !== null;
}

/** Keeps the plan of a search without a filter; the best plan of one with a filter depends on what the filter leaves. */
export function plannedOnce(scope: SearchScope, sql: string): string {
  return isFiltered(scope) ? sql : prepared(sql);
}

/** SQL: a candidate row belongs to an item that may be found; undefined where that is left to whoever reads the best of them. */
export function matchingItems(alias: string, scope: SearchScope, parameters: Parameters): string | undefined {
  if (isFiltered(scope)) return `${alias}.source_uid in (${matchingSources(scope, parameters)})`;
  if (!scope.hidesItems) return undefined;
  const databaseId = parameters.add(scope.store.databaseId);
  return `${alias}.source_uid not in (select h.uid from sources h where h.database_id = ${databaseId} and h.acl = '{}')`;
}

/** SQL that selects the uid of every visible item that may be found. */
export function matchingSources(scope: SearchScope, parameters: Parameters): string {
  return `select m.uid from sources m where ${mayBeFound('m', scope, parameters)}`;
}

/** SQL: a row of sources is a visible item that may be found. */
export function mayBeFound(alias: string, scope: SearchScope, parameters: Parameters): string {
  const { store, collectionIds, sourceIds, conditions, readers, now } = scope;
  const clauses = [
    `${alias}.database_id = ${parameters.add(store.databaseId)}`,
    `${alias}.collection_id = any(${parameters.add(collectionIds)}::int[])`,
    `${alias}.corpus = ${parameters.add(store.corpus)}`,
    `${alias}.visible`,
    unexpiredSql(alias, parameters.add(now)),
    mayReadSql(`${alias}.acl`, readers, (value) => parameters.add(value)),
    ...(sourceIds ? [`${alias}.id = any(${parameters.add(sourceIds)}::text[])`] : []),
    ...(conditions.some(needsMetadata) ? [hasMetadataSql(alias)] : []),
    ...conditions.map((condition) => metadataSql(condition, alias, (value) => parameters.add(value))),
  ];
  return clauses.join(' and ');
}

/**
 * SQL: the item with a uid, no row unless it is visible and may be found. A limit that joins cannot be moved past: while the
 * planner does not know that a database has grown it expects one item there, and would begin with all of them.
 */
export function foundItem(uid: string, scope: SearchScope, parameters: Parameters): string {
  const databaseId = parameters.add(scope.store.databaseId);
  return `(select s.* from (select * from sources where database_id = ${databaseId} and uid = ${uid} limit 1) s
    where ${mayBeFound('s', scope, parameters)})`;
}

/** A found chunk with its item. */
export interface ChunkRow {
  readonly chunkId: string;
  readonly chunkUuid: string;
  readonly sourceUid: string;
  readonly content: string;
  /** Relations are stated in it, or its item has links. */
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
  readonly appKind: string | null;
  readonly appProvider: string | null;
  readonly appExternalId: string | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

interface WantedChunks {
  readonly chunkIds: readonly string[];
  readonly readers: Readers;
  readonly now: Date;
  /** Whether it matters that they have relations. */
  readonly withRelations: boolean;
}

/** SQL: what is shown of a chunk `c` and its item `s`. */
export const shownColumns = `c.id as "chunkId", c.chunk_uuid as "chunkUuid", c.source_uid as "sourceUid", c.content,
            c.layout, s.corpus, s.id, s.title,
            c.collection_id as "collectionId", s.metadata, s.additional_metadata as "additionalMetadata",
            s.type, s.description, s.url, s.item_time as "itemTime", s.app_kind as "appKind",
            s.app_provider as "appProvider", s.app_external_id as "appExternalId",
            s.created_at as "createdAt", s.updated_at as "updatedAt"`;

/**
 * What is shown of chunks, by their number. One whose item has been replaced meanwhile, or is hidden, is left out, and
 * one whose fact a later one contradicts or repeats.
 */
export async function findChunks(
  postgres: DataSource,
  store: Store,
  { chunkIds, readers, now, withRelations }: WantedChunks,
): Promise<ChunkRow[]> {
  if (chunkIds.length === 0) return [];
  const parameters = new Parameters();
  const wanted = parameters.add(chunkIds);
  const readable = mayReadSql('s.acl', readers, (value) => parameters.add(value));
  const moment = parameters.add(now);
  // By index alone, so that chunks without relations cost no statement of their own.
  const hasRelations = withRelations
    ? `coalesce(
        (select true from ${partition('relation_groups', store)} g where g.chunk_uuid = c.chunk_uuid limit 1),
        (select true from ${partition('item_links', store)} l
          where l.source_uid = c.source_uid and l.role = any('{${LinkRole.link},${LinkRole.entity}}') limit 1), false)`
    : 'false';
  const rows = await query<ChunkRow>(
    postgres.manager,
    prepared(`select ${shownColumns}, ${hasRelations} as "hasRelations"
       from ${partition('chunks', store)} c
       join sources s on s.database_id = c.database_id and s.uid = c.source_uid and s.visible
      where c.id = any(${unseenList(wanted, 'bigint[]')}) and ${readable} and ${unexpiredSql('s', moment)}`),
    parameters.values,
  );
  return withoutOutdated(postgres, store, { rows, now });
}

/** Without chunks whose fact a later one contradicts or repeats. Asked for only where it may matter: most are not facts. */
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

/** Of chunks that cannot be shown, those whose version has not been replaced: it is hidden, or not searchable yet. */
export async function findUnreplaced(
  postgres: DataSource,
  store: Store,
  chunkIds: readonly string[],
): Promise<string[]> {
  const rows = await query<{ id: string }>(
    postgres.manager,
    `select c.id from ${partition('chunks', store)} c
       join sources s on s.database_id = c.database_id and s.uid = c.source_uid and (s.latest or s.visible)
      where c.id = any($1::bigint[])`,
    [chunkIds],
  );
  return rows.map((row) => row.id);
}
