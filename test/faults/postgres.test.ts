import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type pg from 'pg';
import { callApi, documentsForm, expectUnavailable, makeDatabase, until } from '../support/api-client.js';
import { PrivatePostgres, canRunPostgres } from '../support/private-postgres.js';
import { ServerProcess } from '../support/process.js';
import { adminKey } from '../support/server.js';
import type { Answer } from '../support/server.js';
import { canMount } from '../support/small-disk.js';
import { StoreView } from '../support/store-view.js';

// They stop a Postgres of their own; the embedded one lives and dies with its server.
const onNative = canRunPostgres ? describe : describe.skip;
const onSmallDisk = canRunPostgres && canMount ? describe : describe.skip;

const database = 'faults';
const connectionsMax = 25;
const queryTimeoutMs = 1500;
const statementTimeoutMs = 2500;

let postgres: PrivatePostgres;
let server: ServerProcess;
let url: string;
let store: StoreView;
/** What was answered 202, by id. */
const accepted = new Map<string, string>();
let items = 0;

async function begin(options: { diskMebibytes?: number }): Promise<void> {
  accepted.clear();
  postgres = await PrivatePostgres.create({ connectionsMax, ...options });
  const dataDir = mkdtempSync(join(process.env['TEST_FOLDER'] ?? '', 'd-'));
  server = new ServerProcess({
    DATA_DIR: dataDir,
    DATABASE_URL: postgres.url,
    BOOTSTRAP_API_KEY: adminKey,
    LOG_LEVEL: 'info',
    QUERY_TIMEOUT_MS: String(queryTimeoutMs),
    STATEMENT_TIMEOUT_MS: String(statementTimeoutMs),
  });
  url = await server.url();
  store = new StoreView({ dataDir, databaseUrl: postgres.url });
  await makeDatabase(url, database);
}

async function end(): Promise<void> {
  await server.kill('SIGKILL');
  await postgres.remove();
}

function memory(id: string) {
  return { database, type: 'memory', memories: [{ id, text: `otters of ${id}` }] };
}

/** Stores an item under an id of its own, or as a repetition of one whose answer was lost. */
async function remember(id = `item-${(items += 1)}`): Promise<Answer> {
  const answer = await callApi(url, 'POST /context/ingest', { json: memory(id) });
  if (answer.status === 202) accepted.set(id, `otters of ${id}`);
  return answer;
}

async function graphql(query: string, variables: Record<string, unknown> = {}): Promise<Answer> {
  return callApi(url, 'POST /graphql', { json: { query, variables } });
}

const ingestMutation = `mutation ($id: String!) { ingest(input: { database: "${database}", type: memory,
  memories: [{ id: $id, text: "otters of GraphQL" }] }) { results { id status } } }`;

/** One call of every kind. */
function callEverything(): Promise<Answer>[] {
  return [
    callApi(url, 'GET /databases'),
    callApi(url, `GET /databases/stats?database=${database}`),
    callApi(url, 'POST /databases', { json: { database: `never-${(items += 1)}` } }),
    callApi(url, 'POST /context/ingest', { json: memory('not-stored') }),
    callApi(url, 'POST /context/ingest', { form: documentsForm(database, { 'not-stored': 'otters' }) }),
    callApi(url, `GET /context/status?database=${database}&ids=not-stored`),
    callApi(url, 'POST /query', { json: { database, query: 'otters', type: 'memory' } }),
    callApi(url, 'DELETE /databases/collections', { json: { database, collection: 'none' } }),
    graphql('{ databases { nodes { name } } }'),
    graphql(ingestMutation, { id: 'not-stored' }),
  ];
}

/** Every call is answered 503, soon; the process is well and says that it is not ready. */
async function expectOutage(): Promise<void> {
  const startedAt = Date.now();
  for (const answer of await Promise.all(callEverything())) {
    expectUnavailable(answer);
    expect(answer.status).toBe(503);
  }
  expect(Date.now() - startedAt).toBeLessThan(queryTimeoutMs + 3000);
  expect((await fetch(`${url}/healthz`)).status).toBe(200);
  expect((await fetch(`${url}/readyz`)).status).toBe(503);
}

/** By itself it is ready again, and all that was acknowledged is there, once; nothing else is. */
async function expectRecovery(): Promise<void> {
  await until(async () => (await fetch(`${url}/readyz`)).status === 200);
  await until(async () => (await remember()).status === 202);
  await store.endLeasesFrom(new Date());
  await store.hurry();
  await until(
    async () => (await store.unfinished()).length === 0,
    () => store.unfinished(),
  );
  const stored = await store.items();
  expect(stored.map(({ id }) => id).sort()).toEqual([...accepted.keys()].sort());
  for (const { id, content } of stored) expect(content).toBe(accepted.get(id));
  expect(await store.contradictions()).toEqual([]);
  const log = server.lines.join('\n');
  expect(log).not.toMatch(/unhandled|uncaught|TypeError|INTERNAL_ERROR/i);
}

/** Holds a lock in front of requests until this many statements wait for it. */
async function holdUp(statements: number, requests: () => Promise<Answer>[]) {
  const holder = await postgres.connect();
  await holder.query('begin');
  await holder.query('lock table sources in access exclusive mode');
  const answers = Promise.all(requests());
  await until(async () => {
    const { rows } = await holder.query<{ waiting: number }>(
      `select count(*)::int as waiting from pg_locks where not granted and relation = 'sources'::regclass`,
    );
    return (rows[0]?.waiting ?? 0) >= statements;
  });
  return { holder, answers };
}

