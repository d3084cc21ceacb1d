import { Tinypool } from 'tinypool';
import type { PreparedItem, PrepareTask, RefusedItem } from './prepare.js';

/** Runs the functions of prepare.ts in a worker thread, so that indexing never holds up requests. */
export class PreparePool {
  private pool: Tinypool | undefined;

  prepare(task: PrepareTask): Promise<PreparedItem | RefusedItem> {
    return this.run(task, 'prepare') as Promise<PreparedItem | RefusedItem>;
  }

  readInferredTexts(task: PrepareTask): Promise<string[] | RefusedItem> {
    return this.run(task, 'readInferredTexts') as Promise<string[] | RefusedItem>;
  }

  private run(task: PrepareTask, name: 'prepare' | 'readInferredTexts'): Promise<unknown> {
    this.pool ??= new Tinypool({
      filename: new URL('./prepare.js', import.meta.url).href,
      runtime: 'worker_threads',
      minThreads: 1,
      maxThreads: 1,
    });
    return this.pool.run(task, { name });
  }

  async close(): Promise<void> {
    await this.pool?.destroy();
  }
}
