import { EventEmitter, once } from 'node:events';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { RateLimiter } from '../../src/accounts/rate-limiter.js';
import type { Embedder } from '../../src/inference/embedder.js';
import { embeddedSocketFolder } from '../../src/postgres/embedded.js';
import { TestServer, adminKey } from '../support/server.js';
import type { Answer } from '../support/server.js';

const other = 'other.0123456789abcdef0123456789abcdef';

/** A key of another account. */
async function addOtherAccount(server: TestServer): Promise<void> {
  const account = '00000000-0000-7000-8000-000000000001';
  await server.sql(`insert into accounts (id, name, created_at) values ($1, 'other', now())`, [account]);
  await server.sql(
    `insert into api_keys (prefix, account_id, secret_hash, name, scopes, created_at)
     select 'other', $1, secret_hash, 'other', '{admin}', created_at from api_keys where prefix = 'test'`,
    [account],
  );
}

describe('Idempotency-Key', () => {
  let server: TestServer;
  let database: string;
  beforeAll(async () => {
    server = await TestServer.start();
    await addOtherAccount(server);
    database = await server.database();
  });
  afterAll(async () => server.stop());

  const remember = (
    key: string,
    memories: unknown[],
    fields: Record<string, unknown> = {},
  ): Promise<Answer> =>
    server.rest('POST', '/context/ingest', {
      json: { database, type: 'memory', memories, ...fields },
      headers: { 'idempotency-key': key },
    });
  const count = async () =>
    (
      await server.sql('select 1 from sources s join databases d on d.id = s.database_id where d.name = $1', [
        database,
      ])
    ).length;

  test('the same request again is answered as before and stores nothing', async () => {
    const first = await remember('once', [{ text: 'a fact' }]);
    const stored = await count();
    const again = await remember('once', [{ text: 'a fact' }]);
    expect([first.status, again.status]).toEqual([202, 202]);
    expect(again.body.data).toEqual(first.body.data);
    expect(first.headers.get('idempotency-replayed')).toBeNull();
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(again.body.meta.request_id).toBe(again.headers.get('x-request-id'));
    expect(again.body.meta).toMatchObject({ database, collection: 'default', source_type: 'memory' });
    expect(await count()).toBe(stored);
    const other = await remember('another', [{ text: 'a fact' }]);
    expect(other.body.data.results[0].id).not.toBe(first.body.data.results[0].id);
  });

  test('the same key with another body is 409 INVALID_INPUT and stores nothing', async () => {
    await remember('taken', [{ text: 'one' }]);
    const stored = await count();
    for (const answer of [
      await remember('taken', [{ text: 'two' }]),
      await remember('taken', [{ text: 'one' }], { collection: 'c' }),
      await server.rest('POST', '/databases', {
        json: { database: 'never' },
        headers: { 'idempotency-key': 'taken' },
      }),
    ]) {
      expect([answer.status, answer.body.error.code]).toEqual([409, 'INVALID_INPUT']);
    }
    expect(await count()).toBe(stored);
    expect((await server.rest('GET', '/databases/status?database=never')).status).toBe(404);
  });

  test('of a form its content counts, not its boundary; another file is another body', async () => {
    const upload = (content: string) => {
      const form = new FormData();
      form.append('database', database);
      form.append('documents', new Blob([content]), 'a.txt');
      return server.rest('POST', '/context/ingest', { form, headers: { 'idempotency-key': 'form' } });
    };
    const first = await upload('some text');
    const again = await upload('some text');
    expect(again.body.data).toEqual(first.body.data);
    expect((await upload('some test')).status).toBe(409);
  });

  test('creating a database twice with one key is one creation', async () => {
    const create = () =>
      server.rest('POST', '/databases', {
        json: { database: 'just-one' },
        headers: { 'idempotency-key': 'create' },
      });
    const [first, again] = [await create(), await create()];
    expect([first.status, again.status]).toEqual([202, 202]);
    expect(again.body.data).toEqual(first.body.data);
  });

  test('a refused request leaves its key free', async () => {
    expect((await remember('retry', [{}])).status).toBe(400);
    expect((await remember('retry', [{ text: 'better' }])).status).toBe(202);
  });

  test('two at the same time are one: the second waits its turn with 503 or gets the answer', async () => {
    const before = await count();
    const answers = await Promise.all([1, 2, 3, 4].map(() => remember('race', [{ text: 'raced' }])));
    expect(answers.map((answer) => answer.status).every((status) => status === 202 || status === 503)).toBe(
      true,
    );
    const accepted = answers.filter((answer) => answer.status === 202).map((answer) => answer.body.data);
    expect(accepted.length).toBeGreaterThan(0);
    for (const data of accepted) expect(data).toEqual(accepted[0]);
    for (const answer of answers.filter(({ status }) => status === 503))
      expect(answer.headers.get('retry-after')).toBe('1');
    expect(await count()).toBe(before + 1);
  });

  test('after a crash between storing and answering, the repetition makes the same ids', async () => {
    const first = await remember('crash', [{ text: 'survivor' }]);
    const stored = await count();
    await server.sql(`update idempotency_keys set answer = null where key = 'crash'`);
    expect((await remember('crash', [{ text: 'survivor' }])).status).toBe(503);
    server.clock.advance(61);
    const repeated = await remember('crash', [{ text: 'survivor' }]);
    expect(repeated.body.data.results[0].id).toBe(first.body.data.results[0].id);
    await server.idle();
    expect(await count()).toBeLessThanOrEqual(stored);
  });

  test('is of one account and one day', async () => {
    await remember('mine', [{ text: 'x' }]);
    const theirs = await server.rest('POST', '/databases', {
      json: { database: 'theirs' },
      headers: { 'idempotency-key': 'mine' },
      key: other,
    });
    expect(theirs.status).toBe(202);
    server.clock.advance(24 * 3600 + 1);
    expect((await remember('mine', [{ text: 'y' }])).status).toBe(202);
    server.clock.advance(24 * 3600 + 1);
    await server.idle();
    expect(await server.sql('select 1 from idempotency_keys')).toEqual([]);
  });

  test.each([
    ['empty', ' '],
    ['of 256 characters', 'k'.repeat(256)],
  ])('one that is %s is 400', async (_case, key) => {
    const answer = await remember(key, [{ text: 'x' }]);
    expect([answer.status, answer.body.error.code]).toEqual([400, 'INVALID_INPUT']);
    expect(answer.body.error.message).toMatch(/^Idempotency-Key/);
  });
});

