import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { RateLimiter } from '../../src/accounts/rate-limiter.js';
import { addOtherAccount, otherKey } from '../support/other-account.js';
import { TestServer, adminKey } from '../support/server.js';

describe('rate limit', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await TestServer.start({ environment: { RATE_LIMIT_PER_MINUTE: '5' } });
    await addOtherAccount(server);
  });
  afterAll(async () => server.stop());

  const newLimiter = () =>
    new RateLimiter({ postgres: server.running.app.postgres.dataSource, clock: server.clock });

  const addKey = async (prefix: string): Promise<string> => {
    await server.sql(
      `insert into api_keys (prefix, account_id, secret_hash, name, scopes, created_at)
       select $1, account_id, secret_hash, $1, '{admin}', created_at from api_keys where prefix = 'test'`,
      [prefix],
    );
    return `${prefix}.${adminKey.split('.')[1]}`;
  };

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
    expect((await server.rest('GET', '/databases', { key: otherKey })).status).toBe(200);
    expect((await server.rest('GET', '/healthz', { key: null })).status).toBe(200);
    server.clock.advance(60);
    expect((await list()).status).toBe(200);
  });

  test('a subgraph and a query take from one bucket, like any other call', async () => {
    const key = await addKey('reads');
    const calls = [
      server.rest('POST', '/query', { key, json: { database: 'nowhere', query: 'x' } }),
      server.rest('GET', '/context/a/subgraph?database=nowhere', { key }),
      server.rest('GET', '/context/relations?database=nowhere', { key }),
    ];
    const answers = await Promise.all(calls);
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404]);
    const left = answers.map(({ headers }) => headers.get('ratelimit-remaining'));
    expect(left.toSorted()).toEqual(['2', '3', '4']);
  });

  test('each root field of a GraphQL request counts, also through fragments', async () => {
    const key = await addKey('fields');
    const query = `query { a: databases { totalCount } ...more } fragment more on Query { b: databases { totalCount } viewer { orgId } }`;
    const first = await server.graphql(query, {}, key);
    expect([first.status, first.headers.get('ratelimit-remaining')]).toEqual([200, '2']);
    const second = await server.graphql(query, {}, key);
    expect([second.status, second.body.errors[0].extensions.code]).toEqual([429, 'RATE_LIMITED']);
  });

  test('several processes never let more through together, and at most a block each early', async () => {
    const limit = 100;
    const limiters = [1, 2, 3].map(newLimiter);
    const asked = Array.from({ length: 400 }, async (_, n) => limiters[n % 3]?.take('shared', limit));
    const allowed = (await Promise.all(asked)).filter((state) => state?.allowed).length;
    expect(allowed).toBe(limit);
    // What two processes still hold is what a third may be refused early: less than a block (5) each.
    const uneven = [1, 2].map(newLimiter);
    await uneven[0]?.take('uneven', limit);
    let through = 0;
    while ((await uneven[1]?.take('uneven', limit))?.allowed) through += 1;
    expect(through).toBe(limit - 5);
  });

  test('a process with a lower limit gives nothing back to the others', async () => {
    const [high, low] = [1, 2].map(newLimiter);
    let through = 0;
    const take = async () => {
      const state = await high?.take('lowered', 100);
      if (state?.allowed) through += 1;
      return state?.allowed;
    };
    for (let n = 0; n < 50; n += 1) await take();
    expect((await low?.take('lowered', 20))?.allowed).toBe(false);
    while (await take());
    expect(through).toBe(100);
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
        message: expect.stringMatching(/no further database \(at most 2, /),
      });
      const list = await server.rest('GET', '/databases');
      expect(list.body.data.databases).toHaveLength(2);
      expect((await create('a', otherKey)).status).toBe(202);
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
      const admins: [string, string, object][] = [
        ['POST', '/webhooks/indexing', { url: 'https://8.8.8.8/events' }],
        ['DELETE', '/webhooks/indexing', {}],
        ['POST', '/connectors', { provider: 'rss', database: 'w', credentials: {} }],
      ];
      for (const [method, path, json] of admins) {
        const answer = await server.rest(method, path, { json });
        expect([path, answer.status, answer.body.error?.code]).toEqual([path, 402, 'FREE_PLAN_DEPRECATED']);
      }
      expect((await server.rest('GET', '/webhooks/indexing')).status).toBe(200);
      expect((await server.rest('GET', '/connectors')).status).toBe(200);
      const make = await server.graphql(
        'mutation { createApiKey(input: { name: "k", scopes: [read] }) { key } }',
      );
      expect(make.body.errors[0].extensions.code).toBe('FREE_PLAN_DEPRECATED');
      const keys = await server.graphql('{ apiKeys { nodes { prefix } } }');
      expect(keys.body.data.apiKeys.nodes).toMatchObject([{ prefix: 'test' }]);
      await server.sql(
        `insert into api_keys (prefix, account_id, secret_hash, name, scopes, created_at)
         select 'leaked', account_id, secret_hash, 'leaked', '{read}', created_at from api_keys where prefix = 'test'`,
      );
      const leaked = { key: `leaked.${adminKey.split('.')[1]}` };
      const refusedReader = await server.rest('POST', '/databases', { json: { database: 'w' }, ...leaked });
      expect([refusedReader.status, refusedReader.body.error.code]).toEqual([403, 'FORBIDDEN']);
      const revoke = await server.graphql('mutation { revokeApiKey(prefix: "leaked") { prefix } }');
      expect(revoke.body).toEqual({ data: { revokeApiKey: { prefix: 'leaked' } } });
      expect((await server.rest('GET', '/databases', leaked)).status).toBe(401);
      await server.sql(`update accounts set plan = 'paid' where name = 'other'`);
      expect((await write(otherKey)).status).toBe(202);
    } finally {
      await server.stop();
    }
  });
});
