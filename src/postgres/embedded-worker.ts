import { parentPort, workerData } from 'node:worker_threads';
import { PGlite } from '@electric-sql/pglite';
import { vector } from '@electric-sql/pglite-pgvector';
import { EmbeddedSocketServer } from './embedded-socket.js';

export interface EmbeddedWorkerData {
  readonly databaseDir: string;
  readonly socketPath: string;
}

/** The first message of the worker. */
export type EmbeddedMessage = { listening: true } | { error: string };

async function serve({ databaseDir, socketPath }: EmbeddedWorkerData): Promise<void> {
  const engine = await PGlite.create({ dataDir: databaseDir, extensions: { vector } });
  const server = new EmbeddedSocketServer(engine, (error) => {
    // Thrown outside of every promise, it ends the worker, and with it the server.
    setImmediate(() => {
      throw error;
    });
  });
  await server.listen(socketPath);
  parentPort?.once('message', () => {
    void server
      .close()
      .then(() => engine.close())
      .finally(() => process.exit(0));
  });
  tell({ listening: true });
}

function tell(message: EmbeddedMessage): void {
  parentPort?.postMessage(message);
}

serve(workerData as EmbeddedWorkerData).catch((error: unknown) => {
  tell({ error: error instanceof Error ? error.message : String(error) });
});
