import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, expect, test } from '@jest/globals';
import { callApi, makeDatabase, until } from '../support/api-client.js';
import { WatchedFolder, folderCollection } from '../support/connectors/watched-folder.js';
import { kills, seed } from '../support/fault-settings.js';
import { ItemModel } from '../support/item-model.js';
import { LoadClient, keptDatabase, onceCollection } from '../support/mixed-load.js';
import { ServerProcess } from '../support/process.js';
import { Random } from '../support/random.js';
import { adminKey, copyTemplate } from '../support/server.js';
import { StoreView } from '../support/store-view.js';

// A server is killed at a random moment: while it starts, or while it works, so many answers and milliseconds later.
const startMs = 700;
const answersMax = 12;
const momentMs = 200;
const killedWhileStarting = 0.15;

const random = new Random(seed);
const model = new ItemModel();
const clients = ['a', 'b', 'c'].map((name, n) => new LoadClient(name, new Random(seed + 1 + n), model));
const folder = new WatchedFolder(new Random(seed + 100));
let server: ServerProcess | undefined;
afterAll(async () => {
  await server?.kill('SIGKILL');
  folder.remove();
});

const acknowledged = () => clients.reduce((sum, client) => sum + client.acknowledged, 0);

/** Asks until it is told to stop; no answer may show an item twice. */
async function askAll(url: string, complaints: string[], stopped: () => boolean): Promise<void> {
  const json = { database: keptDatabase, query: 'otters', type: 'all', max_results: 250 };
  while (!stopped()) {
    const answer = await callApi(url, 'POST /query', { json }).catch(() => undefined);
    if (!answer) return;
    if (answer.status !== 200) {
      complaints.push(`a query answered ${answer.status} ${JSON.stringify(answer.body)}`);
      continue;
    }
    const ids = answer.body.data.chunks.map((chunk: any) => `${chunk.type ?? ''}${chunk.chunk_content}`);
    if (new Set(ids).size < ids.length) complaints.push(`a query showed an item twice: ${ids.sort().join()}`);
  }
}

/** Runs the load against a server and kills it; returns when. What the one before held is free again. */
async function killUnderLoad(
  { environment, store, killed: before }: { environment: NodeJS.ProcessEnv; store: StoreView; killed: Date },
  complaints: string[],
): Promise<Date> {
  server = new ServerProcess(environment);
  if (random.chance(killedWhileStarting)) await delay(random.below(startMs));
  else {
    const url = await server.url();
    await store.endLeasesFrom(before);
    let stopped = false;
    const load = [
      ...clients.map((client) => client.run(url, () => stopped)),
      askAll(url, complaints, () => stopped),
      folder.run(url, () => stopped),
    ];
    // After some answers, however long this machine takes for them, and a moment more.
    const acknowledgedThen = acknowledged() + random.below(answersMax);
    await Promise.race([Promise.all(load), until(async () => acknowledged() >= acknowledgedThen)]);
    await delay(random.below(momentMs));
    // Some are killed when they have nothing more to answer and index, the others under way.
    if (random.chance(0.2)) {
      stopped = true;
      await Promise.all(load);
    }
    await server.kill('SIGKILL');
    await Promise.all(load);
  }
  const killed = new Date();
  await server.kill('SIGKILL');
  return killed;
}

