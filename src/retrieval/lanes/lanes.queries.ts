import type { DataSource } from 'typeorm';
import {
  chunksCounter,
  lengthsCounter,
  termAmountsSql,
} from '../../ingestion/keyword-statistics/term-counts.queries.js';
import { prepared, unseenList } from '../../postgres/prepared-statements.js';
import { query } from '../../postgres/query.js';
import { SqlParameters } from '../../postgres/sql-parameters.js';
import { storeTable } from '../../postgres/stores.js';
import { vectorText } from '../../postgres/vector-parameters.js';
import { vectorTable } from '../../postgres/vector-tables.js';
import { foundItem, hidesSome, inCollections, matchingItems, plannedOnce } from '../search-scope.js';
import type { SearchScope } from '../search-scope.js';

/** A chunk that a lane found. */
export interface LaneHit {
  readonly id: string;
  readonly score: number;
}

/** How many chunks a store has, and how many of them contain each term. */
export interface TermStatistics {
  readonly chunks: number;
  readonly frequencies: ReadonlyMap<number, number>;
}

/** The same, with the end and the size of the store. */
export interface StoreTerms extends TermStatistics {
  /** The id of the last chunk; 0 when there is none. */
  readonly newest: number;
  /** How many terms all chunks have together. */
  readonly lengths: number;
}

// Marks the row of the last chunk among the counters of terms; no counter uses it.
const newestMark = -2;

// A word of so few chunks may be a name or a code that only items stand for which the caller may not read; of a
// more frequent one the number tells little of a single item, and counting it would take long.
const countedAloneMax = 100;

/**
 * Reads the number of chunks in a store and how many of them contain each term, the last chunk, and the
 * number of all terms. A rare term is counted only where the scope's readers may read it: how chunks are
 * scored, and whether a word is taken for misspelt, must not show what else contains it.
 */
export async function findTermStatistics(
  postgres: DataSource,
  scope: SearchScope,
  terms: readonly number[],
): Promise<StoreTerms> {
  const { store } = scope;
  const rows = await query<TermAmount>(
    postgres.manager,
    prepared(`select term, sum(amount)::float8 as amount from ${termAmountsSql(store, '$1::int[]')} a group by term
      union all select ${newestMark}, max(id)::float8 from ${storeTable('chunks', store)}`),
    [[chunksCounter, lengthsCounter, ...terms]],
  );
  const frequencies = new Map(rows.map((row) => [row.term, row.amount]));
  const newest = frequencies.get(newestMark) ?? 0;
  const lengths = frequencies.get(lengthsCounter) ?? 0;
  const chunks = frequencies.get(chunksCounter) ?? 0;
  const rare = terms.filter((term) => (frequencies.get(term) ?? Infinity) <= countedAloneMax);
  if (hidesSome(scope) && rare.length > 0)
    for (const { term, amount } of await countReadable(postgres, scope, rare)) frequencies.set(term, amount);
  return { chunks, lengths, newest, frequencies };
}

interface TermAmount {
  readonly term: number;
  readonly amount: number;
}

/** How many chunks contain each term that the scope's readers may read, whatever else it is limited to. */
function countReadable(
  postgres: DataSource,
  scope: SearchScope,
  terms: readonly number[],
): Promise<TermAmount[]> {
  const parameters = new SqlParameters();
  const readable = foundItem('c.source_uid', { ...scope, sourceIds: null, conditions: [] }, parameters);
  return query<TermAmount>(
    postgres.manager,
    prepared(`select t.term, (select count(*)::float8 from ${storeTable('chunks', scope.store)} c
              where c.terms @> array[t.term] and exists ${readable}) as amount
       from unnest(${unseenList(parameters.add(terms), 'int[]')}) as t(term)`),
    parameters.values,
  );
}

/**
 * The chunks nearest in meaning: an exact scan of the scope's vectors by inner product, of the chunks after
 * `after`.
 */
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

interface LaneStatement {
  readonly from: string;
  readonly id: string;
  readonly distance: string;
  readonly where: string;
  readonly alias: string;
  /** A further column of `from` that `n` gets. */
  readonly carries?: string;
  /** Further columns of the result, which may refer to `n`. */
  readonly columns?: string;
}

interface LaneSearch {
  readonly limit: number;
  readonly statement: (parameters: SqlParameters) => LaneStatement;
}

/**
 * Runs a lane. With a filter or a list of readers, the candidates are the chunks of visible items that match.
 * Without one, nearly every chunk may be read, so this is left to whoever reads the best of them
 * (findChunks); only items that nobody may read are left out here.
 */
export function searchLane<Hit extends LaneHit>(
  postgres: DataSource,
  scope: SearchScope,
  lane: LaneSearch,
): Promise<Hit[]> {
  const parameters = new SqlParameters();
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
