import { inspect } from 'node:util';
import { expect, test } from '@jest/globals';
import { gmail } from '../../src/connectors/providers/gmail.js';
import { GuardedNetwork } from '../../src/lib/guarded-network.js';
import { GmailFake } from '../support/connectors/gmail-fake.js';
import { GoogleRefusal, googleCredentials } from '../support/connectors/google-server.js';
import { OpenedFake } from '../support/connectors/opened-fake.js';
import { failureOf, noSignal } from '../support/connectors/reading.js';
import { documentReaders } from '../support/shared/document-readers.mjs';

let fake: GmailFake;
const opened = OpenedFake.forEachTest(gmail, async () => (fake = await GmailFake.start()));

test('one access token serves a session, and one request gets it however many wait', async () => {
  await Promise.all([
    opened.session.check(noSignal),
    opened.session.check(noSignal),
    opened.session.check(noSignal),
  ]);
  await opened.session.check(noSignal);
  expect(fake.server.tokenRequests).toBe(1);
  expect(fake.server.paths).toHaveLength(4);
});

test('a token is renewed before it ends, by the clock', async () => {
  let now = Date.now();
  const network = new GuardedNetwork({ allowPrivate: true });
  const own = gmail.open({
    credentials: googleCredentials,
    baseUrl: fake.baseUrl,
    network,
    clock: { now: () => new Date(now) },
    documents: documentReaders,
    filesystemRoots: [],
    saveCredentials: () => Promise.resolve(),
  });
  await own.check(noSignal);
  now += 3500_000;
  await own.check(noSignal);
  expect(fake.server.tokenRequests).toBe(1);
  now += 45_000;
  await own.check(noSignal);
  expect(fake.server.tokenRequests).toBe(2);
  await network.close();
});

test('a token that Google takes no longer is replaced once, and the request sent again', async () => {
  await opened.session.check(noSignal);
  fake.server.endAccessToken();
  await opened.session.check(noSignal);
  expect(fake.server.tokenRequests).toBe(2);
  fake.fail({ status: 401 }, 1);
  await opened.session.check(noSignal);
});

test('a refresh token that Google replaces is kept, and the next one is asked for with it', async () => {
  fake.server.rotatedTo = '1//rotated';
  await opened.session.check(noSignal);
  expect(opened.saved).toEqual([{ ...googleCredentials, refresh_token: '1//rotated' }]);
  fake.server.endAccessToken();
  await opened.session.check(noSignal);
  expect(opened.saved).toHaveLength(1);
});

test('a refresh token that cannot be kept is not used', async () => {
  fake.server.rotatedTo = '1//rotated';
  const network = new GuardedNetwork({ allowPrivate: true });
  const own = gmail.open({
    credentials: googleCredentials,
    baseUrl: fake.baseUrl,
    network,
    clock: { now: () => new Date() },
    documents: documentReaders,
    filesystemRoots: [],
    saveCredentials: () => Promise.reject(new Error('no database')),
  });
  expect(await failureOf(own.check(noSignal))).toMatchObject({ message: 'no database' });
  expect(fake.server.paths).toEqual([]);
  await network.close();
});

test.each([
  ['invalid_grant', 'reauth', 400],
  ['invalid_client', 'credentials', 401],
  ['unauthorized_client', 'credentials', 401],
  ['admin_policy_enforced', 'credentials', 403],
  ['rate_limit_exceeded', 'limited', 403],
])('%s is %s', async (said, kind, status) => {
  fake.server.refusesToken = said;
  fake.server.refusesTokenWith = status;
  expect(await failureOf(opened.session.check(noSignal))).toMatchObject({ name: 'ProviderError', kind });
});

