import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { until } from '../support/api-client.js';
import { otherKey } from '../support/other-account.js';
import { TestServer } from '../support/server.js';
import { WebhookAccount, webhookPath } from '../support/webhook-account.js';

const account = new WebhookAccount();
beforeAll(account.start);
afterAll(account.stop);
beforeEach(account.reset);
afterEach(account.clear);

describe('a worker that died', () => {
  test('leaves its deliveries to others when its lease is over, with the same id', async () => {
    await account.register({ statuses: ['queued'] });
    await account.ingest('a');
    const [{ delivery_id: id }] = await account.list();
    await account.server.sql(
      `update webhook_deliveries set lease_token = gen_random_uuid(), attempts = 1, tries = 1, next_attempt_at = $1`,
      [new Date(account.server.clock.now().getTime() + 30_000)],
    );
    await account.server.idle();
    expect(account.receiver.received).toEqual([]);
    await account.after(31);
    expect(account.receiver.received.map(({ body }) => body.delivery_id)).toEqual([id]);
    expect(await account.list()).toEqual([expect.objectContaining({ status: 'completed', attempts: 2 })]);
  });
});

test('a delivery that a server was sending when it stopped is sent by the next at once, and no try is used up', async () => {
  const stopping = new WebhookAccount();
  await stopping.start();
  await stopping.reset();
  stopping.receiver.reply = (_received, index) => (index === 0 ? undefined : { status: 200 });
  await stopping.register({ statuses: ['queued'] });
  await stopping.ingest('a');
  const sending = stopping.server.idle().catch(() => undefined);
  await until(
    () => Promise.resolve(stopping.receiver.waiting === 1),
    () => stopping.receiver.received.length,
  );
  await stopping.server.stop();
  await sending;
  stopping.server = await TestServer.start({
    environment: { WEBHOOK_ALLOW_PRIVATE: '1' },
    after: stopping.server,
  });
  await stopping.server.idle();
  expect(await stopping.list()).toEqual([expect.objectContaining({ status: 'completed', attempts: 1 })]);
  await stopping.clear();
  await stopping.stop();
});

test('what an attempt comes to whose lease is over is not stored: another one has been made', async () => {
  account.receiver.reply = (_received, index) => (index === 0 ? undefined : { status: 410 });
  await account.register({ statuses: ['queued'] });
  await account.ingest('a');
  const first = account.server.idle();
  await until(
    () => Promise.resolve(account.receiver.waiting === 1),
    () => account.receiver.received.length,
  );
  account.server.clock.advance(31);
  const second = account.server.idle();
  const outcome = async () => (await account.list()).map(({ status, attempts }) => [status, attempts]);
  await until(
    async () => (await outcome())[0]?.[0] === 'permanently_failed',
    async () => JSON.stringify(await outcome()),
  );
  account.receiver.release();
  await Promise.all([first, second]);
  expect(await outcome()).toEqual([['permanently_failed', 2]]);
});

