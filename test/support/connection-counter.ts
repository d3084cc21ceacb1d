import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';

/** A server on every address of this machine, IPv4 and IPv6, that ends each connection and counts them. */
export class ConnectionCounter {
  connections = 0;
  private readonly server = createServer((socket) => {
    this.connections += 1;
    socket.destroy();
  });

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  async listen(): Promise<void> {
    await new Promise<void>((done) => this.server.listen(0, done));
  }

  close(): void {
    this.server.close();
  }
}
