/** What one run of a job did: 'worked' asks for another run at once, 'idle' waits for the next wake. */
export type JobOutcome = 'worked' | 'idle';

/** A kind of background work. Its queue is rows in our own tables; Agenda only schedules and wakes it. */
export interface Job {
  /** Verb and noun in kebab-case, e.g. `index-sources`. */
  readonly name: string;
  /** The schedule that finds work when no wake came: retries that are due, lapsed leases, other processes' rows. */
  readonly everySeconds: number;
  /** How many runs may be under way in one process. */
  readonly concurrency: number;
  /** Claims one batch of rows, works on it, and says whether it found any. Idempotent; stops early on `signal`. */
  run(signal: AbortSignal): Promise<JobOutcome>;
  /**
   * Work that runs have begun without waiting for it. These promises never reject; their work wakes the job
   * if there may be more to do.
   */
  underWay?(): Iterable<Promise<void>>;
}

/** Declares a job: whoever looks for the jobs of the server looks for this name. */
export function defineJob(job: Job): Job {
  return job;
}

/** Asks for a run of a job soon; never throws. */
export type Wake = (job: string) => void;
