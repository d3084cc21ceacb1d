import { readdirSync } from 'node:fs';
import { setPriority } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { ChildMessage, ChildTask } from './child-process.js';

/** Below the server's priority, but above that of idle work. */
const niceness = 10;

type TaskFunctions = Readonly<Record<string, (input: never, progress: () => void) => unknown>>;

/**
 * Makes this process a child of a ChildPool: it runs the named functions as its parent asks. It ends, even in
 * the middle of a task, when it holds more MiB of memory than its first argument says, and when its parent is
 * gone.
 */
export function serveTasks(functions: TaskFunctions): void {
  // Signals to the whole process group, as from Ctrl-C, are for the parent: it lets the child finish or kills
  // it.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
  process.once('disconnect', () => process.exit());
  new Worker(new URL('./watch-process.js', import.meta.url), {
    workerData: { residentMebibytesMax: Number(process.argv[2]), parent: process.ppid },
    resourceLimits: { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 2 },
  });
  lowerPriority();
  process.on('message', (task) => void answer(functions, task as ChildTask));
  send({ kind: 'ready' });
}

async function answer(functions: TaskFunctions, { name, input }: ChildTask): Promise<void> {
  try {
    const result = await functions[name]?.(input as never, () => send({ kind: 'progress' }));
    send({ kind: 'result', result, residentBytes: process.memoryUsage.rss() });
  } catch (error) {
    const { message, code } =
      error instanceof Error ? (error as NodeJS.ErrnoException) : { message: String(error) };
    send({ kind: 'error', message, code });
  }
}

function send(message: ChildMessage): void {
  process.send?.(message);
}

/** On Linux each thread has its own priority. Those of V8 exist by now; new ones inherit it. */
function lowerPriority(): void {
  try {
    const threads = process.platform === 'linux' ? readdirSync('/proc/self/task').map(Number) : [0];
    for (const thread of threads) setPriority(thread, niceness);
  } catch {
    // The thread has just ended, or the machine does not allow it: only speed depends on it.
  }
}
