import { Tinypool } from 'tinypool';
import type { CopyHolder, CopyTask, Done, Wanted } from './resident-copies.js';

/** The worker thread that keeps copies of tables; it starts when it is first needed. */
export class ResidentThread implements CopyHolder {
  private pool: Tinypool | undefined;

  async run<Task extends CopyTask>(task: Task, wanted: Wanted<Task>): Promise<Done<Task>> {
    this.pool ??= new Tinypool({
      filename: new URL('./resident-worker.js', import.meta.url).href,
      runtime: 'worker_threads',
      minThreads: 1,
      maxThreads: 1,
    });
    return (await this.pool.run([task, wanted], { name: 'run' })) as Done<Task>;
  }

  async close(): Promise<void> {
    await this.pool?.destroy();
  }
}
