import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, expect, test } from '@jest/globals';
import { callApi, makeDatabase, until } from '../support/api-client.js';
import { kills, seed } from '../support/fault-settings.js';
import { ServerProcess } from '../support/process.js';
import { Random } from '../support/random.js';
import { adminKey, copyTemplate } from '../support/server.js';
import { StoreView } from '../support/store-view.js';
import { allStatuses, webhookPath } from '../support/webhook-account.js';
import { WebhookReceiver } from '../support/webhook-receiver.js';

// Three processes on a native Postgres, of which one is killed; one on the embedded, killed and started again.
const native = Boolean(process.env['TEST_DATABASE_URL']);
const items = kills >= 200 ? 10_000 : 150;
const itemsPerRequest = 500;
const statusesOfAll = items * allStatuses.length;
const pauseMs = 200;
const minutesMax = items > 1000 ? 30 : 4;

const running: ServerProcess[] = [];
const receiver = new WebhookReceiver();
afterAll(async () => {
  for (const server of running) await server.kill('SIGKILL');
  await receiver.close();
});

async function start(environment: NodeJS.ProcessEnv): Promise<{ server: ServerProcess; url: string }> {
  const server = new ServerProcess(environment);
  running.push(server);
  return { server, url: await server.url() };
}

/**
 * Lets no attempt wait for its time; leases of a process that was killed before a moment are over. What a server is writing is
 * left to the next time: two that lock many rows in orders of their own would lock each other out.
 */
async function hurryDeliveries(store: StoreView, killed: Date): Promise<void> {
  await store.sql(
    `update webhook_deliveries set next_attempt_at = now() where (account_id, id) in (
       select account_id, id from webhook_deliveries
        where status in ('pending', 'failed') and next_attempt_at > now()
          and (lease_token is null or next_attempt_at < $1::timestamptz + interval '30 s') for update skip locked)`,
    [killed],
  );
}

/** What was told of each item and change: ids of deliveries, and whether one was accepted. */
function tally(accepted: ReadonlySet<number>): Map<string, { ids: Set<string>; accepted: boolean }> {
  const told = new Map<string, { ids: Set<string>; accepted: boolean }>();
  receiver.received.forEach(({ body }, n) => {
    const key = `${body.id} ${body.sequence} ${body.indexing_status}`;
    const seen = told.get(key) ?? { ids: new Set(), accepted: false };
    told.set(key, { ids: seen.ids.add(body.delivery_id), accepted: seen.accepted || accepted.has(n) });
  });
  return told;
}

test(
  `every change of ${items} items arrives although half of the requests fail and a server is killed (FAULT_SEED=${seed})`,
  async () => {
    const random = new Random(seed);
    const accepted = new Set<number>();
    const refusals = new Map<string, number>();
    receiver.reply = ({ body }, index) => {
      const refused = refusals.get(body.delivery_id) ?? 0;
      // Eight tries are all that there are.
      if (refused < 5 && random.chance(0.5)) {
        refusals.set(body.delivery_id, refused + 1);
        return { status: 503 };
      }
      accepted.add(index);
      return { status: 200 };
    };
    await receiver.listen();
    const { dataDir, databaseUrl } = await copyTemplate();
    const store = new StoreView({ dataDir, databaseUrl });
    const environment = {
      DATA_DIR: dataDir,
      DATABASE_URL: databaseUrl,
      BOOTSTRAP_API_KEY: adminKey,
      LOG_LEVEL: 'info',
      WEBHOOK_ALLOW_PRIVATE: '1',
    };
    const doomed = await start(environment);
    const others = native ? [await start(environment), await start(environment)] : [];
    const registered = await callApi(doomed.url, `POST ${webhookPath}`, {
      json: { url: receiver.url, generate_signing_secret: true },
    });
    expect(registered.status).toBe(201);
    await makeDatabase(doomed.url, 'told');
    for (let first = 0; first < items; first += itemsPerRequest) {
      const memories = Array.from({ length: Math.min(itemsPerRequest, items - first) }, (_, n) => ({
        id: `item-${first + n}`,
        text: `otters swim ${first + n}`,
      }));
      const json = { database: 'told', type: 'memory', memories };
      expect((await callApi(doomed.url, 'POST /context/ingest', { json })).status).toBe(202);
    }
    await until(
      () => Promise.resolve(receiver.received.length > items / 2),
      () => receiver.received.length,
    );
    await doomed.server.kill('SIGKILL');
    const killed = new Date();
    if (others.length === 0) others.push(await start(environment));
    await store.endLeasesFrom(killed);

    const stuckAt = Date.now() + minutesMax * 60_000;
    const countOpen = async () => {
      const [row] = await store.sql(
        `select count(*)::int as made, (count(*) filter (where status = 'completed'))::int as completed from webhook_deliveries`,
      );
      return row;
    };
    let counts = await countOpen();
    while (counts.completed < statusesOfAll && Date.now() < stuckAt) {
      await hurryDeliveries(store, killed);
      await store.hurry();
      await delay(pauseMs);
      counts = await countOpen();
    }
    expect(counts).toEqual({ made: statusesOfAll, completed: statusesOfAll });
    const told = tally(accepted);
    expect(told.size).toBe(statusesOfAll);
    for (let n = 0; n < items; n += 1) {
      allStatuses.forEach((status, index) => {
        const key = `item-${n} ${index + 1} ${status}`;
        expect([key, told.get(key)?.accepted, told.get(key)?.ids.size]).toEqual([key, true, 1]);
      });
    }
    expect(receiver.received.length - accepted.size).toBeGreaterThan(receiver.received.length * 0.4);
  },
  (minutesMax + 2) * 60_000,
);
