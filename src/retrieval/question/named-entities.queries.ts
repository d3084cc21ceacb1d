import type { DataSource } from 'typeorm';
import { isUncountedSql } from '../../ingestion/keyword-statistics/term-counts.queries.js';
import { prepared, unseenList } from '../../postgres/prepared-statements.js';
import { query } from '../../postgres/query.js';
import { SqlParameters } from '../../postgres/sql-parameters.js';
import { storeTable } from '../../postgres/stores.js';
import { findTermStatistics } from '../lanes/lanes.queries.js';
import { foundItem, hidesSome, inCollections, plannedOnce } from '../search-scope.js';
import type { SearchScope } from '../search-scope.js';
import type { UnknownWord } from './query-names.js';

// Thousands of items may mention a name; a sample of them tells what it names.
const mentionsPerNameMax = 50;

/**
 * A part of a query that is worth a look, by its index from 1: a name that some item mentions, or a word that
 * occurs in no text.
 */
export type NameProbe =
  | { readonly kind: 'name'; readonly nth: number }
  | ({ readonly kind: 'unknown'; readonly nth: number } & Pick<UnknownWord, 'begins' | 'beginsBehind'>);

/** A word with the term under which texts that contain it are indexed. */
export interface ProbedWord extends Pick<UnknownWord, 'word' | 'before'> {
  readonly term: number;
}

/**
 * Finds out which names some item mentions, and which words occur in no text, or in none that may be read.
 * Only indexes are read, and for names nobody's rights are checked. For a query that names nothing this is the
 * whole cost of the graph; a join of `sources` would take longer to plan than this takes to run.
 */
export async function probeNames(
  postgres: DataSource,
  scope: SearchScope,
  { keys, words }: { keys: readonly string[]; words: readonly ProbedWord[] },
): Promise<NameProbe[]> {
  const parameters = new SqlParameters();
  const { store } = scope;
  const unknown = hidesSome(scope) ? await findUnread(postgres, scope, words) : undefined;
  const isUnknown = unknown
    ? `t.term = any(${unseenList(parameters.add(unknown), 'int[]')})`
    : isUncountedSql(store, 't.term');
  const isMentioned = (condition: string) =>
    `(select true from ${storeTable('entity_mentions', store)} m
       where ${inCollections('m', scope, parameters)} and ${condition} limit 1)`;
  // A name that begins with n letters of the word also begins with fewer, so the greatest n says it all.
  const begins = (before: string) => `coalesce((select max(n) from generate_series(0, length(t.word)) n
    where ${isMentioned(beginsWith(`(${before} || left(t.word, n))`))}), -1)`;
  return query(
    postgres.manager,
    prepared(`select 'name' as kind, k.nth::int as nth, null::int as begins, null::int as "beginsBehind"
       from unnest(${unseenList(parameters.add(keys), 'text[]')}) with ordinality as k(key, nth)
      where ${isMentioned('m.name_key = k.key')}
     union all
     select 'unknown', t.nth::int, ${begins(`''`)}, ${begins('t.before')}
       from unnest(${unseenList(parameters.add(words.map(({ term }) => term)), 'int[]')},
                   ${unseenList(parameters.add(words.map(({ word }) => word)), 'text[]')},
                   ${unseenList(parameters.add(words.map(({ before }) => before)), 'text[]')})
              with ordinality as t(term, word, before, nth)
      where ${isUnknown}`),
    parameters.values,
  );
}

/** The terms of words that no text contains which the scope's readers may read. */
async function findUnread(
  postgres: DataSource,
  scope: SearchScope,
  words: readonly ProbedWord[],
): Promise<number[]> {
  const terms = words.map(({ term }) => term);
  const { frequencies } = await findTermStatistics(postgres, scope, terms);
  return terms.filter((term) => !frequencies.get(term));
}

/**
 * Which of some beginnings a name begins with, by their indexes from 1. Reads only the index, like
 * `probeNames`.
 */
export async function probeBeginnings(
  postgres: DataSource,
  scope: SearchScope,
  beginnings: readonly string[],
): Promise<number[]> {
  const parameters = new SqlParameters();
  const rows = await query<{ nth: number }>(
    postgres.manager,
    // One text is parsed several times as fast as an array of hundreds of elements.
    prepared(`select b.nth::int as nth
       from unnest(string_to_array(${parameters.add(beginnings.join('\n'))}::text, chr(10))) with ordinality as b(beginning, nth)
      where (select true from ${storeTable('entity_mentions', scope.store)} m
              where ${inCollections('m', scope, parameters)} and ${beginsWith('b.beginning')} limit 1)`),
    parameters.values,
  );
  return rows.map(({ nth }) => nth);
}

/** SQL: a name begins with a text. As a range, so that it can use an index that sorts by code points. */
function beginsWith(text: string): string {
  return `m.name_key >= ${text} and m.name_key < ${text} || chr(${0x10ffff})`;
}

/** An entity that bears a name, by the index of the name; or one of the ids that were asked for. */
export interface NamedByItems {
  readonly kind: 'name' | 'id';
  readonly nth: number;
  readonly entityId: string;
  readonly isAlias: boolean;
  readonly mentions: number;
}

/** Looks names and ids up. Only items that may be found count. */
export function lookUpNames(
  postgres: DataSource,
  scope: SearchScope,
  { keys, ids }: { keys: readonly string[]; ids: readonly string[] },
): Promise<NamedByItems[]> {
  const parameters = new SqlParameters();
  const mentions = storeTable('entity_mentions', scope.store);
  const found = `cross join lateral ${foundItem('m.source_uid', scope, parameters)} s`;
  return query(
    postgres.manager,
    plannedOnce(
      scope,
      `select 'name' as kind, k.nth::int as nth, m.entity_id::text as "entityId", m.is_alias as "isAlias",
            count(*)::int as mentions
       from unnest(${unseenList(parameters.add(keys), 'text[]')}) with ordinality as k(key, nth)
      cross join lateral (
        select m.entity_id, m.is_alias from ${mentions} m ${found}
         where ${inCollections('m', scope, parameters)} and m.name_key = k.key limit ${mentionsPerNameMax}) m
      group by 1, 2, 3, 4
     union all
     select 'id', i.nth::int, i.id::text, false, 1
       from unnest(${unseenList(parameters.add(ids), 'uuid[]')}) with ordinality as i(id, nth)
      cross join lateral (select from ${mentions} m ${found} where m.entity_id = i.id limit 1) m`,
    ),
    parameters.values,
  );
}
