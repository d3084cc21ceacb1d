import { isIP } from 'node:net';
import type { LookupFunction } from 'node:net';
import { Agent, buildConnector, request } from 'undici';
import { addressResolver, systemResolver } from './host-addresses.js';
import type { Resolve } from './host-addresses.js';
import { isPublicAddress } from './public-address.js';

export interface HttpClientOptions {
  /** Also plain http, and hosts of private networks: for tests and closed networks. */
  readonly allowPrivate: boolean;
  /** Replaced by tests. */
  readonly resolve?: Resolve;
  /** Connections to one host that are open at a time; further requests wait for one. */
  readonly connectionsPerHostMax?: number;
}

export interface HttpRequest {
  readonly method: string;
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array | string;
  /** For the whole exchange, from resolving the name to the last byte of the answer. */
  readonly timeoutMs: number;
  /** What is kept of the answer's body. */
  readonly responseBytesMax: number;
  readonly signal?: AbortSignal;
}

export interface HttpAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
  /** Whether the body was longer than asked for. */
  readonly truncated: boolean;
}

/** Why there is no answer. The message tells nothing of private networks: it may be shown to whoever chose the URL. */
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
/** What `problemOf` says of a name that may be there later. */
export const unresolvedHost = 'names a host that cannot be resolved';
const privateReason = 'leads to a private or reserved address';

/**
 * Sends requests to hosts that users name. Every address is checked where a connection is made to it, so that neither a
 * spelling nor a name that changes its mind leads into a private network; redirects are answers like any other.
 */
export class HttpClient {
  private readonly resolve: Resolve;
  private readonly agent: Agent;

  constructor(private readonly options: HttpClientOptions) {
    this.resolve = options.resolve ?? (options.allowPrivate ? systemResolver : addressResolver);
    const connect = buildConnector({ timeout: connectMsMax, lookup: this.lookup });
    this.agent = new Agent({
      connections: options.connectionsPerHostMax ?? connectionsPerHostMaxDefault,
      keepAliveTimeout: idleMsMax,
      keepAliveMaxTimeout: idleMsMax,
      connect: (target, callback) => {
        const host = unbracketed(target.hostname);
        // An IP literal is connected to without any lookup.
        if (isIP(host) && !this.mayConnect(host)) callback(refusal(privateReason), null);
        else connect(target, callback);
      },
    });
  }

  /** Whether requests may go to a URL as things stand. @returns undefined, or the reason against it: `must be …`. */
  async problemOf(url: string): Promise<string | undefined> {
    try {
      const host = unbracketed(this.read(url).hostname);
      const addresses = isIP(host) ? [host] : (await this.resolve(host)).map(({ address }) => address);
      if (addresses.length === 0) return unresolvedHost;
      return addresses.every((address) => this.mayConnect(address)) ? undefined : privateReason;
    } catch (error) {
      return error instanceof HttpRequestError ? error.message : unresolvedHost;
    }
  }

  /** @throws HttpRequestError when there is no answer. */
  async request({ url, timeoutMs, responseBytesMax, signal, ...rest }: HttpRequest): Promise<HttpAnswer> {
    const timeout = AbortSignal.timeout(timeoutMs);
    try {
      const answer = await request(this.read(url), {
        method: rest.method,
        headers: { ...rest.headers },
        body: rest.body ?? null,
        signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
        dispatcher: this.agent,
        // The signal says when it is over.
        headersTimeout: 0,
        bodyTimeout: 0,
      });
      return {
        status: answer.statusCode,
        headers: answer.headers,
        ...(await readBody(answer.body, responseBytesMax)),
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

  private mayConnect(address: string): boolean {
    return this.options.allowPrivate || isPublicAddress(address);
  }

  /** What sockets connect to: of a name with several addresses none may be refused. */
  private readonly lookup: LookupFunction = (hostname, options, callback) => {
    const fail = (error: Error) => callback(error, '', 0);
    this.resolve(hostname).then((addresses) => {
      const [first] = addresses;
      if (!first) fail(new Error(`${hostname} has no address`));
      else if (!addresses.every(({ address }) => this.mayConnect(address))) fail(refusal(privateReason));
      else if (options.all) callback(null, [...addresses]);
      else callback(null, first.address, first.family);
    }, fail);
  };
}

function unbracketed(hostname: string): string {
  return hostname.startsWith('[') ? hostname.slice(1, -1) : hostname;
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
  // Leaving the loop ends the connection: what an endless answer still sends is never read.
  for await (const part of stream) {
    parts.push(part);
    bytes += part.length;
    if (bytes > bytesMax) break;
  }
  return { body: Buffer.concat(parts).subarray(0, bytesMax), truncated: bytes > bytesMax };
}

interface Circumstances {
  readonly timeoutMs: number;
  readonly timedOut: boolean;
  readonly cancelled: boolean | undefined;
}

function toRequestError(error: unknown, { timeoutMs, timedOut, cancelled }: Circumstances): HttpRequestError {
  if (error instanceof HttpRequestError) return error;
  if (cancelled) return new HttpRequestError('cancelled', 'the request was cancelled', { cause: error });
  if (timedOut) return new HttpRequestError('timeout', `no answer within ${timeoutMs} ms`, { cause: error });
  const { message, errors } = error as { message?: string; errors?: readonly Error[] };
  // Several addresses that all failed: the first says why.
  const reason = errors?.[0]?.message || message || 'the connection failed';
  return new HttpRequestError('network', reason, { cause: error });
}
