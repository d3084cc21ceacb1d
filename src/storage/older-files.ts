import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** The names of files in a folder that were last written more than `ageMs` ago. */
export async function namesOlderThan(folder: string, ageMs: number): Promise<string[]> {
  const newest = Date.now() - ageMs;
  const names: string[] = [];
  for (const name of await readdir(folder)) {
    const found = await stat(join(folder, name)).catch(() => undefined);
    if (found && found.mtimeMs < newest) names.push(name);
  }
  return names;
}
