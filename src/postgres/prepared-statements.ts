import { createHash } from 'node:crypto';
import type pg from 'pg';
import { preparedCharacters, preparedMark } from './wire-messages.js';

// A plan takes some ten kilobytes of a backend's memory, and every database has its own statements.
const keptMax = 200;
const seenMax = 2000;
const digestsMax = 1000;

/** Marks SQL whose best plan does not depend on its parameters, so that the plan is kept. */
export function prepared(sql: string): string {
  return preparedMark + sql;
}

/**
 * SQL for a list parameter of a given type in a prepared statement. Seeing that a list is short, the planner
 * would find a plan for it cheaper than one for any list, and would plan the statement anew each time.
 */
export function unseenList(parameter: string, type: string): string {
  return `array(select unnest(${parameter}::${type}))`;
}

const digests = new Map<string, string>();

/** The same texts come again and again: looking one up costs a fraction of hashing it. */
function digestOf(text: string): string {
  const known = digests.get(text);
  if (known !== undefined) return known;
  if (digests.size >= digestsMax) digests.clear();
  const digest = createHash('sha1').update(text).digest('base64url');
  digests.set(text, digest);
  return digest;
}

/**
 * Which statements a backend keeps. A text is prepared when it comes for the second time; when there are too
 * many, all are dropped.
 */
export class KeptStatements {
  private readonly seen = new Set<string>();
  private readonly kept = new Set<string>();
  // Names are not reused: deallocating what one stood for may have failed.
  private generation = 0;

  /** Whether all have to be dropped: tell the backend before another one is kept. */
  get isFull(): boolean {
    return this.kept.size >= keptMax;
  }

  /** The name to keep a statement under; undefined when it is not worth keeping. */
  nameOf(text: string): string | undefined {
    if (!text.slice(0, preparedCharacters).includes(preparedMark)) return undefined;
    const name = `${this.generation}.${digestOf(text)}`;
    if (this.kept.has(name)) return name;
    if (!this.seen.has(name)) {
      if (this.seen.size >= seenMax) this.seen.clear();
      this.seen.add(name);
      return undefined;
    }
    return name;
  }

  has(name: string): boolean {
    return this.kept.has(name);
  }

  keep(name: string): void {
    this.kept.add(name);
  }

  clear(): void {
    this.kept.clear();
    this.seen.clear();
    this.generation += 1;
  }
}

/** An internal of pg: the statements that it believes to be prepared on a connection. */
interface WithStatements {
  readonly connection: { parsedStatements: Record<string, string> };
}

/**
 * SQLSTATE of a kept statement whose tables have changed since: "cached plan must not change result type".
 */
const outdatedPlan = '0A000';

/** Keeps the plans of marked statements on a connection to a native Postgres. */
export function keepPlans(client: pg.PoolClient): void {
  const kept = new KeptStatements();
  let isOff = false;
  const query = client.query.bind(client) as (...parameters: unknown[]) => Promise<unknown>;
  const letGo = async (): Promise<void> => {
    kept.clear();
    // In a failed transaction this fails too, which is harmless: names are not reused.
    await query('deallocate all').catch(() => undefined);
    (client as unknown as WithStatements).connection.parsedStatements = {};
  };
  const queryKept = async (name: string, text: string, values: unknown): Promise<unknown> => {
    try {
      return await query({ name, text, values });
    } catch (error) {
      if ((error as { code?: unknown }).code !== outdatedPlan) throw error;
      // A newer version of the server has changed the tables, so this one will not live long.
      isOff = true;
      return query(text, values);
    }
  };
  const keeping = (...parameters: unknown[]): unknown => {
    const [text, values, callback] = parameters;
    if (isOff || typeof text !== 'string' || callback !== undefined) return query(...parameters);
    const name = kept.nameOf(text);
    if (name === undefined) return query(...parameters);
    if (kept.has(name)) return queryKept(name, text, values);
    if (kept.isFull) return letGo().then(() => query(text, values));
    kept.keep(name);
    return queryKept(name, text, values);
  };
  client.query = keeping as typeof client.query;
}
