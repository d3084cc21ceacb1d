import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo, Server, Socket } from 'node:net';
import { createInterface } from 'node:readline';

/**
 * A mail server that says what the test wants: `answers` are the lines before the final one, or the final one that is `NO`,
 * by the beginning of the command.
 */
export class ScriptedImap {
  answers: Record<string, string> = {};
  readonly sockets = new Set<Socket>();
  private readonly server: Server;

  private constructor() {
    this.server = createServer((socket) => {
      this.sockets.add(socket);
      socket.on('error', () => undefined).write('* OK ready\r\n');
      createInterface({ input: socket }).on('line', (line) => {
        const [, tag = '', command = ''] = /^(\S+) (.*)$/.exec(line) ?? [];
        const key = Object.keys(this.answers).find((each) => command.startsWith(each));
        const answer = key ? this.answers[key] : undefined;
        if (answer?.startsWith('NO ')) socket.write(`${tag} ${answer}\r\n`);
        else socket.write(`${answer ? `${answer}\r\n` : ''}${tag} OK done\r\n`);
      });
    });
  }

  static async start(): Promise<ScriptedImap> {
    const imap = new ScriptedImap();
    await once(imap.server.listen(0, '127.0.0.1'), 'listening');
    return imap;
  }

  get credentials() {
    const { port } = this.server.address() as AddressInfo;
    return { host: '127.0.0.1', port, tls: false, user: 'u', password: 'p' };
  }

  close(): void {
    for (const socket of this.sockets) socket.destroy();
    this.server.close();
  }
}
