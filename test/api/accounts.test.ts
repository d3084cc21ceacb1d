import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createClient } from 'graphql-ws';
import type { Client } from 'graphql-ws';
import { WebSocket } from 'ws';
import { TestServer, adminKey } from '../support/server.js';

let server: TestServer;
beforeAll(async () => {
  server = await TestServer.start();
});
afterAll(async () => server.stop());

const createKey = `mutation ($input: CreateApiKeyInput!) {
  createApiKey(input: $input) { key apiKey { prefix name scopes databases principals expiresAt revokedAt createdAt } }
}`;
const revokeKey = `mutation ($prefix: String!) { revokeApiKey(prefix: $prefix) { prefix revokedAt } }`;
const listKeys = `query ($first: Int) { apiKeys(first: $first) { nodes { prefix } totalCount pageInfo { hasNextPage } } }`;

/** Makes a key and returns it whole. */
async function makeKey(input: Record<string, unknown>, by?: string): Promise<string> {
  const answer = await server.graphql(createKey, { input: { name: 'made', scopes: ['read'], ...input } }, by);
  if (!answer.body.data) throw new Error(JSON.stringify(answer.body));
  return answer.body.data.createApiKey.key;
}
const prefixOf = (key: string) => key.split('.')[0];
const extensions = (answer: { body: any }) => answer.body.errors[0].extensions;

