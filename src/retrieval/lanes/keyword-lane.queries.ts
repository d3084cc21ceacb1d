import type { DataSource } from 'typeorm';
import { query } from '../../postgres/query.js';
import { SqlParameters } from '../../postgres/sql-parameters.js';
import { storeTable } from '../../postgres/stores.js';
import { codeString } from '../../text/word-codes.js';
import { inCollections, matchingSources } from '../search-scope.js';
import type { SearchScope } from '../search-scope.js';
import { searchLane } from './lanes.queries.js';
import type { LaneHit } from './lanes.queries.js';
import { sparseVector } from './sparse-vector.js';

/** A chunk that a lane found in Postgres; `sourceUid` is the version of an item that it belongs to. */
export interface ItemHit extends LaneHit {
  readonly sourceUid: string;
  /** How many chunks the item has; 0 when unknown. */
  readonly itemChunks: number;
  /** Which of the weighed terms it contains; empty when they are not wanted. */
  readonly terms: readonly number[];
  /** How often it contains each of them. */
  readonly counts: readonly number[];
  /** In terms; 0 when it is not wanted. */
  readonly length: number;
  /** See codeString; empty when they are unknown or not wanted. */
  readonly wordCodes: string;
}

interface ScoredChunks {
  readonly weights: ReadonlyMap<number, number>;
  /** Whether all but score and item is left out. The candidates of a phrase are thousands, and need none. */
  readonly bare?: boolean;
  /**
   * Word codes that must follow one another in the chunk, as hexCodes writes them; chunks without codes pass.
   */
  readonly row?: string | null;
  readonly limit: number;
  /** Only chunks after this one. */
  readonly after?: number;
}

type TermSearch = ScoredChunks &
  (
    | {
        /** A chunk must contain one of these terms. */
        readonly nominators: readonly number[];
        readonly required?: undefined;
      }
    | {
        /** Lists of terms; a chunk must contain one of each list. Without a list nothing is demanded. */
        readonly required: readonly (readonly number[])[];
        readonly nominators?: undefined;
      }
  );

/**
 * The chunks with the best BM25 scores among those that contain one of the nominators, or all that is
 * required.
 */
export async function searchKeywords(
  postgres: DataSource,
  scope: SearchScope,
  search: TermSearch,
): Promise<ItemHit[]> {
  const { required, nominators, row = null, bare = false, after = 0 } = search;
  const rows = await searchLane<ItemRow>(postgres, scope, {
    limit: search.limit,
    statement: (parameters) => {
      return {
        from: `${storeTable('chunks', scope.store)} c`,
        id: 'c.id',
        // Stop words have no weight; a shorter text that contains them says more by them.
        distance: `(${keywordDistance(search.weights, parameters)})${row === null ? '' : ' - 1.0 / (1 + c.length)'}`,
        where: [
          ...(required ? allOf(required, parameters) : [`c.terms && ${parameters.add(nominators)}::int[]`]),
          inCollections('c', scope, parameters),
          ...(row === null ? [] : [holdsRow(row, parameters)]),
          ...(after > 0 ? [`c.id > ${parameters.add(after)}`] : []),
        ].join(' and '),
        alias: 'c',
        carries: bare ? bareColumns : carriedColumns,
        columns: hitColumns(scope, bare ? new Map() : search.weights, parameters),
      };
    },
  });
  return rows.map(toItemHit);
}

/** SQL: what hitColumns reads of a chunk `c`, and the same of none. */
const carriedColumns = 'c.terms, c.term_counts, c.length, c.word_codes';
const bareColumns = `'{}'::int[] as terms, '{}'::int[] as term_counts, 0 as length, null::bytea as word_codes`;

/** A hit as Postgres returns it. */
type ItemRow = Omit<ItemHit, 'wordCodes'> & { readonly wordCodes: Buffer | null };

function toItemHit(row: ItemRow): ItemHit {
  return { ...row, wordCodes: row.wordCodes ? codeString(row.wordCodes) : '' };
}

