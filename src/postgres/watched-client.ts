import type pg from 'pg';
import { backgroundMark } from './wire-messages.js';

/** Work on whole tables may take any time. */
const unlimited = /^\s*(create\s+(unique\s+)?index|reindex|vacuum|analyze|checkpoint)\b/i;

/** An internal of pg: the socket under a client. */
interface WithSocket {
  readonly connection: { readonly stream: { destroy(error: Error): void } };
}

/**
 * Destroys a connection whose statement is not answered in time; a hung Postgres, or a network that swallows
 * packets, would otherwise hold callers and connections for ever. What the statement did remains unknown.
 */
export function endSilentConnection(client: pg.PoolClient, limitMs: () => number | undefined): void {
  let timer: NodeJS.Timeout | undefined;
  const stop = () => {
    clearTimeout(timer);
    timer = undefined;
  };
  const query = client.query.bind(client) as (...parameters: unknown[]) => unknown;
  const watched = (...parameters: unknown[]): unknown => {
    const [statement] = parameters;
    const ms = typeof statement === 'string' && isUnlimited(statement) ? undefined : limitMs();
    if (ms !== undefined) timer ??= setTimeout(() => end(client, ms), ms);
    return query(...parameters);
  };
  client.query = watched as typeof client.query;
  // Emitted whenever no statement is under way any more.
  client.on('drain', stop);
  client.on('end', stop);
}

function isUnlimited(statement: string): boolean {
  return unlimited.test(
    statement.startsWith(backgroundMark) ? statement.slice(backgroundMark.length) : statement,
  );
}

function end(client: pg.PoolClient, ms: number): void {
  const error = Object.assign(new Error(`Postgres has not answered for ${ms} ms`), { code: 'ETIMEDOUT' });
  (client as unknown as WithSocket).connection.stream.destroy(error);
}
