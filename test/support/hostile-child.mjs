// Instead of prepare-child.js: the title of an item says what happens to the process that prepares it.
import { spawn } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { serveTasks } from '../../dist/src/lib/serve-tasks.js';

const held = [];
const acts = {
  loop() {
    for (;;);
  },
  hang: () => new Promise(() => undefined),
  async steps(progress) {
    for (let step = 0; step < 8; step += 1) {
      await new Promise((done) => setTimeout(done, 100));
      progress();
    }
  },
  // As on a machine with too much to do: for a second and a half it does not get the processor.
  starve() {
    spawn('/bin/sh', ['-c', `sleep 1.5; kill -CONT ${process.pid}`], { stdio: 'ignore' });
    process.kill(process.pid, 'SIGSTOP');
  },
  heap() {
    for (;;) held.push(Array.from({ length: 1000 }, (_, n) => ({ n })));
  },
  buffers() {
    for (;;) held.push(Buffer.alloc(1_000_000, 1));
  },
  // Within the bound, but it stays.
  leak() {
    held.push(Buffer.alloc(60_000_000, 1));
  },
  // As the kernel does without memory, the processes of a title that names no file, and the first of one that does.
  kill(_progress, path) {
    if (path && existsSync(path)) return;
    if (path) writeFileSync(path, '');
    process.kill(process.pid, 'SIGKILL');
  },
  abort: () => process.abort(),
  // Dies of it after its answer, as a library does that reports an error late.
  stray() {
    setTimeout(() => {
      throw new Error('late');
    }, 5);
  },
  full() {
    throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
  },
};

async function prepareItem({ task }, progress) {
  const [act, path] = task.title.split(' ');
  await acts[act]?.(progress, path);
  const text = JSON.stringify({ pid: process.pid, environment: process.env });
  const chunk = {
    position: 0,
    text,
    headings: [],
    layout: {},
    terms: new Int32Array(),
    counts: new Int32Array(),
  };
  return {
    graph: undefined,
    chunks: { count: 1, length: 1, spooledBytes: 0, last: [{ ...chunk, length: 1 }] },
  };
}

async function prepare(runs, progress) {
  return Promise.all(runs.map((run) => prepareItem(run, progress)));
}

serveTasks({ prepare });
