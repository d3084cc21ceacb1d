import { createHmac, randomBytes } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { addOtherAccount, otherKey } from '../support/other-account.js';
import { ServerProcess } from '../support/process.js';
import { TestServer, adminKey } from '../support/server.js';
import type { Answer } from '../support/server.js';
import { WebhookReceiver } from '../support/webhook-receiver.js';

let server: TestServer;
let receiver: WebhookReceiver;
beforeAll(async () => {
  server = await TestServer.start({ environment: { WEBHOOK_ALLOW_PRIVATE: '1' } });
  await addOtherAccount(server);
});
afterAll(async () => server.stop());
beforeEach(async () => {
  receiver = await new WebhookReceiver().listen();
  await server.sql('delete from webhooks');
});
afterEach(async () => receiver.close());

const path = '/webhooks/indexing';
const register = (json: Record<string, unknown>): Promise<Answer> => server.rest('POST', path, { json });
const find = async () => (await server.rest('GET', path)).body.data;
const secretsStored = () => server.sql<any>('select signing_secret, previous_secret from webhooks');
const sendTest = async () => (await server.rest('POST', `${path}/test`)).body.data;

describe('POST /webhooks/indexing', () => {
  test('registers where events go', async () => {
    const answer = await register({ url: receiver.url });
    expect(answer.status).toBe(201);
    expect(answer.body.data).toEqual({
      registered: true,
      url: receiver.url,
      event_types: ['indexing.status_changed'],
      signing_secret_configured: false,
      message: expect.any(String),
    });
    expect(await find()).toEqual({
      registered: true,
      url: receiver.url,
      event_types: ['indexing.status_changed'],
      signing_secret_configured: false,
    });
  });

  test('replaces the registration before, of which there is one per account', async () => {
    await register({ url: `${receiver.url}/1`, statuses: ['completed', 'errored'] });
    expect(await find()).toMatchObject({ url: `${receiver.url}/1`, statuses: ['completed', 'errored'] });
    const foreign = await server.rest('POST', path, {
      json: { url: `${receiver.url}/other` },
      key: otherKey,
    });
    expect(foreign.status).toBe(201);
    await register({ url: `${receiver.url}/2`, event_types: ['indexing.status_changed'] });
    expect(await find()).toMatchObject({ url: `${receiver.url}/2` });
    expect(await find()).not.toHaveProperty('statuses');
    const theirs = await server.rest('GET', path, { key: otherKey });
    expect(theirs.body.data.url).toBe(`${receiver.url}/other`);
  });

  test('makes a secret, shows it once, and keeps it when none is sent', async () => {
    const answer = await register({ url: receiver.url, generate_signing_secret: true });
    const { signing_secret: secret, signing_secret_configured: configured } = answer.body.data;
    expect([configured, secret]).toEqual([true, expect.stringMatching(/^whsec_.{40,}$/)]);
    const again = await register({ url: `${receiver.url}/b` });
    expect(again.body.data.signing_secret_configured).toBe(true);
    for (const { data } of [again.body, (await server.rest('GET', path)).body]) {
      expect(data).not.toHaveProperty('signing_secret');
      expect(JSON.stringify(data)).not.toContain(secret);
    }
    await sendTest();
    const { headers, raw } = receiver.last;
    expect(headers['x-service-signature']).toBe(
      `sha256=${createHmac('sha256', secret).update(raw).digest('hex')}`,
    );
  });

  test('takes a secret of the receiver, which is sealed where it is stored and not shown', async () => {
    const answer = await register({ url: receiver.url, signing_secret: 'sixteen letters!' });
    expect(answer.body.data).toMatchObject({ signing_secret_configured: true });
    expect(answer.body.data).not.toHaveProperty('signing_secret');
    const [{ signing_secret: stored }] = await secretsStored();
    expect(Buffer.from(stored).includes('sixteen')).toBe(false);
  });

  test.each([
    [
      'both secret options',
      { signing_secret: 'sixteen letters!', generate_signing_secret: true },
      /signing_secret cannot be combined/,
    ],
    [
      'a secret of 15 characters',
      { signing_secret: 'fifteen letters' },
      /signing_secret must have 16 to 1024 characters, not 15/,
    ],
    ['a secret of 15 emoji', { signing_secret: '😀'.repeat(15) }, /16 to 1024 characters, not 15/],
    ['a secret of 1,025 characters', { signing_secret: 'x'.repeat(1025) }, /16 to 1024 characters, not 1025/],
    [
      'an unknown event',
      { event_types: ['indexing.started'] },
      /event_types must name .*indexing.status_changed/,
    ],
    [
      'an unknown event beside a known one',
      { event_types: ['indexing.status_changed', 'indexing.started'] },
      /event_types must name .*indexing.status_changed/,
    ],
    ['no event', { event_types: [] }, /event_types must name at least one/],
    ['an unknown status', { statuses: ['done'] }, /statuses must name .*queued, processing/],
    ['an unknown status beside a known one', { statuses: ['queued', 'done'] }, /statuses must name .*queued/],
    ['no status', { statuses: [] }, /statuses must name at least one/],
    ['what is no URL', { url: 'somewhere' }, /url must be a URL/],
    ['another protocol', { url: 'ftp://example.com/' }, /url must begin with https/],
    ['a URL with a password', { url: 'https://me:word@example.com/' }, /url must not hold a user name/],
    [
      'a URL of 4,097 characters',
      { url: `https://example.com/${'x'.repeat(4077)}` },
      /url must have at most 4096/,
    ],
  ])('refuses %s with 422 and changes nothing', async (_what, more, message) => {
    await register({ url: receiver.url });
    const before = await find();
    const answer = await register({ url: `${receiver.url}/new`, ...more });
    expect([answer.status, answer.body.error?.code]).toEqual([422, 'VALIDATION_ERROR']);
    expect(answer.body.error.message).toMatch(message);
    expect(await find()).toEqual(before);
  });

  test('needs a url', async () => {
    const answer = await register({});
    expect([answer.status, answer.body.error.message]).toEqual([400, 'url is required']);
  });

  test('needs an admin key that is not limited', async () => {
    const [prefix, secret] = adminKey.split('.');
    const add = (name: string, values: string) =>
      server.sql(
        `insert into api_keys (prefix, account_id, secret_hash, name, scopes, databases, principals, created_at)
         select '${name}', account_id, secret_hash, '${name}', ${values}, created_at from api_keys where prefix = '${prefix}'`,
      );
    await add('scoped', `'{admin}', null, '{ann}'`);
    await add('listed', `'{admin}', '{acme}', null`);
    await add('writes', `'{write}', null, null`);
    await register({ url: receiver.url });
    for (const name of ['scoped', 'listed', 'writes']) {
      const key = `${name}.${secret}`;
      const calls = [
        server.rest('POST', path, { json: { url: `${receiver.url}/theirs` }, key }),
        server.rest('GET', path, { key }),
        server.rest('GET', `${path}/deliveries`, { key }),
        server.rest('DELETE', path, { key }),
      ];
      for (const { status, body } of await Promise.all(calls))
        expect([name, status, body.error?.code]).toEqual([name, 403, 'FORBIDDEN']);
    }
    expect((await find()).url).toBe(receiver.url);
  });
});

