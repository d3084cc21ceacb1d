// Instead of prepare-child.js: the title of an item says what happens to the process that prepares it.
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

async function prepare({ task }, progress) {
  await acts[task.title]?.(progress);
  const text = JSON.stringify({ pid: process.pid, environment: process.env });
  const chunk = {
    position: 0,
    text,
    headings: [],
    layout: {},
    terms: new Int32Array(),
    counts: new Int32Array(),
  };
  return { chunks: { count: 1, length: 1, spooledBytes: 0, last: [{ ...chunk, length: 1 }] } };
}

serveTasks({ prepare });
