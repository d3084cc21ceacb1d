import { randomUUID } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import { callApi, documentsForm, makeDatabase, until } from '../support/api-client.js';
import { ServerProcess } from '../support/process.js';
import { adminKey, copyTemplate } from '../support/server.js';

const serverUrl = process.env['TEST_DATABASE_URL'] ?? '';
const onNative = serverUrl ? describe : describe.skip;

const running: ServerProcess[] = [];
function start(databaseUrl: string, variables: Record<string, string> = {}): ServerProcess {
  const dataDir = mkdtempSync(join(process.env['TEST_FOLDER'] ?? '', 'd-'));
  const server = new ServerProcess({
    DATABASE_URL: databaseUrl,
    DATA_DIR: dataDir,
    BOOTSTRAP_API_KEY: adminKey,
    ...variables,
  });
  running.push(server);
  return server;
}

/** Runs statements; returns the rows of the last one. */
async function execute(url: string, ...statements: string[]): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    let rows: unknown[] = [];
    for (const statement of statements) ({ rows } = await client.query<object>(statement));
    return rows;
  } finally {
    await client.end();
  }
}

/** Runs with a database that exists meanwhile. */
async function withDatabase(options: string, use: (url: string) => Promise<void>): Promise<void> {
  const name = `ctx_test_${randomUUID().replaceAll('-', '')}`;
  await execute(serverUrl, `create database ${name} ${options}`);
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  try {
    await use(url.href);
  } finally {
    for (const server of running.splice(0)) await server.kill('SIGKILL');
    await execute(serverUrl, `drop database ${name} with (force)`);
  }
}

async function expectRefusal(url: string, reason: RegExp): Promise<void> {
  const server = start(url);
  expect(await server.exited).toEqual({ code: 1, signal: null });
  expect(server.lines.filter((line) => line !== '')).toEqual([expect.stringMatching(reason)]);
}

onNative('a native Postgres', () => {
  afterEach(async () => {
    for (const server of running.splice(0)) await server.kill('SIGKILL');
  });

  test.each(['SQL_ASCII', 'LATIN1'])('whose database has the encoding %s is refused', async (encoding) => {
    const options = `template template0 encoding '${encoding}' lc_collate 'C' lc_ctype 'C'`;
    await withDatabase(options, (url) => expectRefusal(url, new RegExp(`encoding ${encoding}.*'UTF8'`)));
  });

  test('where pgvector is in a schema that is not searched is refused', async () => {
    await withDatabase('template template0', async (url) => {
      await execute(url, 'create schema elsewhere', 'create extension vector schema elsewhere');
      await expectRefusal(url, /pgvector is installed in the schema elsewhere.*search_path/);
    });
  });

  test('whose pgvector in the database is older than its files is refused', async () => {
    await withDatabase('template template0', async (url) => {
      await execute(
        url,
        'create extension vector',
        `update pg_extension set extversion = '0.5.1' where extname = 'vector'`,
      );
      await expectRefusal(url, /pgvector 0\.5\.1 .* run ALTER EXTENSION vector UPDATE/);
    });
  });

  // What Postgres says of itself: functions of ours in front of its own say what a pooler or standby would.
  test.each([
    ['behind a pooler in transaction mode', 'pg_backend_pid() returns int', '7', /pool_mode = session/],
    ['that is a standby', 'pg_is_in_recovery() returns boolean', 'true', /is a standby.*name its primary/],
  ])('%s is refused', async (_name, signature, answer, reason) => {
    await withDatabase('template template0', async (url) => {
      const name = new URL(url).pathname.slice(1);
      await execute(
        url,
        'create schema front',
        `create function front.${signature} language sql as 'select ${answer}'`,
        `alter database ${name} set search_path = front, pg_catalog, public`,
      );
      await expectRefusal(url, reason);
    });
  });

  test('whose transactions are read-only is refused', async () => {
    await withDatabase('template template0', async (url) => {
      const name = new URL(url).pathname.slice(1);
      await execute(url, `alter database ${name} set default_transaction_read_only = on`);
      await expectRefusal(url, /are read-only: set default_transaction_read_only = off/);
    });
  });

  test('may have other formats, time limits, isolation and time zone as its defaults', async () => {
    const { databaseUrl = '' } = await copyTemplate();
    const name = new URL(databaseUrl).pathname.slice(1);
    const defaults = {
      datestyle: 'German, DMY',
      intervalstyle: 'iso_8601',
      timezone: 'Asia/Kolkata',
      array_nulls: 'off',
      extra_float_digits: '-5',
      standard_conforming_strings: 'off',
      default_transaction_isolation: 'serializable',
      // What takes longer than a millisecond would fail.
      statement_timeout: '1ms',
      lock_timeout: '1ms',
      idle_in_transaction_session_timeout: '1ms',
      idle_session_timeout: '100ms',
    };
    const set = Object.entries(defaults).map(
      ([key, value]) => `alter database ${name} set ${key} = '${value}'`,
    );
    await execute(serverUrl, ...set);
    const server = start(databaseUrl);
    const url = await server.url();
    const database = 'settings';
    await makeDatabase(url, database);
    const documents = documentsForm(database, { page: 'otters of page' });
    expect((await callApi(url, 'POST /context/ingest', { form: documents })).status).toBe(202);
    // Writers that come upon one another are no errors.
    const memories = Array.from({ length: 8 }, (_, n) => [{ id: `m${n}`, text: `otters of ${n}` }]);
    const answers = await Promise.all(
      memories.map((items) =>
        callApi(url, 'POST /context/ingest', { json: { database, type: 'memory', memories: items } }),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual(memories.map(() => 202));
    await until(async () => {
      const { body } = await callApi(url, `GET /context/status?database=${database}&ids=page`);
      const { statuses } = (body as { data: { statuses: Record<string, unknown>[] } }).data;
      const isNow = Math.abs(Date.parse(String(statuses[0]?.['updated_at'])) - Date.now()) < 60_000;
      return statuses[0]?.['indexing_status'] === 'completed' && isNow;
    });
    expect(server.lines.join('\n')).not.toMatch(/"level":[56]0/);
  });

  test('may grant few connections: DATABASE_POOL_SIZE says how many are pooled', async () => {
    const { databaseUrl = '' } = await copyTemplate();
    const few = new URL(databaseUrl);
    const owner = few.username;
    few.username = `few_${randomUUID().slice(0, 8)}`;
    // The five of the pool, and the three outside of it.
    await execute(serverUrl, `create role ${few.username} login connection limit 8 in role ${owner}`);
    try {
      const url = await start(few.href, { DATABASE_POOL_SIZE: '5' }).url();
      const database = 'pooled';
      await makeDatabase(url, database);
      const ask = (query: string) => callApi(url, 'POST /query', { json: { database, query } });
      const write = (id: string) => {
        const json = { database, type: 'memory', memories: [{ id, text: `otters of ${id}` }] };
        return callApi(url, 'POST /context/ingest', { json });
      };
      const ids = Array.from({ length: 30 }, (_, n) => `m${n}`);
      const answers = await Promise.all(ids.flatMap((id) => [ask(`otters of ${id}`), write(id)]));
      expect(answers.filter(({ status }) => status >= 300)).toEqual([]);
      const names = `select distinct application_name as name from pg_stat_activity where usename = '${few.username}'`;
      expect(await execute(serverUrl, names)).toEqual([{ name: 'contexture' }]);
    } finally {
      for (const server of running.splice(0)) await server.kill('SIGKILL');
      await execute(
        databaseUrl,
        `reassign owned by ${few.username} to ${owner}`,
        `drop role ${few.username}`,
      );
    }
  });
});
