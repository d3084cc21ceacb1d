import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { callApi, makeDatabase, until } from '../support/api-client.js';
import { EmbeddingProvider } from '../support/embedding-provider.js';
import { ServerProcesses } from '../support/server-processes.js';

// The embedded Postgres serves one process.
const onNative = process.env['TEST_DATABASE_URL'] ? describe : describe.skip;

onNative('a worker that is frozen past its lease', () => {
  const provider = new EmbeddingProvider();
  let servers: ServerProcesses | undefined;
  beforeAll(async () => provider.listen());
  afterAll(async () => {
    await servers?.kill();
    await provider.close();
  });

  test('is replaced, and when it wakes up it doubles and undoes nothing', async () => {
    servers = await ServerProcesses.onCopy({ EMBEDDINGS_URL: provider.url, EMBEDDINGS_MODEL: 'toy' });
    const { store } = servers;
    const ingest = async (url: string, text: string) => {
      const memories = Array.from({ length: 5 }, (_, n) => ({ id: `item-${n}`, text: `${text} ${n}` }));
      const json = { database: 'frozen', type: 'memory', memories };
      expect((await callApi(url, 'POST /context/ingest', { json })).status).toBe(202);
    };
    const finished = () =>
      until(
        async () => (await store.unfinished()).length === 0,
        () => store.unfinished(),
      );
    const { url } = await servers.start({ ROLE: 'web' });
    const first = await servers.start({ ROLE: 'worker' });
    await makeDatabase(url, 'frozen');
    await ingest(url, 'old words');
    await finished();

    // The first worker stands still while it waits for its vectors.
    await provider.change('hangs');
    const asked = provider.requests.length;
    await ingest(url, 'new words');
    await store.hurry();
    await until(async () => provider.requests.slice(asked).some(([text]) => text?.includes('new words')));
    void first.server.kill('SIGSTOP');
    await provider.change('works');
    await store.endLeasesFrom(new Date());
    const second = await servers.start({ ROLE: 'worker' });
    await store.hurry();
    await finished();
    const taken = await store.items();
    expect(taken.map(({ content }) => content).sort()).toEqual([0, 1, 2, 3, 4].map((n) => `new words ${n}`));

    void first.server.kill('SIGCONT');
    // It ends only when what it had begun is done.
    expect(await first.server.kill('SIGTERM')).toEqual({ code: 0, signal: null });
    expect(await store.items()).toEqual(taken);
    expect(await store.contradictions()).toEqual([]);
    expect(await store.unfinished()).toEqual([]);
    const stats = await callApi(url, 'GET /databases/stats?database=frozen');
    expect(stats.body.data.memory_collection.row_count).toBe(5);
    await second.server.kill('SIGTERM');
  });
});
