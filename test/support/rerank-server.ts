import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface RerankAsked {
  readonly path: string | undefined;
  readonly authorization: string | undefined;
  readonly body: { query: string; documents?: string[]; texts?: string[]; model?: string };
}
/** What the endpoint answers a request; undefined: nothing, ever. */
type RerankReply = (asked: RerankAsked) => { status?: number; body?: unknown } | undefined;

/** An endpoint of the common /rerank shape. */
export class RerankServer {
  asked: RerankAsked[] = [];
  reply: RerankReply = () => ({ status: 500 });
  url = '';
  private readonly server: Server;

  constructor() {
    this.server = createServer((request, response) => {
      let text = '';
      request.on('data', (part) => (text += String(part)));
      request.on('end', () => {
        const { url: path, headers } = request;
        const asked = { path, authorization: headers.authorization, body: JSON.parse(text) };
        this.asked.push(asked);
        const reply = this.reply(asked);
        if (!reply) return;
        response.statusCode = reply.status ?? 200;
        response.setHeader('content-type', 'application/json');
        response.end(typeof reply.body === 'string' ? reply.body : JSON.stringify(reply.body ?? {}));
      });
    });
  }

  async listen(): Promise<void> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    this.url = `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}
