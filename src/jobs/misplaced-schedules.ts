import type { JobRepository } from 'agenda';
import type { Job } from './define-job.js';

/** A document may be so much further ahead than its interval: machines whose clocks differ a little. */
const toleratedMs = 10_000;

/**
 * Makes the schedules due that are further ahead than their interval, and frees those that were locked in the future:
 * Agenda goes by the clock of the machine, and these were written before it was set back, or by another machine. The
 * jobs would stand still until then.
 */
export async function replaceSchedules(
  repository: JobRepository,
  jobs: readonly Pick<Job, 'name' | 'everySeconds'>[],
): Promise<void> {
  const everyMs = new Map(jobs.map(({ name, everySeconds }) => [name, everySeconds * 1000]));
  const { jobs: documents } = await repository.queryJobs({ names: [...everyMs.keys()] });
  const now = Date.now();
  const isAhead = (time: Date | null | undefined, byMs: number) =>
    time != null && time.getTime() - now > byMs + toleratedMs;
  for (const document of documents) {
    const { lockedAt, ...unlocked } = document;
    if (!isAhead(unlocked.nextRunAt, everyMs.get(unlocked.name) ?? 0) && !isAhead(lockedAt, 0)) continue;
    await repository.saveJobState({ ...unlocked, nextRunAt: new Date(now) }, undefined);
  }
}