describe('API keys', () => {
  test('one is made, shown once, listed without its secret, works, and ends at once when revoked', async () => {
    const made = await server.graphql(createKey, {
      input: { name: 'reader', scopes: ['read', 'read'], expiresAt: '2030-01-01T00:00:00Z' },
    });
    const { key, apiKey } = made.body.data.createApiKey;
    expect(key).toMatch(/^ctx_[a-z2-7]{12}\.[A-Za-z0-9_-]{43}$/);
    expect(apiKey).toEqual({
      prefix: prefixOf(key),
      name: 'reader',
      scopes: ['read'],
      databases: null,
      principals: null,
      expiresAt: '2030-01-01T00:00:00.000Z',
      revokedAt: null,
      createdAt: expect.stringMatching(/Z$/),
    });
    const stored = await server.sql('select * from api_keys where prefix = $1', [prefixOf(key)]);
    expect(JSON.stringify(stored)).not.toContain(key.split('.')[1]);
    expect((await server.rest('GET', '/databases', { key })).status).toBe(200);
    const list = await server.graphql(listKeys, { first: 1 });
    expect(list.body.data.apiKeys.totalCount).toBeGreaterThan(1);
    expect(list.body.data.apiKeys.pageInfo.hasNextPage).toBe(true);
    const revoked = await server.graphql(revokeKey, { prefix: prefixOf(key) });
    expect(revoked.body.data.revokeApiKey.revokedAt).toMatch(/Z$/);
    expect((await server.rest('GET', '/databases', { key })).status).toBe(401);
    const again = await server.graphql(revokeKey, { prefix: prefixOf(key) });
    expect(again.body.data.revokeApiKey).toEqual(revoked.body.data.revokeApiKey);
  });

  test('one that has expired is 401', async () => {
    const expiresAt = new Date(server.clock.now().getTime() + 1000);
    const key = await makeKey({ expiresAt });
    expect((await server.rest('GET', '/databases', { key })).status).toBe(200);
    server.clock.advance(1);
    expect((await server.rest('GET', '/databases', { key })).status).toBe(401);
  });

  test.each([
    ['no name', { name: ' ' }, 'INVALID_INPUT', /name.*255/],
    ['a name of 256 characters', { name: 'n'.repeat(256) }, 'INVALID_INPUT', /name.*255/],
    ['no scope', { scopes: [] }, 'INVALID_INPUT', /scopes/],
    ['an unknown scope', { scopes: ['root'] }, 'INVALID_INPUT', /Scope/],
    ['an end in the past', { expiresAt: '2001-01-01T00:00:00Z' }, 'INVALID_INPUT', /expiresAt.*future/],
    ['an empty principal', { principals: [''] }, 'INVALID_INPUT', /principals/],
    [
      '1001 databases',
      { databases: Array.from({ length: 1001 }, (_, n) => `d${n}`) },
      'INVALID_INPUT',
      /1001.*1000/,
    ],
  ])('refuses %s and makes nothing', async (_case, input, code, message) => {
    const count = async () => (await server.sql('select 1 from api_keys')).length;
    const before = await count();
    const answer = await server.graphql(createKey, { input: { name: 'bad', scopes: ['read'], ...input } });
    expect(extensions(answer).code).toBe(code);
    expect(answer.body.errors[0].message).toMatch(message);
    expect(await count()).toBe(before);
  });

  test('counts the characters of names and principals as access lists do', async () => {
    const emojis = '😀'.repeat(200);
    const key = await makeKey({ name: emojis, principals: [emojis] });
    expect((await server.rest('GET', '/databases', { key })).status).toBe(200);
  });

  test('the scopes imply one another downwards only', async () => {
    const [reader, writer] = [await makeKey({ scopes: ['read'] }), await makeKey({ scopes: ['write'] })];
    const write = (key: string) =>
      server.rest('POST', '/databases', { json: { database: `by-${prefixOf(key)?.slice(4)}` }, key });
    expect((await write(reader)).body.error.code).toBe('FORBIDDEN');
    expect((await write(writer)).status).toBe(202);
    expect((await server.rest('GET', '/databases', { key: writer })).status).toBe(200);
    const asWriter = await server.graphql(listKeys, {}, writer);
    expect(extensions(asWriter)).toMatchObject({ code: 'FORBIDDEN', httpStatus: 403 });
    const revoking = await server.graphql(revokeKey, { prefix: prefixOf(reader) }, writer);
    expect(extensions(revoking).code).toBe('FORBIDDEN');
    expect((await server.rest('GET', '/databases', { key: reader })).status).toBe(200);
  });

  test('a limited admin key makes, sees and ends no key that may do more than itself', async () => {
    const end = new Date(server.clock.now().getTime() + 3_600_000).toISOString();
    const limited = await makeKey({
      scopes: ['admin'],
      databases: ['one', 'two'],
      principals: ['ann', 'bob'],
      expiresAt: end,
    });
    const make = (input: Record<string, unknown>) =>
      server.graphql(createKey, { input: { name: 'child', scopes: ['admin'], ...input } }, limited);
    for (const input of [
      { databases: ['one', 'three'] },
      { principals: ['eve'] },
      { expiresAt: new Date(Date.parse(end) + 1).toISOString() },
    ]) {
      expect(extensions(await make(input))).toMatchObject({ code: 'FORBIDDEN', httpStatus: 403 });
    }
    const inherited = (await make({})).body.data.createApiKey.apiKey;
    expect(inherited).toMatchObject({
      databases: ['one', 'two'],
      principals: ['ann', 'bob'],
      expiresAt: end,
    });
    const narrower = (await make({ databases: ['one'], principals: ['ann'] })).body.data.createApiKey.apiKey;
    for (const wider of [
      { databases: ['one'] },
      { databases: ['one'], principals: ['eve'] },
      { principals: ['ann'] },
    ])
      await makeKey(wider);
    const seen = await server.graphql(listKeys, {}, limited);
    expect(seen.body.data.apiKeys.nodes.map((node: { prefix: string }) => node.prefix).sort()).toEqual(
      [prefixOf(limited), inherited.prefix, narrower.prefix].sort(),
    );
    expect(extensions(await server.graphql(revokeKey, { prefix: 'test' }, limited))).toMatchObject({
      code: 'NOT_FOUND',
      httpStatus: 404,
    });
    expect((await server.rest('GET', '/databases')).status).toBe(200);
  });

  test('viewer tells who asks', async () => {
    const key = await makeKey({ name: 'me', principals: ['ann'] });
    const answer = await server.graphql(
      '{ viewer { orgId account apiKey { prefix name scopes principals } } }',
      {},
      key,
    );
    expect(answer.body.data.viewer).toEqual({
      orgId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      account: 'default',
      apiKey: { prefix: prefixOf(key), name: 'me', scopes: ['read'], principals: ['ann'] },
    });
  });

  test('two Authorization headers are 401', async () => {
    const { request } = await import('node:http');
    const status = await new Promise((resolve, reject) => {
      const call = request(`${server.url}/databases`, (response) => {
        response.resume();
        resolve(response.statusCode);
      });
      call.on('error', reject);
      const bearer = 'Bearer test.0123456789abcdef0123456789abcdef';
      call.setHeader('authorization', [bearer, bearer]);
      call.end();
    });
    expect(status).toBe(401);
  });
});

describe('an open subscription', () => {
  test('of a revoked key hears nothing more, and its socket serves no more operations', async () => {
    const database = await server.database();
    const key = await makeKey({});
    const listen = (connectionParams: Record<string, string>) => {
      const client = createClient({
        url: `${server.url.replace('http', 'ws')}/graphql`,
        webSocketImpl: WebSocket,
        retryAttempts: 0,
        // The socket outlives its operations.
        lazy: false,
        connectionParams,
      });
      const query = `subscription { indexingStatusChanged(database: "${database}") { id indexingStatus } }`;
      return { client, changes: client.iterate({ query }) };
    };
    const revoked = listen({ authorization: `Bearer ${key}` });
    // As a header is written.
    const witness = listen({ AUTHORIZATION: `Bearer ${adminKey}` });
    const heard = revoked.changes.next();
    const seen = witness.changes.next();
    const stand = (client: Client) =>
      client.iterate({ query: `{ database(database: "${database}") { status } }` }).next();
    await Promise.all([stand(revoked.client), stand(witness.client)]);
    await server.graphql(revokeKey, { prefix: prefixOf(key) });
    await server.remember(database, [{ id: 'secret', text: 'x' }]);
    expect((await seen).value.data.indexingStatusChanged.id).toBe('secret');
    expect(await heard).toMatchObject({ done: true });
    await expect(stand(revoked.client)).rejects.toMatchObject([
      { extensions: { code: 'UNAUTHORIZED', httpStatus: 401 } },
    ]);
    await revoked.client.dispose();
    await witness.client.dispose();
  });
});

