import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { DataSource } from 'typeorm';
import type { DataSourceOptions } from 'typeorm';
import { packageRoot } from '../src/lib/package-root.js';
import { embeddedSocketFolder } from '../src/postgres/embedded.js';
import { send } from './http-client.js';
import { parentOf, processorMillisecondsOf } from './processor-time.js';
import type { SyntheticText } from './synthetic-text.js';

const key = 'bench.0123456789abcdef0123456789abcdef';
const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
const itemsPerRequest = 1000;
const filesPerRequest = 200;
const pollMs = 100;
const pollRest = 20;
export const wordsPerText = 60;

interface NamedFile {
  readonly id: string;
  readonly name: string;
  readonly content: string;
}

/** A server in another process, used as clients use it: over HTTP only. Its data is removed with it. */
export class BenchServer {
  private postmaster: Promise<number | undefined> | undefined;

  private constructor(
    private readonly url: string,
    private readonly process: ChildProcess,
    private readonly postgres: { address: pg.ClientConfig; remove: () => Promise<void> },
  ) {}

  /** Starts a server on the embedded Postgres, or on a database of its own on the native one at DATABASE_URL. */
  static async start(script = 'server/main.js'): Promise<BenchServer> {
    const dataDir = mkdtempSync(join(tmpdir(), 'contexture-bench-'));
    const native = process.env['DATABASE_URL']
      ? await makeNativeDatabase(process.env['DATABASE_URL'])
      : undefined;
    const environment = {
      ...process.env,
      PORT: '0',
      DATA_DIR: dataDir,
      BOOTSTRAP_API_KEY: key,
      LOG_LEVEL: 'info',
      ...(native ? { DATABASE_URL: native.url } : {}),
    };
    const server = spawn(process.execPath, [join(packageRoot, 'dist', script)], {
      env: environment,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const url = await new Promise<string>((resolve, reject) => {
      createInterface(server.stdout).on('line', (line) => {
        const found = /"url":"([^"]+)".*"msg":"serving"/.exec(line)?.[1];
        if (found) resolve(found);
        if (/"level":[56]0/.test(line)) console.error(line);
      });
      server.once('exit', (code, signal) => {
        if (code !== 0) console.error(`a server ended: ${signal ?? code}`);
        reject(new Error('the server ended'));
      });
    });
    const address = native
      ? { connectionString: native.url }
      : { host: embeddedSocketFolder(dataDir), port: 5432, user: 'postgres', database: 'postgres' };
    const remove = async () => {
      rmSync(dataDir, { recursive: true, force: true });
      await native?.drop();
    };
    return new BenchServer(url, server, { address, remove });
  }

  async stop(): Promise<void> {
    if (this.process.exitCode === null && this.process.signalCode === null) {
      const ended = once(this.process, 'exit');
      this.process.kill('SIGTERM');
      await ended;
    }
    await this.postgres.remove();
  }

  /** The data of an answer; a server whose queue is full is asked again. @throws Error with the whole answer when it is an error. */
  async call<Data>(method: string, path: string, body?: unknown): Promise<Data> {
    const url = `${this.url}${path}`;
    let { status, text } = await send(url, { method, headers, body });
    while (status === 429) {
      await pause(1000);
      ({ status, text } = await send(url, { method, headers, body }));
    }
    const answer = JSON.parse(text) as { data: Data; errors?: unknown; error?: unknown };
    if (answer.errors ?? answer.error) throw new Error(JSON.stringify(answer));
    return answer.data;
  }

  /** The bytes of an answer, unparsed. @throws Error with the answer when it is an error. */
  async fetchText(path: string): Promise<string> {
    const { status, text } = await send(`${this.url}${path}`, { method: 'GET', headers });
    if (status !== 200) throw new Error(text);
    return text;
  }

  /** Makes a database; the milliseconds from the request to its being ready. A name that is not free yet is waited for. */
  async createDatabase(database: string): Promise<number> {
    let startedAt = performance.now();
    while (!(await this.accepts(database))) {
      await pause(10);
      startedAt = performance.now();
    }
    const path = `/databases/status?database=${database}`;
    for (;;) {
      const { status, error } = await this.call<{ status: string; error: string }>('GET', path);
      if (status === 'ready') return performance.now() - startedAt;
      if (status === 'failed') throw new Error(`${database}: ${error}`);
      await pause(2);
    }
  }

  private async accepts(database: string): Promise<boolean> {
    try {
      await this.call('POST', '/databases', { database });
      return true;
    } catch (error) {
      if (error instanceof Error && error.message.includes('DATABASE_ALREADY_EXISTS')) return false;
      throw error;
    }
  }

  async deleteDatabase(database: string): Promise<void> {
    // A body is sent, as its content type says.
    await this.call('DELETE', '/databases', { database });
  }

