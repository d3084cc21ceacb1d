// How fast texts of 60 words become searchable, and are found over HTTP: by words, by meaning, by both, and by both with a
// word misspelt and through GraphQL; beside COPY of the same rows and the bare SQL of the same lanes, asked by pg alone in
// the same run; and with 20 clients at once. npm run bench:speed [-- chunks…], by default 10,000 and
// 100,000; DATABASE_URL chooses a native Postgres.
import { setTimeout as pause } from 'node:timers/promises';
import { print } from 'graphql';
import { operationDocument } from '../rest-compat/operations.js';
import { timeBareCopy } from './bare-copy.js';
import { BareLanes } from './bare-lanes.js';
import type { BareQuery } from './bare-lanes.js';
import { describeMachine, percentile, timed } from './measuring.js';
import { BenchServer, wordsPerText } from './server.js';
import { SyntheticText, randomNumbers } from './synthetic-text.js';

const given = process.argv.slice(2).map(Number);
const sizes = given.length > 0 ? given : [10_000, 100_000];
const native = Boolean(process.env['DATABASE_URL']);
const database = 'speed';
const queries = 300;
const warmUp = 50;
const queryWords = 8;
const clients = 20;
const queriesPerClient = 50;
// The rows of COPY are kept in memory; of more than so many the first are copied.
const copiedRowsMax = 100_000;
const quietMs = 3000;

const operation = print(operationDocument('query'));
const asked = { database, type: 'memory' };
/** What is asked over HTTP, by what is printed. */
const ways = {
  'keyword (query_by text)': (server: BenchServer, query: string) =>
    server.call('POST', '/query', { ...asked, query, query_by: 'text' }),
  'dense (alpha 1)': (server: BenchServer, query: string) =>
    server.call('POST', '/query', { ...asked, query, alpha: 1 }),
  fused: (server: BenchServer, query: string) => server.call('POST', '/query', { ...asked, query }),
  'fused, a word misspelt': (server: BenchServer, query: string) =>
    server.call('POST', '/query', { ...asked, query: misspell(query) }),
  'fused, GraphQL': (server: BenchServer, query: string) =>
    server.call('POST', '/graphql', { query: operation, variables: { ...asked, query } }),
};
type Way = keyof typeof ways;

/** Without a letter in the middle of its longest word, which no text has then. */
function misspell(query: string): string {
  const [longest = ''] = query.split(' ').sort((a, b) => b.length - a.length);
  const middle = Math.floor(longest.length / 2);
  return query.replace(longest, longest.slice(0, middle) + longest.slice(middle + 1));
}

const bareOf: Readonly<Record<Way, 'keyword' | 'dense' | 'fused'>> = {
  'keyword (query_by text)': 'keyword',
  'dense (alpha 1)': 'dense',
  fused: 'fused',
  'fused, a word misspelt': 'fused',
  'fused, GraphQL': 'fused',
};

const percentiles = (times: readonly number[]) =>
  [0.5, 0.95, 0.99].map((share) => percentile(times, share).toFixed(1)).join(' / ');

async function measureIngest(server: BenchServer, chunks: number): Promise<void> {
  await server.createDatabase(database);
  const text = new SyntheticText(randomNumbers(1));
  const milliseconds = await timed(() => server.remember(database, text, { count: chunks }));
  if (native) await waitForIndexes(server);
  const client = await server.connect();
  const { rows } = await client.query<{ id: number }>('select id from databases');
  const copied = Math.min(chunks, copiedRowsMax);
  const bare = await timeBareCopy(client, `${rows[0]?.id}_memory`, { native, rows: copied });
  await client.end();
  const [ours, copy] = [chunks / milliseconds, copied / bare].map((rate) => rate * 1000);
  console.log(
    `ingest: ${chunks} texts of ${wordsPerText} words searchable at ${ours?.toFixed(0)}/s, COPY and indexes of their ` +
      `rows ${copy?.toFixed(0)}/s, ratio ${((ours ?? 0) / (copy ?? 1)).toFixed(2)}`,
  );
}

/** Until no index has been under construction for a while: large stores get one in the background. */
async function waitForIndexes(server: BenchServer): Promise<void> {
  const client = await server.connect();
  for (let quietSince = performance.now(); performance.now() - quietSince < quietMs;) {
    await pause(100);
    const { rowCount } = await client.query('select 1 from pg_stat_progress_create_index');
    if (rowCount) quietSince = performance.now();
  }
  await client.query('vacuum analyze');
  await client.end();
}

async function measureQueries(server: BenchServer, chunks: number): Promise<void> {
  const text = new SyntheticText(randomNumbers(2));
  const names = Object.keys(ways) as Way[];
  const times = new Map(names.map((name) => [name, [] as number[]]));
  const bareTimes = { keyword: [] as number[], dense: [] as number[], fused: [] as number[] };
  const bare = await BareLanes.open(server);
  const bareQueries: BareQuery[] = [];
  for (let n = 0; n < queries + warmUp; n += 1) bareQueries.push(await bare.prepare(text.text(queryWords)));
  for (const [n, bareQuery] of bareQueries.entries()) {
    // Another first each time, so that whatever else the machine does falls on all; no query is asked twice.
    for (const turn of names.keys()) {
      const name = names[(n + turn) % names.length] ?? 'fused';
      const query = text.text(queryWords);
      const milliseconds = await timed(() => ways[name](server, query));
      if (n >= warmUp) times.get(name)?.push(milliseconds);
    }
    const took = await bare.time(bareQuery);
    if (n < warmUp) continue;
    for (const lane of ['keyword', 'dense', 'fused'] as const) bareTimes[lane].push(took[lane]);
  }
  await bare.close();
  console.log(
    `| ${chunks} chunks, ${queries} queries each | p50 / p95 / p99 ms | bare SQL, ms | × bare SQL at p50 |`,
  );
  console.log('| --- | --- | --- | --- |');
  for (const [name, ofWay] of times) {
    const ofBare = bareTimes[bareOf[name]];
    const ratio = percentile(ofWay, 0.5) / percentile(ofBare, 0.5);
    console.log(`| ${name} | ${percentiles(ofWay)} | ${percentiles(ofBare)} | ${ratio.toFixed(2)} |`);
  }
  const [rest, graphql] = (['fused', 'fused, GraphQL'] as const).map((name) =>
    percentile(times.get(name) ?? [], 0.5),
  );
  console.log(`REST / GraphQL at p50: ${((rest ?? 0) / (graphql ?? 1)).toFixed(2)}`);
}

async function measureCrowd(server: BenchServer): Promise<void> {
  const times: number[] = [];
  const client = async (n: number) => {
    const text = new SyntheticText(randomNumbers(100 + n));
    for (let asking = 0; asking < queriesPerClient; asking += 1)
      times.push(await timed(() => ways.fused(server, text.text(queryWords))));
  };
  const milliseconds = await timed(() => Promise.all(Array.from({ length: clients }, (_, n) => client(n))));
  const ratio = percentile(times, 0.95) / percentile(times, 0.5);
  console.log(
    `${clients} clients at once: ${percentiles(times)} ms, p95 / p50 ${ratio.toFixed(2)}, ` +
      `${((times.length / milliseconds) * 1000).toFixed(0)} queries a second`,
  );
}

console.log(describeMachine());
for (const chunks of sizes) {
  const server = await BenchServer.start();
  try {
    await measureIngest(server, chunks);
    await measureQueries(server, chunks);
    await measureCrowd(server);
  } finally {
    await server.stop();
  }
}
process.exit(0);
