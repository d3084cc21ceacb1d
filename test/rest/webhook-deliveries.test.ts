import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { otherKey } from '../support/other-account.js';
import { TestServer } from '../support/server.js';
import type { Answer } from '../support/server.js';
import { WebhookAccount, allStatuses, webhookPath } from '../support/webhook-account.js';
import { WebhookReceiver } from '../support/webhook-receiver.js';

const account = new WebhookAccount();
beforeAll(account.start);
afterAll(account.stop);
beforeEach(account.reset);
afterEach(account.clear);

describe('every change of an indexing status', () => {
  test('is told in order, with a sequence, in the documented form', async () => {
    await account.register();
    await account.ingest('a', { collection: 'rivers' });
    await account.server.idle();
    expect(account.told()).toEqual(allStatuses.map((status, n) => ['a', status, n + 1]));
    const [first = account.receiver.last] = account.receiver.received;
    const { headers, body, path: at } = first;
    expect(body).toEqual({
      event: 'indexing.status_changed',
      delivery_id: headers['x-service-delivery-id'],
      id: 'a',
      doc_id: 'a',
      database: account.database,
      collection: 'rivers',
      type: 'memory',
      indexing_status: 'queued',
      status: 'queued',
      sequence: 1,
      timestamp: expect.stringMatching(/^2026-.*Z$/),
      tenant_id: account.database,
      sub_tenant_id: 'rivers',
    });
    expect([at, headers['x-service-event'], headers['x-service-signature']]).toEqual([
      '/hook',
      'indexing.status_changed',
      undefined,
    ]);
    expect(new Set(account.receiver.received.map((each) => each.body.delivery_id)).size).toBe(4);
  });

  test('is told, and again when asked, though the clock was set back after the registration', async () => {
    account.receiver.reply = () => ({ status: 410 });
    await account.register({ statuses: ['completed'] });
    account.server.clock.advance(-3 * 3600);
    await account.ingest('a');
    await account.server.idle();
    expect(account.told()).toEqual([['a', 'completed', 4]]);
    account.receiver.reply = () => ({ status: 200 });
    const [{ delivery_id: id }] = (await account.list()) as [any];
    await account.server.rest('POST', `${webhookPath}/deliveries/${id}/retry`);
    await account.after(3 * 3600);
    expect(await account.list('?status=completed')).toHaveLength(1);
  });

  test('is told of files too, with the code of a failure', async () => {
    await account.register();
    await account.server.upload(
      account.database,
      { 'empty.txt': ' ' },
      { document_metadata: '[{"id":"empty"}]' },
    );
    await account.server.idle();
    expect(account.told()).toEqual(
      ['queued', 'processing', 'errored'].map((status, n) => ['empty', status, n + 1]),
    );
    expect(account.receiver.received.at(-1)?.body).toMatchObject({
      type: 'knowledge',
      error_code: 'E2002',
      error_message: expect.stringMatching(/./),
    });
  });

  test('begins its sequence anew when the item is replaced', async () => {
    await account.register();
    await account.ingest('a');
    await account.server.idle();
    await account.ingest('a');
    await account.server.idle();
    expect(account.told()).toEqual(
      [...allStatuses, ...allStatuses].map((status, n) => ['a', status, (n % 4) + 1]),
    );
  });

  test('is told only as far as the registration asks for it', async () => {
    await account.register({ statuses: ['completed', 'errored'] });
    await account.ingest('a');
    await account.server.idle();
    expect(account.told()).toEqual([['a', 'completed', 4]]);
  });

  test('is not told to other accounts, nor without a registration', async () => {
    await account.register({}, otherKey);
    await account.ingest('a');
    await account.server.idle();
    expect(account.receiver.received).toEqual([]);
    expect(await account.server.sql('select 1 from webhook_deliveries')).toEqual([]);
  });

  test('is stored with the change, before anything is sent, and not when the change is not', async () => {
    await account.register();
    expect((await account.ingest('a')).status).toBe(202);
    expect(await account.list()).toEqual([
      expect.objectContaining({ doc_id: 'a', status: 'pending', attempts: 0 }),
    ]);
    expect((await account.ingest('a,b')).status).toBe(400);
    await account.ingest('a', { upsert: false });
    expect(await account.list()).toHaveLength(1);
    expect(account.receiver.received).toEqual([]);
  });

  test('an item that is given back and claimed again is not told of twice', async () => {
    await account.register();
    await account.ingest('a');
    await account.server.idle();
    const before = account.receiver.received.length;
    await account.server.sql(
      `update sources set indexing_status = 'processing', visible = false
        where latest and database_id = (select id from databases where name = $1)`,
      [account.database],
    );
    await account.server.idle();
    expect(account.told().slice(before)).toEqual([
      ['a', 'graph_creation', 3],
      ['a', 'completed', 4],
    ]);
  });

  test('many of them share few connections', async () => {
    await account.register();
    const memories = Array.from({ length: 50 }, (_, n) => ({ id: `m${n}`, text: `otter ${n}` }));
    await account.server.remember(account.database, memories);
    expect(account.receiver.received).toHaveLength(200);
    for (const { id } of memories) expect(account.receiver.statusesOf(id)).toEqual(allStatuses);
    expect(account.receiver.connections).toBeLessThanOrEqual(20);
  });
});

