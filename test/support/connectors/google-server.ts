import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { FakeFailure } from './provider-fake.js';

export interface GoogleRequest {
  readonly path: string;
  readonly query: URLSearchParams;
}

/** What an API answers: an object, or bytes. */
export type GoogleAnswer = object | Buffer;

/** Answered as Google answers it. */
export class GoogleRefusal extends Error {
  constructor(
    readonly status: number,
    readonly reason: string,
    message: string,
    readonly headers: Record<string, string> = {},
  ) {
    super(message);
  }
}

export const googleCredentials = {
  client_id: '123-abc.apps.googleusercontent.com',
  client_secret: 'GOCSPX-secret',
  refresh_token: '1//refresh',
};

/** The token endpoint of Google and one of its APIs, on loopback. */
const failures: Readonly<Record<number, readonly [reason: string, message: string]>> = {
  401: ['authError', 'Invalid Credentials'],
  403: ['accessNotConfigured', 'This API has not been used in this project before, or it is disabled'],
  429: ['rateLimitExceeded', 'Rate Limit Exceeded'],
};

export class GoogleServer {
  requests = 0;
  tokenRequests = 0;
  /** Paths that were asked for, without those of tokens. */
  readonly paths: string[] = [];
  /** What the token endpoint gives beside the access token, or instead of it. */
  rotatedTo: string | undefined;
  refusesToken: string | undefined;
  refusesTokenWith = 400;
  expiresInSeconds = 3599;
  private refreshToken = googleCredentials.refresh_token;
  private accessToken = '';
  private failure: FakeFailure = { status: 500 };
  private failuresLeft = 0;
  private readonly server: Server;

  /** Its API. */
  answer: (request: GoogleRequest) => GoogleAnswer = () => ({});

  private constructor() {
    this.server = createServer((request, response) => {
      this.serve(request, response).catch(() => response.destroy());
    });
  }

  static async start(): Promise<GoogleServer> {
    const started = new GoogleServer();
    await new Promise<void>((resolve) => started.server.listen(0, '127.0.0.1', resolve));
    return started;
  }

  get baseUrl(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  fail(failure: FakeFailure, times: number): void {
    this.failure = failure;
    this.failuresLeft = times;
  }

  /** As when its time is over. */
  endAccessToken(): void {
    this.accessToken = '';
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.requests++;
    const url = new URL(request.url ?? '/', this.baseUrl);
    try {
      if (url.pathname === '/token')
        return this.serveToken(new URLSearchParams(await text(request)), response);
      this.paths.push(url.pathname);
      this.failAsAsked();
      if (this.accessToken === '' || request.headers.authorization !== `Bearer ${this.accessToken}`)
        throw new GoogleRefusal(401, 'authError', 'Invalid Credentials', {
          'www-authenticate': 'Bearer realm="https://accounts.google.com/", error="invalid_token"',
        });
      if (request.method !== 'GET')
        throw new GoogleRefusal(405, 'httpMethodNotAllowed', 'Method not allowed');
      const answer = this.answer({ path: url.pathname, query: url.searchParams });
      if (Buffer.isBuffer(answer)) response.writeHead(200, { 'content-length': answer.length }).end(answer);
      else sendJson(response, 200, answer);
    } catch (error) {
      if (!(error instanceof GoogleRefusal)) throw error;
      const { status, reason, message, headers } = error;
      const domain = status === 403 ? 'usageLimits' : 'global';
      // Newer interfaces write reasons in capitals, and elsewhere.
      const told = /^[A-Z_]+$/.test(reason)
        ? {
            details: [
              { '@type': 'type.googleapis.com/google.rpc.Help' },
              { '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason },
            ],
          }
        : { errors: [{ message, domain, reason }] };
      sendJson(response, status, { error: { code: status, message, ...told } }, headers);
    }
  }

  private serveToken(form: URLSearchParams, response: ServerResponse): void {
    this.tokenRequests++;
    const refuse = (status: number, error: string) =>
      sendJson(response, status, { error, error_description: 'Bad Request' });
    if (this.failuresLeft > 0 && this.failure.status === 401) return refuse(401, 'invalid_client');
    this.failAsAsked();
    if (this.refusesToken) return refuse(this.refusesTokenWith, this.refusesToken);
    if (form.get('grant_type') !== 'refresh_token') return refuse(400, 'unsupported_grant_type');
    if (
      form.get('client_id') !== googleCredentials.client_id ||
      form.get('client_secret') !== googleCredentials.client_secret
    )
      return refuse(401, 'invalid_client');
    if (form.get('refresh_token') !== this.refreshToken) return refuse(400, 'invalid_grant');
    this.refreshToken = this.rotatedTo ?? this.refreshToken;
    this.accessToken = `ya29.${this.tokenRequests}`;
    sendJson(response, 200, {
      access_token: this.accessToken,
      expires_in: this.expiresInSeconds,
      token_type: 'Bearer',
      ...(this.rotatedTo ? { refresh_token: this.rotatedTo } : {}),
    });
  }

  private failAsAsked(): void {
    if (this.failuresLeft <= 0) return;
    this.failuresLeft--;
    const { status, retryAfterSeconds } = this.failure;
    const [reason, message] = failures[status] ?? ['backendError', 'Backend Error'];
    throw new GoogleRefusal(
      status,
      reason,
      message,
      retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) },
    );
  }
}

function sendJson(
  response: ServerResponse,
  status: number,
  body: object,
  headers: Record<string, string> = {},
): void {
  response
    .writeHead(status, { ...headers, 'content-type': 'application/json; charset=UTF-8' })
    .end(JSON.stringify(body));
}

/** What Google leaves of an answer when `fields` asks for parts of it: `nextPageToken,files(id,owners(displayName))`. */
export function partOf(answer: object, fields: string): object {
  const wanted = fieldsIn(fields);
  if (wanted.size === 0 || wanted.has('*')) return answer;
  return Object.fromEntries(
    Object.entries(answer).flatMap(([key, value]: [string, unknown]) => {
      const inner = wanted.get(key);
      return inner === undefined || value === undefined ? [] : [[key, partOfValue(value, inner)]];
    }),
  );
}

function partOfValue(value: unknown, fields: string): unknown {
  if (fields === '' || typeof value !== 'object' || value === null) return value;
  return Array.isArray(value) ? value.map((each) => partOfValue(each, fields)) : partOf(value, fields);
}

function fieldsIn(fields: string): Map<string, string> {
  const found = new Map<string, string>();
  let depth = 0;
  let start = 0;
  for (let at = 0; at <= fields.length; at++) {
    const character = fields[at];
    if (character === '(') depth++;
    if (character === ')') depth--;
    if (at < fields.length && (character !== ',' || depth > 0)) continue;
    const [, name = '', inner = ''] = /^(\*|\w+)(?:\((.*)\))?$/.exec(fields.slice(start, at)) ?? [];
    if (name !== '') found.set(name, inner);
    else if (fields !== '')
      throw new GoogleRefusal(400, 'invalidParameter', `Invalid field selection ${fields}`);
    start = at + 1;
  }
  return found;
}
