import { cpus } from 'node:os';

/** What the figures were measured on, for whoever quotes them. */
export function describeMachine(): string {
  const engine = process.env['DATABASE_URL'] ? 'native' : 'embedded';
  return `Postgres: ${engine}; ${cpus().length} × ${cpus()[0]?.model ?? 'unknown'}; Node ${process.version}`;
}

/** Milliseconds that some work takes. */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

/** The value below which a share of the times lie. */
export function percentile(times: readonly number[], share: number): number {
  const sorted = [...times].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}