describe('what a receiver answers', () => {
  const only = { statuses: ['queued'] };
  const theOne = async () => (await account.list())[0];
  const begin = async () => {
    await account.register(only);
    await account.ingest('a');
    await account.server.idle();
  };

  test('2xx completes', async () => {
    account.receiver.reply = () => ({ status: 204 });
    await begin();
    expect(await theOne()).toEqual({
      delivery_id: account.receiver.received[0]?.body.delivery_id,
      doc_id: 'a',
      event_type: 'indexing.status_changed',
      indexing_status: 'queued',
      status: 'completed',
      attempts: 1,
      error_code: '',
      error_message: '',
      created_at: expect.stringMatching(/Z$/),
      updated_at: expect.stringMatching(/Z$/),
    });
  });

  test.each([301, 302, 307, 400, 404, 429, 500, 503])(
    '%d is a failure, and is not followed',
    async (status) => {
      account.receiver.reply = () => ({ status, headers: { location: account.receiver.url } });
      await begin();
      expect(await theOne()).toMatchObject({
        status: 'failed',
        attempts: 1,
        error_code: `HTTP_${status}`,
        error_message: `the receiver answered ${status}`,
      });
      expect(account.receiver.received).toHaveLength(1);
    },
  );

  test('nothing at all: the attempts follow the schedule with the same id, then end', async () => {
    account.receiver.reply = () => ({ status: 500 });
    await begin();
    const seconds = [5, 30, 120, 600, 3600, 21_600, 86_400];
    for (const [n, wait] of seconds.entries()) {
      await account.after(wait - 2);
      expect(account.receiver.received).toHaveLength(n + 1);
      // A tenth of jitter and the milliseconds that passed.
      await account.after(wait * 0.1 + 4);
      expect(account.receiver.received).toHaveLength(n + 2);
    }
    expect(await theOne()).toMatchObject({
      status: 'permanently_failed',
      attempts: 8,
      error_code: 'HTTP_500',
    });
    await account.after(100_000);
    expect(account.receiver.received).toHaveLength(8);
    expect(new Set(account.receiver.received.map(({ body }) => body.delivery_id)).size).toBe(1);
    expect(new Set(account.receiver.received.map(({ raw }) => raw.toString())).size).toBe(1);
  });

  test('2xx after failures leaves no error, and the attempts in the log', async () => {
    account.receiver.reply = (_received, index) => ({ status: index === 0 ? 500 : 200 });
    await begin();
    await account.after(6);
    const found = await theOne();
    expect(found).toMatchObject({ status: 'completed', attempts: 2, error_code: '', error_message: '' });
    const asked = await account.server.graphql(
      `query ($id: ID!) { webhookDelivery(deliveryId: $id) {
         attempts attemptLog { attempt at durationMs responseStatus errorCode errorMessage } } }`,
      { id: found.delivery_id },
    );
    const attempt = { at: expect.any(String), durationMs: expect.any(Number) };
    expect(asked.body.data.webhookDelivery.attemptLog).toEqual([
      {
        ...attempt,
        attempt: 1,
        responseStatus: 500,
        errorCode: 'HTTP_500',
        errorMessage: expect.any(String),
      },
      { ...attempt, attempt: 2, responseStatus: 200, errorCode: '', errorMessage: '' },
    ]);
  });

  test('410 ends at once', async () => {
    account.receiver.reply = () => ({ status: 410 });
    await begin();
    expect(await theOne()).toMatchObject({
      status: 'permanently_failed',
      attempts: 1,
      error_code: 'HTTP_410',
    });
    await account.after(100_000);
    expect(account.receiver.received).toHaveLength(1);
  });

  test('Retry-After is waited for', async () => {
    account.receiver.reply = (_received, index) =>
      index === 0 ? { status: 503, headers: { 'retry-after': '120' } } : { status: 200 };
    await begin();
    await account.after(100);
    expect(account.receiver.received).toHaveLength(1);
    await account.after(25);
    expect(account.receiver.received).toHaveLength(2);
  });

  test('no connection is a failure that says so', async () => {
    await account.register({ ...only, url: 'http://127.0.0.1:9/' });
    await account.ingest('a');
    await account.server.idle();
    expect(await theOne()).toMatchObject({ status: 'failed', error_code: 'CONNECTION_FAILED' });
    expect((await theOne()).error_message).not.toBe('');
  });
});

