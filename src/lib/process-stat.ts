import { readFileSync } from 'node:fs';

/** The unit in which Linux tells the times of processes. */
const tickMs = 10;

/**
 * What Linux tells of a process, from its state on (`/proc/<pid>/stat`, proc(5)); undefined for a process that
 * has ended, and on other systems.
 */
export function readProcessStat(pid: number | string | undefined): readonly string[] | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // Behind the name of the program, which may hold anything.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  } catch {
    return undefined;
  }
}

/**
 * The processor time of a process with all its threads, in ms; undefined where the system does not tell.
 * `withReaped` adds that of the children it has waited for.
 */
export function processorMs(
  pid: number | string | undefined,
  { withReaped = false } = {},
): number | undefined {
  // utime and stime, cutime and cstime.
  const ticks = readProcessStat(pid)?.slice(11, withReaped ? 15 : 13);
  return ticks && ticks.reduce((sum, each) => sum + Number(each), 0) * tickMs;
}
