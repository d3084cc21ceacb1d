import { expect, test } from '@jest/globals';
import { pino } from 'pino';
import { defineJob } from '../../src/jobs/define-job.js';
import type { Job, JobOutcome } from '../../src/jobs/define-job.js';
import { createJobRunner } from '../../src/jobs/runner.js';
import type { JobRunner } from '../../src/jobs/runner.js';

/** One that is never started: it needs no store. */
function openRunner(jobs: readonly Job[]): Promise<JobRunner> {
  const backend = { kind: 'mongodb', url: 'mongodb://127.0.0.1:1' } as const;
  return createJobRunner({ jobs, backend, runsJobs: true, logger: pino({ level: 'silent' }) });
}

test('it needs no start, keeps the order, and rejects with the error of a job', async () => {
  const ran: string[] = [];
  const job = (name: string, rows: number): Job => {
    const run = (): Promise<JobOutcome> => Promise.resolve(ran.push(name) && rows-- > 0 ? 'worked' : 'idle');
    return defineJob({ name, everySeconds: 1, concurrency: 1, run });
  };
  await (await openRunner([job('a', 1), job('b', 2)])).runUntilIdle();
  expect(ran.join('')).toBe('ababab');
  // Nobody is asked again who was idle after the last work.
  ran.length = 0;
  await (await openRunner([job('a', 1), job('b', 0), job('c', 0)])).runUntilIdle();
  expect(ran.join('')).toBe('abca');
  const run = () => Promise.reject(new Error('no luck'));
  const broken = defineJob({ name: 'broken', everySeconds: 1, concurrency: 1, run });
  const runner = await openRunner([broken]);
  await expect(runner.runUntilIdle()).rejects.toThrow('no luck');
});

test('it runs a job again whose work ended while others ran', async () => {
  const underWay = new Set<Promise<void>>();
  let left = 3;
  let end = (): void => undefined;
  const sender = defineJob({
    name: 'send',
    everySeconds: 1,
    concurrency: 1,
    underWay: () => underWay,
    // One at a time, like a sender whose room is taken.
    run: () => {
      if (underWay.size > 0 || left === 0) return Promise.resolve('idle');
      left -= 1;
      const ended = new Promise<void>((resolve) => (end = resolve)).then(() => void underWay.delete(ended));
      underWay.add(ended);
      return Promise.resolve('worked');
    },
  });
  let rounds = 0;
  const other = defineJob({
    name: 'other',
    everySeconds: 1,
    concurrency: 1,
    run: async () => {
      rounds += 1;
      // So that the sender, whose room is taken, is the first in a row to find nothing.
      if (rounds % 2 !== 0) return 'worked';
      end();
      await Promise.all(underWay);
      return 'idle';
    },
  });
  await (await openRunner([sender, other])).runUntilIdle();
  expect([left, underWay.size]).toEqual([0, 0]);
});

test('of jobs that were woken it runs no others, until none was woken again', async () => {
  const ran: string[] = [];
  const job = (name: string, rows: number, wakes?: string): Job => {
    const run = (): Promise<JobOutcome> => {
      ran.push(name);
      if (wakes && rows > 0) runner.wake(wakes);
      return Promise.resolve(rows-- > 0 ? 'worked' : 'idle');
    };
    return defineJob({ name, everySeconds: 1, concurrency: 1, run });
  };
  const runner = await openRunner([job('a', 0), job('b', 2, 'd'), job('c', 1), job('d', 1)]);
  await runner.runUntilIdle('woken');
  expect(ran.join('')).toBe('');
  runner.wake('b');
  await runner.runUntilIdle('woken');
  expect(ran.join('')).toBe('bdbdb');
});

test('of two at once each waits for the work that it was woken for', async () => {
  const ended: string[] = [];
  let begin = (): void => undefined;
  const begun = new Promise<void>((resolve) => (begin = resolve));
  let end = (): void => undefined;
  const held = new Promise<void>((resolve) => (end = resolve));
  let runs = 0;
  const run = async (): Promise<JobOutcome> => {
    runs += 1;
    begin();
    await held;
    ended.push('run');
    return 'idle';
  };
  const runner = await openRunner([defineJob({ name: 'a', everySeconds: 1, concurrency: 2, run })]);
  runner.wake('a');
  const first = runner.runUntilIdle('woken');
  await begun;
  const second = runner.runUntilIdle('woken').then(() => ended.push('second'));
  end();
  await Promise.all([first, second]);
  expect(runs).toBe(2);
  expect(ended).toEqual(['run', 'run', 'second']);
});
