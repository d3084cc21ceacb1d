import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { FakeFailure } from './provider-fake.js';

/** What is at a path. */
export interface ServedDocument {
  readonly body?: string | Buffer;
  readonly type?: string;
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Without a validator, as of pages that are made anew for each request. */
  readonly isDynamic?: boolean;
  /** Ends the connection instead of answering, or in the middle of the body. */
  readonly breaks?: 'at once' | 'in the body';
}

/** A web server on loopback as others are: an ETag on what it serves, 304 for who has it, 404 for the rest. */
export class DocumentServer {
  readonly documents = new Map<string, ServedDocument>();
  /** What is answered for every other path; unset: 404. */
  otherwise: ServedDocument | undefined;
  /** Of every request, in order: `GET /path`; ` 304` behind those that were told nothing new. */
  readonly log: string[] = [];
  /** The headers of the last request. */
  lastHeaders: IncomingMessage['headers'] = {};
  private failing: { failure: FakeFailure; times: number } | undefined;

  private readonly server = createServer((request, response) => this.answer(request, response));

  static async start(): Promise<DocumentServer> {
    const made = new DocumentServer();
    await new Promise<void>((done) => made.server.listen(0, '127.0.0.1', done));
    return made;
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Serves a document, a page of HTML when nothing else is said. */
  serve(path: string, document: ServedDocument | string): void {
    this.documents.set(path, typeof document === 'string' ? { body: document } : document);
  }

  fail(failure: FakeFailure, times: number): void {
    this.failing = { failure, times };
  }

  /** The requests since it was last asked. */
  takeLog(): string[] {
    return this.log.splice(0);
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((done) => this.server.close(done));
  }

  private answer(request: IncomingMessage, response: ServerResponse): void {
    const { method = '', url = '', headers } = request;
    this.lastHeaders = headers;
    const line = `${method} ${url}`;
    const failure = this.takeFailure();
    if (failure) {
      this.log.push(line);
      const { status, retryAfterSeconds: seconds } = failure;
      response.writeHead(status, seconds === undefined ? {} : { 'retry-after': String(seconds) }).end();
      return;
    }
    const document = this.documents.get(url) ??
      this.otherwise ?? { status: 404, body: 'not here', type: 'text/plain' };
    const { body = '', type = 'text/html; charset=utf-8', status = 200, isDynamic, breaks } = document;
    const etag = `"${createHash('sha1').update(body).digest('hex').slice(0, 16)}"`;
    const own = { 'content-type': type, ...(isDynamic ? {} : { etag }), ...document.headers };
    const isKnown = status === 200 && !isDynamic && headers['if-none-match'] === etag;
    this.log.push(isKnown ? `${line} 304` : line);
    if (breaks === 'at once') request.socket.destroy();
    else if (breaks) {
      response.writeHead(status, { ...own, 'content-length': String(Buffer.byteLength(body) + 100) });
      response.write(body, () => request.socket.destroy());
    } else if (isKnown) response.writeHead(304, own).end();
    else response.writeHead(status, own).end(body);
  }

  private takeFailure(): FakeFailure | undefined {
    if (!this.failing || this.failing.times <= 0) return undefined;
    this.failing.times -= 1;
    return this.failing.failure;
  }
}