test(`nothing that was acknowledged is lost, doubled or stuck after ${kills} kill -9 (FAULT_SEED=${seed})`, async () => {
  const { dataDir, databaseUrl } = await copyTemplate();
  const environment = {
    DATA_DIR: dataDir,
    DATABASE_URL: databaseUrl,
    BOOTSTRAP_API_KEY: adminKey,
    FILESYSTEM_ROOTS: folder.path,
    LOG_LEVEL: 'info',
  };
  const store = new StoreView({ dataDir, databaseUrl });
  const complaints: string[] = [];
  server = new ServerProcess(environment);
  await makeDatabase(await server.url(), keptDatabase);
  await folder.connect(await server.url(), keptDatabase);
  let killed = new Date();
  await server.kill('SIGKILL');
  for (let kill = 0; kill < kills; kill += 1)
    killed = await killUnderLoad({ environment, store, killed }, complaints);

  server = new ServerProcess(environment);
  let url = await server.url();
  await store.endLeasesFrom(killed);
  for (const client of clients)
    for (const key of client.once.keys()) await until(() => client.repeat(url, key));
  await folder.catchUp(url);
  await store.hurry();
  await until(
    async () => (await store.unfinished()).length === 0,
    () => store.unfinished(),
  );
  expect([...complaints, ...clients.flatMap((client) => client.complaints)]).toEqual([]);
  const items = await store.items();
  expect(
    model.differences(
      items.filter(({ collection }) => ![onceCollection, folderCollection].includes(collection)),
    ),
  ).toEqual([]);
  // Were the load cut off too early each time, nothing would have been tested.
  expect(acknowledged()).toBeGreaterThan(kills);
  const once = items.filter(({ collection }) => collection === onceCollection);
  const onceWanted = clients.flatMap((client) => [...client.once.values()]);
  expect(once.map(({ content }) => content).sort()).toEqual(onceWanted.sort());
  const inFolder = items.filter(({ collection }) => collection === folderCollection);
  expect(inFolder.map(({ content }) => content).sort()).toEqual([...folder.files.values()].sort());
  expect(await store.contradictions()).toEqual([]);
  await expectDatabases(url);
  await expectSeen(url, items); // Files of killed requests, hours later.
  await server.kill('SIGTERM');
  store.ageFiles();
  server = new ServerProcess(environment);
  url = await server.url();
  await store.hurry();
  await until(
    async () => (await store.orphans()).length === 0,
    () => store.orphans(),
  );
  expect(await store.contradictions()).toEqual([]);
  expect(await server.kill('SIGTERM')).toEqual({ code: 0, signal: null });
}, 3_600_000);

/** The databases of the clients are there or not, as they were told. */
async function expectDatabases(url: string): Promise<void> {
  const answer = await callApi(url, 'GET /databases');
  const names = new Set(answer.body.data.databases.map((database: any) => database.database ?? database));
  for (const client of clients) {
    if (client.databaseWanted === undefined) continue;
    expect([client.database, names.has(client.database)]).toEqual([client.database, client.databaseWanted]);
  }
}

/** What is stored is what stats count, what queries find and what the status calls completed. */
async function expectSeen(url: string, items: Awaited<ReturnType<StoreView['items']>>): Promise<void> {
  const kept = items.filter(({ database }) => database === keptDatabase);
  const of = (corpus: string) => kept.filter((item) => item.corpus === corpus);
  const stats = await callApi(url, `GET /databases/stats?database=${keptDatabase}`);
  expect(stats.body.data.memory_collection.row_count).toBe(of('memory').length);
  expect(stats.body.data.knowledge_collection.row_count).toBe(of('knowledge').length);
  for (const collection of new Set(kept.map((item) => item.collection))) {
    const inCollection = kept.filter((item) => item.collection === collection);
    const json = { database: keptDatabase, collection, query: 'otters', type: 'all', max_results: 250 };
    const found = await callApi(url, 'POST /query', { json });
    const contents = found.body.data.chunks.map((chunk: any) => chunk.chunk_content);
    const wanted = inCollection.map(({ content }) => content);
    if (wanted.length <= 250) expect(contents.sort()).toEqual(wanted.sort());
    const ids = [...new Set(inCollection.map(({ id }) => id))].slice(0, 100).join(',');
    const status = await callApi(
      url,
      `GET /context/status?database=${keptDatabase}&collection=${collection}&ids=${ids}`,
    );
    for (const { indexing_status } of status.body.data.statuses) expect(indexing_status).toBe('completed');
  }
}
