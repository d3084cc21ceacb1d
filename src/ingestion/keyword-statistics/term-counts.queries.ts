import type { EntityManager } from 'typeorm';
import { query, queryOne } from '../../postgres/query.js';
import { storeTable } from '../../postgres/stores.js';
import type { Store } from '../../postgres/stores.js';
import { tryLockByName } from '../../postgres/transaction-lock.js';

// The number of chunks that contain each term. A row of `term_frequencies` is either the sum for one term, or
// what one statement added to the terms of a block: a row per term costs ten times as much to write (23 ms
// instead of 1.6 for 200 chunks of 60 words). Readers sum what they find, so writers never wait for one
// another.

/** Counters beside those of terms: the number of chunks, and of their terms altogether. */
export const chunksCounter = 0;
export const lengthsCounter = -1;

// A power of two. More blocks make shorter rows, and more rows for a chunk's terms.
const blocks = 128;
/** Below all counters. */
const firstBlock = -2 * blocks;

/** What is added to the counters, by column. */
export interface TermAdditions {
  /** Numbers of counters and blocks. */
  readonly terms: readonly number[];
  /** The amount for a counter; 0 for a block. */
  readonly amounts: readonly number[];
  /** For a block, its terms and their amounts as SQL arrays; null for a counter. */
  readonly blockTerms: readonly (string | null)[];
  readonly blockAmounts: readonly (string | null)[];
}

/**
 * What chunks add to the counters, in the order of the index, so that its pages are visited one after
 * another.
 */
export function addTerms(
  chunks: readonly { readonly terms: Int32Array; readonly length: number }[],
): TermAdditions {
  const amounts = new Map<number, number>();
  for (const { terms } of chunks) for (const term of terms) amounts.set(term, (amounts.get(term) ?? 0) + 1);
  const byBlock = new Map<number, [terms: number[], amounts: number[]]>();
  for (const [term, amount] of amounts) {
    const block = firstBlock + (term & (blocks - 1));
    const [blockTerms, blockAmounts] = byBlock.get(block) ?? [[], []];
    blockTerms.push(term);
    blockAmounts.push(amount);
    byBlock.set(block, [blockTerms, blockAmounts]);
  }
  const added = [...byBlock].sort(([a], [b]) => a - b);
  const lengths = chunks.reduce((sum, { length }) => sum + length, 0);
  return {
    terms: [...added.map(([block]) => block), lengthsCounter, chunksCounter],
    amounts: [...added.map(() => 0), lengths, chunks.length],
    blockTerms: [...added.map(([, [terms]]) => `{${terms.join(',')}}`), null, null],
    blockAmounts: [...added.map(([, [, amounts]]) => `{${amounts.join(',')}}`), null, null],
  };
}

/** SQL: the block of a term. */
const blockSql = (term: string) => `${firstBlock} + (${term} & ${blocks - 1})`;

/**
 * SQL: subtracts from the counters what the chunks of the relation `gone` (terms, length) had added; $1 and
 * $2 are the store.
 */
export function subtractTermsSql(store: Store): string {
  return `insert into ${storeTable('term_frequencies', store)}
       (database_id, corpus, term, amount, folded, terms, amounts)
     select $1::int, $2::text, ${blockSql('term')}, 0, false, array_agg(term), array_agg(amount)
       from (select term, -count(*)::int as amount from gone, unnest(terms) as term group by term) t group by 3
     union all select $1::int, $2::text, ${chunksCounter}, -count(*), false, null, null from gone having count(*) > 0
     union all select $1::int, $2::text, ${lengthsCounter}, -sum(length), false, null, null from gone having count(*) > 0`;
}

/**
 * SQL: adds `TermAdditions` to the counters if `complete` has a row that is held and kept; $1 and $2 are the
 * store.
 */
export function addTermsSql(
  store: Store,
  [terms, amounts, blockTerms, blockAmounts]: readonly [string, string, string, string],
): string {
  return `insert into ${storeTable('term_frequencies', store)} (database_id, corpus, term, amount, folded, terms, amounts)
       select $1, $2, t.term, t.amount, false, t.terms::int[], t.amounts::int[]
         from complete, unnest(${terms}::int[], ${amounts}::bigint[], ${blockTerms}::text[], ${blockAmounts}::text[])
           as t(term, amount, terms, amounts) where complete.held and complete.kept`;
}

/**
 * SQL: the rows (term, amount) for the terms and counters in an int[]: several for each, none for unknown
 * ones.
 */
export function termAmountsSql(store: Store, terms: string): string {
  const table = storeTable('term_frequencies', store);
  return `(select f.term, f.amount from ${table} f where f.term = any(${terms}) union all
           select t.term, f.amounts[array_position(f.terms, t.term)] from unnest(${terms}) as t(term)
             join ${table} f on f.term = ${blockSql('t.term')} and t.term = any(f.terms) where t.term > ${chunksCounter})`;
}

/**
 * SQL: whether no row counts a term. In this form Postgres keeps the plan, which it does not for an `exists`
 * that may be hashed.
 */
export function isUncountedSql(store: Store, term: string): string {
  const found = (condition: string) =>
    `(select true from ${storeTable('term_frequencies', store)} f where ${condition} limit 1)`;
  return `${found(`f.term = ${term}`)} is null
        and ${found(`f.term = ${blockSql(term)} and ${term} = any(f.terms)`)} is null`;
}

/** When a term's block has more rows than this on average, folding them is worth it. */
const rowsPerBlockMax = 20;

/** Whether so many rows wait to be folded that queries notice. */
export async function isFoldDue(manager: EntityManager, store: Store): Promise<boolean> {
  const above = rowsPerBlockMax * blocks;
  const waiting = await queryOne<{ due: boolean }>(
    manager,
    `select count(*) > $1 as due
       from (select 1 from ${storeTable('term_frequencies', store)} where not folded limit $1 + 1) w`,
    [above],
  );
  return waiting?.due ?? false;
}

/**
 * Folds some of the waiting rows into the sums of their terms, all those of some blocks, since each sum is
 * written anew. Returns how many rows there were; 0 when another process is folding.
 */
export async function foldTerms(manager: EntityManager, store: Store, rowsMax: number): Promise<number> {
  const table = storeTable('term_frequencies', store);
  if (!(await tryLockByName(manager, table))) return 0;
  // The planner may take the table for empty, and would then read all of it for every term.
  await query(manager, 'set local enable_seqscan = off');
  const moved = await queryOne<{ count: number }>(
    manager,
    `with moved as (
       delete from ${table} where ctid = any(array(
         select ctid from ${table} where not folded order by term limit ${rowsMax}))
       returning term, amount, terms, amounts),
     added as (
       select t.term, sum(t.amount) as amount
         from moved m, unnest(coalesce(m.terms, array[m.term]), coalesce(m.amounts, array[m.amount::int])) as t(term, amount)
        group by t.term),
     sums as materialized (
       select a.term, a.amount + coalesce(f.amount, 0) as amount, f.ctid as former
         from added a left join lateral (
           select ctid, amount from ${table} f where f.term = a.term and f.folded limit 1) f on true),
     gone as (
       delete from ${table} where ctid = any(array(select former from sums))),
     stored as (
       insert into ${table} (database_id, corpus, term, amount, folded)
       select $1::int, $2::text, term, amount, true from sums where amount <> 0 order by term)
     select count(*)::int as count from moved`,
    [store.databaseId, store.corpus],
  );
  return moved?.count ?? 0;
}
