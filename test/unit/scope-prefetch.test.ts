import { expect, test } from '@jest/globals';
import type { Caller } from '../../src/accounts/caller.js';
import { ScopePrefetch } from '../../src/databases/scope-prefetch.js';

const row = { id: 7 };
const question = { database: 'zoo', names: ['a', 'b'] };

/** A caller with whose key something was read so many milliseconds ago. */
function callerOf(
  parameters: readonly unknown[],
  { ageMs = 0, found = row }: { ageMs?: number; found?: unknown } = {},
): Caller {
  return {
    accountId: 'account',
    keyPrefix: 'key',
    scopes: new Set(),
    databases: null,
    principals: null,
    expiresAt: null,
    upgradeUrl: undefined,
    prefetched: { parameters, row: found, readAtMs: performance.now() - ageMs },
  };
}

function remembered(): ScopePrefetch {
  const prefetch = new ScopePrefetch();
  prefetch.remember(callerOf([]), question);
  return prefetch;
}

test('a key asks for the same as last time, as long as nothing else is known', () => {
  const prefetch = remembered();
  const expected = prefetch.parametersFor('key') ?? [];
  expect(expected.slice(0, 2)).toEqual(['zoo', ['a', 'b']]);
  expect(prefetch.parametersFor('another')).toBeUndefined();
  expect(prefetch.find(callerOf(expected), question)).toBe(row);
});

test.each([
  ['another database', { ...question, database: 'farm' }, {}],
  ['other collections', { ...question, names: ['a'] }, {}],
  ['what was not there', question, { found: null }],
  ['what was read some time ago', question, { ageMs: 1001 }],
])('what was read with the key is not used for %s', (_case, asked, read) => {
  const prefetch = remembered();
  expect(prefetch.find(callerOf(prefetch.parametersFor('key') ?? [], read), asked)).toBeUndefined();
});

test('the thousand keys that asked last are remembered', () => {
  const prefetch = remembered();
  for (let n = 0; n < 999; n += 1) prefetch.remember({ ...callerOf([]), keyPrefix: `k${n}` }, question);
  expect(prefetch.parametersFor('key')).toBeDefined();
  prefetch.remember({ ...callerOf([]), keyPrefix: 'one-more' }, question);
  expect(prefetch.parametersFor('key')).toBeUndefined();
  expect(prefetch.parametersFor('k0')).toBeDefined();
});
