// Watches a process from a thread of its own, since the process may be busy; V8's limits do not cover
// buffers, WebAssembly and native code.
import { writeSync } from 'node:fs';
import { workerData } from 'node:worker_threads';
import { memoryExceeded } from './child-process.js';
import { mebibyte } from './units.js';

const stderr = 2;
const everyMs = 20;
const { residentMebibytesMax, parent } = workerData as { residentMebibytesMax: number; parent: number };

setInterval(() => {
  if (process.ppid !== parent) end();
  if (process.memoryUsage.rss() <= residentMebibytesMax * mebibyte) return;
  try {
    writeSync(stderr, `${memoryExceeded}\n`);
  } finally {
    end();
  }
}, everyMs);

function end(): void {
  process.kill(process.pid, 'SIGKILL');
}
