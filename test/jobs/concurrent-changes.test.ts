import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { callApi, documentsForm, makeDatabase, until } from '../support/api-client.js';
import { ServerProcess } from '../support/process.js';
import { Random } from '../support/random.js';
import { adminKey, copyTemplate } from '../support/server.js';
import type { Answer } from '../support/server.js';
import { StoreView } from '../support/store-view.js';

// Clients store, replace, edit and delete the same items at once while they are indexed.

const ingests = 1000;
const deletes = 100;
const edits = 100;
const inFlightMax = 50;
const idsOfPlace = 75;
const database = 'crowded';
const seed = Number(process.env['CONCURRENT_SEED'] ?? 20_261_121);
const places = ['one', 'two'].flatMap((collection) =>
  (['knowledge', 'memory'] as const).map((type) => ({ collection, type })),
);
type Place = (typeof places)[number];

const random = new Random(seed);
const { dataDir, databaseUrl } = await copyTemplate();
const view = new StoreView({ dataDir, databaseUrl });
let server: ServerProcess;
let url: string;
beforeAll(async () => {
  const stored = databaseUrl ? { DATABASE_URL: databaseUrl } : {};
  server = new ServerProcess({ DATA_DIR: dataDir, BOOTSTRAP_API_KEY: adminKey, ...stored });
  url = await server.url();
  await makeDatabase(url, database);
});
afterAll(async () => server.kill('SIGTERM'));

const idOf = (place: Place, number: number) => `${place.collection}-${place.type}-${number}`;
// Every third item is never deleted, so that it must be there in the end.
const isKept = (number: number) => number % 3 === 0;
const stored = new Set<string>();
let words = 0;

interface Change {
  readonly answered: readonly number[];
  readonly make: () => Promise<Answer>;
}

function ingest(place: Place, number: number): Change {
  const id = idOf(place, number);
  words += 1;
  const word = `word${words}`;
  const text = `otters ${word}`;
  const json = { database, ...place };
  const metadata = { word };
  const send = () => {
    if (place.type === 'memory') return { json: { ...json, memories: [{ id, text, metadata }] } };
    if (words % 2 === 0) return { json: { ...json, app_knowledge: [{ id, content: { text }, metadata }] } };
    const form = documentsForm(database, { [id]: text });
    form.append('collection', place.collection);
    form.set('document_metadata', JSON.stringify([{ id, metadata }]));
    return { form };
  };
  const parts = send();
  stored.add(id);
  return { answered: [202], make: () => callApi(url, 'POST /context/ingest', parts) };
}

function remove(place: Place, number: number): Change {
  const ids = [idOf(place, number)];
  const make = () => callApi(url, 'DELETE /context', { json: { database, ...place, ids } });
  return { answered: [200, 404, 409], make };
}

function edit(place: Place, number: number): Change {
  const path = `PATCH /context/${idOf(place, number)}/metadata`;
  const json = { database, ...place, additional_metadata: { edited: number } };
  return { answered: [200, 404], make: () => callApi(url, path, { json }) };
}

/** All changes in a random order, spread over all items. */
function changes(): Change[] {
  const place = () => places[random.below(places.length)] as Place;
  const any = () => random.below(idsOfPlace);
  const notKept = () => {
    const number = any();
    return isKept(number) ? number + 1 : number;
  };
  const all = [
    ...Array.from({ length: ingests }, () => ingest(place(), any())),
    ...Array.from({ length: deletes }, () => remove(place(), notKept())),
    ...Array.from({ length: edits }, () => edit(place(), any())),
  ];
  return all
    .map((change) => ({ change, at: random.next() }))
    .sort((a, b) => a.at - b.at)
    .map(({ change }) => change);
}

async function listed({ collection, type }: Place): Promise<any[]> {
  const json = { database, collection, type, page_size: 100 };
  const { data } = (await callApi(url, 'POST /context/list', { json })).body;
  expect(data.total).toBeLessThanOrEqual(idsOfPlace);
  return data.sources ?? data.user_memories;
}

async function found({ collection, type }: Place): Promise<any[]> {
  const json = { database, collection, type, query: 'otters', query_by: 'text', max_results: 250 };
  return (await callApi(url, 'POST /query', { json })).body.data.chunks;
}

async function counts(): Promise<any> {
  const query = `{ databaseStats(database: "${database}") { knowledgeCollection { rowCount } memoryCollection { rowCount }
    indexing { queued processing graphCreation completed errored } } }`;
  return (await callApi(url, 'POST /graphql', { json: { query } })).body.data.databaseStats;
}

test(`${ingests} ingests, ${deletes} deletes and ${edits} edits of the same items at once: no 500, and every read agrees`, async () => {
  const waiting = changes();
  const wrong: unknown[] = [];
  const statuses = new Map<number, number>();
  const worker = async () => {
    for (let change = waiting.pop(); change; change = waiting.pop()) {
      const { status, body } = await change.make();
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      if (!change.answered.includes(status)) wrong.push({ status, body });
    }
  };
  await Promise.all(Array.from({ length: inFlightMax }, worker));
  expect(wrong).toEqual([]);
  expect(statuses.get(202)).toBe(ingests);
  await until(async () => {
    const { queued, processing, graphCreation } = (await counts()).indexing;
    return queued + processing + graphCreation === 0;
  });

  const rowCount = { knowledge: 0, memory: 0 };
  const present = new Set<string>();
  for (const place of places) {
    const rows = await listed(place);
    const chunks = await found(place);
    const wordOf = (row: any) => [row.id, row.metadata.word, row.additional_metadata];
    expect(chunks.map(wordOf).sort()).toEqual(rows.map(wordOf).sort());
    for (const { chunk_content, metadata } of chunks)
      expect(chunk_content).toMatch(new RegExp(`${metadata.word}\\b`));
    expect(new Set(rows.map(({ indexing_status }) => indexing_status))).toEqual(new Set(['completed']));
    for (const { id } of rows) present.add(id);
    rowCount[place.type] += rows.length;
    const ids = Array.from({ length: idsOfPlace }, (_, number) => idOf(place, number));
    const { data } = (
      await callApi(
        url,
        'GET /context/status?' + new URLSearchParams({ database, ...place, ids: ids.join() }).toString(),
      )
    ).body;
    const known = data.statuses.filter(({ indexing_status }: any) => indexing_status === 'completed');
    expect(known.map(({ id }: any) => id).sort()).toEqual(rows.map(({ id }) => id).sort());
  }
  expect(await counts()).toEqual({
    knowledgeCollection: { rowCount: rowCount.knowledge },
    memoryCollection: { rowCount: rowCount.memory },
    indexing: { queued: 0, processing: 0, graphCreation: 0, completed: present.size, errored: 0 },
  });
  const lost = [...stored].filter((id) => isKept(Number(id.split('-').at(-1))) && !present.has(id));
  expect(lost).toEqual([]);
  // What was replaced or deleted leaves nothing behind either.
  await until(
    async () => (await view.sql('select 1 from sources where not latest and not visible')).length === 0,
  );
  expect(await view.contradictions()).toEqual([]);
  expect(await view.orphans()).toEqual([]);
}, 180_000);
