// How long ten texts take to be found by words, by meaning and by both: here over HTTP, with key, database and access
// checked and the query embedded; in other stores by a call in this process, or by pg, with the query's vector given. All
// hold the same texts and vectors and are asked in turn. npm run bench:peers -- FOLDER [count], FOLDER being one in which
// `npm install better-sqlite3 sqlite-vec @lancedb/lancedb @zvec/zvec` was run, or some of them; DATABASE_URL chooses a
// native Postgres, which is also asked by hand.
import { readConfig } from '../src/config.js';
import { createEmbedder } from '../src/inference/embedders.js';
import { describeMachine, percentile, timed } from './measuring.js';
import { openPlainPostgres, packagesOf, peerStores, shown } from './peer-stores.js';
import type { PeerQuery, PeerRow, PeerStore, PeerWay } from './peer-stores.js';
import { BenchServer } from './server.js';
import { SyntheticText, randomNumbers } from './synthetic-text.js';

const [folder, count = '10000'] = process.argv.slice(2);
const turns = 10;
const warmUpTurns = 6;
const queriesPerTurn = 50;
const warmUp = warmUpTurns * queriesPerTurn;
const queryWords = 8;
const database = 'peers';
const ways = ['words', 'meaning', 'both'] as const;
const sentOf: Readonly<Record<PeerWay, object>> = {
  words: { query_by: 'text' },
  meaning: { alpha: 1 },
  both: {},
};

/** A query, and the ids of the texts that are nearest. */
interface Asked {
  readonly query: PeerQuery;
  readonly exact: ReadonlySet<number>;
}

/** The server as the others are asked. */
function asPeer(server: BenchServer): PeerStore {
  const find = (way: PeerWay) => async (query: PeerQuery) => {
    const body = { database, type: 'memory', query: query.text, max_results: shown, ...sentOf[way] };
    const { chunks } = await server.call<{ chunks: { id: string }[] }>('POST', '/query', body);
    return chunks.map(({ id }) => Number(id) + 1);
  };
  return {
    name: 'Contexture over HTTP',
    find: { words: find('words'), meaning: find('meaning'), both: find('both') },
    close: () => server.stop(),
  };
}

/** Stores texts in the server; what it makes of them. */
async function fill(server: BenchServer): Promise<PeerRow[]> {
  await server.createDatabase(database);
  await server.remember(database, new SyntheticText(randomNumbers(1)), { count: Number(count) });
  const client = await server.connect();
  const { rows: databases } = await client.query<{ id: number }>('select id from databases');
  const of = `${databases[0]?.id}_memory`;
  const { rows } = await client.query<{ id: number; text: string; vector: string }>(
    `select sources.id::int + 1 as id, content as text, embedding::text as vector
       from chunks_${of} as chunks join chunk_vectors_${of} on chunk_id = chunks.id join sources on uid = chunks.source_uid`,
  );
  await client.end();
  return rows.map(({ id, text, vector }) => ({
    id,
    text,
    vector: Float32Array.from(JSON.parse(vector) as number[]),
  }));
}

/** Adds the others to the stores. */
async function openPeers(stores: PeerStore[], rows: readonly PeerRow[]): Promise<void> {
  const { DATABASE_URL: nativeUrl } = process.env;
  if (nativeUrl) stores.push(await openPlainPostgres(nativeUrl, rows));
  const packages = packagesOf(folder ?? '.');
  for (const peer of peerStores) {
    if (peer.packages.every((name) => isInstalled(packages, name)))
      stores.push(await peer.open(packages, rows));
    else console.log(`left out, not in the folder: ${peer.packages.join(', ')}`);
  }
}

function isInstalled(packages: NodeJS.Require, name: string): boolean {
  try {
    packages.resolve(name);
    return true;
  } catch {
    return false;
  }
}

/** The ids of the nearest, every vector looked at. */
function nearest(rows: readonly PeerRow[], { vector }: PeerQuery): Set<number> {
  const products = rows.map((row) => ({
    id: row.id,
    product: row.vector.reduce((sum, value, at) => sum + value * (vector[at] ?? 0), 0),
  }));
  const best = products.sort((one, other) => other.product - one.product).slice(0, shown);
  return new Set(best.map(({ id }) => id));
}

/** What one store took, and how much of what is nearest it found. */
class Figures {
  readonly times: Record<PeerWay, number[]> = { words: [], meaning: [], both: [] };
  private readonly recalls: number[] = [];

  constructor(private readonly store: PeerStore) {}

  async ask(asked: readonly Asked[]): Promise<void> {
    for (const way of ways)
      for (const { query, exact } of asked) {
        let found: readonly number[] = [];
        const milliseconds = await timed(async () => {
          found = await this.store.find[way](query);
        });
        this.times[way].push(milliseconds);
        if (way === 'meaning')
          this.recalls.push(found.slice(0, shown).filter((id) => exact.has(id)).length / shown);
      }
  }

  print(): void {
    const cells = ways.map((way) =>
      [0.5, 0.95].map((share) => percentile(this.times[way], share).toFixed(1)).join(' / '),
    );
    const recall = this.recalls.reduce((sum, value) => sum + value, 0) / this.recalls.length;
    console.log(`| ${this.store.name} | ${cells.join(' | ')} | ${recall.toFixed(3)} |`);
  }
}

/** Each store answers some queries in turn, as one that is in use: the first turns warm up. */
async function measure(stores: readonly PeerStore[], asked: readonly Asked[]): Promise<Figures[]> {
  const figures = stores.map((store) => new Figures(store));
  for (const store of stores) await new Figures(store).ask(asked.slice(0, warmUp));
  for (let start = warmUp; start < asked.length; start += queriesPerTurn)
    for (const figure of figures) await figure.ask(asked.slice(start, start + queriesPerTurn));
  return figures;
}

async function makeQueries(): Promise<PeerQuery[]> {
  const embedder = await createEmbedder(readConfig(process.env));
  const words = new SyntheticText(randomNumbers(2));
  const made: PeerQuery[] = [];
  for (let n = 0; n < turns * queriesPerTurn; n += 1) {
    const text = words.text(queryWords);
    made.push({ text, vector: await embedder.embedQuery(text) });
  }
  await embedder.close();
  return made;
}

console.log(describeMachine());
const queries = await makeQueries();
const server = await BenchServer.start();
const stores = [asPeer(server)];
try {
  const rows = await fill(server);
  await openPeers(stores, rows);
  // Found before anything is timed: looking at every vector empties the processor's caches.
  const asked = queries.map((query) => ({ query, exact: nearest(rows, query) }));
  const figures = await measure(stores, asked);
  console.log(`| ${rows.length} texts, p50 / p95 ms | words | meaning | both | recall@10 of meaning |`);
  console.log('| --- | --- | --- | --- | --- |');
  for (const figure of figures) figure.print();
} finally {
  for (const store of stores) await store.close();
}
process.exit(0);
