import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, describe, expect, test } from '@jest/globals';
import { callApi, makeDatabase, until } from '../support/api-client.js';
import { startSlackFake } from '../support/connectors/slack-fake.js';
import type { SlackFake } from '../support/connectors/slack-fake.js';
import { seed } from '../support/fault-settings.js';
import { Random } from '../support/random.js';
import { ServerProcesses } from '../support/server-processes.js';

const threads = 200;
const repliesEach = 49;
const messages = threads * (repliesEach + 1);
const database = 'workspace';

let servers: ServerProcesses | undefined;
let fake: SlackFake | undefined;
afterAll(async () => {
  await servers?.kill();
  await fake?.close();
});

async function count(url: string): Promise<number> {
  const { body } = await callApi(url, `GET /context/list?database=${database}&page_size=1`);
  return body.data.pagination.total as number;
}

async function connector(url: string, id: string): Promise<Record<string, any>> {
  return (await callApi(url, `GET /connectors/${id}`)).body as Record<string, any>;
}

const random = new Random(seed);

describe(`a workspace of ${messages} messages in ${threads} threads (FAULT_SEED=${seed})`, () => {
  test('is synced whole and once although the server is killed in the middle; the next sync asks for little', async () => {
    fake = await startSlackFake();
    fake.addThreads(threads, repliesEach);
    servers = await ServerProcesses.onCopy({
      CREDENTIALS_KEY: '11'.repeat(32),
      CONNECTOR_SLACK_URL: fake.baseUrl,
    });
    const { store } = servers;
    let { server, url } = await servers.start();
    await makeDatabase(url, database);
    const created = await callApi(url, 'POST /connectors', {
      json: { provider: 'slack', database, credentials: fake.credentials },
    });
    expect(created.status).toBe(201);
    const id = created.body.connector_id as string;
    const configured = await callApi(url, `POST /connectors/${id}/configure`, {
      json: { resources: [{ resource_id: fake.resource.id }] },
    });
    expect(configured.status).toBe(200);

    const dispatched = async (): Promise<number> => (await connector(url, id))['documents_dispatched'];
    for (const part of [0.1, 0.3, 0.6]) {
      await until(async () => (await dispatched()) >= messages * part, dispatched);
      expect(await connector(url, id)).toMatchObject({ sync_status: 'syncing', lifecycle: 'ingesting' });
      await delay(random.below(50));
      await server.kill('SIGKILL');
      const killed = new Date();
      ({ server, url } = await servers.start());
      await store.endLeasesFrom(killed);
    }
    await until(async () => (await connector(url, id))['sync_status'] === 'idle', dispatched);
    expect(await connector(url, id)).toMatchObject({ lifecycle: 'active', last_error: '' });
    await store.hurry();
    await until(
      async () => (await store.unfinished()).length === 0,
      () => store.unfinished(),
    );
    expect(await count(url)).toBe(messages);
    await expectThreadsWhole(url, fake);

    const first = fake.requests;
    await callApi(url, `POST /connectors/${id}/sync`);
    await until(async () => (await connector(url, id))['sync_status'] === 'idle');
    const second = fake.requests - first;
    expect(second).toBeGreaterThan(0);
    expect(second / first).toBeLessThanOrEqual(0.02);
    expect(await count(url)).toBe(messages);
    expect(await store.contradictions()).toEqual([]);
  }, 1_800_000);
});

/** Every message of a thread is a member of the subgraph around its first one. */
async function expectThreadsWhole(url: string, fake: SlackFake): Promise<void> {
  for (const root of [...fake.general.replies.keys()].filter((_, index) => index % 20 === 0)) {
    const id = encodeURIComponent(`slack:${fake.resource.id}:${root}`);
    const { body } = await callApi(url, `GET /context/${id}/subgraph?database=${database}&depth=2`);
    expect(body.data.sources).toHaveLength(repliesEach + 1);
  }
}