describe('rate limit', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await TestServer.start({ environment: { RATE_LIMIT_PER_MINUTE: '5' } });
    await addOtherAccount(server);
  });
  afterAll(async () => server.stop());

  test('each key has its requests a minute, over both APIs; then 429 with the wait, and again after it', async () => {
    const list = () => server.rest('GET', '/databases');
    const remaining: (string | null)[] = [];
    for (let n = 0; n < 4; n += 1) remaining.push((await list()).headers.get('ratelimit-remaining'));
    const fifth = await server.graphql('{ databases { totalCount } }');
    remaining.push(fifth.headers.get('ratelimit-remaining'));
    expect(remaining).toEqual(['4', '3', '2', '1', '0']);
    const refused = await list();
    expect([refused.status, refused.body.error.code]).toEqual([429, 'RATE_LIMITED']);
    const wait = Number(refused.headers.get('retry-after'));
    expect(wait).toBeGreaterThan(50);
    expect(refused.body.error.message).toContain(`wait ${wait} s`);
    expect(refused.headers.get('ratelimit-limit')).toBe('5');
    expect(refused.headers.get('ratelimit-remaining')).toBe('0');
    expect(refused.headers.get('ratelimit-reset')).toBe(String(wait));
    const graphql = await server.graphql('{ databases { totalCount } }');
    expect([graphql.status, graphql.body.errors[0].extensions.code]).toEqual([429, 'RATE_LIMITED']);
    expect(graphql.headers.get('retry-after')).toBe(String(wait));
    const write = await server.rest('POST', '/databases', { json: { database: 'refused' } });
    expect(write.status).toBe(429);
    expect(await server.sql(`select 1 from databases where name = 'refused'`)).toEqual([]);
    expect((await server.rest('GET', '/databases', { key: other })).status).toBe(200);
    expect((await server.rest('GET', '/healthz', { key: null })).status).toBe(200);
    server.clock.advance(60);
    expect((await list()).status).toBe(200);
  });

  test('several processes never let more through together, and at most a block each early', async () => {
    const limit = 100;
    const limiters = [1, 2, 3].map(
      () => new RateLimiter(server.running.app.postgres.dataSource, server.clock),
    );
    const asked = Array.from({ length: 400 }, (_, n) => limiters[n % 3]?.take('shared', limit));
    const allowed = (await Promise.all(asked)).filter((state) => state?.allowed).length;
    expect(allowed).toBe(limit);
    // What two processes still hold is what a third may be refused early: less than a block (5) each.
    const uneven = [1, 2].map(() => new RateLimiter(server.running.app.postgres.dataSource, server.clock));
    await uneven[0]?.take('uneven', limit);
    let through = 0;
    while ((await uneven[1]?.take('uneven', limit))?.allowed) through += 1;
    expect(through).toBe(limit - 5);
  });
});