describe('GET /webhooks/indexing/deliveries', () => {
  beforeEach(async () => {
    account.receiver.reply = ({ body }) => ({ status: body.id === 'b' ? 410 : 200 });
    await account.register({ statuses: ['queued', 'completed'] });
    for (const id of ['a', 'b', 'c']) {
      await account.ingest(id);
      await account.server.idle();
    }
  });
  const named = (deliveries: any[]) => deliveries.map((each) => `${each.doc_id} ${each.indexing_status}`);
  const newestFirst = ['c completed', 'c queued', 'b completed', 'b queued', 'a completed', 'a queued'];

  test('lists newest first, page by page, while new ones come', async () => {
    const seen: string[] = [];
    let cursor = '';
    for (const size of [2, 2, 2]) {
      const page = await account.server.rest('GET', `${webhookPath}/deliveries?limit=2${cursor}`);
      const { deliveries, count, next_cursor: next } = page.body.data;
      expect(count).toBe(size);
      seen.push(...named(deliveries));
      if (seen.length === newestFirst.length) expect(next).toBeNull();
      cursor = `&cursor=${next}`;
      await account.ingest(`later-${seen.length}`);
    }
    expect(seen).toEqual(newestFirst);
    expect(named(await account.list())).toHaveLength(9);
  });

  test('chooses by status; delivered is another name of completed', async () => {
    expect(named(await account.list('?status=permanently_failed'))).toEqual(['b completed', 'b queued']);
    expect(named(await account.list('?status=completed'))).toEqual(
      newestFirst.filter((each) => !each.startsWith('b')),
    );
    expect(await account.list('?status=delivered')).toEqual(await account.list('?status=completed'));
    expect(await account.list('?status=pending')).toEqual([]);
  });

  test.each([
    ['limit=0', /^limit must be 1 to 100, not 0$/],
    ['limit=101', /^limit must be 1 to 100, not 101$/],
    ['cursor=nonsense', /^cursor is not a cursor/],
    ['status=done', /^status must be one of pending/],
  ])('refuses %s with 400', async (query, message) => {
    const { status, body } = await account.server.rest('GET', `${webhookPath}/deliveries?${query}`);
    expect([status, body.error.code]).toEqual([400, 'INVALID_INPUT']);
    expect(body.error.message).toMatch(message);
  });

  test('shows one by its id, and to no other account', async () => {
    const [first] = await account.list();
    const one = await account.server.rest('GET', `${webhookPath}/deliveries/${first.delivery_id}`);
    expect([one.status, one.body.data]).toEqual([200, first]);
    const foreign = await account.server.rest('GET', `${webhookPath}/deliveries/${first.delivery_id}`, {
      key: otherKey,
    });
    const unknown = await account.server.rest(
      'GET',
      `${webhookPath}/deliveries/01890a5d-ac96-774b-bcce-b302099a8057`,
    );
    const nonsense = await account.server.rest('GET', `${webhookPath}/deliveries/nonsense`);
    for (const { status, body } of [foreign, unknown, nonsense])
      expect([status, body.success, body.error.code]).toEqual([404, false, 'NOT_FOUND']);
    expect(
      (await account.server.rest('GET', `${webhookPath}/deliveries`, { key: otherKey })).body.data.count,
    ).toBe(0);
  });

  test('pages in GraphQL by page or cursor, with totals', async () => {
    const ask = async (args: string) => {
      const selected =
        'nodes { docId sequence } totalCount count nextCursor pageInfo { hasNextPage endCursor } page { total totalPages }';
      return (await account.server.graphql(`{ webhookDeliveries(${args}) { ${selected} } }`)).body;
    };
    const { webhookDeliveries: page } = (await ask('page: 2, pageSize: 4')).data;
    expect(page.nodes.map((node: any) => node.docId)).toEqual(['a', 'a']);
    expect(page).toMatchObject({
      totalCount: 6,
      count: 2,
      nextCursor: null,
      page: { total: 6, totalPages: 2 },
    });
    const { webhookDeliveries: first } = (await ask('first: 4, status: delivered')).data;
    expect(first).toMatchObject({ totalCount: 4, count: 4, pageInfo: { hasNextPage: false } });
    expect((await ask('first: 101')).errors[0].message).toBe('first must be 1 to 100, not 101');
    expect((await ask('page: 1, first: 1')).errors[0].message).toMatch(/page cannot be combined/);
  });

  test('forgets after 30 days', async () => {
    await account.after(29 * 86_400);
    expect(await account.list()).toHaveLength(6);
    await account.after(86_400 + 3600);
    expect(await account.list()).toEqual([]);
  });

  test('loses what was about a database that is deleted', async () => {
    await account.server.rest('DELETE', `/databases?database=${account.database}`);
    await account.server.idle();
    expect(await account.list()).toEqual([]);
  });
});

