import type { TestServer } from './server.js';

/** The names of a table's columns but some, for statements that copy rows: many are made so in seconds. */
export async function columnsOf(
  server: TestServer,
  table: string,
  without: readonly string[],
): Promise<string[]> {
  const columns = await server.sql<{ name: string }>(
    `select quote_ident(column_name) as name from information_schema.columns
      where table_name = $1 and column_name <> all($2::text[])`,
    [table, without],
  );
  return columns.map(({ name }) => name);
}
