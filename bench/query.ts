// Query latency at 10,000 chunks over HTTP: REST beside the same operation through /graphql, in one run.
// npm run bench:query [-- chunks]; DATABASE_URL chooses a native Postgres, else the embedded one is used.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { packageRoot } from '../src/lib/package-root.js';
import { SyntheticText, randomNumbers } from './synthetic-text.js';

const chunks = Number(process.argv[2] ?? 10_000);
const wordsPerChunk = 60;
const itemsPerRequest = 1000;
const queries = 300;
const warmUp = 30;
const key = 'bench.0123456789abcdef0123456789abcdef';
const database = `bench-${Date.now()}`;

const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };

async function call<Data>(url: string, body?: unknown): Promise<Data> {
  const response = await fetch(
    url,
    body ? { method: 'POST', headers, body: JSON.stringify(body) } : { headers },
  );
  const answer = (await response.json()) as { data: Data; errors?: unknown; error?: unknown };
  if (answer.errors ?? answer.error) throw new Error(JSON.stringify(answer));
  return answer.data;
}

async function waitFor(url: string, done: (data: never) => boolean): Promise<void> {
  while (!done(await call<never>(url))) await new Promise((resolve) => setTimeout(resolve, 100));
}

function percentile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

async function ingest(url: string): Promise<void> {
  const text = new SyntheticText(randomNumbers(1));
  const startedAt = performance.now();
  for (let start = 0; start < chunks; start += itemsPerRequest) {
    const count = Math.min(itemsPerRequest, chunks - start);
    const memories = Array.from({ length: count }, (_, n) => ({
      id: `${start + n}`,
      text: text.text(wordsPerChunk),
    }));
    await call(`${url}/context/ingest`, { database, type: 'memory', memories });
  }
  const stats = `${url}/databases/stats?database=${database}`;
  await waitFor(
    stats,
    (data: { memory_collection: { row_count: number } }) => data.memory_collection.row_count >= chunks,
  );
  const seconds = (performance.now() - startedAt) / 1000;
  console.log(
    `ingest: ${chunks} texts of ${wordsPerChunk} words searchable at ${(chunks / seconds).toFixed(0)}/s`,
  );
}

async function measure(url: string): Promise<void> {
  const operation = readFileSync(join(packageRoot, 'rest-compat/operations/query.graphql'), 'utf8');
  const text = new SyntheticText(randomNumbers(2));
  const times = { rest: [] as number[], graphql: [] as number[] };
  for (let n = 0; n < queries + warmUp; n += 1) {
    const variables = { database, type: 'memory', query: text.text(8) };
    // Alternating, so that whatever else the machine does falls on both.
    const ways = [
      ['rest', () => call(`${url}/query`, variables)],
      ['graphql', () => call(`${url}/graphql`, { query: operation, variables })],
    ] as const;
    for (const [way, ask] of n % 2 ? ways : [...ways].reverse()) {
      const startedAt = performance.now();
      await ask();
      if (n >= warmUp) times[way].push(performance.now() - startedAt);
    }
  }
  const p50 = { rest: 0, graphql: 0 };
  for (const way of ['rest', 'graphql'] as const) {
    const sorted = times[way].sort((a, b) => a - b);
    p50[way] = percentile(sorted, 0.5);
    console.log(
      `${way}: p50 ${p50[way].toFixed(1)} ms, p95 ${percentile(sorted, 0.95).toFixed(1)} ms (${queries} queries)`,
    );
  }
  console.log(`ratio REST / GraphQL at p50: ${(p50.rest / p50.graphql).toFixed(2)}`);
}

/** A server in a process of its own, as a client meets it. */
async function startServer(dataDir: string): Promise<{ url: string; stop(): Promise<void> }> {
  const environment = {
    ...process.env,
    PORT: '0',
    DATA_DIR: dataDir,
    BOOTSTRAP_API_KEY: key,
    LOG_LEVEL: 'info',
  };
  const server = spawn(process.execPath, [join(packageRoot, 'dist/src/main.js')], {
    env: environment,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(server, 'exit');
  const lines = createInterface(server.stdout);
  const url = await new Promise<string>((resolve, reject) => {
    lines.on('line', (line) => {
      const found = /"url":"([^"]+)".*"msg":"serving"/.exec(line)?.[1];
      if (found) resolve(found);
    });
    void ended.then(() => reject(new Error('the server ended')));
  });
  const stop = async () => {
    server.kill('SIGTERM');
    await ended;
  };
  return { url, stop };
}

const dataDir = mkdtempSync(join(tmpdir(), 'contexture-bench-'));
const running = await startServer(dataDir);
try {
  const engine = process.env['DATABASE_URL'] ? 'native' : 'embedded';
  console.log(
    `Postgres: ${engine}; ${cpus().length} × ${cpus()[0]?.model ?? 'unknown'}; Node ${process.version}`,
  );
  await call(`${running.url}/databases`, { database });
  await waitFor(
    `${running.url}/databases/status?database=${database}`,
    (data: { status: string }) => data.status === 'ready',
  );
  await ingest(running.url);
  await measure(running.url);
  await fetch(`${running.url}/databases?database=${database}`, { method: 'DELETE', headers });
} finally {
  await running.stop();
  rmSync(dataDir, { recursive: true, force: true });
}
process.exit(0);
