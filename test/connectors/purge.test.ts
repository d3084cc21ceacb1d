import { setImmediate } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { useScripted } from '../support/connectors/scripted-server.js';

const on = useScripted();

async function purge(connectorId: string): Promise<void> {
  expect((await on.server.rest('DELETE', `/connectors/${connectorId}?purge=true`)).status).toBe(200);
}

async function untilGone(connectorId: string): Promise<void> {
  const left = () => on.server.sql('select 1 from connectors where id = $1', [connectorId]);
  while ((await left()).length > 0) await setImmediate();
}

// The schedule that finds what nobody was woken for comes once a minute.
test('a purge waits for no schedule: not between its steps, nor behind a sync that is under way', async () => {
  on.write(250);
  const many = await on.connect();
  await on.server.idle();
  expect(await many.ids()).toHaveLength(250);
  // From now on as in a server that runs: a job runs when it is woken.
  await on.server.running.app.jobs.start();
  await purge(many.id);
  await untilGone(many.id);
  expect(await many.ids()).toEqual([]);

  on.write(3, 501);
  const gate = on.account.hold('load');
  const syncing = await on.connect();
  await gate.entered;
  await purge(syncing.id);
  gate.open();
  await untilGone(syncing.id);
  expect(await syncing.ids()).toEqual([]);
}, 45_000);