test.each([
  [403, 'rateLimitExceeded', 'Rate Limit Exceeded', 'limited'],
  [403, 'userRateLimitExceeded', 'User Rate Limit Exceeded', 'limited'],
  [403, 'RATE_LIMIT_EXCEEDED', "Quota exceeded for quota metric 'Queries'", 'limited'],
  [403, 'insufficientPermissions', 'Request had insufficient authentication scopes.', 'refused'],
  [403, 'accessNotConfigured', 'Gmail API has not been used in project 1 before', 'refused'],
  [404, 'notFound', 'Requested entity was not found.', 'missing'],
  [500, 'backendError', 'Backend Error', 'unavailable'],
])('%i %s is what it means', async (status, reason, message, kind) => {
  fake.server.answer = () => {
    throw new GoogleRefusal(status, reason, message);
  };
  const error = await failureOf(opened.session.check(noSignal));
  expect(error).toMatchObject({ name: 'ProviderError', kind, httpStatus: status });
  expect((error as Error).message).toContain(message);
  expect(error).toMatchObject({ retryAfterSeconds: kind === 'limited' ? 30 : undefined });
});

test('an account without Gmail is refused, not out of order', async () => {
  fake.server.answer = () => {
    throw new GoogleRefusal(400, 'failedPrecondition', 'Mail service not enabled');
  };
  const refused = { kind: 'refused', message: expect.stringContaining('Mail service not enabled') };
  expect(await failureOf(opened.session.check(noSignal))).toMatchObject(refused);
  expect(await failureOf(opened.session.describe('INBOX', noSignal))).toMatchObject(refused);
});

test('when to come back stands in a header, or in what Google says', async () => {
  fake.server.answer = () => {
    throw new GoogleRefusal(403, 'userRateLimitExceeded', 'Too many', { 'retry-after': '11' });
  };
  expect(await failureOf(opened.session.check(noSignal))).toMatchObject({ retryAfterSeconds: 11 });
  fake.server.answer = () => {
    const time = new Date(Date.now() + 600_000).toISOString();
    throw new GoogleRefusal(429, 'rateLimitExceeded', `User-rate limit exceeded.  Retry after ${time}`);
  };
  const { retryAfterSeconds = 0 } = (await failureOf(opened.session.check(noSignal))) as {
    retryAfterSeconds?: number;
  };
  expect(retryAfterSeconds).toBeGreaterThan(500);
  expect(retryAfterSeconds).toBeLessThanOrEqual(600);
});

test('no error holds a token or a secret', async () => {
  const errors = [];
  for (const status of [401, 403, 500]) {
    fake.server.answer = () => {
      throw new GoogleRefusal(status, 'any', 'Something');
    };
    errors.push(await failureOf(opened.session.check(noSignal)));
  }
  fake.server.refusesToken = 'invalid_grant';
  fake.server.endAccessToken();
  errors.push(await failureOf(opened.session.check(noSignal)));
  const shown = inspect(errors, { depth: 20, showHidden: true });
  expect(shown).toContain('ProviderError');
  expect(shown).not.toMatch(/ya29|GOCSPX|1\/\/refresh|Bearer/);
});

test('a network that does not let through is told', async () => {
  const network = new GuardedNetwork({ allowPrivate: false });
  const own = gmail.open({
    credentials: googleCredentials,
    baseUrl: fake.baseUrl,
    network,
    clock: { now: () => new Date() },
    documents: documentReaders,
    filesystemRoots: [],
    saveCredentials: () => Promise.resolve(),
  });
  expect(await failureOf(own.check(noSignal))).toMatchObject({ name: 'ProviderError', kind: 'credentials' });
  expect(fake.requests).toBe(0);
  await network.close();
});

test('a path before the address of Google is kept', async () => {
  const network = new GuardedNetwork({ allowPrivate: true });
  const own = gmail.open({
    credentials: googleCredentials,
    baseUrl: `${fake.baseUrl}/proxy`,
    network,
    clock: { now: () => new Date() },
    documents: documentReaders,
    filesystemRoots: [],
    saveCredentials: () => Promise.resolve(),
  });
  await failureOf(own.check(noSignal));
  expect(fake.server.paths).toEqual(['/proxy/token']);
  await network.close();
});
