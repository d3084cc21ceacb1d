import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { Connected } from '../support/connectors/connected.js';
import { GmailFake } from '../support/connectors/gmail-fake.js';
import { hour } from '../support/connectors/scripted-server.js';
import { TestServer } from '../support/server.js';

let server: TestServer;
let fake: GmailFake;
let connected: Connected;

beforeAll(async () => {
  fake = await GmailFake.start();
  server = await TestServer.start({
    environment: { CONNECTORS_ALLOW_PRIVATE: '1', CONNECTOR_GMAIL_URL: fake.baseUrl },
  });
  // What the fake holds is as old as its clock says.
  server.clock.advance((Date.now() - server.clock.now().getTime()) / 1000);
});
afterAll(async () => {
  await server.stop();
  await fake.close();
});

const ask = (method: string, path: string, json?: unknown) =>
  server.rest(method, `/connectors/${connected.id}${path}`, { json });

/** A connector of an account that has withdrawn its consent after the first sync. */
beforeEach(async () => {
  await fake.add(1, 'quokka');
  connected = await Connected.make(server, {
    database: await server.database(),
    provider: 'gmail',
    credentials: fake.credentials,
    resources: [fake.resource.id],
  });
  await server.idle();
  expect(await connected.fields()).toMatchObject({ lifecycle: 'active', needs_reauth: false });
  fake.server.refusesToken = 'invalid_grant';
  await fake.add(1, 'numbat');
  await connected.pass(hour);
});
afterEach(async () => {
  fake.server.refusesToken = undefined;
  await ask('DELETE', '');
});

const reauth = { needs_reauth: true, sync_blocked: false, lifecycle: 'reconnect' };
const well = {
  needs_reauth: false,
  needs_reauth_at: '',
  needs_reauth_reason: '',
  last_error: '',
  lifecycle: 'active',
};

test('consent that was withdrawn is told, keeps what there is, and asks nothing more until somebody signs in', async () => {
  const fields = await connected.fields();
  expect(fields).toMatchObject({ ...reauth, needs_reauth_reason: expect.stringContaining('sign in again') });
  expect(fields['needs_reauth_at']).not.toBe('');
  expect((await ask('GET', '/status')).body.error).toMatchObject({ retryable: false });
  const known = (await connected.ids()).length;
  const { tokenRequests } = fake.server;
  await connected.pass(5 * hour);
  const sync = await ask('POST', '/sync');
  expect([sync.status, sync.body.error.message]).toEqual([409, expect.stringContaining('sign in again')]);
  expect(fake.server.tokenRequests).toBe(tokenRequests);
  expect(await connected.ids()).toHaveLength(known);
  expect(JSON.stringify([fields, sync.body])).not.toMatch(/GOCSPX|1\/\/refresh/);
});

test('credentials that are refused too change nothing; the next that are accepted go on where it was', async () => {
  const known = (await connected.ids()).length;
  expect((await ask('PATCH', '', { credentials: fake.credentials })).status).toBe(422);
  expect(await connected.fields()).toMatchObject(reauth);
  fake.server.refusesToken = undefined;
  expect((await ask('PATCH', '', { credentials: fake.credentials })).status).toBe(200);
  await server.idle();
  expect(await connected.fields()).toMatchObject(well);
  expect(await connected.ids()).toHaveLength(known + 1);
});

test('a refresh that succeeds again ends it', async () => {
  fake.server.refusesToken = undefined;
  expect((await ask('GET', '/discover')).status).toBe(200);
  expect(await connected.fields()).toMatchObject({ needs_reauth: false, last_error: '' });
  await connected.pass(hour);
  expect(await connected.fields()).toMatchObject(well);
});
