import type { DataSource, EntityManager } from 'typeorm';
import { query, queryOne } from './query.js';
import type { WatchedStatement } from './statement-watch.js';
import { preparedMark } from './wire-messages.js';

interface PlanRow {
  readonly 'QUERY PLAN': readonly { readonly Plan: { readonly 'Total Cost': number } }[];
}

/** What the planner expects a statement to cost, in its own unit; the statement is not run. */
export async function planCost(
  postgres: DataSource,
  { sql, parameters, settings }: WatchedStatement,
): Promise<number> {
  const explain = async (manager: EntityManager) => {
    for (const set of settings) await query(manager, set);
    // Nobody asks for this plan again, so none is kept.
    const explained = `explain (format json) ${sql.replace(preparedMark, '')}`;
    const row = await queryOne<PlanRow>(manager, explained, parameters);
    return row?.['QUERY PLAN'][0]?.Plan['Total Cost'] ?? 0;
  };
  return settings.length === 0 ? explain(postgres.manager) : postgres.transaction(explain);
}