describe('without WEBHOOK_ALLOW_PRIVATE', () => {
  let strict: TestServer;
  beforeAll(async () => {
    strict = await TestServer.start();
  });
  afterAll(async () => strict.stop());

  test.each([
    ['plain http', 'http://8.8.8.8/', /url must begin with https/],
    ['loopback', 'https://127.0.0.1/', /url leads to a private or reserved address/],
    ['loopback by its name', 'https://LocalHost./', /private or reserved/],
    ['a name of loopback', 'https://hook.localhost/', /private or reserved/],
    ['loopback in decimal', 'https://2130706433/', /private or reserved/],
    ['a private network', 'https://10.1.2.3/', /private or reserved/],
    ['metadata', 'https://169.254.169.254/latest', /private or reserved/],
    ['IPv6 loopback', 'https://[::1]/', /private or reserved/],
    ['IPv4 inside of IPv6', 'https://[::ffff:127.0.0.1]/', /private or reserved/],
  ])('refuses %s with 422, saying why', async (_what, url, message) => {
    const answer = await strict.rest('POST', path, { json: { url } });
    expect([answer.status, answer.body.error?.code]).toEqual([422, 'VALIDATION_ERROR']);
    expect(answer.body.error.message).toMatch(message);
    expect((await strict.rest('GET', path)).body.data.registered).toBe(false);
  });

  test('takes a host that cannot be resolved now, for it may be later', async () => {
    const url = 'https://hook.not-registered-yet.invalid/';
    expect((await strict.rest('POST', path, { json: { url } })).status).toBe(201);
    await strict.rest('DELETE', path);
  });

  test('does not connect to a private address that was registered before', async () => {
    await strict.sql(
      `insert into webhooks (account_id, url, event_types, statuses, registered_at, updated_at)
       select account_id, $1, '{indexing.status_changed}', '{completed}', now(), now() from api_keys limit 1`,
      [receiver.url.replace('http:', 'https:')],
    );
    const { data } = (await strict.rest('POST', `${path}/test`)).body;
    expect(data).toEqual({ delivered: false, status_code: null, message: expect.stringMatching(/private/) });
    expect(receiver.connections).toBe(0);
  });
});

