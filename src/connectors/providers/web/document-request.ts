import type { GuardedNetwork } from '../../../lib/guarded-network.js';
import { ProviderError } from '../../provider.js';
import { failureOf, noAnswerOf } from '../../provider-http.js';
import type { FailedAnswer } from '../../provider-http.js';

/** The name by which we introduce ourselves, and by which robots.txt addresses us. */
export const userAgent = 'Contexture';

const answerMsMax = 30_000;

export interface DocumentRequest {
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** `follow` ends where redirects lead, `manual` at the first of them. */
  readonly redirect: 'follow' | 'manual';
  readonly bytesMax: number;
  /** Whether the body of an answer of 200 is wanted; its headers decide. */
  readonly wants?: (headers: Headers) => boolean;
}

export interface DocumentAnswer {
  readonly status: number;
  /** Where it came from, after redirects. */
  readonly url: string;
  readonly headers: Headers;
  /** Of an answer of 200; undefined when it is not wanted, or longer than wanted. */
  readonly body: Buffer | undefined;
}

/**
 * Requests one document. @throws ProviderError `refused` when the address may not be connected to,
 * `unavailable`
 */
export async function requestDocument(
  network: GuardedNetwork,
  request: DocumentRequest,
  signal: AbortSignal,
): Promise<DocumentAnswer> {
  signal.throwIfAborted();
  const { url, headers, redirect, bytesMax, wants } = request;
  try {
    const response = await network.fetch(url, {
      headers: { 'user-agent': userAgent, ...headers },
      redirect,
      signal: AbortSignal.any([signal, AbortSignal.timeout(answerMsMax)]),
    });
    const isWanted = response.status === 200 && (wants?.(response.headers) ?? true);
    const body = isWanted ? await readBody(response, bytesMax) : undefined;
    if (!isWanted) await response.body?.cancel();
    return { status: response.status, url: response.url || url, headers: response.headers, body };
  } catch (error) {
    signal.throwIfAborted();
    throw noDocument(url, error);
  }
}

async function readBody(response: Response, bytesMax: number): Promise<Buffer | undefined> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  // Leaving the loop ends the connection.
  for await (const part of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    bytes += part.length;
    if (bytes > bytesMax) return undefined;
    parts.push(part);
  }
  return Buffer.concat(parts);
}

/** An address that our own guard refuses is a matter of this one resource: there are no credentials that could be wrong. */
function noDocument(url: string, error: unknown): ProviderError {
  const failure = noAnswerOf(new URL(url).host, error);
  return failure.kind === 'credentials'
    ? new ProviderError('refused', failure.message, { cause: error })
    : failure;
}

/**
 * The failure that an answer means. One that asks for credentials refuses only this document, since there are
 * no credentials that could be wrong.
 */
export function failureOfDocument(host: string, answer: FailedAnswer): ProviderError {
  const { status } = answer;
  return status === 401
    ? new ProviderError('refused', `${host} asks for credentials`, { httpStatus: status })
    : failureOf(host, answer);
}

/** The URL of a document, as a resource names it. @throws ProviderError missing */
export function readDocumentUrl(text: string, what: string): URL {
  const url = URL.canParse(text.trim()) ? new URL(text.trim()) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '')
    throw new ProviderError('missing', `the id of a ${what} is its URL, https://… or http://…`);
  url.hash = '';
  return url;
}
