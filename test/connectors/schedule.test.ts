import { expect, test } from '@jest/globals';
import { ProviderError } from '../../src/connectors/provider.js';
import type { Connected } from '../support/connectors/connected.js';
import { ConnectedAccount } from '../support/connectors/connected-account.js';
import { hour, useScripted } from '../support/connectors/scripted-server.js';

const on = useScripted();

test('after failures the next sync comes soon, then later and later, at most after the interval', async () => {
  on.write(1);
  on.account.fail('read', new ProviderError('missing', 'it is away'), { times: 8 });
  const connected = await on.connect();
  await on.server.idle();
  const waits: number[] = [];
  const failed = async () => {
    const { next_sync_at: next, error } = await connected.status();
    waits.push((Date.parse(next) - Date.parse(error.detected_at)) / 1000);
  };
  await failed();
  while (waits.length < 8) {
    await connected.pass(waits.at(-1) ?? 0);
    await failed();
  }
  expect(waits).toEqual([60, 120, 240, 480, 960, 1920, hour, hour]);
  await connected.pass(hour);
  expect(await connected.status()).toMatchObject({ error: null, resources: [{ status: 'ok' }] });
  on.account.fail('read', new ProviderError('missing', 'it is away again'));
  await connected.sync();
  await failed();
  expect(waits.at(-1)).toBe(60);
});

test('a sync that took longer than the interval is followed by the next one an interval later', async () => {
  on.write(1);
  const connected = await on.connect();
  const gate = on.account.hold('read');
  const idle = on.server.idle();
  await gate.entered;
  on.server.clock.advance(2 * hour);
  gate.open();
  await idle;
  const { next_sync_at: next, last_successful_sync_at: last } = await connected.fields();
  expect(Date.parse(next) - Date.parse(last)).toBe(hour * 1000);
});

test('a scheduled sync that is one too many that day waits until midnight, says so, and comes then', async () => {
  const limited = new ConnectedAccount();
  await limited.start({ MAX_SYNCS_PER_DAY: '1' });
  try {
    await limited.reset();
    const id = await limited.connect();
    await limited.configure(id, [{ resource_id: 'general' }]);
    await limited.server.idle();
    limited.server.clock.advance(hour);
    await limited.server.idle();
    expect(limited.account.count('read')).toBe(1);
    const { next_sync_at: next, last_error: error } = await limited.show(id);
    const today = limited.server.clock.now().toISOString().slice(0, 10);
    expect(Date.parse(next)).toBe(Date.parse(today) + 24 * hour * 1000);
    expect(error).toMatch(/no further sync today \(at most 1 a day\)/);
    limited.server.clock.advance(23 * hour);
    await limited.server.idle();
    expect(limited.account.count('read')).toBe(2);
    expect((await limited.show(id)).last_error).toBe('');
  } finally {
    await limited.stop();
  }
});

test('of those that are due, the one that has waited longest is synced first', async () => {
  const first = await on.connect();
  const second = await on.connect({ resources: [on.b] });
  await on.server.idle();
  const readAfterResuming = async (...connected: Connected[]) => {
    for (const each of connected) await each.post('pause');
    for (const each of connected) await each.post('resume');
    on.account.calls.length = 0;
    await on.server.idle();
    return on.account.calls.filter(({ method }) => method === 'read').map(({ resourceId }) => resourceId);
  };
  expect(await readAfterResuming(first, second)).toEqual([on.a, on.b]);
  expect(await readAfterResuming(second, first)).toEqual([on.b, on.a]);
});

test('a connector that one is syncing is left alone by all others', async () => {
  on.write(1);
  const connected = await on.connect();
  const gate = on.account.hold('read');
  const idle = on.server.idle();
  await gate.entered;
  await connected.sync();
  expect(on.account.count('read')).toBe(1);
  gate.open();
  await idle;
  expect(await connected.ids()).toEqual(on.itemIds(1));
});

test('a connector that is resumed is due at once, although its sync had ended', async () => {
  on.write(1);
  const connected = await on.connect();
  await on.server.idle();
  await connected.post('pause');
  on.write(1, 2);
  await connected.pass(60);
  const { paused_at: pausedAt } = await connected.fields();
  await connected.post('resume');
  const { next_sync_at: next } = await connected.fields();
  expect(Date.parse(next) - Date.parse(pausedAt)).toBeGreaterThanOrEqual(60_000);
  expect(Date.parse(next)).toBeLessThan(Date.parse(pausedAt) + 120_000);
  await on.server.idle();
  expect(await connected.ids()).toEqual(on.itemIds(2));
});
