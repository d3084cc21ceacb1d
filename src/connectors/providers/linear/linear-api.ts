import { ProviderError } from '../../provider.js';
import type { Connection } from '../../provider.js';
import { failureOf, noAnswerOf, timeOfAnswer } from '../../provider-http.js';

export interface LinearCredentials {
  readonly api_key: string;
}

interface GraphQLAnswer<Data> {
  readonly data?: Data | null;
  readonly errors?: readonly LinearFailure[];
}

interface LinearFailure {
  readonly message?: string;
  readonly extensions?: {
    readonly code?: string;
    readonly type?: string;
    readonly userPresentableMessage?: string;
  };
}

const defaultUrl = 'https://api.linear.app';
const requestMsMax = 60_000;

/** The HTTP status that an error code stands for; Linear answers with 400 or 200 instead. */
const statusOfCode: Readonly<Record<string, number>> = {
  AUTHENTICATION_ERROR: 401,
  'AUTHENTICATION ERROR': 401,
  RATELIMITED: 429,
  FORBIDDEN: 403,
  FEATURE_NOT_ACCESSIBLE: 403,
  'FEATURE NOT ACCESSIBLE': 403,
  LOCK_TIMEOUT: 503,
  'LOCK TIMEOUT': 503,
  INPUT_ERROR: 400,
  INVALID_INPUT: 400,
  'INVALID INPUT': 400,
};

/** The budgets that Linear counts, each with headers for what remains and for when it is full again. */
const budgets = ['requests', 'complexity', 'endpoint-requests'];

/**
 * Linear's GraphQL API, one query per request. Its SDK is not used: it sends with the global fetch, which
 * cannot be replaced, and follows every relation with another request.
 */
export class LinearApi {
  constructor(private readonly connection: Connection<LinearCredentials>) {}

  /** Sends a query. @throws ProviderError; the signal's reason when it is aborted */
  async query<Data>(query: string, variables: object, signal: AbortSignal): Promise<Data> {
    signal.throwIfAborted();
    const { baseUrl = defaultUrl, credentials, network } = this.connection;
    let response: Response;
    let text: string;
    try {
      response = await network.fetch(`${baseUrl}/graphql`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: credentials.api_key },
        body: JSON.stringify({ query, variables }),
        signal: AbortSignal.any([signal, AbortSignal.timeout(requestMsMax)]),
      });
      text = await response.text();
    } catch (error) {
      signal.throwIfAborted();
      throw noAnswerOf('Linear', error);
    }
    const answer = readAnswer<Data>(text);
    if (response.ok && answer?.data && !answer.errors?.length) return answer.data;
    throw this.failure(response, answer?.errors?.[0]);
  }

  private failure({ status, headers }: Response, said: LinearFailure | undefined): ProviderError {
    const { code = '', type = '', userPresentableMessage } = said?.extensions ?? {};
    const reason = userPresentableMessage ?? said?.message;
    const meant = statusOfCode[code.toUpperCase()] ?? statusOfCode[type.toUpperCase()];
    // It calls that an input error too.
    if ((meant ?? 400) === 400 && said?.message?.startsWith('Entity not found'))
      return new ProviderError('missing', `Linear does not find it: ${said.message.slice(0, 300)}`, {
        httpStatus: 404,
      });
    const meaning = meant ?? status;
    const retryAfter = headers.get('retry-after') ?? this.resetSeconds(headers);
    return failureOf('Linear', { status: meaning, retryAfter, reason });
  }

  /** Seconds until the budgets that are used up are full again; undefined when none is. */
  private resetSeconds(headers: Headers): string | undefined {
    const now = timeOfAnswer(headers.get('date'), this.connection.clock);
    const seconds = budgets.flatMap((budget) => {
      const remaining = headers.get(`x-ratelimit-${budget}-remaining`);
      const reset = Number(headers.get(`x-ratelimit-${budget}-reset`) ?? NaN);
      return remaining === '0' && Number.isFinite(reset)
        ? [Math.max(Math.ceil((reset - now) / 1000), 1)]
        : [];
    });
    return seconds.length > 0 ? String(Math.max(...seconds)) : undefined;
  }
}

function readAnswer<Data>(text: string): GraphQLAnswer<Data> | undefined {
  try {
    return JSON.parse(text) as GraphQLAnswer<Data>;
  } catch {
    return undefined;
  }
}
