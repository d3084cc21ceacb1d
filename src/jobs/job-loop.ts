import { setMaxListeners } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import { runInBackground } from '../lib/background.js';
import type { Job, JobOutcome } from './define-job.js';

/** The part of a pino logger that the runner needs. */
export interface JobLogger {
  info(details: object, message: string): void;
  error(details: object, message: string): void;
  debug(details: object, message: string): void;
}

/** Runs one job in this process, in up to `concurrency` slots; each repeats it while there is work. */
export class JobLoop {
  private readonly slots = new Set<Promise<void>>();
  private slotsTaken = 0;
  private state: 'waiting' | 'open' | 'closed' = 'waiting';
  /** A wake has come since the last run began. */
  private wakePending = false;

  constructor(
    private readonly job: Job,
    private readonly signal: AbortSignal,
    private readonly logger: JobLogger,
  ) {}

  /** Settle when the runs under way have ended; they never reject. */
  get running(): Iterable<Promise<void>> {
    return this.slots;
  }

  /** Begins to run the job as soon as the loop is open. */
  wake(): void {
    this.wakePending = true;
    if (this.state !== 'open') return;
    while (this.slotsTaken < this.job.concurrency) {
      this.slotsTaken += 1;
      const slot = this.repeat();
      this.slots.add(slot);
      void slot.then(() => this.slots.delete(slot));
    }
  }

  open(): void {
    this.state = 'open';
    if (this.wakePending) this.wake();
  }

  /** Runs under way end; none begins any more. */
  close(): void {
    this.state = 'closed';
  }

  private async repeat(): Promise<void> {
    // Several wakes in one tick cost one run.
    await Promise.resolve();
    let outcome: JobOutcome;
    do {
      this.wakePending = false;
      outcome = await this.runOnce();
      // Whatever a job does, the process can answer requests between its batches.
      if (outcome === 'worked') await setImmediate();
    } while (this.state === 'open' && (outcome === 'worked' || this.wakePending));
    // In the same tick as the test above: a wake must not find a slot taken that runs no more.
    this.slotsTaken -= 1;
  }

  /** A failed run counts as idle, so that it is tried again at the next wake or schedule. */
  private async runOnce(): Promise<JobOutcome> {
    // A signal of its own: that of the loop outlives all runs, and would keep whatever listens to it. So would
    // one made by AbortSignal.any.
    const run = new AbortController();
    // All statements and calls of a run that are under way listen to it, however many they are.
    setMaxListeners(0, run.signal);
    const abort = () => run.abort(this.signal.reason);
    this.signal.addEventListener('abort', abort);
    if (this.signal.aborted) abort();
    try {
      return await runInBackground(() => this.job.run(run.signal));
    } catch (error) {
      // Work that was told to end in the middle ends with an error, and whatever is amiss shows again after a start.
      const [level, event] = this.signal.aborted
        ? (['debug', 'job cut off'] as const)
        : (['error', 'job failed'] as const);
      this.logger[level]({ job: this.job.name, err: error }, event);
      return 'idle';
    } finally {
      this.signal.removeEventListener('abort', abort);
    }
  }
}
