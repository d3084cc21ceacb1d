import type { DataSource, EntityManager, QueryRunner } from 'typeorm';
import { isInBackground } from '../lib/background.js';
import { currentSignal } from '../lib/cancellation.js';
import { currentWatch } from './statement-watch.js';
import { backgroundMark } from './wire-messages.js';

/** Cancels the statement that a backend is running, over another connection. */
export type CancelBackend = (processId: number) => Promise<unknown>;

const cancellers = new WeakMap<DataSource, CancelBackend>();

/** Lets statements of a data source be cancelled together with the work that they belong to. */
export function allowCancelling(postgres: DataSource, cancelBackend: CancelBackend): void {
  cancellers.set(postgres, cancelBackend);
}

/** Runs one statement in the manager's transaction, or on a connection of its own, and returns its rows. */
export async function query<Row>(
  manager: EntityManager,
  sql: string,
  parameters: readonly unknown[] = [],
): Promise<Row[]> {
  const signal = currentSignal();
  signal?.throwIfAborted();
  const inBackground = isInBackground();
  if (!inBackground) currentWatch()?.note(manager, sql, parameters);
  const runner = manager.queryRunner ?? manager.connection.createQueryRunner();
  let stopWatching: (() => Promise<void>) | undefined;
  try {
    if (signal) stopWatching = await cancelOnAbort(runner, signal);
    const result = await runner.query(inBackground ? backgroundMark + sql : sql, [...parameters], true);
    return result.records as Row[];
  } finally {
    await stopWatching?.();
    if (runner !== manager.queryRunner) await runner.release();
  }
}

/**
 * Waits for a connection, and from then on cancels until the returned function is called, which waits for a cancellation under
 * way, so that it does not hit the connection's next user. @throws the signal's reason when it has aborted by then: what nobody
 * waits for any more must not hold up the others who wait for a connection
 */
async function cancelOnAbort(
  runner: QueryRunner,
  signal: AbortSignal,
): Promise<(() => Promise<void>) | undefined> {
  const { processID } = (await runner.connect()) as { processID: number };
  signal.throwIfAborted();
  const cancelBackend = cancellers.get(runner.connection);
  if (!cancelBackend) return undefined;
  let cancelling: Promise<unknown> | undefined;
  const cancel = () => {
    cancelling = cancelBackend(processID).catch(() => undefined);
  };
  signal.addEventListener('abort', cancel, { once: true });
  return async () => {
    signal.removeEventListener('abort', cancel);
    await cancelling;
  };
}

/** The same for a statement that returns one row, or none. */
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

/** Whether a statement named a table that does not exist (any more). */
export function isUndefinedTable(error: unknown): boolean {
  return errorCodeOf(error) === '42P01';
}

/** The SQLSTATE of an error of pg or TypeORM, or its system code (ECONNREFUSED); undefined without either. */
export function errorCodeOf(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null) return undefined;
  const { code, driverError } = error as { code?: unknown; driverError?: { code?: unknown } };
  const found = driverError?.code ?? code;
  return typeof found === 'string' ? found : undefined;
}
