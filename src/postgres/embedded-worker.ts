import { parentPort, workerData } from 'node:worker_threads';
import { PGlite } from '@electric-sql/pglite';
import { vector } from '@electric-sql/pglite-pgvector';
import { reasonOf } from '../lib/reason-of.js';
import { EmbeddedSocketServer } from './embedded-socket.js';
import type { Engine } from './embedded-socket.js';

export interface EmbeddedWorkerData {
  readonly databaseDir: string;
  readonly socketPath: string;
}

// The file system of PGlite throws numbers, those of WASI.
const fileSystemErrors: Readonly<Record<number, string>> = {
  2: 'permission denied',
  51: 'no space left on device',
  69: 'read-only file system',
};

/** The first message that the worker sends. */
export type EmbeddedMessage = { listening: true } | { error: string };

async function serve({ databaseDir, socketPath }: EmbeddedWorkerData): Promise<void> {
  const postgres = await PGlite.create({ dataDir: databaseDir, extensions: { vector } });
  const server = new EmbeddedSocketServer(engineOf(postgres), (error) => {
    // Thrown outside of every promise, it ends the worker and with it the server.
    setImmediate(() => {
      throw error;
    });
  });
  await server.listen(socketPath);
  parentPort?.once('message', () => {
    void server
      .close()
      .then(() => postgres.close())
      .finally(() => process.exit(0));
  });
  tell({ listening: true });
}

/**
 * Streams answers: when PGlite returns them it also parses every message, and keeps them for as long as it
 * lives.
 */
function engineOf(postgres: PGlite): Engine {
  return {
    execProtocolRaw: async (message) => {
      const parts: Uint8Array[] = [];
      // The part is a view of memory that the engine will use again.
      const onRawData = (part: Uint8Array) => parts.push(part.slice());
      await postgres.execProtocolRawStream(message, { onRawData });
      return Buffer.concat(parts);
    },
  };
}

function tell(message: EmbeddedMessage): void {
  parentPort?.postMessage(message);
}

serve(workerData as EmbeddedWorkerData).catch((error: unknown) => {
  const { errno = 0 } = error as { errno?: number };
  tell({ error: fileSystemErrors[errno] ?? reasonOf(error) });
});
