import { expect, test } from '@jest/globals';
import { ProviderError } from '../../src/connectors/provider.js';
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
