import { createServer } from 'node:http';
import type { IncomingMessage, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { FakeFailure } from './provider-fake.js';

export interface FakeRequest {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly body: Record<string, unknown>;
  /** Whether the account is known; else the request is served as if nobody had signed in. */
  readonly isKnown: boolean;
}

export interface FakeAnswer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: unknown;
}

export const fakeCredentials = {
  site_url: 'https://example.atlassian.net',
  email: 'reader@example.com',
  api_token: 'ATATT3xFfGF0right',
};
/** With a token that has scopes. */
export const scopedFakeCredentials = { ...fakeCredentials, api_token: 'ATATT3xFfGF0scoped' };
export const wrongFakeCredentials = { ...fakeCredentials, api_token: 'ATATT3xFfGF0wrong' };
const basicOf = ({ email, api_token }: typeof fakeCredentials) =>
  `Basic ${Buffer.from(`${email}:${api_token}`).toString('base64')}`;
const cloudId = '11223344-a1b2-3b33-c444-def123456789';
const atGateway = new RegExp(`^/ex/(?:jira|confluence)/${cloudId}(?=/)`);

/** An Atlassian site on loopback: signs in, counts, and fails where it is told to. */
export class AtlassianServer {
  requests = 0;
  /** Paths of all requests, with their queries. */
  readonly log: string[] = [];
  private failure: FakeFailure | undefined;
  private failures = 0;

  private constructor(
    private readonly server: Server,
    readonly url: string,
  ) {}

  static async start(answer: (request: FakeRequest) => FakeAnswer): Promise<AtlassianServer> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const started = new AtlassianServer(server, `http://127.0.0.1:${port}`);
    server.on('request', (request, response) => {
      void started.answer(request, answer).then(({ status = 200, headers = {}, body }) => {
        const isRaw = Buffer.isBuffer(body);
        const type = isRaw ? 'application/octet-stream' : 'application/json;charset=UTF-8';
        response.writeHead(status, { 'content-type': type, ...headers });
        response.end(isRaw ? body : JSON.stringify(body));
      });
    });
    return started;
  }

  readonly fail = (failure: FakeFailure, times: number): void => {
    this.failure = failure;
    this.failures = times;
  };

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async answer(
    request: IncomingMessage,
    answer: (request: FakeRequest) => FakeAnswer,
  ): Promise<FakeAnswer> {
    this.requests += 1;
    const url = new URL(request.url ?? '/', this.url);
    this.log.push(`${url.pathname}${url.search}`);
    let text = '';
    for await (const part of request) text += String(part);
    if (this.failures > 0 && this.failure) {
      this.failures -= 1;
      return failed(this.failure);
    }
    if (url.pathname === '/_edge/tenant_info') return { body: { cloudId } };
    const { authorization } = request.headers;
    const isScoped = authorization === basicOf(scopedFakeCredentials);
    const isGateway = atGateway.test(url.pathname);
    if (isScoped !== isGateway && (isScoped || isGateway))
      return { status: 401, body: { code: 401, message: 'Unauthorized' } };
    return answer({
      method: request.method ?? 'GET',
      path: decodeURIComponent(url.pathname.replace(atGateway, '')),
      query: url.searchParams,
      body: text === '' ? {} : (JSON.parse(text) as Record<string, unknown>),
      isKnown: isScoped || authorization === basicOf(fakeCredentials),
    });
  }
}

function failed({ status, retryAfterSeconds }: FakeFailure): FakeAnswer {
  const headers = {
    ...(retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) }),
    ...(status >= 300 && status < 400 ? { location: '/login.jsp' } : {}),
    ...(status === 429
      ? { 'x-ratelimit-limit': '100', 'x-ratelimit-remaining': '0', 'ratelimit-reason': 'jira-burst-based' }
      : {}),
  };
  return { status, headers, body: { errorMessages: [`the fake answers ${status}`], errors: {} } };
}

/** A document of one paragraph. */
export function adf(text: string): unknown {
  return { type: 'doc', version: 1, content: [{ type: 'paragraph', content: [{ type: 'text', text }] }] };
}

/** Where a page ends, as an opaque position behind the last thing on it: what is added before it moves nothing. */
export function positionOf(keys: readonly (string | number)[]): string {
  return Buffer.from(JSON.stringify(keys)).toString('base64url');
}

export function readPosition(position: string): (string | number)[] | undefined {
  try {
    return JSON.parse(Buffer.from(position, 'base64url').toString()) as (string | number)[];
  } catch {
    return undefined;
  }
}
