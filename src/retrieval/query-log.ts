import type { DataSource } from 'typeorm';
import { runUncancelled } from '../lib/cancellation.js';
import type { Clock } from '../lib/clock.js';
import type { Logger } from '../lib/logger.js';
import { dayMs } from '../lib/units.js';
import { query, queryOne } from '../postgres/query.js';

/** A query that was answered. */
export interface LoggedQuery {
  readonly accountId: string;
  /** The request that asked it. */
  readonly requestId: string;
  readonly databaseId: number;
  readonly query: string;
  /** The items of the answer, best first. */
  readonly sourceIds: readonly string[];
}

/** A logged query with the name of the database that it was asked of. */
export interface FoundQuery extends LoggedQuery {
  readonly database: string;
}

interface AskedQuery extends LoggedQuery {
  readonly askedAt: Date;
}

interface QueryLogOptions {
  readonly postgres: DataSource;
  readonly clock: Clock;
  readonly logger: Logger;
}

const flushAfterMs = 1000;
const bufferedMax = 200;
const keptDaysMax = 30;
// In one statement, because others wait for it on the embedded Postgres.
const deletedRowsMax = 500;

/**
 * Keeps queries for a month, so that feedback can refer to them. They are written in batches, up to a second
 * later, and no search waits for that. find() writes them first, so feedback given to this process finds even
 * the latest.
 */
export class QueryLog {
  private buffer: AskedQuery[] = [];
  private timer: NodeJS.Timeout | undefined;
  private writing: Promise<void> = Promise.resolve();

  constructor(private readonly options: QueryLogOptions) {}

  add(entry: LoggedQuery): void {
    this.buffer.push({ ...entry, askedAt: this.options.clock.now() });
    if (this.buffer.length >= bufferedMax) void this.flush();
    else this.timer ??= setTimeout(() => void this.flush(), flushAfterMs).unref();
  }

  /** Writes what has been added so far, by whichever requests. */
  flush(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    const entries = this.buffer;
    this.buffer = [];
    this.writing = this.writing.then(() => runUncancelled(() => this.write(entries)));
    return this.writing;
  }

  /**
   * The query of a request; undefined when the account has asked none, it is too old, or its database is gone. With
   * `databaseId`, only a query to that database.
   */
  async find(
    accountId: string,
    requestId: string,
    databaseId: number | null,
  ): Promise<FoundQuery | undefined> {
    await this.flush();
    return queryOne<FoundQuery>(
      this.options.postgres.manager,
      `select q.account_id as "accountId", q.request_id as "requestId", q.database_id as "databaseId", q.query,
              q.source_ids as "sourceIds", d.name as database
         from queries q join databases d on d.id = q.database_id and d.status = 'ready'
        where q.account_id = $1 and q.request_id = $2 and ($3::int is null or q.database_id = $3)
        order by q.asked_at limit 1`,
      [accountId, requestId, databaseId],
    );
  }

  /** Deletes a batch of queries that are too old; false when there was none. */
  async deleteOld(): Promise<boolean> {
    const before = new Date(this.options.clock.now().getTime() - keptDaysMax * dayMs);
    const gone = await query(
      this.options.postgres.manager,
      `delete from queries where ctid = any(array(select ctid from queries where asked_at < $1 limit $2)) returning 1`,
      [before, deletedRowsMax],
    );
    return gone.length > 0;
  }

  // A query that was answered must not fail because it cannot be logged.
  private async write(entries: readonly AskedQuery[]): Promise<void> {
    if (entries.length === 0) return;
    try {
      await query(
        this.options.postgres.manager,
        `insert into queries (account_id, request_id, database_id, query, source_ids, asked_at)
         select q."accountId", q."requestId", d.id, q.query, q."sourceIds", q."askedAt"
           from jsonb_to_recordset($1::jsonb) as q("accountId" uuid, "requestId" uuid, "databaseId" int, query text,
             "sourceIds" text[], "askedAt" timestamptz)
           join databases d on d.id = q."databaseId" and d.status = 'ready'`,
        [JSON.stringify(entries)],
      );
    } catch (error) {
      this.options.logger.warn({ err: error, queries: entries.length }, 'queries could not be logged');
    }
  }
}

/**
 * Deletes a batch of queries and feedback of a database that is being deleted; false when there was none
 * left.
 */
export async function deleteQueriesOf(postgres: DataSource, databaseId: number): Promise<boolean> {
  const counts = [];
  for (const table of ['queries', 'feedback']) {
    const gone = await query(
      postgres.manager,
      `delete from ${table} where ctid = any(array(select ctid from ${table} where database_id = $1 limit $2)) returning 1`,
      [databaseId, deletedRowsMax],
    );
    counts.push(gone.length);
  }
  return counts.some((count) => count > 0);
}
