import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setImmediate } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { defineJob, type Job, type JobOutcome } from '../../src/jobs/define-job.js';
import { createJobRunner, type JobRunner } from '../../src/jobs/runner.js';
import { openMongoStore, openPostgresStore, type JobStore } from '../support/job-stores.js';

const daySeconds = 86_400;
const pollEveryMs = 200;

/** A job that counts its runs and lets a test wait for them. */
class Probe {
  runs = 0;
  private readonly waiters = new Set<() => void>();
  readonly job: Job;

  constructor(name: string, everySeconds: number, run?: (signal: AbortSignal) => Promise<JobOutcome>) {
    this.job = defineJob({
      name,
      everySeconds,
      concurrency: 1,
      run: async (signal) => {
        this.runs += 1;
        for (const check of this.waiters) check();
        return run ? run(signal) : 'idle';
      },
    });
  }

  /** Resolves when run number `runs` has begun. */
  async reached(runs: number): Promise<void> {
    await new Promise<void>((resolve) => {
      const check = (): void => {
        if (this.runs < runs) return;
        this.waiters.delete(check);
        resolve();
      };
      this.waiters.add(check);
      check();
    });
  }
}

class Gate {
  open: () => void = () => undefined;
  readonly opened = new Promise<void>((resolve) => {
    this.open = resolve;
  });
}

