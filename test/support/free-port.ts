import { once } from 'node:events';
import { createServer } from 'node:net';

/** Below the ports of the native Postgres that tests run on, and below those that Linux gives to outgoing connections. */
const [first, last] = [10_000, 25_000];

/**
 * A port of 127.0.0.1 that stays free until it is listened on, and whenever its owner is away for a while: unlike port
 * 0 it is never one that somebody's outgoing connection takes meanwhile.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = first + Math.floor(Math.random() * (last - first));
    const server = createServer();
    try {
      server.listen(port, '127.0.0.1');
      await once(server, 'listening');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
      continue;
    }
    server.close();
    await once(server, 'close');
    return port;
  }
}
