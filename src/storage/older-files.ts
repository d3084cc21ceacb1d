import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** The time when `performance.now()` was 0, by the earliest clock seen. */
let originMs = Date.now() - performance.now();

/**
 * What was written before this moment was written more than `ageMs` ago, even if the clock of the machine has been set
 * forward while this process ran: what is being written does not become old by that.
 */
export function momentAgo(ageMs: number): number {
  originMs = Math.min(originMs, Date.now() - performance.now());
  return originMs + performance.now() - ageMs;
}

/** The names of files in a folder that were last written more than `ageMs` ago. */
export async function namesOlderThan(folder: string, ageMs: number): Promise<string[]> {
  const newest = momentAgo(ageMs);
  const names: string[] = [];
  for (const name of await readdir(folder)) {
    const found = await stat(join(folder, name)).catch(() => undefined);
    if (found && found.mtimeMs < newest) names.push(name);
  }
  return names;
}
