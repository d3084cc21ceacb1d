import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import { embeddedSocketFolder } from '../../src/postgres/embedded.js';
import { startMongoServer } from '../support/mongo-server.js';
import { ServerProcess } from '../support/process.js';
import { adminKey, copyTemplate } from '../support/server.js';

const running: ServerProcess[] = [];
function start(environment: NodeJS.ProcessEnv): ServerProcess {
  const server = new ServerProcess(environment);
  running.push(server);
  return server;
}
afterEach(async () => {
  for (const server of running.splice(0)) await server.kill('SIGKILL');
});

/** The server must not start: one line that says why, exit code 1. */
async function expectRefusal(environment: NodeJS.ProcessEnv, reason: RegExp): Promise<void> {
  const server = start(environment);
  expect(await server.exited).toEqual({ code: 1, signal: null });
  const lines = server.lines.filter((line) => line !== '');
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatch(reason);
}

const environment = async () => {
  const { dataDir, databaseUrl } = await copyTemplate();
  return { DATA_DIR: dataDir, DATABASE_URL: databaseUrl };
};
/** Asks until a database is ready; the server works meanwhile. */
async function untilReady(url: string, database: string): Promise<void> {
  const headers = { authorization: `Bearer ${adminKey}` };
  for (;;) {
    const answer = await fetch(`${url}/databases/status?database=${database}`, { headers });
    const { data } = (await answer.json()) as { data: { status: string } };
    if (data.status === 'ready') return;
    await new Promise((resolve) => setImmediate(resolve));
  }
}

const native = process.env['TEST_DATABASE_URL'];
const onNative = native ? describe : describe.skip;
const testOnNative = native ? test : test.skip;

