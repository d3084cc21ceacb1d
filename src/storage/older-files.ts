import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** Names of the files in a folder that were last written longer ago than this. */
export async function namesOlderThan(folder: string, ageMs: number): Promise<string[]> {
  const newest = Date.now() - ageMs;
  const names: string[] = [];
  for (const name of await readdir(folder)) {
    const found = await stat(join(folder, name)).catch(() => undefined);
    if (found && found.mtimeMs < newest) names.push(name);
  }
  return names;
}
