import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { v7 as uuidv7 } from 'uuid';
import type { AppOverrides } from '../../src/app-groundwork.js';
import { readConfig } from '../../src/config.js';
import { createLogger } from '../../src/lib/logger.js';
import { startServer } from '../../src/server.js';
import type { RunningServer } from '../../src/server.js';
import { copyEmbedded } from './embedded-copy.js';
import { builtInEmbedder } from './shared/built-in-embedder.mjs';
import { holdEngineCode } from './shared/engine-code.mjs';
import { prepareChildren } from './shared/prepare-children.mjs';
import { TestClock } from './test-clock.js';

export const adminKey = 'test.0123456789abcdef0123456789abcdef';

/** The answer to an HTTP call. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  /** Untyped, since tests are about to check its shape. */
  readonly body: any;
}

export interface CallOptions {
  readonly key?: string | null;
  readonly headers?: Record<string, string>;
  readonly json?: unknown;
  readonly form?: FormData | URLSearchParams;
  readonly raw?: string | Uint8Array<ArrayBuffer>;
}

/** A server for one test file: in this process, on a copy of the template, with jobs that run on demand. */
export class TestServer {
  readonly clock: TestClock;
  /** Settles when those that were asked for exist: one call's run of a job may be making another call's database. */
  private creating: Promise<unknown> = Promise.resolve();

  private constructor(
    readonly running: RunningServer,
    clock: TestClock,
    readonly databaseUrl: string | undefined,
    readonly dataDir: string,
  ) {
    this.clock = clock;
  }

  static async start(
    options: Pick<
      AppOverrides,
      'embedder' | 'exactRowsMax' | 'resident' | 'webhooks' | 'connectorProviders' | 'prepareChildren'
    > & {
      environment?: NodeJS.ProcessEnv;
      /** A stopped server, whose data this one takes over. */
      after?: TestServer;
      /** Receives every log line, of all levels. */
      log?: (line: string) => void;
    } = {},
  ): Promise<TestServer> {
    const clock = options.after?.clock ?? new TestClock();
    const { dataDir, databaseUrl } = options.after ?? (await copyTemplate());
    const config = readConfig({
      PORT: '0',
      DATA_DIR: dataDir,
      DATABASE_URL: databaseUrl,
      BOOTSTRAP_API_KEY: adminKey,
      ...options.environment,
    });
    const embedder = options.embedder ?? (config.embeddings ? undefined : await builtInEmbedder());
    const running = await startServer(config, {
      clock,
      logger: options.log
        ? createLogger('trace', { write: options.log })
        : createLogger(process.env['TEST_LOG_LEVEL'] ?? 'silent'),
      runJobs: false,
      prepareChildren: options.prepareChildren ?? prepareChildren,
      ...(embedder ? { embedder } : {}),
      ...(options.connectorProviders ? { connectorProviders: options.connectorProviders } : {}),
      ...(options.webhooks ? { webhooks: options.webhooks } : {}),
      ...(options.exactRowsMax ? { exactRowsMax: options.exactRowsMax } : {}),
      ...(options.resident ? { resident: options.resident } : {}),
    });
    return new TestServer(running, clock, databaseUrl, dataDir);
  }

  get url(): string {
    return this.running.url;
  }

  async stop(): Promise<void> {
    await this.running.stop();
  }

  /** Runs background work until none is left. */
  async idle(): Promise<void> {
    await this.running.app.jobs.runUntilIdle();
  }

  /** Runs the work that requests have asked for, which is what is to stand before a test begins, at half of the price. */
  async settle(): Promise<void> {
    await this.running.app.jobs.runUntilIdle('woken');
  }

  /** Calls the REST interface. */
  async rest(method: string, path: string, options: CallOptions = {}): Promise<Answer> {
    const headers: Record<string, string> = { ...options.headers };
    if (options.key !== null) headers['authorization'] = `Bearer ${options.key ?? adminKey}`;
    if (options.json !== undefined) headers['content-type'] ??= 'application/json';
    const body = options.json !== undefined ? JSON.stringify(options.json) : (options.form ?? options.raw);
    const response = await fetch(this.url + path, {
      method,
      headers,
      ...(body === undefined ? {} : { body }),
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, body: parse(text) };
  }

  /** Calls GraphQL. */
  async graphql(
    query: string,
    variables: Record<string, unknown> = {},
    key: string = adminKey,
  ): Promise<Answer> {
    return this.rest('POST', '/graphql', { json: { query, variables }, key });
  }

  /** Creates and provisions a database, behind those that are being created; returns its name. */
  database(options: Record<string, unknown> = {}): Promise<string> {
    const created = this.creating.then(() => this.createDatabase(options));
    this.creating = created.catch(() => undefined);
    return created;
  }

  private async createDatabase(options: Record<string, unknown>): Promise<string> {
    const database = `db-${uuidv7()}`;
    const answer = await this.rest('POST', '/databases', { json: { database, ...options } });
    if (answer.status !== 202) throw new Error(`creating a database answered ${JSON.stringify(answer.body)}`);
    await this.settle();
    return database;
  }

  /** The id that the tables of a database are named after. */
  async databaseId(database: string): Promise<number> {
    const [row] = await this.sql<{ id: number }>('select id from databases where name = $1', [database]);
    if (!row) throw new Error(`there is no database ${database}`);
    return row.id;
  }

  /** Uploads files by REST. */
  async upload(
    database: string,
    files: Record<string, string | Uint8Array>,
    fields: Record<string, string> = {},
  ): Promise<Answer> {
    const form = new FormData();
    form.append('database', database);
    for (const [name, value] of Object.entries(fields)) form.append(name, value);
    for (const [name, content] of Object.entries(files)) form.append('documents', new Blob([content]), name);
    return this.rest('POST', '/context/ingest', { form });
  }

  /** What the indexing status of an item says. */
  async statusOf(database: string, id: string): Promise<any> {
    const query = new URLSearchParams({ database, id });
    return (await this.rest('GET', `/context/status?${query.toString()}`)).body.data.statuses[0];
  }

  /** Stores memories and indexes them. */
  async remember(
    database: string,
    memories: Record<string, unknown>[],
    fields: Record<string, unknown> = {},
  ): Promise<Answer> {
    const answer = await this.rest('POST', '/context/ingest', {
      json: { database, type: 'memory', memories, ...fields },
    });
    await this.settle();
    return answer;
  }

  /** Runs one statement on the server's Postgres. */
  async sql<Row>(statement: string, parameters: unknown[] = []): Promise<Row[]> {
    return this.running.app.postgres.dataSource.query(statement, parameters);
  }
}

/**
 * A fresh copy of the migrated template: a data directory and, where tests run on a native server, a
 * database.
 */
export async function copyTemplate(): Promise<{ dataDir: string; databaseUrl: string | undefined }> {
  const folder = process.env['TEST_FOLDER'] ?? '';
  const dataDir = mkdtempSync(join(folder, 'd-'));
  const serverUrl = process.env['TEST_DATABASE_URL'];
  if (!serverUrl) {
    copyEmbedded(dataDir);
    holdEngineCode();
    return { dataDir, databaseUrl: undefined };
  }
  const name = `ctx_test_${uuidv7().replaceAll('-', '')}`;
  const client = new pg.Client({ connectionString: serverUrl });
  await client.connect();
  await client
    .query(`create database ${name} template ${process.env['TEST_TEMPLATE']}`)
    .finally(() => client.end());
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return { dataDir, databaseUrl: url.href };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
