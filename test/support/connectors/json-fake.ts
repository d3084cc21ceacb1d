import { createServer } from 'node:http';
import type { IncomingHttpHeaders, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { FakeFailure } from './provider-fake.js';

/** A request as a fake sees it. */
export interface FakeRequest {
  readonly method: string;
  readonly path: string;
  /** Of the address. */
  readonly query: URLSearchParams;
  /** Of a body that is a form. */
  readonly form: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
}

export interface FakeAnswer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** JSON, unless it is a text or bytes. */
  readonly body: unknown;
}

/** An HTTP server on loopback that counts what it is asked. */
export class JsonFake {
  url = '';
  /** Paths that were asked for, in their order. */
  readonly asked: string[] = [];
  private failing: { failure: FakeFailure; times: number } | undefined;
  private readonly server: Server;

  constructor(answer: (request: FakeRequest) => FakeAnswer, failed: (failure: FakeFailure) => FakeAnswer) {
    this.server = createServer((incoming, response) => {
      const parts: Buffer[] = [];
      incoming.on('data', (part: Buffer) => parts.push(part));
      incoming.on('end', () => {
        const { pathname, searchParams } = new URL(incoming.url ?? '/', 'http://fake');
        this.asked.push(pathname);
        const failure = this.nextFailure();
        const given = failure
          ? failed(failure)
          : answer({
              method: incoming.method ?? 'GET',
              path: pathname,
              query: searchParams,
              form: new URLSearchParams(Buffer.concat(parts).toString()),
              headers: incoming.headers,
            });
        const { status = 200, headers = {}, body } = given;
        const isRaw = typeof body === 'string' || Buffer.isBuffer(body);
        response.writeHead(status, {
          ...(isRaw ? {} : { 'content-type': 'application/json; charset=utf-8' }),
          ...headers,
        });
        response.end(isRaw ? body : JSON.stringify(body));
      });
    });
  }

  fail(failure: FakeFailure, times: number): void {
    this.failing = { failure, times };
  }

  async listen(): Promise<void> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    this.url = `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private nextFailure(): FakeFailure | undefined {
    if (!this.failing || this.failing.times <= 0) return undefined;
    this.failing.times--;
    return this.failing.failure;
  }
}
