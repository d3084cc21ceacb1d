import { setMaxListeners } from 'node:events';
import { Agenda, type AgendaBackend } from 'agenda';
import { reasonOf } from '../lib/reason-of.js';
import type { Job, JobOutcome } from './define-job.js';
import { JobLoop } from './job-loop.js';
import type { JobLogger } from './job-loop.js';
import { openJobStore } from './job-store.js';
import type { JobRunnerBackend, JobStore } from './job-store.js';
import { replaceSchedules } from './misplaced-schedules.js';

export interface JobRunnerOptions {
  readonly jobs: readonly Job[];
  readonly backend: JobRunnerBackend;
  /** False when this process only wakes others. */
  readonly runsJobs: boolean;
  readonly logger: JobLogger;
  /** How often the store is asked for due schedules and wakes; 5 s with notifications, else 2 s. */
  readonly pollEveryMs?: number;
  /** How long stop() lets running batches finish before it aborts their signal; 3 s. */
  readonly graceMs?: number;
}

export interface JobRunner {
  /** Connects, creates the store's tables, schedules the jobs. Rejects when the store does not answer. */
  start(): Promise<void>;
  /** Asks for a run soon, in this process or another; never throws. Before start() the request is kept. */
  wake(name: string): void;
  /**
   * For tests; needs no start(). Runs jobs in order, over and over, until all that may have work were idle: all of them, as
   * if their schedules were due, or those that were woken, as between two schedules. Rejects with an error of a job.
   */
  runUntilIdle(begin?: 'all' | 'woken'): Promise<void>;
  /** Whether the store answers; false before start(). */
  ready(): Promise<boolean>;
  /**
   * Stops scheduling, lets running batches finish, and disconnects; leaves the Postgres pool open. Later calls
   * wait for the first.
   */
  stop(): Promise<void>;
}

const wakeJobName = 'wake';
/**
 * How many polls a lock lives: longer than Agenda locks ahead (one), short enough that a crash is hardly
 * noticed.
 */
const lockLifetimePolls = 4;
/** How often schedules are looked at whose time a wrong clock may have said. */
const replacedEveryPolls = 6;
const wakeRetryMs = 1_000;
/** The same error of the store is not an error of the log again within this time. */
const repeatedErrorMs = 10_000;
// What takes longer waits for a file to be read, a model or a receiver: it is given back, and begun anew.
const defaultGraceMs = 3_000;
const abortedGraceMs = 2_000;
const idleRunsMax = 200_000;

interface WakeData {
  job: string;
}

/** Resolves with whether all promises settled in time; they must not reject. */
async function settleWithin(promises: Iterable<Promise<void>>, timeoutMs: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), timeoutMs);
  });
  const settled = Promise.all(promises).then(() => true);
  return Promise.race([settled, timeout]).finally(() => clearTimeout(timer));
}

class AgendaJobRunner implements JobRunner {
  private readonly abort = new AbortController();
  private readonly loops: ReadonlyMap<string, JobLoop>;
  private readonly pollEveryMs: number;
  private storeError = { err: '', atMs: -Infinity };
  /** While a store is away every job meets the same error at each poll: five a second. */
  private readonly reportStoreError = (error: unknown): void => {
    const [err, atMs] = [reasonOf(error), performance.now()];
    const isRepeated = err === this.storeError.err && atMs - this.storeError.atMs < repeatedErrorMs;
    if (!isRepeated) this.storeError = { err, atMs };
    this.options.logger[isRepeated ? 'debug' : 'error']({ err }, 'job store error');
  };
  /** When a busy store is still saving the end of a run, Agenda reports that the run has lost its lock. */
  private readonly reportAgendaError = (error: unknown): void => {
    const err = reasonOf(error);
    if (!err.includes('no lockedAt date found')) return this.reportStoreError(error);
    this.options.logger.debug({ err }, 'the end of a run is not saved yet');
  };
  /** How often each job was woken, and how many of these wakes runUntilIdle() has served. */
  private readonly wakes = new Map<string, number>();
  private readonly served = new Map<string, number>();
  private agenda: Agenda | undefined;
  private started = false;
  private replacing: NodeJS.Timeout | undefined;
  private stopped: Promise<void> | undefined;

