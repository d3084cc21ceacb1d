import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { callApi, makeDatabase, until } from '../support/api-client.js';
import { EmbeddingProvider } from '../support/embedding-provider.js';
import { ServerProcesses } from '../support/server-processes.js';

const provider = new EmbeddingProvider();
let servers: ServerProcesses | undefined;
beforeAll(async () => provider.listen());
afterAll(async () => {
  await servers?.kill();
  await provider.close();
});

const isAlarm = (line: string) => !line.startsWith('{') || JSON.parse(line).level > 30;

test('a stop cuts off work that takes too long without an alarm, and gives it back without a try used up', async () => {
  servers = await ServerProcesses.onCopy({ EMBEDDINGS_URL: provider.url, EMBEDDINGS_MODEL: 'toy' });
  const { store } = servers;
  const { server, url } = await servers.start();
  await makeDatabase(url, 'stopped');
  await provider.change('hangs');
  const asked = provider.requests.length;
  const memories = Array.from({ length: 5 }, (_, n) => ({ id: `item-${n}`, text: `words ${n}` }));
  // A million bytes are worked on at once, so that the last one waits, claimed, for its turn.
  const long = 'words '.repeat(100_000);
  memories.push({ id: 'item-5', text: long }, { id: 'waits', text: long });
  const json = { database: 'stopped', type: 'memory', memories };
  expect((await callApi(url, 'POST /context/ingest', { json })).status).toBe(202);
  await provider.asked(asked);
  // As if this were the last try of each that is worked on.
  await store.sql(`update sources set attempts = 8 where id <> 'waits'`);
  const stoppedAt = performance.now();
  expect(await server.kill('SIGTERM')).toEqual({ code: 0, signal: null });
  // Docker kills after ten.
  expect(performance.now() - stoppedAt).toBeLessThan(9_500);
  expect(server.lines.filter(isAlarm)).toEqual([]);

  await provider.change('works');
  const next = await servers.start();
  await until(
    async () => (await store.unfinished()).length === 0,
    () => store.unfinished(),
  );
  expect(await store.sql('select id, attempts, error_code from sources order by id')).toEqual(
    memories.map(({ id }) => ({ id, attempts: id === 'waits' ? 1 : 8, error_code: '' })),
  );
  expect(await store.contradictions()).toEqual([]);
  expect(await next.server.kill('SIGTERM')).toEqual({ code: 0, signal: null });
});
