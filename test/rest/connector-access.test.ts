import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { v7 as uuidv7 } from 'uuid';
import { ConnectedAccount, refusal } from '../support/connectors/connected-account.js';
import { otherKey } from '../support/other-account.js';
import { ServerProcess } from '../support/process.js';
import { TestServer, adminKey } from '../support/server.js';

// Who may have connectors, and how many; and with which keys their credentials are opened.

const connected = new ConnectedAccount();
const { create, connect, call, configure } = connected;
beforeAll(() => connected.start());
afterAll(connected.stop);
beforeEach(connected.reset);

describe('keys', () => {
  const keyWith = async (values: string) => {
    const prefix = `k${uuidv7().slice(-12)}`;
    await connected.server.sql(
      `insert into api_keys (prefix, account_id, secret_hash, name, scopes, databases, principals, created_at)
       select $1, account_id, secret_hash, $1, ${values}, created_at from api_keys where prefix = 'test'`,
      [prefix],
    );
    return `${prefix}.${adminKey.split('.')[1]}`;
  };

  test('one that is limited to databases knows only connectors that stay within them', async () => {
    const elsewhere = await connected.server.database();
    const [inside, outside] = [await connect(), await connect({ database: elsewhere })];
    const key = await keyWith(`'{admin}', array['${connected.database}'], null`);
    const list = await connected.server.rest('GET', '/connectors', { key });
    expect(list.body.connectors.map((each: any) => each.connector_id)).toEqual([inside]);
    expect(list.body.connector_limit.count).toBe(1);
    expect((await call('GET', outside, { key })).status).toBe(404);
    expect((await create({ database: elsewhere }, { key })).status).toBe(404);
    const override = { resources: [{ resource_id: 'general', database: elsewhere }] };
    expect((await call('POST', inside, { path: '/configure', key, json: override })).status).toBe(404);
    // Somebody else sends one of its resources there.
    await configure(inside, override.resources);
    expect((await call('GET', inside, { key })).status).toBe(404);
    expect((await call('DELETE', inside, { key })).status).toBe(404);
  });

  test('one with principals is refused, one without admin may look', async () => {
    const id = await connect();
    const principals = await keyWith(`'{admin}', null, '{ann}'`);
    expect((await call('GET', id, { key: principals })).status).toBe(403);
    expect((await create({}, { key: principals })).status).toBe(403);
    const reader = await keyWith(`'{write}', null, null`);
    expect((await call('GET', id, { key: reader })).status).toBe(200);
    expect((await call('POST', id, { path: '/pause', key: reader })).status).toBe(403);
    expect((await call('GET', id, { path: '/discover', key: reader })).status).toBe(403);
    expect((await call('GET', id, { key: otherKey })).status).toBe(404);
  });
});

describe('the plan', () => {
  test('MAX_CONNECTORS: one more is 402, also from requests at the same time; a deleted one makes room', async () => {
    const limited = new ConnectedAccount();
    await limited.start({ MAX_CONNECTORS: '1' });
    try {
      await limited.reset();
      const answers = await Promise.all([limited.create(), limited.create(), limited.create()]);
      expect(answers.map(({ status }) => status).sort()).toEqual([201, 402, 402]);
      const refused = await limited.create();
      expect(refusal(refused)).toEqual([
        402,
        'PAYMENT_REQUIRED',
        expect.stringContaining('no further connector (at most 1,'),
      ]);
      const list = await limited.server.rest('GET', '/connectors');
      expect(list.body.connector_limit).toEqual({ count: 1, limit: 1 });
      await limited.call('DELETE', list.body.connectors[0].connector_id);
      expect((await limited.create()).status).toBe(201);
    } finally {
      await limited.stop();
    }
  });

  test('a withdrawn one refuses changes, and shows', async () => {
    const withdrawn = new ConnectedAccount();
    await withdrawn.start();
    const environment = { PLAN_DEPRECATED_URL: 'https://example.com/upgrade' };
    try {
      await withdrawn.reset();
      const id = await withdrawn.connect();
      await withdrawn.stop();
      withdrawn.server = await TestServer.start({
        after: withdrawn.server,
        connectorProviders: withdrawn.providers,
        environment,
      });
      expect((await withdrawn.create()).body.error.code).toBe('FREE_PLAN_DEPRECATED');
      expect((await withdrawn.call('POST', id, { path: '/pause' })).status).toBe(402);
      expect((await withdrawn.call('GET', id)).status).toBe(200);
    } finally {
      await withdrawn.stop();
    }
  });
});

