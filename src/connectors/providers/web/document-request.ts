import { ProviderError } from '../../provider.js';
import type { Connection } from '../../provider.js';
import { failureOf, isMissing, noAnswerOf } from '../../provider-http.js';
import type { FailedAnswer } from '../../provider-http.js';

/** The name of our user agent, by which robots.txt addresses us. */
export const userAgent = 'Contexture';

const answerMsMax = 30_000;

/** How documents are loaded, and where they are read. */
export type WebAccess = Pick<Connection<unknown>, 'network' | 'documents'>;

/** A request for a document. */
export interface DocumentRequest {
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** `follow` returns the answer at the end of redirects, `manual` the first redirect. */
  readonly redirect: 'follow' | 'manual';
  readonly bytesMax: number;
  /** Whether the beginning of a longer body is worth having. */
  readonly isCut?: boolean;
  /** Decides by the headers of an answer of 200 whether its body is read. */
  readonly wants?: (headers: Headers) => boolean;
}

/** The answer to a request for a document. */
export interface DocumentAnswer {
  readonly status: number;
  /** The address that answered, after redirects. */
  readonly url: string;
  readonly headers: Headers;
  /** The body of an answer of 200; undefined when it is not wanted, or is too long and not to be cut. */
  readonly body: Buffer | undefined;
}

/**
 * Requests one document. @throws ProviderError `refused` when the address may not be connected to,
 * `unavailable`
 */
export async function requestDocument(
  network: WebAccess['network'],
  request: DocumentRequest,
  signal: AbortSignal,
): Promise<DocumentAnswer> {
  signal.throwIfAborted();
  const { url, headers, redirect, wants } = request;
  try {
    const response = await network.fetch(url, {
      headers: { 'user-agent': userAgent, ...headers },
      redirect,
      signal: AbortSignal.any([signal, AbortSignal.timeout(answerMsMax)]),
    });
    const isWanted = response.status === 200 && (wants?.(response.headers) ?? true);
    const body = isWanted ? await readBody(response, request) : undefined;
    if (!isWanted) await response.body?.cancel();
    return { status: response.status, url: response.url || url, headers: response.headers, body };
  } catch (error) {
    signal.throwIfAborted();
    throw noDocument(url, error);
  }
}

async function readBody(
  response: Response,
  { bytesMax, isCut = false }: DocumentRequest,
): Promise<Buffer | undefined> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  // Leaving the loop closes the connection.
  for await (const part of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    bytes += part.length;
    if (bytes > bytesMax && !isCut) return undefined;
    parts.push(part);
    if (bytes > bytesMax) break;
  }
  return Buffer.concat(parts).subarray(0, bytesMax);
}

/**
 * The failure for a document without an answer. If our own guard refuses the address, only this resource is
 * affected: there are no credentials that could be wrong.
 */
function noDocument(url: string, error: unknown): ProviderError {
  const failure = noAnswerOf(new URL(url).host, error);
  return failure.kind === 'credentials'
    ? new ProviderError('refused', failure.message, { cause: error })
    : failure;
}

/**
 * The failure that an answer means. One that asks for credentials refuses only this document, since there are
 * no credentials that could be wrong; one that finds nothing needs no reason.
 */
export function failureOfDocument(host: string, answer: FailedAnswer): ProviderError {
  const { status } = answer;
  const options = { httpStatus: status };
  if (status === 401) return new ProviderError('refused', `${host} asks for credentials`, options);
  if (isMissing(status)) return new ProviderError('missing', `${host} does not find it`, options);
  return failureOf(host, answer);
}

/** Reads the URL of a document from the id of a resource. @throws ProviderError `missing` when it is none */
export function readDocumentUrl(text: string, what: string): URL {
  const url = URL.canParse(text.trim()) ? new URL(text.trim()) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '')
    throw new ProviderError('missing', `the id of a ${what} is its URL, https://… or http://…`);
  url.hash = '';
  return url;
}
