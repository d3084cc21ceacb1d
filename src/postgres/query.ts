import type { EntityManager } from 'typeorm';

/** Runs one statement on the manager's transaction, or on a connection of its own; returns its rows. */
export async function query<Row>(
  manager: EntityManager,
  sql: string,
  parameters: readonly unknown[] = [],
): Promise<Row[]> {
  const runner = manager.queryRunner ?? manager.connection.createQueryRunner();
  try {
    const result = await runner.query(sql, [...parameters], true);
    return result.records as Row[];
  } finally {
    if (runner !== manager.queryRunner) await runner.release();
  }
}

/** The same for a statement of which exactly one row is expected. */
export async function queryOne<Row>(
  manager: EntityManager,
  sql: string,
  parameters: readonly unknown[] = [],
): Promise<Row | undefined> {
  const [row] = await query<Row>(manager, sql, parameters);
  return row;
}

/** Whether a table of this name exists. */
export async function tableExists(manager: EntityManager, name: string): Promise<boolean> {
  const row = await queryOne<{ found: string | null }>(manager, 'select to_regclass($1)::text as found', [
    name,
  ]);
  return row?.found != null;
}

/** Whether Postgres refused a row because its key is taken. */
export function isUniqueViolation(error: unknown): boolean {
  return errorCodeOf(error) === '23505';
}

/** The SQLSTATE of an error of pg or TypeORM, or the system's code (ECONNREFUSED). */
export function errorCodeOf(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null) return undefined;
  const { code, driverError } = error as { code?: unknown; driverError?: { code?: unknown } };
  const found = driverError?.code ?? code;
  return typeof found === 'string' ? found : undefined;
}
