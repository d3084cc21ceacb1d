import { ResidentCopies } from './resident-copies.js';
import type { CopyTask, Done, Wanted } from './resident-copies.js';

// This module runs in the worker thread of ResidentThread.
const copies = new ResidentCopies();

/** Does what a task names with the copies of this thread. */
export function run<Task extends CopyTask>([task, wanted]: [Task, Wanted<Task>]): Done<Task> {
  return copies.run(task, wanted);
}
