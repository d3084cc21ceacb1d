import { createHash } from 'node:crypto';
import { mkdirSync, realpathSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { makeDataDirectory } from '../lib/data-directory.js';
import { StartupError } from '../lib/startup-error.js';
import { mebibyte } from '../lib/units.js';
import { lockDataDirectory } from './data-directory-lock.js';
import type { EmbeddedMessage, EmbeddedWorkerData } from './embedded-worker.js';

// sun_path holds 108 bytes including the final NUL; the longest name in the folder is `/.s.PGSQL.5432`.
const socketFolderBytesMax = 90;
const socketName = '.s.PGSQL.5432';
// A new cluster takes about as much. With less room, that is probably why it does not start.
const roomMin = 64 * mebibyte;

export interface EmbeddedPostgres {
  /** The folder of the Unix socket, which pg takes as its host. */
  readonly socketFolder: string;
  /** Resolves with an error if the engine dies while it should be running. */
  readonly failed: Promise<Error>;
  stop(): Promise<void>;
}

/**
 * The folder of the socket of a data directory's server, where command line tools connect too. If its path is
 * too long it is in the temp folder.
 */
export function embeddedSocketFolder(dataDir: string): string {
  const folder = join(realpathSync(dataDir), 'postgres-socket');
  if (Buffer.byteLength(folder) <= socketFolderBytesMax) return folder;
  const digest = createHash('sha256').update(folder).digest('hex').slice(0, 16);
  return join(tmpdir(), `contexture-${digest}`);
}

/**
 * Starts the embedded Postgres (PGlite) of a data directory in a worker thread, behind a Unix socket that
 * only this user can open. @throws StartupError when another server uses the directory, or its files cannot
 * be opened
 */
export async function startEmbeddedPostgres(dataDir: string): Promise<EmbeddedPostgres> {
  makeDataDirectory(dataDir);
  const socketFolder = embeddedSocketFolder(dataDir);
  mkdirSync(socketFolder, { recursive: true, mode: 0o700 });
  const unlock = await lockDataDirectory(join(socketFolder, 'lock'), dataDir);
  const socketPath = join(socketFolder, socketName);
  rmSync(socketPath, { force: true });
  const workerData: EmbeddedWorkerData = { databaseDir: join(dataDir, 'postgres'), socketPath };
  const worker = new Worker(new URL('./embedded-worker.js', import.meta.url), { workerData });
  const failed = new Promise<Error>((resolve) => {
    worker.once('error', resolve);
    worker.once('exit', (code) => resolve(new Error(`embedded Postgres ended with code ${code}`)));
  });
  const reason = await whyNotListening(worker, failed);
  if (reason !== undefined) {
    await worker.terminate();
    await unlock();
    throw new StartupError(`embedded Postgres cannot start: ${reason}${roomIn(dataDir)}`);
  }
  return {
    socketFolder,
    failed,
    stop: async () => {
      worker.postMessage('stop');
      await failed;
      await unlock();
    },
  };
}

/** Undefined as soon as the worker listens. */
async function whyNotListening(worker: Worker, failed: Promise<Error>): Promise<string | undefined> {
  const first = await Promise.race([
    new Promise<EmbeddedMessage>((resolve) => worker.once('message', resolve)),
    failed.then((error): EmbeddedMessage => ({ error: error.message })),
  ]);
  return 'error' in first ? first.error : undefined;
}

/** Tells how little room there is; empty where there is enough. PGlite hides that Postgres has said so. */
function roomIn(dataDir: string): string {
  const { bavail, bsize } = statfsSync(dataDir);
  const room = bavail * bsize;
  return room < roomMin ? `; its disk (DATA_DIR) has ${Math.floor(room / mebibyte)} MiB left` : '';
}
