import { renameSync, rmSync, statSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import type { Server } from 'node:net';
import { StartupError } from '../lib/startup-error.js';

/** Another server runs on the data directory. */
export class DataDirectoryInUse extends StartupError {}

/**
 * Locks a data directory for this process by binding a Unix socket in it: the kernel releases that however
 * the process ends. @throws DataDirectoryInUse when another server holds it
 */
export async function lockDataDirectory(socketPath: string, dataDir: string): Promise<() => Promise<void>> {
  for (let attempt = 0; attempt < 5; attempt += 1) {
    const server = await tryToBind(socketPath);
    if (server) return () => new Promise<void>((resolve) => server.close(() => resolve()));
    const inode = inodeOf(socketPath);
    if (await answers(socketPath)) break;
    if (inode !== undefined && !removeStale(socketPath, inode)) break;
  }
  throw new DataDirectoryInUse(
    `another server is running on DATA_DIR ${dataDir}; stop it or choose another DATA_DIR`,
  );
}

function tryToBind(socketPath: string): Promise<Server | undefined> {
  return new Promise((resolve, reject) => {
    const server = createServer((connection) => connection.end());
    server.once('error', (error: NodeJS.ErrnoException) =>
      error.code === 'EADDRINUSE' ? resolve(undefined) : reject(error),
    );
    server.listen(socketPath, () => {
      server.unref();
      resolve(server);
    });
  });
}

function answers(socketPath: string): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = connect(socketPath, () => {
      probe.destroy();
      resolve(true);
    });
    probe.once('error', () => resolve(false));
  });
}

function inodeOf(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.ino;
}

/**
 * Moves the dead socket away and looks again: another server may have bound one between the probe and the
 * removal.
 */
function removeStale(socketPath: string, inode: number): boolean {
  const aside = `${socketPath}.${process.pid}`;
  try {
    renameSync(socketPath, aside);
  } catch {
    return true;
  }
  if (inodeOf(aside) !== inode) {
    renameSync(aside, socketPath);
    return false;
  }
  rmSync(aside, { force: true });
  return true;
}
