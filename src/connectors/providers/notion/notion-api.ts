import type { Client } from '@notionhq/client';
import { withoutNulls } from '../../../lib/without-nulls.js';
import { ProviderError } from '../../provider.js';
import type { Connection } from '../../provider.js';
import { failureOf, noAnswerOf } from '../../provider-http.js';

export interface NotionCredentials {
  readonly access_token: string;
}

interface ApiFailure {
  readonly status: number;
  readonly headers: unknown;
  readonly code: string;
  readonly message: string;
}

/** A page of any of Notion's lists; the last one has no cursor. */
interface Listed<Result> {
  readonly results: readonly Result[];
  readonly next_cursor?: string | null;
}

const requestMsMax = 60_000;
/** The client's code for an answer that is not in the form of Notion's errors. */
const notOwnCode = 'notionhq_client_response_error';
/** What it says of a block that is a linked view of a database elsewhere, with which a page may well begin. */
const noDatabase = /is a linked database|any data sources accessible by this API bot/i;
const listPagesMax = 1000;

/**
 * Notion's client, over the network of the connection. Each call has its own client, since the client takes
 * no signal.
 */
export class NotionApi {
  /** How many requests there were. */
  requests = 0;

  constructor(private readonly connection: Connection<NotionCredentials>) {}

  /** Runs a call of the client. @throws ProviderError; the signal's reason when it is aborted */
  async call<Answer>(work: (client: Client) => Promise<Answer>, signal: AbortSignal): Promise<Answer> {
    signal.throwIfAborted();
    const client = await this.client(signal);
    this.requests += 1;
    try {
      return withoutNulls(await work(client)) as Answer;
    } catch (error) {
      signal.throwIfAborted();
      throw failureOfNotion(error);
    }
  }

  /** All results of a list, page by page. */
  async all<Result>(
    list: (client: Client, cursor: { start_cursor?: string }) => Promise<Listed<Result>>,
    signal: AbortSignal,
  ): Promise<Result[]> {
    const found: Result[] = [];
    let cursor: string | null | undefined;
    for (let pages = 0; pages < listPagesMax; pages += 1) {
      const page: Listed<Result> = await this.call(
        (client) => list(client, cursor ? { start_cursor: cursor } : {}),
        signal,
      );
      found.push(...page.results);
      cursor = page.next_cursor;
      if (!cursor) break;
    }
    return found;
  }

  private async client(signal: AbortSignal): Promise<Client> {
    const { Client: NotionClient, LogLevel } = await import('@notionhq/client');
    const { baseUrl, credentials, network } = this.connection;
    return new NotionClient({
      auth: credentials.access_token,
      ...(baseUrl === undefined ? {} : { baseUrl }),
      fetch: (url, init) => network.fetch(url, { ...(init as RequestInit), signal }),
      timeoutMs: requestMsMax,
      retry: false,
      logLevel: LogLevel.ERROR,
      logger: () => undefined,
    });
  }
}

/** Awaits a call; undefined for what does not exist, is not shared, or is of another kind than requested. */
export function ifThere<Answer>(work: Promise<Answer>): Promise<Answer | undefined> {
  return unless(work, (error) => error.kind === 'missing' || isInvalid(error));
}

/** The same for what an integration needs a capability of its own for: undefined without it. */
export function ifAllowed<Answer>(work: Promise<Answer>): Promise<Answer | undefined> {
  return unless(work, ({ kind }) => kind === 'missing' || kind === 'refused');
}

/** Whether Notion calls a request wrong: it has nothing of this kind there, or cannot show it. */
export function isInvalid({ kind, httpStatus }: ProviderError): boolean {
  return kind === 'unavailable' && httpStatus === 400;
}

/** Awaits a call; undefined after some failures. */
export async function unless<Answer>(
  work: Promise<Answer>,
  isNothing: (error: ProviderError) => boolean,
): Promise<Answer | undefined> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof ProviderError && isNothing(error)) return undefined;
    throw error;
  }
}

function failureOfNotion(error: unknown): ProviderError {
  if (!isApiFailure(error)) return noAnswerOf('Notion', error);
  const { status, headers, code, message } = error;
  if (code === 'object_not_found')
    return new ProviderError(
      'missing',
      'Notion does not find it: share it with the integration (… > Connections > your integration)',
      { httpStatus: status },
    );
  if (code === 'validation_error' && noDatabase.test(message))
    return new ProviderError(
      'missing',
      'Notion shows only a view of a database that is elsewhere: share the database itself with the integration',
      { httpStatus: status },
    );
  if (code === 'restricted_resource')
    return new ProviderError(
      'refused',
      'Notion refused access: give the integration the capability to read content',
      { httpStatus: status },
    );
  if (code === 'validation_error' && message.includes('start_cursor'))
    return new ProviderError('expired', 'Notion no longer takes the position', { httpStatus: status });
  const retryAfter = headers instanceof Headers ? headers.get('retry-after') : headerOf(headers);
  return failureOf('Notion', { status, retryAfter, reason: code === notOwnCode ? undefined : message });
}

function isApiFailure(error: unknown): error is ApiFailure {
  return error instanceof Error && typeof (error as Partial<ApiFailure>).status === 'number';
}

/** The `retry-after` of headers that are no instance of this process's `Headers`. */
function headerOf(headers: unknown): string | null {
  const read = (headers as { get?: (name: string) => unknown } | null)?.get?.('retry-after');
  return typeof read === 'string' ? read : null;
}