describe.each([
  ['postgres', openPostgresStore],
  ['mongodb', openMongoStore],
])('the job runner on %s', (_kind, openStore) => {
  let store: JobStore;
  let cleanups: (() => Promise<void>)[] = [];
  let errors: object[] = [];

  /** A runner with its own connections, as another process would have. */
  async function openRunner(
    jobs: readonly Job[],
    options: { runsJobs?: boolean; graceMs?: number } = {},
  ): Promise<JobRunner> {
    const connected = store.connect();
    const { backend } = connected;
    const ignore = (): void => undefined;
    const logger = { info: ignore, debug: ignore, error: (details: object) => void errors.push(details) };
    const runner = await createJobRunner({
      jobs,
      backend,
      logger,
      pollEveryMs,
      runsJobs: true,
      ...options,
    });
    cleanups.push(async () => {
      await runner.stop();
      await connected.close();
    });
    return runner;
  }

  /** Has one runner run the job's first schedule, which comes at once, so that a test starts from silence. */
  async function startAfterFirstRun(runner: JobRunner, probe: Probe): Promise<void> {
    await runner.start();
    await probe.reached(1);
  }

  function spawnRunner(jobName: string, everySeconds: number): ChildProcess {
    const source = `${store.connectSource}
      const { createJobRunner } = await import('${new URL('../../dist/src/jobs/runner.js', import.meta.url).href}');
      const run = async () => { console.log('ran'); return 'idle'; };
      const logger = { info() {}, debug() {}, error: (details, message) => console.error(message, details) };
      const jobs = [{ name: '${jobName}', everySeconds: ${everySeconds}, concurrency: 1, run }];
      const options = { jobs, backend, logger, runsJobs: true, pollEveryMs: ${pollEveryMs} };
      await (await createJobRunner(options)).start();`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', source], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    cleanups.push(async () => {
      child.kill('SIGKILL');
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    });
    return child;
  }

  beforeAll(async () => {
    store = await openStore();
  });
  afterAll(() => store.close());
  beforeEach(async () => {
    errors = [];
    await store.clear();
  });
  afterEach(async () => {
    for (const cleanup of cleanups.reverse()) await cleanup();
    cleanups = [];
  });

  test('a scheduled job runs again and again, from one document', async () => {
    const probe = new Probe('tick', 0.2);
    await (await openRunner([probe.job])).start();
    await probe.reached(3);
    expect(await store.documentNames()).toEqual(['tick']);
    expect(errors).toEqual([]);
  });

  test('a wake runs a job at once, although its schedule is far away', async () => {
    const probe = new Probe('index', daySeconds);
    const runner = await openRunner([probe.job]);
    await startAfterFirstRun(runner, probe);
    await setImmediate();
    runner.wake('index');
    await setImmediate();
    expect(probe.runs).toBe(2);
  });

  test('a wake before start() is kept until then, and an unknown one is only logged', async () => {
    // The first run of the schedule is over, and the next one far away.
    const scheduled = new Probe('index', daySeconds);
    await startAfterFirstRun(await openRunner([scheduled.job]), scheduled);
    const probe = new Probe('index', daySeconds);
    const runner = await openRunner([probe.job]);
    runner.wake('index');
    runner.wake('nothing');
    expect(errors).toEqual([{ job: 'nothing' }]);
    await setImmediate();
    expect(probe.runs).toBe(0);
    await runner.start();
    await probe.reached(1);
    expect(scheduled.runs).toBe(1);
  });

  test('a burst of wakes during a run costs one more run', async () => {
    const gate = new Gate();
    const probe = new Probe('index', daySeconds, () => gate.opened.then(() => 'idle'));
    const runner = await openRunner([probe.job]);
    await startAfterFirstRun(runner, probe);
    for (let count = 0; count < 1_000; count += 1) runner.wake('index');
    gate.open();
    await probe.reached(2);
    await runner.stop();
    expect(probe.runs).toBe(2);
  });

  test('a burst of wakes for another process costs one document', async () => {
    const probe = new Probe('index', daySeconds);
    const web = await openRunner([probe.job], { runsJobs: false });
    await web.start();
    for (let count = 0; count < 1_000; count += 1) web.wake('index');
    await web.stop();
    expect(await store.documentNames()).toEqual(['wake']);
    expect(probe.runs).toBe(0);
    expect(errors).toEqual([]);
  });

  test("'worked' runs again at once until 'idle'", async () => {
    let rows = 5;
    const probe = new Probe('index', daySeconds, () => Promise.resolve((rows -= 1) >= 0 ? 'worked' : 'idle'));
    const runner = await openRunner([probe.job]);
    await runner.start();
    await probe.reached(6);
    await runner.stop();
    expect(probe.runs).toBe(6);
  });

  test('runs of a job go side by side up to its concurrency', async () => {
    const gate = new Gate();
    const probe = new Probe('crawl', daySeconds, () => gate.opened.then(() => 'idle'));
    const runner = await openRunner([{ ...probe.job, concurrency: 3 }]);
    await runner.start();
    await probe.reached(3);
    runner.wake('crawl');
    await setImmediate();
    expect(probe.runs).toBe(3);
    gate.open();
    await probe.reached(4);
  });

  test('a job that throws is logged, runs again, and stops no other', async () => {
    const broken = new Probe('broken', 0.2, () => Promise.reject(new Error('no luck')));
    const sound = new Probe('sound', 0.2);
    await (await openRunner([broken.job, sound.job])).start();
    await Promise.all([broken.reached(3), sound.reached(3)]);
    expect(errors).toContainEqual({ job: 'broken', err: new Error('no luck') });
  });

  test('a process that runs no jobs wakes one that does, every time', async () => {
    const probe = new Probe('index', daySeconds);
    const worker = await openRunner([probe.job]);
    const web = await openRunner([probe.job], { runsJobs: false });
    await startAfterFirstRun(worker, probe);
    await web.start();
    for (const run of [2, 3, 4]) {
      web.wake('index');
      await probe.reached(run);
    }
    expect(errors).toEqual([]);
  });

  test('processes that start together on an empty store agree on one document per job', async () => {
    const probes = [1, 2, 3].map(() => new Probe('index', daySeconds));
    await Promise.all(probes.map(async (probe) => (await openRunner([probe.job])).start()));
    await Promise.race(probes.map((probe) => probe.reached(1)));
    expect(await store.documentNames()).toEqual(['index']);
  });

  test('stop waits for the running batch', async () => {
    const gate = new Gate();
    let finished = false;
    const probe = new Probe('index', daySeconds, async (signal) => {
      await gate.opened;
      finished = !signal.aborted;
      return 'worked';
    });
    const runner = await openRunner([probe.job]);
    await startAfterFirstRun(runner, probe);
    const stopped = runner.stop();
    runner.wake('index');
    gate.open();
    await stopped;
    expect(finished).toBe(true);
    expect(probe.runs).toBe(1);
  });

  test('stop aborts a batch that outlasts the grace', async () => {
    const probe = new Probe('index', daySeconds, async (signal) => {
      await once(signal, 'abort');
      return 'worked';
    });
    const runner = await openRunner([probe.job], { graceMs: 20 });
    await startAfterFirstRun(runner, probe);
    await runner.stop();
    expect(probe.runs).toBe(1);
    expect(errors).toEqual([]);
  });

  test('a batch that its aborted signal ends with an error is no error; one that goes on is named', async () => {
    const gate = new Gate();
    const obeys = new Probe('obeys', daySeconds, async (signal) => {
      await once(signal, 'abort');
      throw new Error('cut off in the middle');
    });
    const goesOn = new Probe('goes-on', daySeconds, async () => {
      await gate.opened;
      return 'idle';
    });
    const runner = await openRunner([obeys.job, goesOn.job], { graceMs: 20 });
    await runner.start();
    await Promise.all([obeys.reached(1), goesOn.reached(1)]);
    await runner.stop();
    expect(errors).toEqual([{ jobs: ['goes-on'] }]);
    gate.open();
  });

  test('of two processes one is killed, and the other goes on with the schedule', async () => {
    const child = spawnRunner('tick', 0.2);
    const lines = createInterface({ input: child.stdout ?? process.stdin });
    await once(lines, 'line');
    const probe = new Probe('tick', 0.2);
    await (await openRunner([probe.job])).start();
    child.kill('SIGKILL');
    await once(child, 'exit');
    await probe.reached(probe.runs + 3);
    expect(await store.documentNames()).toEqual(['tick']);
  });

  test('a lock that a killed process left behind runs out soon', async () => {
    const before = new Probe('tick', 0.2);
    const first = await openRunner([before.job]);
    await startAfterFirstRun(first, before);
    await first.stop();
    await store.lockAll();
    const after = new Probe('tick', 0.2);
    await (await openRunner([after.job])).start();
    await after.reached(2);
  });

  test('a schedule that was put hours ahead, before the clock was set back, is found while running and at a start', async () => {
    const tick = new Probe('tick', 0.2);
    const runner = await openRunner([tick.job]);
    await startAfterFirstRun(runner, tick);
    await store.putAhead();
    await tick.reached(tick.runs + 2);
    await runner.stop();
    await store.putAhead();
    const next = new Probe('tick', 0.2);
    await startAfterFirstRun(await openRunner([next.job]), next);
  });

  test('ready() says whether the store answers', async () => {
    const runner = await openRunner([]);
    expect(await runner.ready()).toBe(false);
    await runner.start();
    expect(await runner.ready()).toBe(true);
    await runner.stop();
    expect(await runner.ready()).toBe(false);
  });

  test('job names are unique', async () => {
    const { job } = new Probe('index', 1);
    await expect(openRunner([job, job])).rejects.toThrow('unique');
  });
});

test('an error of the store that every poll meets is one error of the log', async () => {
  const store = await openPostgresStore();
  const connected = store.connect();
  const met = { error: [] as object[], debug: [] as object[] };
  const again = new Gate();
  const logger = {
    info: () => undefined,
    error: (details: object) => void met.error.push(details),
    debug: (details: object) => void (met.debug.push(details) === 3 && again.open()),
  };
  const { job } = new Probe('tick', 0.2);
  const runner = await createJobRunner({
    jobs: [job],
    backend: connected.backend,
    logger,
    pollEveryMs,
    runsJobs: true,
  });
  try {
    await runner.start();
    // Drops its table.
    await store.clear();
    await again.opened;
    expect(met.error).toEqual([{ err: expect.stringMatching(/agenda_jobs/) }]);
    expect(met.debug.slice(0, 3)).toEqual(Array.from({ length: 3 }, () => met.error[0]));
  } finally {
    await runner.stop();
    await connected.close();
    await store.close();
  }
});