  constructor(
    private readonly options: JobRunnerOptions,
    private readonly store: JobStore,
  ) {
    const { backend, jobs, logger, runsJobs } = options;
    // Every run that is under way listens to it.
    setMaxListeners(0, this.abort.signal);
    const notifications = backend.kind === 'postgres' && backend.notifications;
    this.pollEveryMs = options.pollEveryMs ?? (notifications ? 5_000 : 2_000);
    this.guardStore();
    // A process that runs no jobs sends its wakes through the same loops: they coalesce, log, and are waited
    // for.
    const looped = runsJobs ? jobs : jobs.map((job) => this.wakeSender(job.name));
    this.loops = new Map(looped.map((job) => [job.name, new JobLoop(job, this.abort.signal, logger)]));
    if (this.loops.size < jobs.length || this.loops.has(wakeJobName)) {
      throw new Error(`job names must be unique and not '${wakeJobName}'`);
    }
  }

  async start(): Promise<void> {
    try {
      await this.store.connect();
      this.agenda = this.createAgenda();
      if (this.options.runsJobs) {
        await this.defineJobs(this.agenda);
        await this.replaceSchedules();
      }
      this.started = true;
      // A process that runs no jobs needs Agenda's processor only for the channel that it opens.
      if (this.options.runsJobs || this.store.channel) await this.agenda.start();
    } catch (error) {
      // A channel that failed to connect would keep trying for ever.
      await this.store.channel?.disconnect();
      await this.store.disconnect();
      this.agenda = undefined;
      this.started = false;
      throw error;
    }
    for (const loop of this.loops.values()) loop.open();
    const { jobs, runsJobs } = this.options;
    const everyMs = this.pollEveryMs * replacedEveryPolls;
    if (runsJobs)
      this.replacing = setInterval(
        () => void this.replaceSchedules().catch(this.reportStoreError),
        everyMs,
      ).unref();
    this.options.logger.info({ runsJobs, jobs: jobs.length }, 'job runner started');
  }

  wake(name: string): void {
    const loop = this.loops.get(name);
    this.wakes.set(name, this.wakesOf(name) + 1);
    if (loop) loop.wake();
    else this.options.logger.error({ job: name }, 'wake for an unknown job');
  }

  async runUntilIdle(begin: 'all' | 'woken' = 'all'): Promise<void> {
    const { jobs } = this.options;
    const afterWork = begin === 'all' ? jobs : [];
    const due = new Set(afterWork);
    // What was under way before the first of those looked that are idle now.
    let begunBefore = this.underWay();
    for (let runs = 0, turn = 0; runs < idleRunsMax; turn += 1) {
      for (const job of jobs) if (this.wakesOf(job.name) > (this.served.get(job.name) ?? 0)) due.add(job);
      if (due.size === 0) {
        const underWay = this.underWay();
        // What ended meanwhile may have made room that a job did not find.
        if (underWay.length === 0 && begunBefore.length === 0) return;
        if (underWay.length > 0) await Promise.race(underWay);
        begunBefore = this.underWay();
        for (const job of afterWork) due.add(job);
      }
      const job = jobs[turn % jobs.length];
      if (!job || !due.delete(job)) continue;
      runs += 1;
      if ((await this.runNow(job)) !== 'worked') continue;
      for (const next of [job, ...afterWork]) due.add(next);
      begunBefore = this.underWay();
    }
    throw new Error(`jobs still found work after ${idleRunsMax} runs`);
  }

  /** A wake counts as served when a run has ended that began after it: until then others may wait for its work, too. */
  private async runNow(job: Job): Promise<JobOutcome> {
    const wakes = this.wakesOf(job.name);
    const outcome = await job.run(this.abort.signal);
    this.served.set(job.name, Math.max(wakes, this.served.get(job.name) ?? 0));
    return outcome;
  }

  private wakesOf(name: string): number {
    return this.wakes.get(name) ?? 0;
  }

  async ready(): Promise<boolean> {
    if (!this.started) return false;
    return this.store.repository.getQueueSize().then(
      () => true,
      () => false,
    );
  }

  stop(): Promise<void> {
    return (this.stopped ??= this.end());
  }