describe('starting', () => {
  test('makes an admin key once, prints it once and keeps it in DATA_DIR/api-key', async () => {
    const env = await environment();
    const first = start(env);
    const url = await first.url();
    const file = join(env.DATA_DIR, 'api-key');
    const key = readFileSync(file, 'utf8').trim();
    expect(key).toMatch(/^ctx_[a-z2-7]{12}\.[A-Za-z0-9_-]{43}$/);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const answer = await fetch(`${url}/databases`, { headers: { authorization: `Bearer ${key}` } });
    expect(answer.status).toBe(200);
    expect((await fetch(`${url}/readyz`)).status).toBe(200);
    // Of what is bundled nothing is left out that only throws.
    const broken = await fetch(`${url}/databases/%ff/metadata-schema`);
    expect([broken.status, broken.headers.get('x-request-id')]).toEqual([401, expect.any(String)]);
    expect(first.lines.filter((line) => line.includes(key))).toHaveLength(1);
    expect(await first.kill('SIGTERM')).toEqual({ code: 0, signal: null });
    const second = start(env);
    await second.url();
    expect(second.lines.join()).not.toContain('API key');
    expect(readFileSync(file, 'utf8').trim()).toBe(key);
  });

  test('loads the client of Postgres once: what this process patches of it holds for its connections', async () => {
    const server = start({ ...(await environment()), NODE_DEBUG: 'module' });
    await server.url();
    const loaded = server.lines.join('\n');
    expect(loaded).toMatch(/load ".*node_modules/);
    expect(loaded).not.toMatch(/load ".*node_modules\/pg/);
  });

  test('warns of variables that do nothing, of misspelt names too, and of no others', async () => {
    const server = start({
      ...(await environment()),
      LLM_MODEL: 'm',
      MAX_DATABASE: '3',
      HOME: '/',
      XDG_DATA_DIRS: '/',
    });
    await server.url();
    const warned = server.lines.filter((line) => line.includes('"level":40'));
    expect(warned.map((line) => JSON.parse(line).variable)).toEqual(['LLM_MODEL', 'MAX_DATABASE']);
  });

  test('logs JSON lines with request ids and never the key', async () => {
    const server = start({ ...(await environment()), BOOTSTRAP_API_KEY: adminKey });
    const url = await server.url();
    const answer = await fetch(`${url}/databases`, { headers: { authorization: `Bearer ${adminKey}` } });
    await server.kill('SIGTERM');
    const requestId = answer.headers.get('x-request-id');
    const entries = server.lines.map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(entries).toContainEqual(
      expect.objectContaining({ requestId, method: 'GET', path: '/databases', status: 200 }),
    );
    expect(server.lines.join()).not.toContain(adminKey.split('.')[1]);
  });

  testOnNative('a worker without a web server, and a web server that wakes it, on one Postgres', async () => {
    const env = { ...(await environment()), BOOTSTRAP_API_KEY: adminKey };
    const web = start({ ...env, ROLE: 'web' });
    const url = await web.url();
    const worker = start({ ...env, ROLE: 'worker' });
    const health = await worker.url();
    expect((await fetch(`${health}/readyz`)).status).toBe(200);
    const headers = { authorization: `Bearer ${adminKey}`, 'content-type': 'application/json' };
    for (const [sent, status, code] of [
      [{}, 401, 'UNAUTHORIZED'],
      [{ headers }, 404, 'NOT_FOUND'],
    ] as const) {
      const elsewhere = await fetch(`${health}/databases`, sent);
      expect(elsewhere.status).toBe(status);
      expect(await elsewhere.json()).toMatchObject({ success: false, data: null, error: { code } });
    }
    await fetch(`${url}/databases`, { method: 'POST', headers, body: '{"database":"apart"}' });
    await untilReady(url, 'apart');
  });
});

describe('the job store in MongoDB', () => {
  test('schedules and wakes as the one in Postgres does', async () => {
    const mongo = process.env['TEST_MONGODB_URL'] ? undefined : await startMongoServer();
    const server = start({
      ...(await environment()),
      BOOTSTRAP_API_KEY: adminKey,
      MONGODB_URL: mongo?.url ?? process.env['TEST_MONGODB_URL'],
    });
    const url = await server.url();
    expect(await (await fetch(`${url}/readyz`)).json()).toMatchObject({ status: 'ready', jobs: true });
    const headers = { authorization: `Bearer ${adminKey}`, 'content-type': 'application/json' };
    await fetch(`${url}/databases`, { method: 'POST', headers, body: '{"database":"by-mongo"}' });
    await untilReady(url, 'by-mongo');
    expect(await server.kill('SIGTERM')).toEqual({ code: 0, signal: null });
    await mongo?.close();
  });
});

// The embedded Postgres serves one process.
onNative('ROLE web and worker', () => {
  const emptyFolder = () => mkdtempSync(join(process.env['TEST_FOLDER'] ?? '', 'd-'));

  test('share the folder of files, and refuse to start on another', async () => {
    const env = { ...(await environment()), BOOTSTRAP_API_KEY: adminKey };
    await start({ ...env, ROLE: 'web' }).url();
    await start({ ...env, ROLE: 'worker' }).url();
    const apart = { ...env, ROLE: 'worker', DATA_DIR: emptyFolder() };
    await expectRefusal(apart, /ROLE=worker needs storage that all processes share.*DATA_DIR.*S3_URL/);
    // A folder with the files of another database is no better.
    mkdirSync(join(apart.DATA_DIR, 'files'), { recursive: true });
    writeFileSync(join(apart.DATA_DIR, 'files', 'owner'), 'ffffffff-0000-7000-8000-000000000000');
    await expectRefusal(apart, /ROLE=worker needs storage that all processes share/);
  });

  test('ROLE all starts there too, and warns, unless the files were copied', async () => {
    const env = { ...(await environment()), BOOTSTRAP_API_KEY: adminKey };
    const warned = ({ lines }: ServerProcess) =>
      lines.some((line) => /"level":40.*DATA_DIR .* is not where this database keeps its files/.test(line));
    const first = start(env);
    await first.url();
    expect(warned(first)).toBe(false);
    // A replica, or a container that has lost its volume.
    const apart = { ...env, DATA_DIR: emptyFolder() };
    const second = start(apart);
    await second.url();
    expect(warned(second)).toBe(true);
    await Promise.all([first.kill('SIGTERM'), second.kill('SIGTERM')]);
    rmSync(apart.DATA_DIR, { recursive: true });
    cpSync(join(env.DATA_DIR, 'files'), join(apart.DATA_DIR, 'files'), { recursive: true });
    const moved = start(apart);
    await moved.url();
    expect(warned(moved)).toBe(false);
  });

  test('need no common folder with an object store, which may be away at the start', async () => {
    const s3 = { S3_URL: 'http://127.0.0.1:9', S3_BUCKET: 'b', S3_KEY: 'k', S3_SECRET: 's' };
    const env = { ...(await environment()), BOOTSTRAP_API_KEY: adminKey, ...s3 };
    await start({ ...env, ROLE: 'web' }).url();
    await start({ ...env, ROLE: 'worker', DATA_DIR: emptyFolder() }).url();
  });
});

describe('refuses to start, with one clear line and exit code 1,', () => {
  test.each([
    [{ PORT: '70000' }, /PORT/],
    [{ DATABASE_URL: 'mysql://x' }, /DATABASE_URL.*postgres/],
    [{ BOOTSTRAP_API_KEY: 'short' }, /BOOTSTRAP_API_KEY.*prefix\.secret/],
    [{ ROLE: 'worker', DATABASE_URL: '' }, /ROLE=worker needs DATABASE_URL/],
    [{ EMBEDDINGS_URL: 'http://127.0.0.1:9' }, /EMBEDDINGS_MODEL/],
    [{ S3_URL: 'http://127.0.0.1:9', S3_KEY: 'k', S3_SECRET: 's' }, /: S3_BUCKET missing;/],
    [{ S3_BUCKET: 'b', S3_SECRET: 'hushhush' }, /^(?!.*hushhush).*: S3_URL, S3_KEY missing;/],
    [{ S3_URL: 's3://bucket', S3_BUCKET: 'b', S3_KEY: 'k', S3_SECRET: 's' }, /S3_URL/],
    [{ DATABASE_URL: 'postgres://user:secret@127.0.0.1:1/x' }, /cannot connect to Postgres.*ECONNREFUSED/],
    [
      { EMBEDDINGS_URL: 'http://127.0.0.1:9/v1', EMBEDDINGS_MODEL: 'm' },
      /embedding provider.*does not answer/,
    ],
    [{ HOST: 'nowhere.invalid', LOG_LEVEL: 'warn' }, /cannot listen on nowhere.invalid \(HOST\)/],
    [
      { MONGODB_URL: 'mongodb://127.0.0.1:1/x' },
      /cannot start.*cannot connect to MongoDB \(MONGODB_URL\).*ECONNREFUSED/,
    ],
    [{ DATA_DIR: '/proc/nothing' }, /DATA_DIR \(\/proc\/nothing\) cannot be used/],
    [{ EMBEDDINGS_URL: 'ftp://127.0.0.1/v1', EMBEDDINGS_MODEL: 'm' }, /EMBEDDINGS_URL: must be.*onnx:/],
    [{ EMBEDDINGS_URL: 'onnx:/nowhere', EMBEDDINGS_MODEL: 'm' }, /no ONNX model in \/nowhere\/m /],
  ])('with %j', async (variables, reason) => {
    await expectRefusal({ ...(await environment()), ...variables }, reason);
  });

  test('when the schema is newer than the code', async () => {
    const env = await environment();
    const migrate = async (statement: string) => {
      const client = native
        ? new pg.Client({ connectionString: env.DATABASE_URL })
        : new pg.Client({ host: embeddedSocketFolder(env.DATA_DIR), user: 'postgres', database: 'postgres' });
      await client.connect();
      await client.query(statement).finally(() => client.end());
    };
    const server = start(env);
    await server.url();
    await migrate(
      `insert into migrations (timestamp, name) values (9999999999999, 'from-the-future9999999999999')`,
    );
    await server.kill('SIGTERM');
    await expectRefusal(env, /newer than this server.*from-the-future/);
  });

  test('when the port is in use', async () => {
    const url = await start(await environment()).url();
    const { port } = new URL(url);
    await expectRefusal(
      { ...(await environment()), PORT: port, LOG_LEVEL: 'warn' },
      /cannot start: cannot listen on 127.0.0.1 \(HOST\), port \d+ \(PORT\): listen EADDRINUSE/,
    );
  });

  (native ? test.skip : test)('when a second server uses the same DATA_DIR; the first goes on', async () => {
    const env = await environment();
    const first = start(env);
    const url = await first.url();
    await expectRefusal(env, /another server is running on DATA_DIR/);
    expect((await fetch(`${url}/readyz`)).status).toBe(200);
  });

  test('after a kill -9 the same DATA_DIR starts again', async () => {
    const env = await environment();
    const first = start(env);
    await first.url();
    await first.kill('SIGKILL');
    const second = start(env);
    expect((await fetch(`${await second.url()}/readyz`)).status).toBe(200);
  });

  test('when DATA_DIR is a file', async () => {
    const file = join(mkdtempSync(join(process.env['TEST_FOLDER'] ?? '', 'f-')), 'file');
    writeFileSync(file, '');
    await expectRefusal({ DATA_DIR: file }, /DATA_DIR \(.*\) cannot be used: .*(?:EEXIST|ENOTDIR)/);
  });

  testOnNative('when pgvector is missing', async () => {
    const { DATABASE_URL = '', DATA_DIR } = await environment();
    const client = new pg.Client({ connectionString: DATABASE_URL });
    await client.connect();
    // What Postgres offers is read from a view: one of ours in front of it offers nothing.
    const name = new URL(DATABASE_URL).pathname.slice(1);
    await client.query('create schema front');
    await client.query(
      'create view front.pg_available_extensions as select * from pg_catalog.pg_available_extensions where false',
    );
    await client.query(`alter database ${name} set search_path = front, pg_catalog, public`);
    await client.end();
    await expectRefusal({ DATABASE_URL, DATA_DIR }, /pgvector is not installed/);
  });

  testOnNative('when its role may not do what has to be done, saying what would let it', async () => {
    const name = `roles_${process.pid}`;
    const owner = new pg.Client({ connectionString: native });
    await owner.connect();
    await owner.query(`create database ${name}`);
    await owner.query(`create role ${name} login`);
    const url = new URL(native ?? '');
    url.pathname = `/${name}`;
    const inside = new pg.Client({ connectionString: url.href });
    await inside.connect();
    try {
      url.username = name;
      const env = { ...(await environment()), DATABASE_URL: url.href };
      await expectRefusal(env, /may not make tables in the schema "public": run GRANT CREATE ON SCHEMA/);
      await inside.query(`grant create on schema public to ${name}`);
      await expectRefusal(env, /role "roles_\d+" may not do it: run CREATE EXTENSION vector there/);
      await inside.query('create schema apart; create extension vector schema apart');
      await expectRefusal(env, /in the schema "apart", .* run GRANT USAGE ON SCHEMA "apart"/);
      await inside.query(`grant usage on schema apart to ${name}`);
      await expectRefusal(env, /in the schema apart: add it to the search_path/);
    } finally {
      await inside.end();
      await owner.query(`drop database ${name} with (force)`);
      await owner.query(`drop role ${name}`);
      await owner.end();
    }
  });
});
