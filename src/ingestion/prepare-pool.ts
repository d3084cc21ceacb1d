import { Tinypool } from 'tinypool';
import type { PreparedItem, PrepareTask, RefusedItem } from './prepare.js';

/** Runs `prepare` in a worker thread, so that indexing never holds up requests. */
export class PreparePool {
  private pool: Tinypool | undefined;

  prepare(task: PrepareTask): Promise<PreparedItem | RefusedItem> {
    this.pool ??= new Tinypool({
      filename: new URL('./prepare.js', import.meta.url).href,
      name: 'prepare',
      runtime: 'worker_threads',
      minThreads: 1,
      // A large item does not hold up the small ones.
      maxThreads: 2,
    });
    return this.pool.run(task) as Promise<PreparedItem | RefusedItem>;
  }

  async close(): Promise<void> {
    await this.pool?.destroy();
  }
}
