import { Child, ChildDied } from './child-process.js';
import type { ChildOptions, ChildTask } from './child-process.js';
import { mebibyte } from './units.js';

interface ChildPoolOptions extends ChildOptions {
  readonly childrenMax: number;
  /**
   * A child that holds more after a task is replaced, so that what one task left behind does not count
   * against the next.
   */
  readonly residentMebibytesKept: number;
  readonly idleMs: number;
}

interface RunLimits {
  readonly limitMs: number;
  readonly longestMs: number;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Runs tasks in child processes, one task at a time in each: endless work, unlimited memory or a crash of
 * native code end that task and nothing else. Tasks queue while all children are busy, and the time limit of
 * a task begins when it starts.
 */
export class ChildPool {
  private readonly idle: { child: Child; timer: NodeJS.Timeout }[] = [];
  private readonly waiting: (() => void)[] = [];
  private readonly closing = new AbortController();
  private busy = 0;

  constructor(private readonly options: ChildPoolOptions) {}

  /**
   * @throws ChildDied when the task ended its process; an Error with the message and code of what the task
   * threw; the signal's reason
   */
  async run(task: ChildTask, limits: RunLimits): Promise<unknown> {
    const closed = this.closing.signal;
    const signal = limits.signal ? AbortSignal.any([limits.signal, closed]) : closed;
    while (this.busy >= this.options.childrenMax) await new Promise<void>((go) => this.waiting.push(go));
    this.busy += 1;
    try {
      signal.throwIfAborted();
      return await this.runOnce(task, { ...limits, signal });
    } catch (error) {
      // A child that had worked before may have died of that, and a machine short of memory may kill any: the
      // task gets one more try, in a fresh child.
      if (!(error instanceof ChildDied) || error.death === 'time') throw error;
      if (error.tasksBefore === 0 && error.death !== 'killed') throw error;
      return await this.runOnce(task, { ...limits, signal }, this.start());
    } finally {
      this.busy -= 1;
      this.waiting.shift()?.();
    }
  }

  /** Ends all children, busy ones too. */
  close(): void {
    this.closing.abort(new Error('the pool of child processes is closed'));
    for (const { child, timer } of this.idle.splice(0)) {
      clearTimeout(timer);
      child.kill();
    }
  }

  private async runOnce(
    task: ChildTask,
    limits: RunLimits & { readonly signal: AbortSignal },
    child = this.takeIdle() ?? this.start(),
  ): Promise<unknown> {
    try {
      const { result, residentBytes } = await child.run(task, limits);
      if (residentBytes > this.options.residentMebibytesKept * mebibyte) child.kill();
      return result;
    } finally {
      this.putBack(child);
    }
  }

  private start(): Child {
    return new Child(this.options);
  }

  private takeIdle(): Child | undefined {
    for (;;) {
      const taken = this.idle.pop();
      clearTimeout(taken?.timer);
      taken?.child.setIdle(false);
      if (!taken || taken.child.isAlive) return taken?.child;
    }
  }

  private putBack(child: Child): void {
    if (!child.isAlive) return;
    if (this.closing.signal.aborted) return child.kill();
    const timer = setTimeout(() => {
      const place = this.idle.findIndex((idle) => idle.child === child);
      this.idle.splice(place, 1);
      child.kill();
    }, this.options.idleMs).unref();
    child.setIdle(true);
    this.idle.push({ child, timer });
  }
}