/** Ends every connection but these; returns how many that were. */
async function cutAllBut(clients: readonly pg.Client[]): Promise<number> {
  const asked = clients.map(async (client) => client.query<{ id: number }>('select pg_backend_pid() as id'));
  const ours = (await Promise.all(asked)).flatMap(({ rows }) => rows.map(({ id }) => id));
  const cut = await clients[0]?.query(
    `select pg_terminate_backend(pid) from pg_stat_activity where backend_type = 'client backend' and pid <> all($1)`,
    [ours],
  );
  return cut?.rowCount ?? 0;
}

onNative('Postgres', () => {
  beforeAll(async () => begin({}), 60_000);
  afterAll(async () => end());
  beforeEach(async () => {
    for (let n = 0; n < 10; n += 1) expect((await remember()).status).toBe(202);
  });
  afterEach(() => {
    postgres.thaw();
  });

  test('is stopped and started again', async () => {
    await postgres.stop('fast');
    await expectOutage();
    await postgres.start();
    await expectRecovery();
  });

  test('crashes under a load that goes on', async () => {
    const load = Array.from({ length: 8 }, async () => {
      for (let n = 0; n < 10; n += 1) {
        const id = `load-${(items += 1)}`;
        // Repeated until it is answered 202, as callers do.
        await until(async () => {
          const answer = await remember(id);
          if (answer.status !== 202) expectUnavailable(answer);
          return answer.status === 202;
        });
      }
    });
    await postgres.stop('immediate');
    await postgres.start();
    await Promise.all(load);
    await expectRecovery();
  });

  test('is frozen: connections stay open and nothing is answered', async () => {
    const { holder, answers } = await holdUp(2, () => [
      callApi(url, 'POST /context/ingest', { json: memory('not-stored') }),
      graphql(ingestMutation, { id: 'not-stored' }),
    ]);
    postgres.freeze();
    // Writes that were under way are answered as well.
    for (const answer of await answers) expectUnavailable(answer);
    await expectOutage();
    postgres.thaw();
    await holder.query('rollback');
    await holder.end();
    await expectRecovery();
  });

  test('loses every connection in the middle of a transaction', async () => {
    const { holder, answers } = await holdUp(3, () => [
      callApi(url, 'POST /context/ingest', { json: memory('not-stored') }),
      callApi(url, 'POST /context/ingest', { form: documentsForm(database, { 'not-stored': 'otters' }) }),
      graphql(ingestMutation, { id: 'not-stored' }),
    ]);
    expect(await cutAllBut([holder])).toBeGreaterThan(2);
    for (const answer of await answers) expectUnavailable(answer);
    await holder.query('rollback');
    await holder.end();
    await expectRecovery();
  });

  test('loses connections again and again, while calls wait for one', async () => {
    const cutter = await postgres.connect();
    let isOver = false;
    // More than the pool has connections.
    const load = Array.from({ length: 16 }, async () => {
      for (let n = 0; n < 6; n += 1) {
        const id = `cut-${(items += 1)}`;
        await until(async () => (await remember(id)).status === 202);
      }
    });
    const cutting = async () => {
      while (!isOver) {
        const before = accepted.size;
        await cutAllBut([cutter]);
        await until(async () => Promise.resolve(isOver || accepted.size > before + 5));
      }
    };
    const cut = cutting();
    await Promise.all(load);
    isOver = true;
    await cut;
    await cutter.end();
    await expectRecovery();
  });

  test('is out of connections', async () => {
    const taken: pg.Client[] = [];
    const take = async () => {
      for (;;) {
        const client = await postgres.connect().catch(() => undefined);
        if (!client) return;
        taken.push(client);
      }
    };
    await take();
    // What the server has open goes too, until others have every place. A connection that it is just opening has one
    // without being listed, so none left to cut would not tell.
    while (taken.length < connectionsMax) {
      await cutAllBut(taken);
      await take();
    }
    await expectOutage();
    await Promise.all(taken.map((client) => client.end()));
    await expectRecovery();
  });
});

onSmallDisk('Postgres without room on its disk', () => {
  beforeAll(async () => begin({ diskMebibytes: 160 }), 60_000);
  afterAll(async () => end());

  test('refuses writes and completes everything when there is room again', async () => {
    for (let n = 0; n < 10; n += 1) expect((await remember()).status).toBe(202);
    postgres.disk?.fill();
    const refused: Answer[] = [];
    const big = 'otters '.repeat(3000);
    await until(async () => {
      const id = `big-${(items += 1)}`;
      const memories = Array.from({ length: 20 }, (_, n) => ({
        id: `${id}-${n}`,
        text: `${id} ${n} ${big}`,
      }));
      const answer = await callApi(url, 'POST /context/ingest', {
        json: { database, type: 'memory', memories },
      });
      if (answer.status === 202) for (const item of memories) accepted.set(item.id, item.text);
      else refused.push(answer);
      return refused.length >= 5;
    });
    for (const answer of refused) expectUnavailable(answer);
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
    postgres.disk?.empty();
    // Without room for its log Postgres ends: whoever makes room starts it again.
    await postgres.ensureRunning();
    await until(async () => (await fetch(`${url}/readyz`)).status === 200);
    await until(async () => (await remember()).status === 202);
    await store.endLeasesFrom(new Date());
    await store.hurry();
    await until(
      async () => (await store.unfinished()).length === 0,
      () => store.unfinished(),
    );
    const stored = new Set((await store.items()).map(({ id }) => id));
    expect([...stored].sort()).toEqual([...accepted.keys()].sort());
    expect(await store.contradictions()).toEqual([]);
    expect(server.lines.join('\n')).not.toMatch(/unhandled|uncaught|TypeError|INTERNAL_ERROR/i);
  });
});
