import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { processorMs } from './process-stat.js';

/** What the parent sends to a child: which of its functions to run, and on what. */
export interface ChildTask {
  readonly name: string;
  readonly input: unknown;
}

/** What a child answers; `progress` says that another part of the task is done. */
export type ChildMessage =
  | { readonly kind: 'ready' }
  | { readonly kind: 'progress' }
  | { readonly kind: 'result'; readonly result: unknown; readonly residentBytes: number }
  | { readonly kind: 'error'; readonly message: string; readonly code: string | undefined };

export interface ChildOptions {
  /** A module that calls serveTasks(). */
  readonly module: URL;
  readonly heapMebibytesMax: number;
  /** Everything that the process holds: heap, buffers, and what native code and WebAssembly allocate. */
  readonly residentMebibytesMax: number;
}

/**
 * Why a child ended without an answer; `killed`: by others, such as the kernel when it runs out of memory.
 */
export type ChildDeath = 'memory' | 'time' | 'killed' | 'crash';

/** What a child writes to stderr before it ends itself because it holds too much memory. */
export const memoryExceeded = 'more memory than it may hold';

export class ChildDied extends Error {
  constructor(
    readonly death: ChildDeath,
    /** How many tasks it had run before this one, which may have suffered from what they left behind. */
    readonly tasksBefore: number,
    detail: string,
  ) {
    super(`the child process ended: ${detail}`);
    this.name = 'ChildDied';
  }
}

const outputCharactersMax = 4000;
// A child's libraries must not depend on the machine's settings, and it must not know the server's secrets:
// no key, no address of a database.
const environment = { TZ: 'UTC', LANG: 'C.UTF-8' };

// V8 lets a heap double before it collects garbage, which would count as memory that the task needs.
const heapKeptSmall = ['--heap-growing-percent=20', '--max-semi-space-size=4'];

/** A process that runs tasks, one at a time. */
export class Child {
  /** Resolves once the child can take tasks; rejects if it cannot be started. */
  readonly ready: Promise<void>;
  private readonly process: ChildProcess;
  private tasks = 0;
  /** The end of what it has written to stderr. */
  private output = '';
  private ended: string | undefined;
  private listener: ((message: ChildMessage | undefined) => void) | undefined;

  constructor({ module, heapMebibytesMax, residentMebibytesMax }: ChildOptions) {
    this.process = fork(fileURLToPath(module), [String(residentMebibytesMax)], {
      env: environment,
      execArgv: [`--max-old-space-size=${heapMebibytesMax}`, ...heapKeptSmall],
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    this.process.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.output = (this.output + text).slice(-outputCharactersMax);
    });
    this.ready = new Promise((resolve, reject) => {
      this.listener = (message) =>
        message ? resolve() : reject(new Error(`a child process could not start: ${this.explain()}`));
    });
    this.process.on('message', (message) => this.listener?.(message as ChildMessage));
    this.process.once('error', (error) => this.end(error.message));
    // Not `exit`: by `close`, everything that it wrote to stderr or sent has been read.
    this.process.once('close', (code, signal) => this.end(signal ?? `exit code ${code}`));
  }

  get isAlive(): boolean {
    return this.ended === undefined;
  }

  /**
   * Runs a task. `limitMs` is how long it may go without progress, `longestMs` how long it may take in all.
   * @throws ChildDied; the signal's reason; an Error with the message and code of what the task threw
   */
  async run(
    task: ChildTask,
    limits: { readonly limitMs: number; readonly longestMs: number; readonly signal: AbortSignal },
  ): Promise<{ result: unknown; residentBytes: number }> {
    await this.ready;
    limits.signal.throwIfAborted();
    const tasksBefore = this.tasks++;
    const timer = new ProgressTimer(
      limits,
      () => processorMs(this.process.pid),
      () => this.kill('time'),
    );
    const abort = () => this.kill('aborted');
    limits.signal.addEventListener('abort', abort, { once: true });
    try {
      const answer = await this.ask(task, () => timer.restart());
      if (answer?.kind === 'result') return answer;
      if (answer?.kind === 'error')
        throw Object.assign(new Error(answer.message), answer.code ? { code: answer.code } : {});
      limits.signal.throwIfAborted();
      throw new ChildDied(this.death(), tasksBefore, this.explain());
    } finally {
      timer.stop();
      limits.signal.removeEventListener('abort', abort);
    }
  }

