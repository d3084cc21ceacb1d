import { Tinypool } from 'tinypool';
import type * as worker from './resident-worker.js';

/** The worker thread that keeps the copies of tables; it starts when it is first needed. */
export class ResidentThread {
  private pool: Tinypool | undefined;

  /** Runs an exported function of resident-worker.ts in the thread, and returns its result. */
  async run<Name extends keyof typeof worker>(
    name: Name,
    task: Parameters<(typeof worker)[Name]>[0],
  ): Promise<ReturnType<(typeof worker)[Name]>> {
    this.pool ??= new Tinypool({
      filename: new URL('./resident-worker.js', import.meta.url).href,
      runtime: 'worker_threads',
      minThreads: 1,
      maxThreads: 1,
    });
    return (await this.pool.run(task, { name })) as ReturnType<(typeof worker)[Name]>;
  }

  async close(): Promise<void> {
    await this.pool?.destroy();
  }
}