/** SQL: conditions on the terms of a chunk. All lists of one term are one condition. */
function allOf(required: readonly (readonly number[])[], parameters: SqlParameters): string[] {
  const single = required.flatMap(([term, ...others]) =>
    term !== undefined && others.length === 0 ? [term] : [],
  );
  const several = required.filter(({ length }) => length > 1);
  return [
    ...(single.length > 0 ? [`c.terms @> ${parameters.add(single)}::int[]`] : []),
    ...several.map((terms) => `c.terms && ${parameters.add(terms)}::int[]`),
  ];
}

/**
 * SQL: a chunk contains the codes in a row, or has none. Takes a microsecond a chunk. It sometimes says yes
 * wrongly, where the halves of two codes look like another code.
 */
function holdsRow(row: string, parameters: SqlParameters): string {
  return `(c.word_codes is null or strpos(encode(c.word_codes, 'hex'), ${parameters.add(row)}) > 0)`;
}

// Up to this many items are read whole, whatever they contain.
const fewItemsMax = 2000;

/** The same among all chunks of the items that may be found; undefined when there are too many of these. */
export async function searchKeywordsOfFew(
  postgres: DataSource,
  scope: SearchScope,
  search: {
    weights: ReadonlyMap<number, number>;
    rarestFirst: readonly (readonly [term: number, chunks: number])[];
    limit: number;
  },
): Promise<ItemHit[] | undefined> {
  const parameters = new SqlParameters();
  const rows = await query<ItemRow | { id: null }>(
    postgres.manager,
    `with scoped as materialized (${matchingSources(scope, parameters)} limit ${fewItemsMax + 1}),
       size as materialized (select count(*) as items from scoped)
     select null::bigint as id, null::float8 as score, null::bigint as "sourceUid", null::int as "itemChunks",
            null::int[] as terms, null::int[] as counts, null::int as length, null::bytea as "wordCodes"
       from size where items > ${fewItemsMax}
     union all
     (select n.id, -n.distance, ${hitColumns(scope, search.weights, parameters)} from (
       select c.id, ${keywordDistance(search.weights, parameters)} as distance, c.source_uid, ${carriedColumns}
         from ${storeTable('chunks', scope.store)} c
        where (select items from size) <= ${fewItemsMax} and c.source_uid = any(array(select uid from scoped))
          and c.terms && ${parameters.add(search.rarestFirst.map(([term]) => term))}::int[] order by distance limit ${search.limit}) n
      order by n.distance, n.id)`,
    parameters.values,
  );
  const hits = rows.filter((row) => row.id !== null);
  return hits.length === rows.length ? hits.map(toItemHit) : undefined;
}

function keywordDistance(weights: ReadonlyMap<number, number>, parameters: SqlParameters): string {
  // Without weights all chunks are equal, and their keywords need not be read.
  if (weights.size === 0) return '0::float8';
  return `c.keyword <#> ${parameters.add(sparseVector(weights))}::sparsevec`;
}

/**
 * SQL: the other columns of an ItemHit for a row `n`. Its item is looked up row by row: a join would read all
 * items of a database that the planner does not know yet.
 */
function hitColumns(
  { store }: SearchScope,
  weights: ReadonlyMap<number, number>,
  parameters: SqlParameters,
): string {
  const databaseId = parameters.add(store.databaseId);
  const weighed = parameters.add([...weights.keys()]);
  return `n.source_uid as "sourceUid",
    coalesce((select chunk_count from sources where database_id = ${databaseId} and uid = n.source_uid), 0) as "itemChunks",
    array(select term from unnest(${weighed}::int[]) term where term = any(n.terms)) as terms,
    array(select n.term_counts[array_position(n.terms, term)] from unnest(${weighed}::int[]) term where term = any(n.terms)) as counts,
    n.length, n.word_codes as "wordCodes"`;
}