describe('a receiver that does not answer', () => {
  let patient: TestServer;
  beforeAll(async () => {
    patient = await TestServer.start({
      environment: { WEBHOOK_ALLOW_PRIVATE: '1' },
      webhooks: { timeoutMs: 100 },
    });
  });
  afterAll(async () => patient.stop());

  test('has failed when its time is over', async () => {
    account.receiver.reply = () => undefined;
    const name = await patient.database();
    await patient.rest('POST', webhookPath, { json: { url: account.receiver.url, statuses: ['queued'] } });
    await patient.remember(name, [{ id: 'a', text: 'x' }]);
    const { deliveries } = (await patient.rest('GET', `${webhookPath}/deliveries`)).body.data;
    expect(deliveries).toEqual([expect.objectContaining({ status: 'failed', error_code: 'TIMEOUT' })]);
  });

  test('is there with its status, though its body never ends', async () => {
    account.receiver.reply = () => ({ status: 200, endless: true });
    const name = await patient.database();
    await patient.rest('POST', webhookPath, { json: { url: account.receiver.url, statuses: ['queued'] } });
    await patient.remember(name, [{ id: 'b', text: 'x' }]);
    const { deliveries } = (await patient.rest('GET', `${webhookPath}/deliveries?limit=1`)).body.data;
    expect(deliveries).toEqual([expect.objectContaining({ doc_id: 'b', status: 'completed', attempts: 1 })]);
    const tested = await patient.rest('POST', `${webhookPath}/test`);
    expect(tested.body.data).toMatchObject({ delivered: true, status_code: 200 });
  });
});

describe('the order of an item', () => {
  test('is kept: the next change waits while the one before has failed', async () => {
    let fails = true;
    account.receiver.reply = ({ body }) => ({
      status: fails && body.indexing_status === 'queued' ? 500 : 200,
    });
    await account.register();
    await account.ingest('a');
    await account.server.idle();
    expect(account.receiver.statusesOf('a')).toEqual(['queued']);
    await account.ingest('b');
    fails = false;
    await account.server.idle();
    // Another item does not wait.
    expect(account.receiver.statusesOf('b')).toEqual(allStatuses);
    expect(account.receiver.statusesOf('a')).toEqual(['queued']);
    await account.after(6);
    expect(account.receiver.statusesOf('a')).toEqual(['queued', ...allStatuses]);
  });

  test('is given up after 60 seconds', async () => {
    account.receiver.reply = ({ body }) => ({ status: body.indexing_status === 'queued' ? 500 : 200 });
    await account.register();
    await account.ingest('a');
    await account.server.idle();
    await account.after(50);
    expect(new Set(account.receiver.statusesOf('a'))).toEqual(new Set(['queued']));
    await account.after(11);
    // All that waited are let go at once: none of them waits for another any more.
    const others = account.receiver.statusesOf('a').filter((status) => status !== 'queued');
    expect(others.toSorted()).toEqual(allStatuses.slice(1).toSorted());
  });

  test('holds from one version to the next', async () => {
    let fails = true;
    account.receiver.reply = () => ({ status: fails ? 500 : 200 });
    await account.register({ statuses: ['queued', 'completed'] });
    await account.ingest('a');
    await account.server.idle();
    await account.ingest('a');
    fails = false;
    await account.after(6);
    expect(account.receiver.statusesOf('a')).toEqual([
      'queued',
      'queued',
      'completed',
      'queued',
      'completed',
    ]);
  });

  test('does not wait for what has failed for good', async () => {
    account.receiver.reply = ({ body }) => ({ status: body.indexing_status === 'queued' ? 410 : 200 });
    await account.register();
    await account.ingest('a');
    await account.server.idle();
    expect(account.receiver.statusesOf('a')).toEqual(allStatuses);
  });
});

test('a dead receiver of one account does not hold up another account', async () => {
  const dead = await new WebhookReceiver().listen();
  dead.reply = () => undefined;
  await account.register({ url: dead.url });
  await account.register({ url: account.receiver.url }, otherKey);
  const theirs = `of-other-${account.database}`;
  await account.server.rest('POST', '/databases', { json: { database: theirs }, key: otherKey });
  const memories = Array.from({ length: 40 }, (_, n) => ({ id: `m${n}`, text: `otter ${n}` }));
  await account.server.rest('POST', '/context/ingest', {
    json: { database: account.database, type: 'memory', memories },
  });
  // Until the others have theirs, which is while the dead one has answered nothing.
  const finished = new Promise<number>((resolve) => {
    account.receiver.reply = () => {
      if (account.receiver.received.length === 4 * memories.length) resolve(dead.waiting);
      return { status: 200 };
    };
  });
  const idle = (async () => {
    await account.server.running.app.jobs.runUntilIdle();
  })();
  const json = { database: theirs, type: 'memory', memories };
  const stored = await until(() => account.server.rest('POST', '/context/ingest', { json, key: otherKey }));
  expect(stored.status).toBe(202);
  const waiting = await finished;
  expect(waiting).toBeGreaterThan(0);
  expect(waiting).toBeLessThanOrEqual(16);
  expect(dead.received).toHaveLength(waiting);
  dead.reply = () => ({ status: 200 });
  dead.release();
  await idle;
  for (const { id } of memories) expect(dead.statusesOf(id)).toEqual(allStatuses);
  await dead.close();
});

/** Asks until a database is ready. */
async function until(ask: () => Promise<Answer>): Promise<Answer> {
  for (;;) {
    const answer = await ask();
    if (answer.status !== 422) return answer;
  }
}