  private async end(): Promise<void> {
    const { graceMs = defaultGraceMs, logger } = this.options;
    this.started = false;
    clearInterval(this.replacing);
    const loops = [...this.loops.values()];
    for (const loop of loops) loop.close();
    await this.agenda?.stop(false).catch(this.reportStoreError);
    // What Agenda still has under way may find the pool closed; its locks run out by themselves.
    this.agenda?.off('error', this.reportAgendaError);
    const running = loops.flatMap((loop) => [...loop.running]);
    // What the last runs have begun is known only when they have ended.
    const ended = Promise.all(running).then(async () => void (await Promise.all(this.underWay())));
    if (!(await settleWithin([ended], graceMs))) {
      this.abort.abort();
      const stopped = await settleWithin([ended], abortedGraceMs);
      const jobs = this.options.jobs.filter((job) => this.isRunning(job)).map(({ name }) => name);
      if (!stopped) logger.error({ jobs }, 'jobs went on although their signal was aborted');
    }
    this.agenda = undefined;
    await this.store.disconnect();
  }

  private underWay(jobs = this.options.jobs): Promise<void>[] {
    return jobs.flatMap((job) => [...(job.underWay?.() ?? [])]);
  }

  private isRunning(job: Job): boolean {
    return [...(this.loops.get(job.name)?.running ?? []), ...this.underWay([job])].length > 0;
  }

  /** Agenda leaves errors of a lost connection uncaught, which would end the process. */
  private guardStore(): void {
    const { repository, channel } = this.store;
    // Agenda does not await this call.
    const unlockJob = repository.unlockJob.bind(repository);
    repository.unlockJob = (job) => unlockJob(job).catch(this.reportStoreError);
    // An emitter without a listener for 'error' throws it.
    channel?.on('error', (error) => this.options.logger.debug({ err: reasonOf(error) }, 'job channel error'));
    channel?.on('stateChange', (state) => this.options.logger.info({ state }, 'job channel state'));
  }

  private createAgenda(): Agenda {
    const { repository, channel } = this.store;
    const backend: AgendaBackend = {
      name: this.options.backend.kind,
      repository,
      notificationChannel: channel,
      ownsConnection: false,
      // start() has connected: a failure here Agenda would neither report nor recover from.
      connect: () => Promise.resolve(),
      disconnect: () => Promise.resolve(),
    };
    const agenda = new Agenda({
      backend,
      processEvery: this.pollEveryMs,
      defaultLockLifetime: this.pollEveryMs * lockLifetimePolls,
    });
    agenda.on('error', this.reportAgendaError);
    return agenda;
  }

  /** Agenda's processors only kick the local loops, so its locks are held for milliseconds. */
  private async defineJobs(agenda: Agenda): Promise<void> {
    agenda.define<WakeData>(
      wakeJobName,
      async (wake) => {
        if (!this.started) throw new Error('stopping: left to another process');
        // Removed before the run begins: a wake from now on makes a new document, and none is lost.
        await wake.remove();
        this.loops.get(wake.attrs.data.job)?.wake();
      },
      // A document that could not be removed must not stay unscheduled, where it would swallow later wakes.
      { backoff: () => wakeRetryMs },
    );
    for (const job of this.options.jobs) {
      agenda.define(job.name, async () => this.wake(job.name));
      await agenda.every(job.everySeconds * 1_000, job.name);
    }
  }

  private replaceSchedules(): Promise<void> {
    const wakes = { name: wakeJobName, everySeconds: 0 };
    return replaceSchedules(this.store.repository, [...this.options.jobs, wakes]);
  }

  private wakeSender(name: string): Job {
    return {
      name,
      everySeconds: 0,
      concurrency: 1,
      run: async () => {
        await this.agenda
          ?.create<WakeData>(wakeJobName, { job: name })
          // Due by every clock, even if that of the other process is wrong.
          .schedule(new Date(0))
          .unique({ 'data.job': name }, { insertOnly: true })
          .save();
        return 'idle';
      },
    };
  }
}

/** Creates the runner. Rejects when two jobs have one name. */
export async function createJobRunner(options: JobRunnerOptions): Promise<JobRunner> {
  return new AgendaJobRunner(options, await openJobStore(options.backend));
}