test('a server that cannot open what is sealed does not start', async () => {
  const other = await TestServer.start({ environment: { WEBHOOK_ALLOW_PRIVATE: '1' } });
  const json = { url: receiver.url, generate_signing_secret: true };
  expect((await other.rest('POST', path, { json })).status).toBe(201);
  await other.stop();
  const environment = { DATA_DIR: other.dataDir, DATABASE_URL: other.databaseUrl };
  const process = new ServerProcess({ ...environment, CREDENTIALS_KEY: randomBytes(32).toString('hex') });
  expect((await process.exited).code).toBe(1);
  expect(process.lines.filter((line) => line.startsWith('contexture cannot start'))).toEqual([
    expect.stringMatching(/CREDENTIALS_KEY/),
  ]);
  const broken = new ServerProcess({ ...environment, CREDENTIALS_KEY: 'too short' });
  expect((await broken.exited).code).toBe(1);
  expect(broken.lines.join()).toMatch(/CREDENTIALS_KEY: must be 32 bytes/);
  expect(broken.lines.join()).not.toContain('too short');
});

describe('GET and DELETE /webhooks/indexing', () => {
  test('say that there is none', async () => {
    expect(await find()).toEqual({
      registered: false,
      url: null,
      event_types: [],
      signing_secret_configured: false,
    });
    for (const [method, below] of [
      ['DELETE', ''],
      ['POST', '/test'],
      ['POST', '/signing-secret'],
      ['DELETE', '/signing-secret'],
    ] as const) {
      const { status, body } = await server.rest(method, path + below);
      expect([method, below, status, body.error?.code]).toEqual([method, below, 404, 'NOT_FOUND']);
    }
  });

  test('a deleted registration is gone with its secret', async () => {
    await register({ url: receiver.url, generate_signing_secret: true });
    const gone = await server.rest('DELETE', path);
    expect([gone.status, gone.body.data]).toEqual([200, { deleted: true, message: expect.any(String) }]);
    expect((await find()).registered).toBe(false);
    await register({ url: receiver.url });
    expect((await find()).signing_secret_configured).toBe(false);
  });
});

describe('POST /webhooks/indexing/test', () => {
  test('sends a signed event that is marked, and is not listed', async () => {
    const secret = 'a secret of the receiver';
    await register({ url: receiver.url, signing_secret: secret });
    expect(await sendTest()).toEqual({ delivered: true, status_code: 200, message: expect.any(String) });
    const { headers, raw, body } = receiver.last;
    expect(body).toMatchObject({ event: 'indexing.status_changed', test: true });
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      'x-service-delivery-id': body.delivery_id,
      'x-service-event': 'indexing.status_changed',
      'x-service-timestamp': expect.stringMatching(/^\d+$/),
      'x-service-signature': `sha256=${createHmac('sha256', secret).update(raw).digest('hex')}`,
      'webhook-id': body.delivery_id,
    });
    const listed = await server.rest('GET', `${path}/deliveries`);
    expect(listed.body.data).toEqual({ deliveries: [], count: 0, next_cursor: null });
  });

  test('says what a receiver answers, and that there is none', async () => {
    await register({ url: receiver.url });
    receiver.reply = () => ({ status: 503 });
    expect(await sendTest()).toMatchObject({ delivered: false, status_code: 503 });
    receiver.reply = () => ({ status: 302, headers: { location: receiver.url } });
    expect(await sendTest()).toMatchObject({ delivered: false, status_code: 302 });
    expect(receiver.received).toHaveLength(2);
    await register({ url: 'http://127.0.0.1:9/' });
    expect(await sendTest()).toEqual({
      delivered: false,
      status_code: null,
      message: expect.stringMatching(/./),
    });
  });
});

