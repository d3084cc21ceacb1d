import type { DataSource, EntityManager } from 'typeorm';
import { query, queryOne } from './query.js';
import type { WatchedStatement } from './statement-watch.js';
import { preparedMark } from './wire-messages.js';

/** What the planner expects of a statement. */
export interface ExpectedPlan {
  /** In the planner's own unit. */
  readonly 'Total Cost': number;
  readonly 'Plan Rows': number;
}

interface PlanRow {
  readonly 'QUERY PLAN': readonly { readonly Plan: ExpectedPlan }[];
}

/** The plan of a statement, which is not run. */
export async function planOf(
  manager: EntityManager,
  sql: string,
  parameters: readonly unknown[],
): Promise<ExpectedPlan | undefined> {
  const row = await queryOne<PlanRow>(manager, `explain (format json) ${sql}`, parameters);
  return row?.['QUERY PLAN'][0]?.Plan;
}

/** What the planner expects a statement to cost, in its own unit; the statement is not run. */
export async function planCost(
  postgres: DataSource,
  { sql, parameters, settings }: WatchedStatement,
): Promise<number> {
  const explain = async (manager: EntityManager) => {
    for (const set of settings) await query(manager, set);
    // Nobody asks for this plan again, so none is kept.
    const plan = await planOf(manager, sql.replace(preparedMark, ''), parameters);
    return plan?.['Total Cost'] ?? 0;
  };
  return settings.length === 0 ? explain(postgres.manager) : postgres.transaction(explain);
}