  /** SIGKILL, which ends it whatever it is doing. */
  kill(reason = 'not needed any more'): void {
    this.ended ??= reason;
    this.process.kill('SIGKILL');
  }

  /** An idle child does not keep this process alive. */
  setIdle(isIdle: boolean): void {
    const { channel, stderr } = this.process;
    // A pipe is a socket and a channel is a handle, though their types do not say so.
    const handles = [this.process, channel, stderr] as unknown as { ref(): void; unref(): void }[];
    for (const handle of handles) {
      if (isIdle) handle.unref();
      else handle.ref();
    }
  }

  /** The answer to a task; undefined when the process ended first. */
  private ask(task: ChildTask, onProgress: () => void): Promise<ChildMessage | undefined> {
    return new Promise((resolve) => {
      if (!this.isAlive) return resolve(undefined);
      this.listener = (message) => {
        if (message?.kind === 'progress') return onProgress();
        this.listener = undefined;
        resolve(message);
      };
      // If it has just ended, the close event says so.
      this.process.send(task, () => undefined);
    });
  }

  private end(reason: string): void {
    this.ended ??= reason;
    this.listener?.(undefined);
  }

  private death(): ChildDeath {
    if (this.ended === 'time') return 'time';
    // The watch within the child ends it; V8 aborts when its heap is full.
    if ([memoryExceeded, 'heap out of memory'].some((said) => this.output.includes(said))) return 'memory';
    return this.ended === 'SIGKILL' ? 'killed' : 'crash';
  }

  private explain(): string {
    const lines = this.output.trim().split('\n');
    // The stack and the version of Node come after it.
    const said = lines.findLast((line) => /^\w*Error\b/.test(line)) ?? lines.at(-1);
    return [this.ended, said].filter(Boolean).join(': ');
  }
}

/**
 * How often a task is given its time again while the machine hardly lets it work: at thirty processes that
 * wanted two processors, 20 s were too short for the first text after a start.
 */
const extensionsMax = 5;
/** The share of its time that a task must have had the processor to be too slow itself. */
const workedShareMin = 0.5;

/** Calls back when there was no progress for a while, or when it takes too long in all. */
class ProgressTimer {
  private readonly startedAt = performance.now();
  private timer: NodeJS.Timeout | undefined;
  private extensions = 0;

  constructor(
    private readonly limits: { readonly limitMs: number; readonly longestMs: number },
    /** The processor time of the task so far; undefined where nobody tells it. */
    private readonly worked: () => number | undefined,
    private readonly onLate: () => void,
  ) {
    this.restart();
  }

  restart(): void {
    this.extensions = 0;
    this.begin();
  }

  stop(): void {
    clearTimeout(this.timer);
  }

  private begin(): void {
    const { limitMs, longestMs } = this.limits;
    const left = longestMs - (performance.now() - this.startedAt);
    const before = this.worked();
    this.stop();
    this.timer = setTimeout(
      () => {
        if (left <= limitMs || this.extensions >= extensionsMax || !this.isHeldUp(before)) this.onLate();
        else {
          this.extensions += 1;
          this.begin();
        }
      },
      Math.max(Math.min(limitMs, left), 0),
    );
  }

  private isHeldUp(before: number | undefined): boolean {
    const now = this.worked();
    return before !== undefined && now !== undefined && now - before < this.limits.limitMs * workedShareMin;
  }
}
