import type { DataSource } from 'typeorm';
import { vectorTypes } from '../postgres/binary-arrays.js';
import { partition } from '../postgres/partitions.js';
import type { Store } from '../postgres/partitions.js';
import { query } from '../postgres/query.js';
import { averageLengthOfStep, averageLengthStep } from '../text/bm25.js';
import { chunkRowsMax, chunksCounter, keywordVectors, lengthsCounter } from './chunks.queries.js';

// Summing a term's rows costs a query little as long as they are some hundreds; but a store of which most has been
// deleted must not be left with the counters of all that was.
const foldAboveRowsMax = 100_000;
const foldAboveRowsMin = 2000;
const foldAboveRowsPerChunk = 20;
// So few rows of a term cost a query nothing, and the more are folded at once, the fewer sums are written anew.
const foldAboveBatches = 20;
// Of one statement. On the embedded Postgres others wait for it; elsewhere more at once is folded faster.
const foldRowsMaxEmbedded = 1000;
const foldRowsMax = 20_000;
const foldsPerCount = 20;

/** The average chunk length that keyword weights of a store are written with, as its step of powers of 1.25. */
export interface AverageLength {
  readonly step: number;
  readonly averageLength: number;
}

/** Keeps the counts and weights of the keyword lane in order. */
export class KeywordStatistics {
  private readonly foldRowsMax: number;

  constructor(
    private readonly postgres: DataSource,
    { embedded }: { readonly embedded: boolean },
  ) {
    this.foldRowsMax = embedded ? foldRowsMaxEmbedded : foldRowsMax;
  }

  /** The step in force; the first write to a store sets it from its own chunks. */
  async averageLength(
    store: Store,
    own: { readonly count: number; readonly length: number },
  ): Promise<AverageLength> {
    const find = () =>
      query<{ step: number }>(
        this.postgres.manager,
        `select average_length_step as step from keyword_averages where database_id = $1 and corpus = $2`,
        [store.databaseId, store.corpus],
      );
    let [row] = await find();
    const ownStep = averageLengthStep(own.length / Math.max(1, own.count));
    if (!row) {
      await query(
        this.postgres.manager,
        `insert into keyword_averages (database_id, corpus, average_length_step) values ($1, $2, $3)
         on conflict do nothing`,
        [store.databaseId, store.corpus, ownStep],
      );
      [row] = await find();
    }
    const step = row?.step ?? ownStep;
    return { step, averageLength: averageLengthOfStep(step) };
  }

  /** When the average length has left its step, weighs some chunks anew from their counts; false when none is left. */
  async reweighSome(store: Store): Promise<boolean> {
    const step = await this.currentStep(store);
    if (step === undefined) return false;
    await query(
      this.postgres.manager,
      `update keyword_averages set average_length_step = $3
        where database_id = $1 and corpus = $2 and average_length_step <> $3`,
      [store.databaseId, store.corpus, step],
    );
    const chunks = await query<{ id: string; terms: number[]; counts: number[]; length: number }>(
      this.postgres.manager,
      `select id, terms, term_counts as counts, length from ${partition('chunks', store)}
        where average_length_step <> $1 limit ${chunkRowsMax}`,
      [step],
    );
    if (chunks.length === 0) return false;
    const averageLength = averageLengthOfStep(step);
    await query(
      this.postgres.manager,
      `update ${partition('chunks', store)} c set average_length_step = $1, keyword = w.keyword
         from unnest($2::bigint[], $3::sparsevec[]) as w(id, keyword) where c.id = w.id`,
      [
        step,
        chunks.map((chunk) => chunk.id),
        keywordVectors(
          await vectorTypes(this.postgres),
          chunks.map(({ terms, counts, length }) => ({
            terms: Int32Array.from(terms),
            counts: Int32Array.from(counts),
            length,
          })),
          averageLength,
        ),
      ],
    );
    return true;
  }

  private async currentStep(store: Store): Promise<number | undefined> {
    const rows = await query<{ term: number; amount: number }>(
      this.postgres.manager,
      `select term, sum(amount)::float8 as amount from ${partition('term_frequencies', store)}
        where term = any($1) group by term`,
      [[chunksCounter, lengthsCounter]],
    );
    const amount = (term: number) => rows.find((row) => row.term === term)?.amount ?? 0;
    const chunks = amount(chunksCounter);
    return chunks > 0 ? averageLengthStep(amount(lengthsCounter) / chunks) : undefined;
  }

  /** Folds some counters of a term into one; readers sum what they find, so nothing changes for them. False when few are left. */
  async foldSome(store: Store): Promise<boolean> {
    const table = partition('term_frequencies', store);
    const [waiting] = await query<{ due: boolean }>(
      this.postgres.manager,
      `select (select count(*) from (select 1 from ${table} where not folded limit above + 1) w) > above as due
         from (select case when count(*) filter (where not folded) <= $5 then $2::bigint
                           else least($2::bigint, greatest($3::bigint, $4::bigint * coalesce(sum(amount), 0))) end as above
                 from ${table} where term = $1) a`,
      [chunksCounter, foldAboveRowsMax, foldAboveRowsMin, foldAboveRowsPerChunk, foldAboveBatches],
    );
    if (!waiting?.due) return false;
    // Counting costs half of a fold. What is counted meanwhile waits until there is enough of it.
    for (let folds = 0; folds < foldsPerCount; folds += 1) {
      if ((await this.fold(store, table)) < this.foldRowsMax) return false;
    }
    return true;
  }

  /** How many counters were folded: none when another process is at it. */
  private fold(store: Store, table: string): Promise<number> {
    return this.postgres.transaction(async (manager) => {
      const [lock] = await query<{ held: boolean }>(
        manager,
        'select pg_try_advisory_xact_lock(hashtext($1)) as held',
        [table],
      );
      if (!lock?.held) return 0;
      const [moved] = await query<{ count: number }>(
        manager,
        `with moved as (
           delete from ${table} where ctid = any(array(
             select ctid from ${table} where not folded order by term limit ${this.foldRowsMax}))
           returning term, amount),
         merged as (
           delete from ${table} t using (select distinct term from moved) m
            where t.term = m.term and t.folded returning t.term, t.amount),
         stored as (
           insert into ${table} (database_id, corpus, term, amount, folded)
           select $1::int, $2::text, term, sum(amount), true
             from (select * from moved union all select * from merged) a group by term having sum(amount) <> 0)
         select count(*)::int as count from moved`,
        [store.databaseId, store.corpus],
      );
      return moved?.count ?? 0;
    });
  }
}
