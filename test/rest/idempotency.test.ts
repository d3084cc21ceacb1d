import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { until } from '../support/api-client.js';
import { whileHeldUp } from '../support/held-up.js';
import { addOtherAccount, otherKey } from '../support/other-account.js';
import { TestServer, adminKey } from '../support/server.js';
import type { Answer } from '../support/server.js';

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
    server.clock.advance(21);
    // The key still stands for the request that crashed.
    expect((await remember('crash', [{ text: 'another' }])).status).toBe(409);
    const repeated = await remember('crash', [{ text: 'survivor' }]);
    expect(repeated.body.data.results[0].id).toBe(first.body.data.results[0].id);
    await server.idle();
    expect(await count()).toBeLessThanOrEqual(stored);
  });

  // On the embedded Postgres whoever holds a lock holds up everyone.
  const onNative = process.env['TEST_DATABASE_URL'] ? test : test.skip;

  onNative('a request is under way for as long as it takes', async () => {
    const send = () => remember('slow', [{ id: 'slow', text: 'x' }], { upsert: false });
    const lease = async () => {
      const sql = `select lease_until > $1 as holds from idempotency_keys where key = 'slow'`;
      return (await server.sql<{ holds: boolean }>(sql, [server.clock.now()]))[0]?.holds;
    };
    const first = await whileHeldUp({ server, table: 'sources', mode: 'share' }, send, async () => {
      expect(await lease()).toBe(true);
      server.clock.advance(21);
      await until(async () => (await lease()) === true, lease);
      expect((await send()).status).toBe(503);
    });
    const { status, body } = first;
    expect([status, body.data.results[0].status]).toEqual([202, 'queued']);
    expect((await send()).body.data).toEqual(body.data);
  });

  test('is answered again to keys of the same rights only: another gets 409 and hears nothing', async () => {
    const other = await server.database();
    const keys: [string, string, string[] | null, string[] | null][] = [
      ['reader', '{read}', null, null],
      ['elsewhere', '{admin}', [other], null],
      ['somebody', '{admin}', null, ['ann']],
      ['twin', '{admin}', null, null],
    ];
    for (const key of keys)
      await server.sql(
        `insert into api_keys (prefix, account_id, secret_hash, name, scopes, databases, principals, created_at)
         select $1, account_id, secret_hash, $1, $2::text[], $3, $4, created_at from api_keys where prefix = 'test'`,
        key,
      );
    const send = (prefix: string) =>
      server.rest('POST', '/context/ingest', {
        json: { database, type: 'memory', memories: [{ text: 'for the eyes of its key' }] },
        headers: { 'idempotency-key': 'rights' },
        key: `${prefix}.${adminKey.split('.')[1]}`,
      });
    const first = await send('test');
    for (const prefix of ['reader', 'elsewhere', 'somebody']) {
      const answer = await send(prefix);
      expect([prefix, answer.status, answer.body.data]).toEqual([prefix, 409, null]);
      expect(answer.body.error.message).toMatch(/API key with other rights/);
    }
    expect((await send('twin')).body.data).toEqual(first.body.data);
  });

  test('is of one account and one day', async () => {
    const first = await remember('mine', [{ text: 'x' }]);
    const theirs = await server.rest('POST', '/databases', {
      json: { database: 'theirs' },
      headers: { 'idempotency-key': 'mine' },
      key: otherKey,
    });
    expect(theirs.status).toBe(202);
    server.clock.advance(24 * 3600 - 60);
    expect((await remember('mine', [{ text: 'x' }])).body.data).toEqual(first.body.data);
    server.clock.advance(61);
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
