import type { DataSource } from 'typeorm';
import { query, queryOne } from '../../postgres/query.js';
import { storeTable } from '../../postgres/stores.js';
import type { Store } from '../../postgres/stores.js';
import { vectorTypes } from '../../postgres/vector-parameters.js';
import { averageLengthOfStep, averageLengthStep } from '../../text/bm25.js';
import { chunkRowsMax, keywordVectors } from '../chunks.queries.js';
import { chunksCounter, foldTerms, isFoldDue, lengthsCounter } from './term-counts.queries.js';

// Rows in one statement. On the embedded Postgres others wait for it; elsewhere folding more at once is
// faster.
const foldRowsMaxEmbedded = 60;
const foldRowsMax = 1280;
const foldsPerCount = 50;

/**
 * The average chunk length that a store's keyword weights are written with, as its step of powers of 1.25.
 */
export interface AverageLength {
  readonly step: number;
  readonly averageLength: number;
}

interface KeywordStatisticsOptions {
  readonly postgres: DataSource;
  /** Whether Postgres is the embedded one. */
  readonly embedded: boolean;
}

/**
 * SQL: some chunks of a store whose weights are of another step than $1, from both sides of it in the index of
 * steps: looking for `<> $1` would read the whole table to find none.
 */
function otherStepsSql(store: Store): string {
  const ofSteps = (side: '<' | '>') =>
    `(select id, terms, term_counts as counts, length from ${storeTable('chunks', store)}
       where average_length_step ${side} $1 order by average_length_step limit ${chunkRowsMax})`;
  return `${ofSteps('<')} union all ${ofSteps('>')} limit ${chunkRowsMax}`;
}

/** Maintains the counts and weights of the keyword lane. */
export class KeywordStatistics {
  private readonly foldRowsMax: number;

  constructor(private readonly options: KeywordStatisticsOptions) {
    this.foldRowsMax = options.embedded ? foldRowsMaxEmbedded : foldRowsMax;
  }

  /** What new chunks of a store are weighed by; the first write to it sets this from its own chunks. */
  async averageLength(
    store: Store,
    own: { readonly count: number; readonly length: number },
  ): Promise<AverageLength> {
    const find = () =>
      queryOne<{ step: number }>(
        this.options.postgres.manager,
        `select average_length_step as step from keyword_averages where database_id = $1 and corpus = $2`,
        [store.databaseId, store.corpus],
      );
    let row = await find();
    const ownStep = averageLengthStep(own.length / Math.max(1, own.count));
    if (!row) {
      await query(
        this.options.postgres.manager,
        `insert into keyword_averages (database_id, corpus, average_length_step) values ($1, $2, $3)
         on conflict do nothing`,
        [store.databaseId, store.corpus, ownStep],
      );
      row = await find();
    }
    const step = row?.step ?? ownStep;
    return { step, averageLength: averageLengthOfStep(step) };
  }

  /**
   * When the average length has left its step, reweighs some chunks by their counts; false when none are
   * left.
   */
  async reweighSome(store: Store): Promise<boolean> {
    const step = await this.currentStep(store);
    if (step === undefined) return false;
    await query(
      this.options.postgres.manager,
      `update keyword_averages set average_length_step = $3
        where database_id = $1 and corpus = $2 and average_length_step <> $3`,
      [store.databaseId, store.corpus, step],
    );
    const chunks = await query<{ id: string; terms: number[]; counts: number[]; length: number }>(
      this.options.postgres.manager,
      otherStepsSql(store),
      [step],
    );
    if (chunks.length === 0) return false;
    const averageLength = averageLengthOfStep(step);
    await query(
      this.options.postgres.manager,
      `update ${storeTable('chunks', store)} c set average_length_step = $1, keyword = w.keyword
         from unnest($2::bigint[], $3::sparsevec[]) as w(id, keyword) where c.id = w.id`,
      [
        step,
        chunks.map((chunk) => chunk.id),
        keywordVectors(
          await vectorTypes(this.options.postgres),
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
      this.options.postgres.manager,
      `select term, sum(amount)::float8 as amount from ${storeTable('term_frequencies', store)}
        where term = any($1) group by term`,
      [[chunksCounter, lengthsCounter]],
    );
    const amount = (term: number) => rows.find((row) => row.term === term)?.amount ?? 0;
    const chunks = amount(chunksCounter);
    return chunks > 0 ? averageLengthStep(amount(lengthsCounter) / chunks) : undefined;
  }

  /**
   * Folds some counters of a term into one. Readers sum what they find, so nothing changes for them. False
   * when few are left.
   */
  async foldSome(store: Store): Promise<boolean> {
    const { manager } = this.options.postgres;
    if (!(await isFoldDue(manager, store))) return false;
    // Counters that are added meanwhile wait until there are enough of them.
    for (let folds = 0; folds < foldsPerCount; folds += 1) {
      const folded = await this.options.postgres.transaction((transaction) =>
        foldTerms(transaction, store, this.foldRowsMax),
      );
      if (folded < this.foldRowsMax) return false;
    }
    return true;
  }
}
