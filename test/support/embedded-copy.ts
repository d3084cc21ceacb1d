import { copyFileSync, mkdirSync, readdirSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const logBytes = 16 * 1024 * 1024;

/**
 * Copies the template of the embedded Postgres into a folder. Its log takes room as it grows, unless all of it is
 * to be `allocated`, as Postgres itself does.
 */
export function copyEmbedded(dataDir: string, { allocated = false } = {}): void {
  copyFolder(process.env['TEST_TEMPLATE'] ?? '', dataDir);
  const logs = join(dataDir, 'postgres', 'pg_wal');
  for (const { name } of readdirSync(logs, { withFileTypes: true }).filter((entry) => entry.isFile())) {
    const log = join(logs, name);
    const left = logBytes - statSync(log).size;
    if (allocated) writeFileSync(log, Buffer.alloc(left), { flag: 'a' });
    else truncateSync(log, logBytes);
  }
}

/** cpSync takes twice as long: it looks at each file several times. */
function copyFolder(from: string, to: string): void {
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) {
      mkdirSync(target);
      copyFolder(source, target);
    } else copyFileSync(source, target);
  }
}