  /** Stores texts of 60 words as memories, counted from `first`, and waits until all can be found. */
  async remember(
    database: string,
    text: SyntheticText,
    { count, first = 0 }: { count: number; first?: number },
  ): Promise<void> {
    for (let start = 0; start < count; start += itemsPerRequest) {
      const memories = Array.from({ length: Math.min(itemsPerRequest, count - start) }, (_, n) => ({
        id: `${first + start + n}`,
        text: text.text(wordsPerText),
      }));
      await this.call('POST', '/context/ingest', { database, type: 'memory', memories });
    }
    for (;;) {
      const askedAt = performance.now();
      const { memory_collection: stored } = await this.call<{ memory_collection: { row_count: number } }>(
        'GET',
        `/databases/stats?database=${database}`,
      );
      if (stored.row_count >= first + count) return;
      // What is counted takes part in the time: of a million items rarely.
      await pause(Math.max(pollMs, pollRest * (performance.now() - askedAt)));
    }
  }

  /** Stores one file; it is queued when this returns. */
  async upload(database: string, { id, name, content }: NamedFile): Promise<void> {
    await this.ingestFiles(database, [{ id, name, content }]);
  }

  /** Stores texts as files of a database and waits until all can be found; their titles are their first lines. */
  async uploadTexts(
    database: string,
    texts: readonly { readonly id: string; readonly text: string }[],
  ): Promise<void> {
    for (let start = 0; start < texts.length; start += filesPerRequest) {
      const batch = texts.slice(start, start + filesPerRequest);
      await this.ingestFiles(
        database,
        batch.map(({ id, text }) => ({ id, name: `${id}.txt`, content: text })),
      );
    }
    for (let start = 0; start < texts.length; start += filesPerRequest)
      await this.waitForItems(
        database,
        texts.slice(start, start + filesPerRequest).map(({ id }) => id),
      );
  }

  private async ingestFiles(database: string, files: readonly NamedFile[]): Promise<void> {
    const form = new FormData();
    form.append('database', database);
    form.append('document_metadata', JSON.stringify(files.map(({ id }) => ({ id }))));
    for (const { name, content } of files) form.append('documents', new Blob([content]), name);
    const headers = { authorization: `Bearer ${key}` };
    const answer = await fetch(`${this.url}/context/ingest`, { method: 'POST', headers, body: form });
    if (!answer.ok) throw new Error(await answer.text());
  }

  /** Until all of them can be found. @throws Error when one ends errored. */
  async waitForItems(database: string, ids: readonly string[]): Promise<void> {
    const asked = new URLSearchParams({ database, type: 'knowledge', ids: ids.join(',') });
    for (;;) {
      const { statuses } = await this.call<{
        statuses: { id: string; indexing_status: string; error_message: string }[];
      }>('GET', `/context/status?${asked.toString()}`);
      const errored = statuses.find(({ indexing_status }) => indexing_status === 'errored');
      if (errored) throw new Error(`${errored.id} could not be indexed: ${errored.error_message}`);
      if (statuses.every(({ indexing_status }) => indexing_status === 'completed')) return;
      await pause(200);
    }
  }

  /** A connection to its Postgres, for what it stores; what it does is measured over HTTP. */
  async connect(): Promise<pg.Client> {
    const client = new pg.Client(this.postgres.address);
    await client.connect();
    return client;
  }

  /** The same for code of the server's own that makes statements. */
  async openDataSource(): Promise<DataSource> {
    const { connectionString, host, port, user, database } = this.postgres.address;
    const address =
      connectionString === undefined ? { host, port, username: user, database } : { url: connectionString };
    const options = { type: 'postgres', installExtensions: false, ...address };
    return new DataSource(options as DataSourceOptions).initialize();
  }

  /**
   * The processor time that the server and its Postgres have used (Linux), in ms. A native Postgres is part of it when it
   * runs on this machine; then it should serve nothing else.
   */
  async processorMilliseconds(): Promise<number> {
    this.postmaster ??= this.findPostmaster();
    const postmaster = await this.postmaster;
    const ofServer = processorMillisecondsOf(this.process.pid as number);
    return ofServer + (postmaster === undefined ? 0 : processorMillisecondsOf(postmaster));
  }

  private async findPostmaster(): Promise<number | undefined> {
    if (this.postgres.address.connectionString === undefined) return undefined;
    const client = await this.connect();
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
    const postmaster = parentOf(rows[0]?.pid ?? 0);
    await client.end();
    return postmaster;
  }

  /** The memory that the server's process holds (Linux), in MiB; the embedded Postgres is part of it. */
  residentMebibytes(): number {
    return residentMebibytesOf(String(this.process.pid));
  }

  /** The memory that each of its child processes holds (Linux), in MiB. */
  childrenMebibytes(): number[] {
    const children = readFileSync(`/proc/${this.process.pid}/task/${this.process.pid}/children`, 'utf8');
    return children.split(' ').filter(Boolean).map(residentMebibytesOf);
  }
}

/** 0 of a process that has ended. */
function residentMebibytesOf(pid: string): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    return Math.round(Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1] ?? 0) / 1024);
  } catch {
    return 0;
  }
}

/** A database of its own on a native Postgres, and what drops it. */
export async function makeNativeDatabase(
  serverUrl: string,
): Promise<{ url: string; drop: () => Promise<void> }> {
  const name = `contexture_bench_${randomUUID().replaceAll('-', '')}`;
  const run = async (sql: string) => {
    const client = new pg.Client(serverUrl);
    await client.connect();
    await client.query(sql).finally(() => client.end());
  };
  await run(`create database ${name}`);
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return { url: url.href, drop: () => run(`drop database ${name} with (force)`) };
}
