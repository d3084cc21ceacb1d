import { existsSync, readFileSync } from 'node:fs';

const millisecondsPerTick = 10;

/**
 * The processor time that a process and its children have used (Linux), in ms: those that have ended, as far as it has
 * waited for them, and those that live.
 */
export function processorMillisecondsOf(pid: number): number {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean);
  // One may have ended meanwhile: then it is among those that were waited for.
  const ticks = children.reduce((sum, child) => sum + ticksOf(child, 2), ticksOf(`${pid}`, 4));
  return ticks * millisecondsPerTick;
}

/** Undefined where there is no such process on this machine. */
export function parentOf(pid: number): number | undefined {
  return existsSync(`/proc/${pid}/stat`) ? Number(statOf(`${pid}`)[1]) : undefined;
}

/** The first `fields` of utime, stime, cutime and cstime. */
function ticksOf(pid: string, fields: number): number {
  try {
    return statOf(pid)
      .slice(11, 11 + fields)
      .reduce((sum, field) => sum + Number(field), 0);
  } catch {
    return 0;
  }
}

/** From the state on; what stands before may hold blanks. */
function statOf(pid: string): string[] {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}
