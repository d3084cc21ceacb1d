import { createServer } from 'node:http';
import { createServer as createMailServer } from 'node:net';
import type { AddressInfo, Server } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { ProviderError } from '../../src/connectors/provider.js';
import { PROVIDERS } from '../../src/connectors/providers.js';
import { ScriptedAccount, scriptedProvider } from '../support/connectors/scripted-provider.js';
import { TestServer } from '../support/server.js';
import type { Answer, CallOptions } from '../support/server.js';

/** Stands in every secret of this file, and nowhere else. */
const mark = 'HushHushHush';
/** The same within logins in base64, wherever a group of three bytes begins. */
const marksInBase64 = ['', 'x', 'xx'].map((before) =>
  Buffer.from(before + mark)
    .toString('base64')
    .slice(before.length === 0 ? 0 : 4, 14),
);
const day = 24 * 3600;
const account = new ScriptedAccount('general', 'other');
const lines: string[] = [];
const answers: string[] = [];
let echoStatus = 401;
let server: TestServer;
let database: string;

/** Refuses everything, and repeats in every way that it knows what it was sent. */
const echo = createServer((request, response) => {
  const parts: Buffer[] = [];
  request.on('data', (part: Buffer) => parts.push(part));
  request.on('end', () => {
    const message = `no: ${request.url} ${request.headers.authorization} ${Buffer.concat(parts).toString()}`;
    const body = {
      message,
      error: echoStatus === 400 ? 'invalid_grant' : { message, errors: [{ message }] },
      error_description: message,
      errors: [{ message, extensions: { userPresentableMessage: message } }],
      errorMessages: [message],
    };
    response.writeHead(echoStatus, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
});
/** As a mail server, which answers lines. */
const mailEcho = createMailServer((socket) => {
  socket.on('error', () => undefined).write('* OK ready\r\n');
  socket.on('data', (part) => {
    for (const line of part.toString().split('\r\n').slice(0, -1))
      socket.write(`${line.split(' ')[0]} NO no: ${line}\r\n`);
  });
});
const portOf = (listening: Pick<Server, 'address'>) => (listening.address() as AddressInfo).port;
const echoUrl = () => `http://127.0.0.1:${portOf(echo)}`;

const google = () => ({
  client_id: 'client',
  client_secret: `c-${mark}`,
  refresh_token: `1//${mark}/é`,
});
const atlassian = () => ({ site_url: echoUrl(), email: 'ann@example.com', api_token: `t-${mark}` });
/** Of every provider that has secrets. */
const credentialsOf: Record<string, () => Record<string, unknown>> = {
  imap: () => ({
    host: '127.0.0.1',
    port: portOf(mailEcho),
    tls: false,
    user: 'ann',
    password: `p-${mark}`,
  }),
  s3: () => ({ endpoint: echoUrl(), access_key_id: 'AKIA', secret_access_key: `k-${mark}` }),
  slack: () => ({ access_token: `xoxb-${mark}` }),
  github: () => ({ access_token: `github_pat_${mark}` }),
  notion: () => ({ access_token: `ntn_${mark}` }),
  linear: () => ({ api_key: `lin_api_${mark}` }),
  jira: atlassian,
  confluence: atlassian,
  'google-drive': google,
  gmail: google,
};

beforeAll(async () => {
  for (const each of [echo, mailEcho])
    await new Promise<void>((resolve) => each.listen(0, '127.0.0.1', resolve));
  const urls = PROVIDERS.map(({ id }) => [
    `CONNECTOR_${id.toUpperCase().replaceAll('-', '_')}_URL`,
    echoUrl(),
  ]);
  server = await TestServer.start({
    connectorProviders: [scriptedProvider(account), ...PROVIDERS],
    environment: { ...Object.fromEntries(urls), CONNECTORS_ALLOW_PRIVATE: '1' },
    log: (line) => lines.push(line),
  });
  database = await server.database();
});
afterAll(async () => {
  await server?.stop();
  echo.closeAllConnections();
  echo.close();
  mailEcho.close();
});

async function call(method: string, path: string, options: CallOptions = {}): Promise<Answer> {
  const answer = await server.rest(method, path, options);
  answers.push(JSON.stringify([method, path, answer.status, answer.body, ...answer.headers]));
  return answer;
}

const create = (json: Record<string, unknown>, headers: Record<string, string> = {}) =>
  call('POST', '/connectors', { json: { database, ...json }, headers });

/** Nothing that anybody can read holds a secret: answers, log, tables. */
async function expectSilence(): Promise<void> {
  const where = (texts: readonly string[], ...secrets: string[]) =>
    texts.filter((text) => secrets.some((secret) => text.includes(secret)));
  expect(where(answers, mark, ...marksInBase64)).toEqual([]);
  expect(where(lines, mark, ...marksInBase64)).toEqual([]);
  const tables = await server.sql<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables
      where schemaname not in ('pg_catalog', 'information_schema')`,
  );
  expect(tables.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['public.connectors', 'public.idempotency_keys', 'public.connector_resources']),
  );
  const bytes = [Buffer.from(mark).toString('hex'), ...marksInBase64];
  for (const { name } of tables) {
    const rows = await server.sql<{ row: string }>(`select t::text as row from ${name} t`);
    const texts = rows.map(({ row }) => `${name}: ${row}`);
    expect(where(texts, mark, ...bytes)).toEqual([]);
  }
}

test('every provider with secrets is looked at', () => {
  const withSecrets = PROVIDERS.filter(({ authTypes }) => authTypes[0] !== 'none').map(({ id }) => id);
  expect(Object.keys(credentialsOf).sort()).toEqual(withSecrets.sort());
});

describe.each(Object.keys(credentialsOf))('%s', (provider) => {
  test.each([400, 401, 403, 404, 429, 500])(
    'a server that repeats what it is sent, with %d',
    async (status) => {
      echoStatus = status;
      const credentials = credentialsOf[provider]?.();
      const answer = await create({ provider, credentials }, { 'idempotency-key': `${provider}-${status}` });
      // An S3 key that may not list the buckets may be a good one.
      expect([provider === 's3' && status === 403 ? 201 : 422, 503]).toContain(answer.status);
      await expectSilence();
    },
  );

  test('credentials of the wrong form are refused without being repeated', async () => {
    const given = credentialsOf[provider]?.() ?? {};
    const [name = ''] = Object.keys(given).reverse();
    for (const credentials of [
      { ...given, [name]: [mark] },
      { ...given, [name]: { value: mark } },
      { ...given, unknown: mark },
      { unknown: mark },
    ]) {
      const answer = await create({ provider, credentials }, { 'idempotency-key': 'malformed' });
      expect([answer.status, answer.body.error.code]).toEqual([422, 'VALIDATION_ERROR']);
    }
    for (const credentials of [mark, [mark]])
      expect((await create({ provider, credentials })).status).toBe(400);
    expect((await create({ provider, credentials: given, sync_interval_seconds: mark })).status).toBe(400);
    await expectSilence();
  });
});

const mutation = `mutation ($input: CreateConnectorInput!) { createConnector(input: $input) { connectorId } }`;
test.each([
  ['a required field is missing', mutation, { input: { provider: 'slack', credentials: { a: mark } } }],
  ['credentials are a text', mutation, { input: { provider: 'slack', database: 'x', credentials: mark } }],
  ['a field is unknown', mutation, { input: { provider: 'slack', database: 'x', token: mark } }],
  ['the input is a text', mutation, { input: mark }],
  [
    'a number is a text',
    mutation,
    { input: { provider: 'slack', database: 'x', credentials: { a: mark }, syncIntervalSeconds: mark } },
  ],
  [
    'it stands in the document',
    `mutation { createConnector(input: { provider: "slack", database: "x", credentials: "${mark}" }) { connectorId } }`,
    {},
  ],
  ['it is the input', `mutation { createConnector(input: "${mark}") { connectorId } }`, {}],
])('GraphQL does not repeat what it refuses: %s', async (_, query, variables) => {
  const answer = await call('POST', '/graphql', { json: { query, variables } });
  expect([answer.status, answer.body.errors[0].extensions.code]).toEqual([400, 'INVALID_INPUT']);
  expect(answer.body.errors[0].message).toMatch(
    /^Variable "\$input" got an invalid value|^JSONObject|^Expected value of type "CreateConnectorInput!"$/,
  );
  await expectSilence();
});

test('a connector whose provider always repeats its secrets shows none from its creation to its deletion', async () => {
  const secret = `open ${mark}`;
  account.secret = secret;
  const failure = (kind: 'credentials' | 'refused' | 'unavailable' | 'reauth') =>
    new ProviderError(kind, `no to ${secret}`, { cause: new Error(`sent ${encodeURIComponent(secret)}`) });
  const asked = { provider: 'scripted', credentials: { secret } };
  account.fail('check', failure('credentials'));
  expect((await create(asked)).status).toBe(422);
  account.fail('check', failure('unavailable'));
  expect((await create(asked)).status).toBe(503);
  account.fail('check', new TypeError(`cannot read ${secret}`, { cause: new Error(secret) }));
  expect((await create(asked)).status).toBe(500);
  const made = await create(asked, { 'idempotency-key': 'made' });
  expect(made.status).toBe(201);
  expect((await create(asked, { 'idempotency-key': 'made' })).body).toEqual(made.body);
  const other = { ...asked, credentials: { secret: `other ${mark}` } };
  expect((await create(other, { 'idempotency-key': 'made' })).status).toBe(409);

  const path = `/connectors/${made.body.connector_id}`;
  account.fail('discover', failure('unavailable'));
  expect((await call('GET', `${path}/discover`)).status).toBe(503);
  account.fail('describe', failure('refused'));
  const configuration = { json: { resources: [{ resource_id: 'general' }] } };
  expect((await call('POST', `${path}/configure`, configuration)).status).toBe(422);
  expect((await call('POST', `${path}/configure`, configuration)).status).toBe(200);

  for (const fail of [
    () => account.fail('load', failure('refused')),
    () => account.fail('read', failure('unavailable'), { times: 9 }),
    () => account.fail('readers', failure('unavailable')),
    () => account.fail('walk', failure('unavailable'), { times: 9 }),
    () => (account.unlistedPrefix = `no to ${secret}`),
    () => account.fail('read', new TypeError(`cannot read ${secret}`)),
    () => account.fail('read', failure('reauth')),
  ]) {
    account.write('general', `object-${answers.length}`);
    fail();
    server.clock.advance(2 * day);
    await server.idle();
    await call('GET', `${path}/status`);
    server.clock.advance(3600);
    await server.idle();
    await call('GET', path);
    await call('GET', `${path}/status`);
    await call('GET', `${path}/resources`);
    await call('GET', '/connectors?include=health');
    account.mend();
    account.unlistedPrefix = undefined;
  }
  expect((await call('GET', path)).body.needs_reauth).toBe(true);
  await expectSilence();

  account.fail('check', failure('credentials'));
  expect((await call('PATCH', path, { json: { credentials: { secret } } })).status).toBe(422);
  account.secret = `new ${mark}`;
  const replaced = { json: { credentials: { secret: account.secret } } };
  expect((await call('PATCH', path, replaced)).status).toBe(200);
  expect((await call('DELETE', `${path}?purge=true`)).status).toBe(200);
  await server.idle();
  // The errors did reach whoever is to read them.
  expect(answers.filter((answer) => answer.includes('no to …')).length).toBeGreaterThan(5);
  expect(answers.some((answer) => answer.includes('no to … cannot be listed'))).toBe(true);
  expect(lines.some((line) => line.includes('cannot read …'))).toBe(true);
  await expectSilence();
});
