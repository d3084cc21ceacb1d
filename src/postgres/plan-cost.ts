import type { DataSource, EntityManager } from 'typeorm';
import { query, queryOne } from './query.js';
import type { WatchedStatement } from './statement-watch.js';
import { preparedMark } from './wire-messages.js';

/** What the planner expects of a statement. */
export interface ExpectedPlan {
  /** In the planner's own units. */
  readonly 'Total Cost': number;
  readonly 'Plan Rows': number;
}

interface PlanRow {
  readonly 'QUERY PLAN': readonly { readonly Plan: ExpectedPlan }[];
}

/** The plan of a statement, which is not executed. */
export async function planOf(
  manager: EntityManager,
  sql: string,
  parameters: readonly unknown[],
): Promise<ExpectedPlan | undefined> {
  const row = await queryOne<PlanRow>(manager, `explain (format json) ${sql}`, parameters);
  return row?.['QUERY PLAN'][0]?.Plan;
}

/** The cost that the planner expects of a statement, in its own units; the statement is not executed. */
export async function planCost(
  postgres: DataSource,
  { sql, parameters, settings }: WatchedStatement,
): Promise<number> {
  const explain = async (manager: EntityManager) => {
    for (const set of settings) await query(manager, set);
    // Without the mark, since no one asks for this plan again and none should be kept.
    const plan = await planOf(manager, sql.replace(preparedMark, ''), parameters);
    return plan?.['Total Cost'] ?? 0;
  };
  return settings.length === 0 ? explain(postgres.manager) : postgres.transaction(explain);
}
