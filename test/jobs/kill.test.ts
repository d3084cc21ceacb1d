import { afterAll, expect, test } from '@jest/globals';
import { ServerProcess } from '../support/process.js';
import { adminKey, copyTemplate } from '../support/server.js';

const kills = 20;
const itemsPerRequest = 5;
let server: ServerProcess | undefined;
afterAll(async () => {
  await server?.kill('SIGKILL');
});

const headers = { authorization: `Bearer ${adminKey}`, 'content-type': 'application/json' };

async function call(
  url: string,
  method: string,
  path: string,
  { body, key }: { body?: unknown; key?: string } = {},
): Promise<{ status: number; body: any }> {
  const init = {
    method,
    headers: { ...headers, ...(key === undefined ? {} : { 'idempotency-key': key }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  };
  const response = await fetch(url + path, init);
  return { status: response.status, body: await response.json() };
}

/** Asks again and again until the answer is as wanted; the server works meanwhile. */
async function until(ask: () => Promise<boolean>): Promise<void> {
  while (!(await ask())) await new Promise((resolve) => setImmediate(resolve));
}

function rememberOnce(url: string, round: number): Promise<{ status: number; body: any }> {
  const memories = [{ text: `only one of round ${round} about otters` }];
  const body = { database: 'kept', collection: 'once', type: 'memory', memories };
  return call(url, 'POST', '/context/ingest', { body, key: `round-${round}` });
}

test(`nothing that was answered 202 is lost or doubled by ${kills} kill -9`, async () => {
  const { dataDir, databaseUrl } = await copyTemplate();
  const environment = {
    DATA_DIR: dataDir,
    DATABASE_URL: databaseUrl,
    BOOTSTRAP_API_KEY: adminKey,
    LOG_LEVEL: 'info',
  };
  const accepted = new Map<string, string>();
  server = new ServerProcess(environment);
  let url = await server.url();
  await call(url, 'POST', '/databases', { body: { database: 'kept' } });
  await until(
    async () => (await call(url, 'GET', '/databases/status?database=kept')).body.data.status === 'ready',
  );
  for (let round = 0; round < kills; round += 1) {
    // Kills fall on every stage: some at once after an answer, some between, some while requests are under way.
    const requests = Array.from({ length: 1 + (round % 3) }, async (_, request) => {
      const memories = Array.from({ length: itemsPerRequest }, (_unused, n) => ({
        // Some ids come again, so that replacing is killed as well.
        id: `item-${round % 7}-${request}-${n}`,
        text: `round ${round} request ${request} item ${n} about otters`,
      }));
      const answer = await call(url, 'POST', '/context/ingest', {
        body: { database: 'kept', type: 'memory', memories },
      }).catch(() => undefined);
      if (answer?.status === 202) for (const memory of memories) accepted.set(memory.id, memory.text);
      // The answer of a killed request is lost: either version may stand.
      else if (!answer) for (const memory of memories) accepted.delete(memory.id);
    });
    // Its items have no ids: repeated below, it must not store a second one.
    requests.push(
      rememberOnce(url, round).then(
        () => undefined,
        () => undefined,
      ),
    );
    if (round % 4 !== 3) await Promise.all(requests);
    await server.kill('SIGKILL');
    await Promise.all(requests);
    server = new ServerProcess(environment);
    url = await server.url();
  }
  const rounds = Array.from({ length: kills }, (_, round) => round);
  await Promise.all(
    rounds.map((round) => until(async () => (await rememberOnce(url, round)).status === 202)),
  );
  expect(accepted.size).toBeGreaterThan(20);
  const ids = [...accepted.keys()];
  const query = `/context/status?database=kept&type=memory&ids=${ids.join(',')}`;
  await until(async () => {
    const { body } = await call(url, 'GET', query);
    expect(body.data.statuses.filter((status: any) => status.indexing_status === 'errored')).toEqual([]);
    return body.data.statuses.every((status: any) => status.indexing_status === 'completed');
  });
  const search = (collection: string) =>
    call(url, 'POST', '/query', {
      body: { database: 'kept', collection, query: 'otters', type: 'memory', max_results: 250 },
    });
  const once = async () => (await search('once')).body.data.chunks.map((chunk: any) => chunk.chunk_content);
  const wanted = rounds.map((round) => `only one of round ${round} about otters`).sort();
  await until(async () => (await once()).length >= kills);
  expect((await once()).sort()).toEqual(wanted);
  const found = await search('default');
  const chunks = found.body.data.chunks as { id: string; chunk_content: string }[];
  expect(new Set(chunks.map((chunk) => chunk.id)).size).toBe(chunks.length);
  for (const [id, text] of accepted)
    expect(chunks.find((chunk) => chunk.id === id)?.chunk_content).toBe(text);
  const stats = await call(url, 'GET', '/databases/stats?database=kept');
  expect(stats.body.data.memory_collection.row_count).toBe(chunks.length + kills);
}, 300_000);
