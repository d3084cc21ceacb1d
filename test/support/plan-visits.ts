import { askedWhile } from './asked-statements.js';
import type { TestServer } from './server.js';

/** A node of EXPLAIN (ANALYZE, FORMAT JSON). */
interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly PlanNode[];
}

/** Rows of tables and indexes that a plan has read. */
function visited(node: PlanNode): number {
  const own = / Scan$/.test(node['Node Type']) && !/^(CTE|Subquery|Function)/.test(node['Node Type']);
  const rows = own ? (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'] : 0;
  return (node.Plans ?? []).reduce((sum, inner) => sum + visited(inner), rows);
}

/** What a request answers, and how many rows its statements that match a pattern visit: what they cost, whatever the machine. */
export async function watchVisits<Result>(
  server: TestServer,
  pattern: RegExp,
  ask: () => Promise<Result>,
): Promise<{ answer: Result; rows: number }> {
  let answer: Result | undefined;
  const asked = await askedWhile(server, async () => {
    answer = await ask();
  });
  const statements = asked.filter(({ sql }) => pattern.test(sql));
  if (statements.length === 0) throw new Error(`no statement matches ${pattern}`);
  let rows = 0;
  for (const { sql, parameters } of statements) {
    const [explained] = await server.sql<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
      `explain (analyze, format json) ${sql}`,
      [...parameters],
    );
    if (explained) rows += visited(explained['QUERY PLAN'][0].Plan);
  }
  return { answer: answer as Result, rows };
}
