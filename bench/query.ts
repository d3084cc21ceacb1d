// Query latency at 10,000 chunks over HTTP: REST beside the same operation through /graphql, in one run.
// npm run bench:query [-- chunks]; DATABASE_URL chooses a native Postgres, else the embedded one is used.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../src/lib/package-root.js';
import { BenchServer, describeMachine, percentile, timed, wordsPerText } from './server.js';
import { SyntheticText, randomNumbers } from './synthetic-text.js';

const chunks = Number(process.argv[2] ?? 10_000);
const queries = 300;
const warmUp = 30;
const database = `bench-${Date.now()}`;

async function ingest(server: BenchServer): Promise<void> {
  const milliseconds = await timed(() =>
    server.remember(database, new SyntheticText(randomNumbers(1)), { count: chunks }),
  );
  const perSecond = (chunks / (milliseconds / 1000)).toFixed(0);
  console.log(`ingest: ${chunks} texts of ${wordsPerText} words searchable at ${perSecond}/s`);
}

async function measure(server: BenchServer): Promise<void> {
  const operation = readFileSync(join(packageRoot, 'rest-compat/operations/query.graphql'), 'utf8');
  const text = new SyntheticText(randomNumbers(2));
  const times = { rest: [] as number[], graphql: [] as number[] };
  for (let n = 0; n < queries + warmUp; n += 1) {
    const variables = { database, type: 'memory', query: text.text(8) };
    // Alternating, so that whatever else the machine does falls on both.
    const ways = [
      ['rest', () => server.call('POST', '/query', variables)],
      ['graphql', () => server.call('POST', '/graphql', { query: operation, variables })],
    ] as const;
    for (const [way, ask] of n % 2 ? ways : [...ways].reverse()) {
      const milliseconds = await timed(ask);
      if (n >= warmUp) times[way].push(milliseconds);
    }
  }
  for (const way of ['rest', 'graphql'] as const) {
    const [p50, p95] = [0.5, 0.95].map((share) => percentile(times[way], share).toFixed(1));
    console.log(`${way}: p50 ${p50} ms, p95 ${p95} ms (${queries} queries)`);
  }
  const ratio = percentile(times.rest, 0.5) / percentile(times.graphql, 0.5);
  console.log(`ratio REST / GraphQL at p50: ${ratio.toFixed(2)}`);
}

console.log(describeMachine());
const server = await BenchServer.start();
try {
  await server.createDatabase(database);
  await ingest(server);
  await measure(server);
} finally {
  await server.stop();
}
process.exit(0);