describe('plan limits', () => {
  test('MAX_DATABASES: one more is 403 FORBIDDEN, also from requests at the same time; a deleted one makes room', async () => {
    const server = await TestServer.start({ environment: { MAX_DATABASES: '2' } });
    try {
      await addOtherAccount(server);
      const create = (database: string, key = adminKey) =>
        server.rest('POST', '/databases', { json: { database }, key });
      const answers = await Promise.all(['a', 'b', 'c', 'd'].map((name) => create(name)));
      expect(answers.map((answer) => answer.status).sort()).toEqual([202, 202, 403, 403]);
      const refused = answers.find((answer) => answer.status === 403);
      expect(refused?.body.error).toEqual({
        code: 'FORBIDDEN',
        message: expect.stringMatching(/2 databases/),
      });
      const list = await server.rest('GET', '/databases');
      expect(list.body.data.databases).toHaveLength(2);
      expect((await create('a', other)).status).toBe(202);
      await server.idle();
      await server.rest('DELETE', `/databases?database=${list.body.data.databases[0]}`);
      expect((await create('e')).status).toBe(202);
    } finally {
      await server.stop();
    }
  });

  test('a withdrawn plan: 402 FREE_PLAN_DEPRECATED with the link on writes, reads go on; a paid account is free', async () => {
    const upgrade = 'https://example.com/upgrade';
    const server = await TestServer.start({ environment: { PLAN_DEPRECATED_URL: upgrade } });
    try {
      await addOtherAccount(server);
      const write = (key = adminKey) => server.rest('POST', '/databases', { json: { database: 'w' }, key });
      const refused = await write();
      expect([refused.status, refused.body.error.code]).toEqual([402, 'FREE_PLAN_DEPRECATED']);
      expect(refused.body.error.message).toContain(upgrade);
      expect(refused.body.detail.upgrade_url).toBe(upgrade);
      const graphql = await server.graphql('mutation { deleteDatabase(database: "w") { status } }');
      expect(graphql.body.errors[0].extensions).toMatchObject({
        code: 'FREE_PLAN_DEPRECATED',
        httpStatus: 402,
        detail: { upgrade_url: upgrade },
      });
      expect(await server.sql('select 1 from databases')).toEqual([]);
      expect((await server.rest('GET', '/databases')).status).toBe(200);
      await server.sql(`update accounts set plan = 'paid' where name = 'other'`);
      expect((await write(other)).status).toBe(202);
    } finally {
      await server.stop();
    }
  });
});