describe('a key limited to databases', () => {
  test('sees and touches those alone; the others do not exist', async () => {
    const [mine, other] = [await server.database(), await server.database()];
    const key = await makeKey({ scopes: ['write'], databases: [mine, 'later'] });
    const list = await server.rest('GET', '/databases', { key });
    expect(list.body.data.databases).toEqual([mine]);
    expect(list.body.data.pagination.total).toBe(1);
    expect((await server.rest('GET', `/databases/status?database=${mine}`, { key })).status).toBe(200);
    const foreign = await server.rest('GET', `/databases/status?database=${other}`, { key });
    const unknown = await server.rest('GET', `/databases/status?database=nowhere`, { key });
    expect([foreign.status, foreign.body.error.code]).toEqual([404, 'DATABASE_NOT_FOUND']);
    expect(foreign.body.error.message.replace(other, 'nowhere')).toBe(unknown.body.error.message);
    const create = (database: string) => server.rest('POST', '/databases', { json: { database }, key });
    expect((await create('elsewhere')).body.error.code).toBe('DATABASE_NOT_FOUND');
    expect((await create('later')).status).toBe(202);
    await server.idle();
  });
});

describe('npm run keys', () => {
  const run = promisify(execFile);
  const keys = (...given: string[]) =>
    run(process.execPath, ['dist/server/keys.js', ...given], {
      env: {
        PATH: process.env['PATH'],
        DATA_DIR: server.dataDir,
        ...(server.databaseUrl ? { DATABASE_URL: server.databaseUrl } : {}),
      },
    });

  test('makes a key for a new account beside the running server, lists it, and ends it', async () => {
    const made = await keys(
      ...['create', '--account', 'acme', '--scope', 'write', '--databases', 'a,b', '--principals', 'ann'],
      ...['--expires', '2031-01-01T00:00:00Z', '--name', 'for acme'],
    );
    const key = made.stdout.trim();
    expect(made.stdout).toMatch(/^ctx_[a-z2-7]{12}\.[A-Za-z0-9_-]{43}\n$/);
    const viewer = await server.graphql(
      '{ viewer { account apiKey { scopes databases principals } } }',
      {},
      key,
    );
    expect(viewer.body.data.viewer).toEqual({
      account: 'acme',
      apiKey: { scopes: ['write'], databases: ['a', 'b'], principals: ['ann'] },
    });
    const listed = (await keys('list')).stdout;
    expect(listed).toMatch(
      new RegExp(`^${prefixOf(key)}\tacme\twrite\tfor acme\tdatabases a,b\tprincipals ann`, 'm'),
    );
    expect(listed).not.toContain(key.split('.')[1]);
    expect((await server.rest('GET', '/databases', { key })).status).toBe(200);
    await keys('revoke', prefixOf(key) ?? '');
    expect((await server.rest('GET', '/databases', { key })).status).toBe(401);
  });

  test('--help says how it is used', async () => {
    expect((await keys('--help')).stdout).toMatch(/^npm run -s keys -- create --scope/);
  });

  test.each([
    [[], /command "" is not one of create, list, revoke/],
    [['make'], /command "make" is not one of/],
    [['create', '--scope', 'read', 'acme'], /create does not take "acme"/],
    [['create'], /scope must name what the key may do/],
    [['create', '--scope', 'read', '--databases', 'UPPER CASE'], /databases "UPPER CASE" may hold only/],
    [['create', '--scope', 'read', '--expires', '2030-02-31T00:00:00Z'], /expires "2030-02-31.* is not/],
    [['create', '--scope', 'read', '--expires', '03/04/2030'], /expires "03.04.2030" is not/],
    [['revoke'], /revoke needs a prefix/],
    [['revoke', 'nobody', 'somebody'], /revoke does not take "somebody"/],
    [['create', '--scope', 'root'], /scope "root" is not one of/],
    [['create', '--scope', 'read', '--expires', 'soon'], /expires "soon" is not/],
    [['create', '--nonsense'], /nonsense/],
    [['revoke', 'nobody'], /API key "nobody" does not exist/],
  ])('%j is refused with one line and exit code 1', async (given, message) => {
    const failed = (await keys(...given).catch((error: unknown) => error)) as {
      code: number;
      stderr: string;
    };
    expect(failed.code).toBe(1);
    expect(failed.stderr.trim().split('\n')).toHaveLength(1);
    expect(failed.stderr).toMatch(message);
  });
});
