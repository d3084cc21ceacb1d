import { expect, test } from '@jest/globals';
import type { Caller } from '../../src/accounts/caller.js';
import { ScopeForesight } from '../../src/databases/scope-foresight.js';

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
    foreseen: { parameters, row: found, readAtMs: performance.now() - ageMs },
  };
}

function noted(): ScopeForesight {
  const foresight = new ScopeForesight();
  foresight.note(callerOf([]), question);
  return foresight;
}

test('what a key asked for last is expected of it', () => {
  const foresight = noted();
  const expected = foresight.expect('key') ?? [];
  expect(expected.slice(0, 2)).toEqual(['zoo', ['a', 'b']]);
  expect(foresight.expect('another')).toBeUndefined();
  expect(foresight.recall(callerOf(expected), question)).toBe(row);
});

test.each([
  ['another database', { ...question, database: 'farm' }, {}],
  ['other collections', { ...question, names: ['a'] }, {}],
  ['what was not there', question, { found: null }],
  ['what was read some time ago', question, { ageMs: 1001 }],
])('is not taken for %s', (_case, asked, read) => {
  const foresight = noted();
  expect(foresight.recall(callerOf(foresight.expect('key') ?? [], read), asked)).toBeUndefined();
});

test('a thousand keys are remembered, those that asked last', () => {
  const foresight = noted();
  for (let n = 0; n < 999; n += 1) foresight.note({ ...callerOf([]), keyPrefix: `k${n}` }, question);
  expect(foresight.expect('key')).toBeDefined();
  foresight.note({ ...callerOf([]), keyPrefix: 'one-more' }, question);
  expect(foresight.expect('key')).toBeUndefined();
  expect(foresight.expect('k0')).toBeDefined();
});
