import { Agent, buildConnector, request } from 'undici';
import type { Dispatcher } from 'undici';
import { AddressGuard, RefusedAddress, privateReason } from './address-guard.js';
import type { Resolve } from './host-addresses.js';

export interface HttpClientOptions {
  /** Also allows plain http and hosts of private networks: for tests and closed networks. */
  readonly allowPrivate: boolean;
  /** Replaced by tests. */
  readonly resolve?: Resolve;
  /** Open connections to one host at most; further requests wait for one. */
  readonly connectionsPerHostMax?: number;
}

export interface HttpRequest {
  readonly method: string;
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array | string;
  /** For the whole exchange, from resolving the name to the last byte of the answer that is kept. */
  readonly timeoutMs: number;
  /** How much of the answer's body is kept; with 0 the answer is there as soon as its head is. */
  readonly responseBytesMax: number;
  readonly signal?: AbortSignal;
}

export interface HttpAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
  /** Whether the body was longer than what is kept of it. */
  readonly truncated: boolean;
}

/**
 * Why there is no answer. The message says nothing about private networks: it may be shown to whoever chose
 * the URL.
 */
export class HttpRequestError extends Error {
  override name = 'HttpRequestError';

  constructor(
    /** `refused`: the URL or where it leads; `cancelled`: by the caller's signal. */
    readonly kind: 'refused' | 'timeout' | 'cancelled' | 'network',
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

const connectionsPerHostMaxDefault = 8;
const connectMsMax = 10_000;
const idleMsMax = 15_000;
/** How much of a body that nobody wants is read, and for how long, to keep its connection. */
const discarded = { bytesMax: 16_384, milliseconds: 1000 };

/**
 * Sends requests to hosts that users name. Every address is checked when a connection is made to it, so
 * neither an odd spelling nor a name that changes its address leads into a private network. Redirects are not
 * followed.
 */
export class HttpClient {
  private readonly guard: AddressGuard;
  private readonly agent: Agent;

  constructor(private readonly options: HttpClientOptions) {
    this.guard = new AddressGuard(options);
    this.agent = guardedAgent(this.guard, options.connectionsPerHostMax ?? connectionsPerHostMaxDefault);
  }

  /**
   * Whether requests to a URL would be allowed now. @returns undefined, or the reason why not: `must be …`
   */
  async problemOf(url: string): Promise<string | undefined> {
    try {
      return await this.guard.problemOf(this.read(url).hostname);
    } catch (error) {
      if (error instanceof HttpRequestError) return error.message;
      throw error;
    }
  }

  /** @throws HttpRequestError when there is no answer */
  async request({ url, timeoutMs, responseBytesMax, signal, ...rest }: HttpRequest): Promise<HttpAnswer> {
    const timeout = AbortSignal.timeout(timeoutMs);
    try {
      const answer = await request(this.read(url), {
        method: rest.method,
        headers: { ...rest.headers },
        body: rest.body ?? null,
        signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
        dispatcher: this.agent,
        // The signal covers the whole exchange.
        headersTimeout: 0,
        bodyTimeout: 0,
      });
      return {
        status: answer.statusCode,
        headers: answer.headers,
        ...(responseBytesMax > 0 ? await readBody(answer.body, responseBytesMax) : discard(answer.body)),
      };
    } catch (error) {
      throw toRequestError(error, { timeoutMs, timedOut: timeout.aborted, cancelled: signal?.aborted });
    }
  }

  /** Ends every connection. */
  async close(): Promise<void> {
    await this.agent.destroy();
  }

  private read(text: string): URL {
    const url = URL.canParse(text) ? new URL(text) : undefined;
    if (!url) throw refusal('must be a URL');
    const plain = this.options.allowPrivate && url.protocol === 'http:';
    if (url.protocol !== 'https:' && !plain) throw refusal('must begin with https://');
    if (url.username || url.password) throw refusal('must not hold a user name or a password');
    return url;
  }
}

/** Connects only where the guard allows; an IP literal is connected to without a look-up. */
export function guardedAgent(guard: AddressGuard, connections: number): Agent {
  const connect = buildConnector({ timeout: connectMsMax, lookup: guard.lookup });
  return new Agent({
    connections,
    keepAliveTimeout: idleMsMax,
    keepAliveMaxTimeout: idleMsMax,
    connect: (target, callback) => {
      if (guard.mayConnect(target.hostname)) connect(target, callback);
      else callback(new RefusedAddress(privateReason), null);
    },
  });
}

function refusal(reason: string): HttpRequestError {
  return new HttpRequestError('refused', reason);
}

async function readBody(
  stream: AsyncIterable<Buffer>,
  bytesMax: number,
): Promise<Pick<HttpAnswer, 'body' | 'truncated'>> {
  const parts: Buffer[] = [];
  let bytes = 0;
  // Leaving the loop ends the connection, so the rest of an endless answer is never read.
  for await (const part of stream) {
    parts.push(part);
    bytes += part.length;
    if (bytes > bytesMax) break;
  }
  return { body: Buffer.concat(parts).subarray(0, bytesMax), truncated: bytes > bytesMax };
}

/** Does not wait. A body that is long or slow, or is cut off, costs its connection only. */
function discard(body: Dispatcher.ResponseData['body']): Pick<HttpAnswer, 'body' | 'truncated'> {
  const { bytesMax: limit, milliseconds } = discarded;
  body.dump({ limit, signal: AbortSignal.timeout(milliseconds) }).catch(() => undefined);
  return { body: Buffer.alloc(0), truncated: false };
}

interface RequestEnd {
  readonly timeoutMs: number;
  readonly timedOut: boolean;
  readonly cancelled: boolean | undefined;
}

function toRequestError(error: unknown, { timeoutMs, timedOut, cancelled }: RequestEnd): HttpRequestError {
  if (error instanceof HttpRequestError) return error;
  if (error instanceof RefusedAddress) return refusal(error.message);
  if (cancelled) return new HttpRequestError('cancelled', 'the request was cancelled', { cause: error });
  if (timedOut) return new HttpRequestError('timeout', `no answer within ${timeoutMs} ms`, { cause: error });
  return new HttpRequestError('network', connectionProblem(error), { cause: error });
}

const reasons: readonly (readonly [codes: RegExp, reason: string])[] = [
  [/^(?:ENOTFOUND|ENODATA|EAI_\w+|ESERVFAIL)$/, 'the name of the host cannot be resolved'],
  [/^ECONNREFUSED$/, 'nothing accepts connections at this address'],
  [/^(?:EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL)$/, 'no way leads to this address'],
  [/^(?:ETIMEDOUT|UND_ERR_CONNECT_TIMEOUT)$/, 'the connection was not accepted in time'],
  [/^(?:ECONNRESET|EPIPE|UND_ERR_SOCKET)$/, 'the connection was closed before an answer came'],
  [
    /^(?:CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|ERR_TLS_CERT_)/,
    'the certificate of the host is not accepted',
  ],
  [
    /^(?:ERR_SSL_|ERR_TLS_|EPROTO)/,
    'no TLS connection could be made: does the host speak https on this port?',
  ],
  [/^(?:HPE_|UND_ERR_)/, 'the host did not answer as HTTP asks for'],
];

/** Why a connection failed, for people; the code in brackets is for those who search for it. */
function connectionProblem(error: unknown): string {
  const { errors, ...own } = error as { code?: unknown; message?: string; errors?: readonly Error[] };
  // Several addresses have failed: the first one says why.
  const { code, message } = (errors?.[0] ?? own) as { code?: unknown; message?: string };
  if (typeof code !== 'string') return message || (error as Error).message || 'the connection failed';
  const reason = reasons.find(([codes]) => codes.test(code))?.[1];
  return `${reason ?? 'the connection failed'} (${code})`;
}