describe('POST /webhooks/indexing/deliveries/{delivery_id}/retry', () => {
  const retry = (id: string, key?: string) =>
    account.server.rest('POST', `${webhookPath}/deliveries/${id}/retry`, key ? { key } : {});

  test('delivers again what has failed, for good or not', async () => {
    for (const status of [410, 500]) {
      await account.server.sql('delete from webhook_deliveries');
      account.receiver.reply = () => ({ status });
      await account.register({ statuses: ['queued'] });
      await account.ingest(`a${status}`);
      await account.server.idle();
      account.receiver.reply = () => ({ status: 200 });
      const [{ delivery_id: id }] = await account.list();
      const answer = await retry(id);
      expect([answer.status, answer.body.data]).toEqual([
        202,
        { delivery_id: id, queued: true, message: expect.any(String) },
      ]);
      await account.server.idle();
      expect(await account.list()).toEqual([
        expect.objectContaining({ delivery_id: id, status: 'completed', attempts: 2 }),
      ]);
    }
  });

  test('has all of its tries again', async () => {
    account.receiver.reply = () => ({ status: 410 });
    await account.register({ statuses: ['queued'] });
    await account.ingest('a');
    await account.server.idle();
    account.receiver.reply = () => ({ status: 500 });
    const [{ delivery_id: id }] = await account.list();
    await retry(id);
    await account.server.idle();
    expect(await account.list()).toEqual([expect.objectContaining({ status: 'failed', attempts: 2 })]);
    await account.after(6);
    expect(await account.list()).toEqual([expect.objectContaining({ status: 'failed', attempts: 3 })]);
  });

  test('keeps the last 20 attempts in its log, and counts them all', async () => {
    account.receiver.reply = () => ({ status: 410 });
    await account.register({ statuses: ['queued'] });
    await account.ingest('a');
    await account.server.idle();
    const [{ delivery_id: id }] = await account.list();
    for (let times = 0; times < 21; times += 1) {
      await retry(id);
      await account.server.idle();
    }
    const asked = await account.server.graphql(
      'query ($id: ID!) { webhookDelivery(deliveryId: $id) { attempts attemptLog { attempt } } }',
      { id },
    );
    const { attempts, attemptLog } = asked.body.data.webhookDelivery;
    expect(attempts).toBe(22);
    expect(attemptLog.map(({ attempt }: { attempt: number }) => attempt)).toEqual(
      Array.from({ length: 20 }, (_, nth) => nth + 3),
    );
  });

  test.each([500, 410])(
    'while it is attempted: not twice at once, but again if that fails (%d)',
    async (status) => {
      account.receiver.reply = (_received, index) => [{ status: 500 }, undefined, { status: 200 }][index];
      await account.register({ statuses: ['queued'] });
      await account.ingest('a');
      await account.server.idle();
      const [{ delivery_id: id }] = await account.list();
      account.server.clock.advance(6);
      const attempted = account.server.idle();
      await until(
        () => Promise.resolve(account.receiver.waiting === 1),
        () => account.receiver.received.length,
      );
      expect((await retry(id)).status).toBe(202);
      const asked = account.server.idle();
      expect((await retry(id)).status).toBe(202);
      expect(account.receiver.received).toHaveLength(2);
      account.receiver.release(status);
      await Promise.all([attempted, asked]);
      await account.server.idle();
      expect(await account.list()).toEqual([
        expect.objectContaining({ delivery_id: id, status: 'completed', attempts: 3 }),
      ]);
      expect(account.receiver.received).toHaveLength(3);
    },
  );

  test('is 409 for what has not failed, 404 for what there is not', async () => {
    await account.register({ statuses: ['queued'] });
    await account.ingest('a');
    const [{ delivery_id: id }] = await account.list();
    expect((await retry(id)).status).toBe(409);
    await account.server.idle();
    const completed = await retry(id);
    expect([completed.status, completed.body.error.code]).toEqual([409, 'INVALID_INPUT']);
    expect((await retry(id, otherKey)).status).toBe(404);
    expect((await retry('01890a5d-ac96-774b-bcce-b302099a8057')).status).toBe(404);
    await account.server.sql(`update webhook_deliveries set status = 'failed'`);
    await account.server.rest('DELETE', webhookPath);
    expect((await retry(id)).status).toBe(404);
    expect(account.receiver.received).toHaveLength(1);
  });
});

describe('a registration that is replaced or deleted', () => {
  test('takes what is not delivered yet to the new address', async () => {
    await account.register({ url: 'http://127.0.0.1:9/', statuses: ['queued'] });
    await account.ingest('a');
    await account.server.idle();
    await account.register({ url: `${account.receiver.url}/moved` });
    await account.after(6);
    expect(
      account.receiver.received.filter(({ body }) => body.sequence === 1).map((each) => each.path),
    ).toEqual(['/hook/moved']);
  });

  test('stops deliveries, and a later one does not get them', async () => {
    account.receiver.reply = () => ({ status: 500 });
    await account.register({ statuses: ['queued'] });
    await account.ingest('a');
    await account.server.idle();
    await account.server.rest('DELETE', webhookPath);
    account.receiver.reply = () => ({ status: 200 });
    await account.register({ statuses: ['queued'] });
    await account.after(100_000);
    expect(account.receiver.received).toHaveLength(1);
    expect(await account.list()).toEqual([
      expect.objectContaining({ status: 'permanently_failed', error_code: 'WEBHOOK_DELETED' }),
    ]);
  });
});
