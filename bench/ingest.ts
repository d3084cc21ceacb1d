// Ingest over HTTP: how fast texts become searchable; how that compares to loading the same rows with COPY; what a
// query of one database waits while another is filled; and what memory it takes.
// npm run bench:ingest [-- count]; DATABASE_URL chooses a native Postgres, else the embedded one is used.
import { setTimeout as pause } from 'node:timers/promises';
import { exactRowsMaxDefault } from '../src/postgres/vector-index.js';
import { timeBareCopy } from './bare-copy.js';
import { describeMachine, percentile, timed } from './measuring.js';
import { BenchServer, wordsPerText } from './server.js';
import { SyntheticText, randomNumbers } from './synthetic-text.js';

const count = Number(process.argv[2] ?? 10_000);
const native = Boolean(process.env['DATABASE_URL']);
const rounds = 4;
const quietQueries = 100;
const textsPerRound = 2000;
const warmUp = 50;
const quietMemories = 200;
const betweenQueriesMs = 5;

function print(label: string, value: string): void {
  console.log(`${label.padEnd(34)} ${value}`);
}

/** Texts searchable a second with the server's own embedder, and its memory before, half-way and after. */
async function measureSpeed(server: BenchServer): Promise<void> {
  const text = new SyntheticText(randomNumbers(1));
  await server.createDatabase('bulk');
  const half = Math.floor(count / 2);
  const memory = [server.residentMebibytes()];
  let milliseconds = 0;
  for (const [first, until] of [
    [0, half],
    [half, count],
  ] as const) {
    milliseconds += await timed(() => server.remember('bulk', text, { count: until - first, first }));
    memory.push(server.residentMebibytes());
  }
  const [atStart, atHalf, atEnd] = memory;
  print(
    'texts searchable',
    `${(count / (milliseconds / 1000)).toFixed(0)}/s (${count} of ${wordsPerText} words)`,
  );
  print(
    "memory of the server's process",
    `${atStart} MiB at start, ${atHalf} half-way, ${atEnd} at the end; ` +
      `end / half ${((atEnd ?? 0) / (atHalf ?? 1)).toFixed(2)}`,
  );
}

/** p95 of a light query while another database is filled, in turn with the same in quiet. */
async function measureWaiting(server: BenchServer): Promise<void> {
  const text = new SyntheticText(randomNumbers(2));
  await server.createDatabase('light');
  await server.remember('light', text, { count: quietMemories });
  await server.createDatabase('filled');
  const ask = async () => {
    await pause(betweenQueriesMs);
    return timed(() =>
      server.call('POST', '/query', { database: 'light', type: 'memory', query: text.text(4) }),
    );
  };
  for (let n = 0; n < warmUp; n += 1) await ask();
  const quiet: number[] = [];
  const busy: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    for (let n = 0; n < quietQueries; n += 1) quiet.push(await ask());
    let filling = true;
    const filled = server
      .remember('filled', text, { count: textsPerRound, first: round * textsPerRound })
      .finally(() => {
        filling = false;
      });
    while (filling) busy.push(await ask());
    await filled;
  }
  const [before, meanwhile] = [percentile(quiet, 0.95), percentile(busy, 0.95)];
  print(
    'light query p95 during bulk ingest',
    `${meanwhile.toFixed(1)} ms (${busy.length} queries), quiet ${before.toFixed(1)} ms (${quiet.length}), ` +
      `ratio ${(meanwhile / before).toFixed(2)}; p50 ${percentile(busy, 0.5).toFixed(1)} and ` +
      `${percentile(quiet, 0.5).toFixed(1)} ms`,
  );
}

/** The whole path with vectors that cost nothing, beside COPY of the rows that it wrote and building their indexes. */
async function measureAgainstCopy(): Promise<void> {
  const server = await BenchServer.start('bench/free-embedder-server.js');
  try {
    await server.createDatabase('bulk');
    const client = await server.connect();
    const ours = await timed(async () => {
      await server.remember('bulk', new SyntheticText(randomNumbers(4)), { count });
      const indexed = native && count > exactRowsMaxDefault;
      while (indexed && (await client.query('select 1 from vector_indexes')).rowCount === 0) await pause(20);
    });
    const { rows } = await client.query<{ id: number }>('select id from databases');
    const bare = await timeBareCopy(client, `${rows[0]?.id}_memory`, { native, rows: count });
    await client.end();
    const speed = (milliseconds: number) => `${(count / (milliseconds / 1000)).toFixed(0)}/s`;
    print(
      'rows with free vectors',
      `${speed(ours)}; COPY and indexes ${speed(bare)}; ratio ${(bare / ours).toFixed(2)} (server in a process of ` +
        'its own, its embedder replaced by one that draws vectors)',
    );
  } finally {
    await server.stop();
  }
}

console.log(describeMachine());
const server = await BenchServer.start();
try {
  await measureSpeed(server);
  await measureWaiting(server);
} finally {
  await server.stop();
}
await measureAgainstCopy();
process.exit(0);
