import { createServer } from 'node:http';
import type { IncomingHttpHeaders, Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A delivery as it came. */
export interface Received {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** The very bytes. */
  readonly raw: Buffer;
  readonly body: any;
}

/** What is answered; undefined: nothing, until `release`. */
type Reply = { status: number; headers?: Record<string, string>; endless?: boolean } | undefined;

/** Receives webhooks, and answers as it is told. */
export class WebhookReceiver {
  readonly received: Received[] = [];
  reply: (received: Received, index: number) => Reply = () => ({ status: 200 });
  /** Connections that were made. */
  connections = 0;
  url = '';
  private readonly held: ((status: number) => void)[] = [];
  private readonly server: Server;

  constructor() {
    this.server = createServer((request, response) => {
      const parts: Buffer[] = [];
      request.on('data', (part: Buffer) => parts.push(part));
      request.on('end', () => {
        const raw = Buffer.concat(parts);
        const received = {
          path: request.url ?? '',
          headers: request.headers,
          raw,
          body: JSON.parse(raw.toString()),
        };
        this.received.push(received);
        const reply = this.reply(received, this.received.length - 1);
        if (reply?.endless) response.writeHead(reply.status, reply.headers).write('It goes on ');
        else if (reply) response.writeHead(reply.status, reply.headers).end();
        else this.held.push((status) => response.writeHead(status).end());
      });
    });
    this.server.on('connection', () => (this.connections += 1));
  }

  async listen(): Promise<this> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    this.url = `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/hook`;
    return this;
  }

  /** Answers what was not answered. */
  release(status = 200): void {
    for (const answer of this.held.splice(0)) answer(status);
  }

  /** The one that came last. */
  get last(): Received {
    const last = this.received.at(-1);
    if (!last) throw new Error('nothing was received');
    return last;
  }

  /** How many wait for an answer. */
  get waiting(): number {
    return this.held.length;
  }

  /** The changes that were told of an item, in the order in which they came. */
  statusesOf(id: string): string[] {
    return this.received.filter(({ body }) => body.id === id).map(({ body }) => body.indexing_status);
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}