describe('deadline', () => {
  /** Answers a query only when it is told to stop. */
  class SilentEmbedder implements Embedder {
    readonly model = 'silent';
    readonly dimensions = 2;
    readonly denseWeight = 0.5;
    readonly dimensionsShown = { default: 2, min: 2, max: 2 };
    private readonly events = new EventEmitter();
    readonly asked = once(this.events, 'asked');
    readonly stopped = once(this.events, 'stopped');
    async embedDocuments(texts: readonly string[]): Promise<Float32Array[]> {
      return texts.map(() => Float32Array.of(1, 0));
    }
    embedQuery(_text: string, signal?: AbortSignal): Promise<Float32Array> {
      this.events.emit('asked');
      return new Promise((_resolve, reject) =>
        signal?.addEventListener('abort', () => {
          this.events.emit('stopped');
          reject(new Error('stopped'));
        }),
      );
    }
    async close(): Promise<void> {}
  }

  test('a query that takes longer is 503 with Retry-After, and its call to the model is stopped', async () => {
    const embedder = new SilentEmbedder();
    const server = await TestServer.start({ embedder, environment: { QUERY_TIMEOUT_MS: '300' } });
    try {
      const database = await server.database();
      await server.remember(database, [{ text: 'x' }]);
      const json = { database, query: 'x', type: 'memory' };
      const rest = await server.rest('POST', '/query', { json });
      expect([rest.status, rest.body.error.code]).toEqual([503, 'SERVICE_UNAVAILABLE']);
      expect(rest.body.error.message).toMatch(/deadline of 300 ms/);
      expect(rest.headers.get('retry-after')).toBe('1');
      await embedder.stopped;
      const graphql = await server.graphql(
        'query ($database: String!) { search(database: $database, query: "x", type: memory) { queryId } }',
        { database },
      );
      expect(graphql.body.errors[0].extensions).toMatchObject({
        code: 'SERVICE_UNAVAILABLE',
        httpStatus: 503,
      });
    } finally {
      await server.stop();
    }
  });

  test('a client that goes away stops the work of its query', async () => {
    const embedder = new SilentEmbedder();
    const server = await TestServer.start({ embedder });
    try {
      const database = await server.database();
      await server.remember(database, [{ text: 'x' }]);
      const leaving = new AbortController();
      const asked = fetch(`${server.url}/query`, {
        method: 'POST',
        headers: { authorization: `Bearer ${adminKey}`, 'content-type': 'application/json' },
        body: JSON.stringify({ database, query: 'x', type: 'memory' }),
        signal: leaving.signal,
      });
      await embedder.asked;
      leaving.abort();
      await expect(asked).rejects.toThrow();
      await embedder.stopped;
    } finally {
      await server.stop();
    }
  });

  test('a statement that waits is given up, and ended in Postgres', async () => {
    const server = await TestServer.start({ environment: { QUERY_TIMEOUT_MS: '300' } });
    const blocker = new pg.Client(
      server.databaseUrl
        ? { connectionString: server.databaseUrl }
        : { host: embeddedSocketFolder(server.dataDir), user: 'postgres', database: 'postgres' },
    );
    try {
      const database = await server.database();
      await blocker.connect();
      await blocker.query('begin; lock table collections in access exclusive mode');
      const answer = await server.rest('POST', '/query', { json: { database, query: 'x' } });
      expect([answer.status, answer.body.error.code]).toEqual([503, 'SERVICE_UNAVAILABLE']);
      const waiting = await blocker.query(
        `select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
      );
      expect(waiting.rows).toEqual([]);
      await blocker.query('rollback');
      expect((await server.rest('POST', '/query', { json: { database, query: 'x' } })).status).toBe(200);
    } finally {
      await blocker.end();
      await server.stop();
    }
  });
});

describe('CORS', () => {
  test('sites of CORS_ORIGINS may call both APIs, with preflight without a key; others and the default may not', async () => {
    const page = 'https://app.example.com';
    const preflight = (server: TestServer, path: string, origin: string) =>
      fetch(server.url + path, {
        method: 'OPTIONS',
        headers: {
          origin,
          'access-control-request-method': 'POST',
          'access-control-request-headers': 'authorization,content-type,api-version,idempotency-key',
        },
      });
    const allowing = await TestServer.start({ environment: { CORS_ORIGINS: `${page}, https://b.example` } });
    try {
      for (const path of ['/query', '/graphql', '/databases']) {
        const allowed = await preflight(allowing, path, page);
        expect(allowed.status).toBe(204);
        expect(allowed.headers.get('access-control-allow-origin')).toBe(page);
        expect(allowed.headers.get('access-control-allow-methods')).toMatch(/POST/);
        expect(allowed.headers.get('access-control-allow-headers')).toMatch(/authorization.*idempotency-key/);
        const foreign = await preflight(allowing, path, 'https://evil.example');
        expect(foreign.headers.get('access-control-allow-origin')).not.toBe('https://evil.example');
      }
      const answer = await allowing.rest('GET', '/databases', { headers: { origin: page } });
      expect(answer.headers.get('access-control-allow-origin')).toBe(page);
      expect(answer.headers.get('access-control-expose-headers')).toMatch(/x-request-id/);
      const refused = await allowing.rest('GET', '/databases', { headers: { origin: page }, key: null });
      expect([refused.status, refused.headers.get('access-control-allow-origin')]).toEqual([401, page]);
    } finally {
      await allowing.stop();
    }
    const closed = await TestServer.start();
    try {
      const answer = await preflight(closed, '/query', page);
      expect(answer.headers.get('access-control-allow-origin')).toBeNull();
    } finally {
      await closed.stop();
    }
  });
});

describe('bodies of ingest', () => {
  let server: TestServer;
  let database: string;
  beforeAll(async () => {
    server = await TestServer.start();
    database = await server.database();
  });
  afterAll(async () => server.stop());

  const memories = [{ id: 'm', text: 'a fact', metadata: { team: 'a' } }];
  const form = (fields: Record<string, string>) => {
    const made = new FormData();
    for (const [name, value] of Object.entries(fields)) made.append(name, value);
    return made;
  };
  test.each<[string, () => object]>([
    ['JSON with real arrays', () => ({ json: { database, type: 'memory', memories, upsert: true } })],
    [
      'JSON with strings',
      () => ({ json: { database, type: 'memory', memories: JSON.stringify(memories), upsert: 'true' } }),
    ],
    [
      'a form',
      () => ({ form: form({ database, type: 'memory', memories: JSON.stringify(memories), upsert: '1' }) }),
    ],
    [
      'a URL-encoded form',
      () => ({ form: new URLSearchParams({ database, type: 'memory', memories: JSON.stringify(memories) }) }),
    ],
    [
      'a single object in place of the list',
      () => ({ form: form({ database, type: 'memory', memories: JSON.stringify(memories[0]) }) }),
    ],
  ])('%s is read', async (_case, options) => {
    const answer = await server.rest('POST', '/context/ingest', options());
    expect([answer.status, answer.body.error ?? null]).toEqual([202, null]);
    expect(answer.body.data.results).toMatchObject([{ id: 'm', status: 'queued' }]);
  });

  test('upsert of another word is 400', async () => {
    const answer = await server.rest('POST', '/context/ingest', {
      json: { database, type: 'memory', memories, upsert: 'yes' },
    });
    expect([answer.status, answer.body.error.code]).toEqual([400, 'INVALID_INPUT']);
    expect(answer.body.error.message).toMatch(/upsert/);
  });
});
