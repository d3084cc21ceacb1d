// What a light query waits while large files are read, and what memory that takes: quiet and busy in turn on one server.
// npm run bench:files [-- megabytes a file [part of their names]]; DATABASE_URL chooses a native Postgres, else the embedded one is used.
import { setTimeout as pause } from 'node:timers/promises';
import { describeMachine, percentile, timed } from './measuring.js';
import { BenchServer } from './server.js';
import { SyntheticText, randomNumbers } from './synthetic-text.js';

const bytes = Number(process.argv[2] ?? 50) * 1024 * 1024;
const named = process.argv[3] ?? '';
const quietQueries = 100;
const warmUp = 50;
const quietMemories = 200;
const betweenQueriesMs = 5;
const sampleMs = 20;
const linesAtOnce = 1000;

/** Lines up to the size of a file; some are made, and told apart by their number. */
function lines(line: (n: number) => string, bytesMax = bytes): string {
  const parts: string[] = [];
  let size = 0;
  for (let n = 1; size < bytesMax; n += linesAtOnce) {
    const part = Array.from({ length: linesAtOnce }, (_, index) => line(n + index)).join('');
    parts.push(part);
    size += part.length;
  }
  return parts.join('').slice(0, bytesMax);
}

const text = new SyntheticText(randomNumbers(3));
const sentences = Array.from({ length: 500 }, () => text.text(60));
const sentence = (n: number) => sentences[n % sentences.length] ?? '';
const columns = Array.from({ length: 8 }, (_, n) => `A long name of column number ${n}`);
const files: Readonly<Record<string, () => string>> = {
  'short rows.csv': () =>
    `id,name,town\n${lines((n) => `${n},Name ${n % 977},Town ${n % 89}\n`)}`.slice(0, bytes),
  'long headers.csv': () =>
    `${columns.join(',')}\n${lines((n) => `${columns.map((_, column) => (n * column) % 9973).join(',')}\n`)}`.slice(
      0,
      bytes,
    ),
  'paragraphs.txt': () => lines((n) => `${n} ${sentence(n)}\n\n`),
  // What is read as a tree takes many times its size, so that a page of the web is never as large.
  'page.html': () => `<html><body>${lines((n) => `<p>${n} ${sentence(n)}</p>`, bytes / 16)}</body></html>`,
};

console.log(describeMachine());
const server = await BenchServer.start();
const peaks = { server: 0, child: 0 };
const sampling = setInterval(() => {
  peaks.server = Math.max(peaks.server, server.residentMebibytes());
  peaks.child = Math.max(peaks.child, ...server.childrenMebibytes());
}, sampleMs);
try {
  await server.createDatabase('light');
  await server.remember('light', text, { count: quietMemories });
  await server.createDatabase('files');
  const ask = async () => {
    await pause(betweenQueriesMs);
    return timed(() =>
      server.call('POST', '/query', { database: 'light', type: 'memory', query: text.text(4) }),
    );
  };
  for (let n = 0; n < warmUp; n += 1) await ask();
  for (const [name, make] of Object.entries(files).filter(([name]) => name.includes(named))) {
    const quiet: number[] = [];
    const busy: number[] = [];
    for (let n = 0; n < quietQueries; n += 1) quiet.push(await ask());
    const content = make();
    Object.assign(peaks, { server: 0, child: 0 });
    let ended = false;
    let outcome = 'searchable';
    const milliseconds = timed(async () => {
      await server.upload('files', { id: name, name, content });
      await server.waitForItems('files', [name]).catch((error: Error) => (outcome = error.message));
    }).finally(() => (ended = true));
    while (!ended) busy.push(await ask());
    for (let n = 0; n < quietQueries; n += 1) quiet.push(await ask());
    const [before, meanwhile] = [percentile(quiet, 0.95), percentile(busy, 0.95)];
    console.log(
      `${name} of ${(content.length / 1024 / 1024).toFixed(0)} MiB: ${outcome} after ${((await milliseconds) / 1000).toFixed(0)} s; ` +
        `query p95 ${meanwhile.toFixed(1)} ms (${busy.length} queries), quiet ${before.toFixed(1)} ms, ` +
        `ratio ${(meanwhile / before).toFixed(2)}; p50 ${percentile(busy, 0.5).toFixed(1)} and ${percentile(quiet, 0.5).toFixed(1)} ms; ` +
        `memory at most ${peaks.server} MiB the server, ${peaks.child} MiB a child`,
    );
  }
} finally {
  clearInterval(sampling);
  await server.stop();
}
process.exit(0);