describe('the signing secret', () => {
  const setSecret = (json?: Record<string, unknown>) =>
    server.rest('POST', `${path}/signing-secret`, json ? { json } : {});
  const verified = async (secret: string) => {
    await sendTest();
    const { headers, raw } = receiver.last;
    const own = createHmac('sha256', secret).update(raw).digest('hex');
    // The test clock stands still: what verifiers hold against the time of day is replaced.
    const signed =
      headers['webhook-signature'] === undefined ? [] : String(headers['webhook-signature']).split(' ');
    const webhook = new Webhook(
      secret.startsWith('whsec_') ? secret : Buffer.from(secret).toString('base64'),
    );
    const sentAt = new Date(Number(headers['webhook-timestamp']) * 1000);
    const expected = webhook.sign(String(headers['webhook-id']), sentAt, raw.toString());
    return { own: headers['x-service-signature'] === `sha256=${own}`, standard: signed.includes(expected) };
  };

  test('is made when none is sent, shown once, in force at once', async () => {
    await register({ url: receiver.url });
    const answer = await setSecret();
    expect([answer.status, answer.body.data]).toEqual([
      200,
      { generated: true, message: expect.any(String), signing_secret: expect.stringMatching(/^whsec_/) },
    ]);
    expect(await verified(answer.body.data.signing_secret)).toEqual({ own: true, standard: true });
  });

  test('may be the one of the receiver, of 16 characters or more', async () => {
    await register({ url: receiver.url });
    const given = await setSecret({ signing_secret: 'sixteen letters!' });
    expect(given.body.data).toMatchObject({ generated: false, signing_secret: 'sixteen letters!' });
    const before = await secretsStored();
    const short = await setSecret({ signing_secret: 'fifteen letters' });
    expect([short.status, short.body.error.code]).toEqual([422, 'VALIDATION_ERROR']);
    expect(await secretsStored()).toEqual(before);
    expect(await verified('sixteen letters!')).toEqual({ own: true, standard: true });
  });

  test('that was replaced goes on signing beside the new one for 24 hours', async () => {
    const [old, fresh] = ['the old secret, long', 'the new secret, long'];
    await register({ url: receiver.url, signing_secret: old });
    expect(await verified(old)).toEqual({ own: true, standard: true });
    await setSecret({ signing_secret: fresh });
    expect(await verified(fresh)).toEqual({ own: true, standard: true });
    expect(await verified(old)).toEqual({ own: false, standard: true });
    server.clock.advance(24 * 3600);
    expect(await verified(old)).toEqual({ own: false, standard: false });
    expect(await verified(fresh)).toEqual({ own: true, standard: true });
  });

  test('can be done without again', async () => {
    await register({ url: receiver.url, generate_signing_secret: true, statuses: ['errored'] });
    // The one before would go on signing for 24 hours.
    await setSecret();
    const answer = await server.rest('DELETE', `${path}/signing-secret`);
    expect([answer.status, answer.body.data]).toEqual([
      200,
      {
        registered: true,
        url: receiver.url,
        event_types: ['indexing.status_changed'],
        statuses: ['errored'],
        signing_secret_configured: false,
        message: expect.any(String),
      },
    ]);
    await sendTest();
    expect(receiver.last.headers).not.toHaveProperty('x-service-signature');
    expect(receiver.last.headers).not.toHaveProperty('webhook-signature');
    expect(await secretsStored()).toEqual([{ signing_secret: null, previous_secret: null }]);
  });

  test('of another account is neither replaced nor deleted with ours', async () => {
    const theirs = { url: receiver.url, signing_secret: 'the secret of others' };
    await server.rest('POST', path, { json: theirs, key: otherKey });
    const [before] = await secretsStored();
    await register({ url: receiver.url });
    await setSecret();
    await server.rest('DELETE', `${path}/signing-secret`);
    expect(await secretsStored()).toContainEqual(before);
    const { body } = await server.rest('GET', path, { key: otherKey });
    expect(body.data.signing_secret_configured).toBe(true);
  });
});
