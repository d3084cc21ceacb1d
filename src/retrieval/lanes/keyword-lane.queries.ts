import type { DataSource } from 'typeorm';
import { partition } from '../../postgres/partitions.js';
import { query } from '../../postgres/query.js';
import { codeString } from '../../text/word-codes.js';
import { inCollections, matchingSources, Parameters } from '../search-scope.js';
import type { SearchScope } from '../search-scope.js';
import { searchLane } from './lanes.queries.js';
import type { LaneHit } from './lanes.queries.js';
import { sparseVector } from './sparse-vector.js';

/** A chunk that a lane found in Postgres, and the version of an item that it belongs to. */
export interface ItemHit extends LaneHit {
  readonly sourceUid: string;
  /** How many chunks the item has; 0 where that is not known. */
  readonly itemChunks: number;
  /** Of the weighed terms those that it holds; none where they are not wanted. */
  readonly terms: readonly number[];
  /** See codeString; empty where it is not known, or not wanted. */
  readonly wordCodes: string;
}

interface TermSearch {
  readonly weights: ReadonlyMap<number, number>;
  readonly nominators: readonly number[];
  /** Neither terms nor word codes are wanted: thousands of candidates of a phrase need not bring theirs. */
  readonly bare?: boolean;
  /** Of each one term must be there, instead of a nominator; of none nothing is asked. */
  readonly required?: readonly (readonly number[])[];
  /** Word codes that stand there in a row (hexCodes), where they are known. */
  readonly row?: string | null;
  readonly limit: number;
  /** Only chunks after this one. */
  readonly after?: number;
}

/** The chunks with the best BM25 score among those that hold one of the nominating terms, or all required ones. */
export async function searchKeywords(
  postgres: DataSource,
  scope: SearchScope,
  search: TermSearch,
): Promise<ItemHit[]> {
  const { required, row = null, nominators, bare = false, after = 0 } = search;
  const rows = await searchLane<ItemRow>(postgres, scope, {
    limit: search.limit,
    statement: (parameters) => {
      return {
        from: `${partition('chunks', scope.store)} c`,
        id: 'c.id',
        // Stop words weigh nothing: a shorter text says more by them.
        distance: `(${keywordDistance(search.weights, parameters)})${row === null ? '' : ' - 1.0 / (1 + c.length)'}`,
        where: [
          ...(required ? allOf(required, parameters) : [`c.terms && ${parameters.add(nominators)}::int[]`]),
          inCollections('c', scope, parameters),
          ...(row === null ? [] : [holdsRow(row, parameters)]),
          ...(after > 0 ? [`c.id > ${parameters.add(after)}`] : []),
        ].join(' and '),
        alias: 'c',
        carries: bare ? `'{}'::int[] as terms, null::bytea as word_codes` : 'c.terms, c.word_codes',
        columns: hitColumns(scope, bare ? new Map() : search.weights, parameters),
      };
    },
  });
  return rows.map(toItemHit);
}

/** A hit as Postgres has it. */
type ItemRow = Omit<ItemHit, 'wordCodes'> & { readonly wordCodes: Buffer | null };

function toItemHit(row: ItemRow): ItemHit {
  return { ...row, wordCodes: row.wordCodes ? codeString(row.wordCodes) : '' };
}

/** Conditions on the terms of a chunk: what has one term only is asked for at once. */
function allOf(required: readonly (readonly number[])[], parameters: Parameters): string[] {
  const single = required.flatMap(([term, ...others]) =>
    term !== undefined && others.length === 0 ? [term] : [],
  );
  const several = required.filter(({ length }) => length > 1);
  return [
    ...(single.length > 0 ? [`c.terms @> ${parameters.add(single)}::int[]`] : []),
    ...several.map((terms) => `c.terms && ${parameters.add(terms)}::int[]`),
  ];
}

/** A microsecond a chunk. Where two halves of codes look like another one it says too much. */
function holdsRow(row: string, parameters: Parameters): string {
  return `(c.word_codes is null or strpos(encode(c.word_codes, 'hex'), ${parameters.add(row)}) > 0)`;
}

// Items that are read whole, whatever they hold.
const fewItemsMax = 2000;

/** The same among all chunks of the items that may be found; undefined when those are many. */
export async function searchKeywordsOfFew(
  postgres: DataSource,
  scope: SearchScope,
  search: {
    weights: ReadonlyMap<number, number>;
    rarestFirst: readonly (readonly [term: number, chunks: number])[];
    limit: number;
  },
): Promise<ItemHit[] | undefined> {
  const parameters = new Parameters();
  const rows = await query<ItemRow | { id: null }>(
    postgres.manager,
    `with scoped as materialized (${matchingSources(scope, parameters)} limit ${fewItemsMax + 1}),
       size as materialized (select count(*) as items from scoped)
     select null::bigint as id, null::float8 as score, null::bigint as "sourceUid", null::int as "itemChunks",
            null::int[] as terms, null::bytea as "wordCodes"
       from size where items > ${fewItemsMax}
     union all
     (select n.id, -n.distance, ${hitColumns(scope, search.weights, parameters)} from (
       select c.id, ${keywordDistance(search.weights, parameters)} as distance, c.source_uid, c.terms, c.word_codes
         from ${partition('chunks', scope.store)} c
        where (select items from size) <= ${fewItemsMax} and c.source_uid = any(array(select uid from scoped))
          and c.terms && ${parameters.add(search.rarestFirst.map(([term]) => term))}::int[] order by distance limit ${search.limit}) n
      order by n.distance, n.id)`,
    parameters.values,
  );
  const hits = rows.filter((row) => row.id !== null);
  return hits.length === rows.length ? hits.map(toItemHit) : undefined;
}

function keywordDistance(weights: ReadonlyMap<number, number>, parameters: Parameters): string {
  // Without weights all are alike, and their keywords need not be read.
  if (weights.size === 0) return '0::float8';
  return `c.keyword <#> ${parameters.add(sparseVector(weights))}::sparsevec`;
}

/**
 * SQL: what an ItemHit tells of a row `n` besides. Its item is looked up for each: a join would read all items of a database
 * that the planner does not know of yet.
 */
function hitColumns(
  { store }: SearchScope,
  weights: ReadonlyMap<number, number>,
  parameters: Parameters,
): string {
  const databaseId = parameters.add(store.databaseId);
  const weighed = parameters.add([...weights.keys()]);
  return `n.source_uid as "sourceUid",
    coalesce((select chunk_count from sources where database_id = ${databaseId} and uid = n.source_uid), 0) as "itemChunks",
    array(select term from unnest(${weighed}::int[]) term where term = any(n.terms)) as terms, n.word_codes as "wordCodes"`;
}
