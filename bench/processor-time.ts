import { readFileSync } from 'node:fs';
import { processorMs, readProcessStat } from '../src/lib/process-stat.js';

/**
 * The processor time that a process and its children have used (Linux), in ms: those that have ended, as far as it has
 * waited for them, and those that live.
 */
export function processorMillisecondsOf(pid: number): number {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean);
  const own = processorMs(pid, { withReaped: true }) ?? 0;
  // One may have ended meanwhile: then it is among those that were waited for.
  return children.reduce((sum, child) => sum + (processorMs(child) ?? 0), own);
}

/** Undefined where there is no such process on this machine. */
export function parentOf(pid: number): number | undefined {
  const stat = readProcessStat(pid);
  return stat && Number(stat[1]);
}