const onNative = process.env['TEST_DATABASE_URL'] ? describe : describe.skip;

// The embedded Postgres serves one process.
onNative('without CREDENTIALS_KEY', () => {
  test('a single process on a native Postgres seals with the key in DATA_DIR; one of several roles refuses', async () => {
    const single = new ConnectedAccount();
    await single.start();
    await single.reset();
    const id = await single.connect();
    await single.stop();
    const restart = (environment: NodeJS.ProcessEnv) =>
      TestServer.start({ after: single.server, connectorProviders: single.providers, environment });
    single.server = await restart({});
    try {
      expect((await single.call('GET', id, { path: '/discover' })).status).toBe(200);
    } finally {
      await single.stop();
    }
    single.server = await restart({ ROLE: 'web' });
    try {
      const credentials = { secret: single.account.secret };
      for (const answer of [await single.create(), await single.call('PATCH', id, { json: { credentials } })])
        expect(refusal(answer)).toEqual([
          503,
          'SERVICE_UNAVAILABLE',
          expect.stringContaining('CREDENTIALS_KEY is not configured'),
        ]);
      expect((await single.call('PATCH', id, { json: { name: 'x' } })).status).toBe(200);
    } finally {
      await single.stop();
    }
  });
});

test('CREDENTIALS_KEY is replaced by one start with "new,old"; without that start a server refuses the new one', async () => {
  const [older, newer] = ['a'.repeat(64), 'b'.repeat(64)];
  const rotated = new ConnectedAccount();
  await rotated.start({ CREDENTIALS_KEY: older });
  await rotated.reset();
  const id = await rotated.connect();
  // Twice: the secret before still signs for a day.
  for (const signing_secret of ['the first signing secret', 'the second signing secret'])
    await rotated.server.rest('POST', '/webhooks/indexing', {
      json: { url: 'https://example.com/', signing_secret },
    });
  const sealedWith = async () => {
    const rows = await rotated.server.sql<{ key: string }>(
      `select distinct encode(substring(sealed from 1 for 8), 'hex') as key
         from (select credentials as sealed from connectors union all select signing_secret from webhooks
               union all select previous_secret from webhooks) s`,
    );
    return rows.map(({ key }) => key);
  };
  const before = await sealedWith();
  expect(before).toHaveLength(1);
  await rotated.stop();
  const restart = async (key: string) =>
    TestServer.start({
      after: rotated.server,
      connectorProviders: rotated.providers,
      environment: { CREDENTIALS_KEY: key },
    });
  const refused = new ServerProcess({
    DATA_DIR: rotated.server.dataDir,
    DATABASE_URL: rotated.server.databaseUrl,
    CREDENTIALS_KEY: newer,
  });
  expect((await refused.exited).code).toBe(1);
  expect(refused.lines.join()).toMatch(/CREDENTIALS_KEY must be that/);
  rotated.server = await restart(`${newer},${older}`);
  try {
    expect((await rotated.call('GET', id, { path: '/discover' })).status).toBe(200);
    const after = await sealedWith();
    expect(after).toHaveLength(1);
    expect(after).not.toEqual(before);
  } finally {
    await rotated.stop();
  }
  rotated.server = await restart(newer);
  try {
    expect((await rotated.call('GET', id, { path: '/discover' })).status).toBe(200);
  } finally {
    await rotated.stop();
  }
});
