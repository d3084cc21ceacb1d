/**
 * Every error code of the API, its HTTP status and its meaning. Both APIs and schema/rest.md are made from
 * this table.
 */
export const ERRORS = {
  INVALID_INPUT: { status: 400, meaning: 'Missing, malformed or incompatible parameters' },
  CORPUS_TYPE_UNSUPPORTED: {
    status: 400,
    meaning: 'The value of type does not fit the endpoint or database',
  },
  VALIDATION_ERROR: { status: 400, meaning: 'A metadata filter does not fit the type of its field' },
  UNAUTHORIZED: {
    status: 401,
    meaning: 'The Authorization header is missing or its key is invalid or expired',
  },
  FREE_PLAN_DEPRECATED: {
    status: 402,
    meaning:
      'The plan of the account has been withdrawn and refuses writes; detail.upgrade_url says where to go',
  },
  PAYMENT_REQUIRED: { status: 402, meaning: 'The plan of the account allows no more connectors' },
  FORBIDDEN: {
    status: 403,
    meaning: 'The key may not do this, the plan allows no more databases, or the provider is switched off',
  },
  NOT_FOUND: { status: 404, meaning: 'The route or resource does not exist' },
  DATABASE_NOT_FOUND: { status: 404, meaning: 'The database does not exist or is not visible to the key' },
  FILE_NOT_FOUND: { status: 404, meaning: 'No status record has this id' },
  SOURCE_NOT_FOUND: { status: 404, meaning: 'No source has this id' },
  MEMORY_NOT_FOUND: { status: 404, meaning: 'No memory has this id' },
  METHOD_NOT_ALLOWED: { status: 405, code: 'INVALID_INPUT', meaning: 'The route exists with another method' },
  REQUEST_TIMEOUT: {
    status: 408,
    code: 'INVALID_INPUT',
    meaning: 'The request did not arrive whole in time; answered before any route',
  },
  SCHEMA_CONFLICT: {
    status: 409,
    code: 'INVALID_INPUT',
    meaning: 'The metadata schema has a field of this name',
  },
  IDEMPOTENCY_CONFLICT: {
    status: 409,
    code: 'INVALID_INPUT',
    meaning: 'The Idempotency-Key was used for another request, or by an API key with other rights',
  },
  DATABASE_ALREADY_EXISTS: { status: 409, meaning: 'The name of the database is in use' },
  SOURCE_PROCESSING: { status: 409, meaning: 'An item is being indexed; wait for Retry-After' },
  DELIVERY_NOT_FAILED: {
    status: 409,
    code: 'INVALID_INPUT',
    meaning: 'The delivery is pending or completed: there is nothing to retry',
  },
  CONNECTOR_STATE: {
    status: 409,
    code: 'INVALID_INPUT',
    meaning: 'The connector is paused or not, blocked, or has no active resources',
  },
  PAYLOAD_TOO_LARGE: { status: 413, code: 'INVALID_INPUT', meaning: 'The body or an upload is too large' },
  UNSUPPORTED_MEDIA_TYPE: {
    status: 415,
    code: 'INVALID_INPUT',
    meaning: 'The Content-Type or Content-Encoding is not served here',
  },
  TENANT_INFRA_NOT_READY: { status: 422, meaning: 'The database is still provisioning' },
  UNPROCESSABLE: {
    status: 422,
    code: 'VALIDATION_ERROR',
    meaning:
      'A webhook cannot be registered with this URL, selection or secret; a provider rejects credentials or a resource',
  },
  RATE_LIMITED: { status: 429, meaning: 'The key has used up its requests; wait for Retry-After' },
  QUEUE_FULL: {
    status: 429,
    code: 'RATE_LIMITED',
    meaning: 'Too many items of the database wait to be indexed; wait for Retry-After',
  },
  SYNC_LIMIT: {
    status: 429,
    code: 'RATE_LIMITED',
    meaning: 'The account has used up its syncs of the day (UTC); wait for Retry-After',
  },
  HEADERS_TOO_LARGE: {
    status: 431,
    code: 'INVALID_INPUT',
    meaning: 'The request line with the headers is larger than 64 KiB; answered before any route',
  },
  INTERNAL_ERROR: { status: 500, meaning: 'Unexpected error of the server' },
  REQUEST_UNDER_WAY: {
    status: 503,
    code: 'SERVICE_UNAVAILABLE',
    meaning: 'The first request with this Idempotency-Key is still under way; wait for Retry-After',
  },
  SERVICE_UNAVAILABLE: { status: 503, meaning: 'A dependency is unavailable or the deadline passed' },
} as const satisfies Record<string, { status: number; meaning: string; code?: string }>;

export type ErrorName = keyof typeof ERRORS;

/** Codes of single items, used in error_code of ingest results and of indexing statuses. */
export const INGESTION_ERRORS = {
  E1001: 'The file cannot be read: corrupt, encrypted or not what its extension says',
  E1002: 'Unsupported file format',
  E2002: 'Nothing readable: no text could be extracted',
  E4001: 'The embedding provider fails',
  E5001: 'The language model fails',
  E6001: 'Storage failed; retried automatically',
  E9001: 'Internal error',
  E9003: 'An item with this id exists, and upsert is false or this key may not replace it',
} as const;

export type IngestionErrorCode = keyof typeof INGESTION_ERRORS;

export interface AppErrorOptions {
  /** The failure's `data` in REST, and extensions.data in GraphQL. */
  readonly data?: Record<string, unknown>;
  /** Further keys of `detail` in REST and of extensions.detail in GraphQL. */
  readonly detail?: Readonly<Record<string, unknown>>;
  /** In seconds; sent as Retry-After. */
  readonly retryAfterSeconds?: number;
  /**
   * The size of the limit that was exceeded, sent as RateLimit-Limit; nothing is left of it until
   * Retry-After.
   */
  readonly limit?: number;
  /** The parameter at fault, in its documented snake_case form; the message begins with it. */
  readonly field?: string;
  readonly cause?: unknown;
  /** Nothing is amiss, whatever the status says: it is no fault to log. */
  readonly isExpected?: boolean;
  /** Other parameters that the message names. */
  readonly named?: readonly string[];
}

// More than any message has that repeats values within their bounds.
const messageCharactersMax = 4000;

/** A message that repeats what was sent may be as long as that; its beginning and its end say what is wrong. */
function shortened(message: string): string {
  if (message.length <= messageCharactersMax) return message;
  const half = messageCharactersMax / 2;
  return `${message.slice(0, half).toWellFormed()}…${message.slice(-half).toWellFormed()}`;
}

/** An expected failure. Its kind decides code and HTTP status; the message is written for the caller. */
export class AppError extends Error {
  override name = 'AppError';
  readonly code: string;
  readonly status: number;
  readonly data: Record<string, unknown> | undefined;
  readonly detail: Readonly<Record<string, unknown>> | undefined;
  readonly retryAfterSeconds: number | undefined;
  readonly limit: number | undefined;
  readonly field: string | undefined;
  readonly named: readonly string[];
  readonly isExpected: boolean;

  constructor(
    readonly kind: ErrorName,
    message: string,
    options: AppErrorOptions = {},
  ) {
    super(shortened(message), options.cause === undefined ? undefined : { cause: options.cause });
    const row: { status: number; code?: string } = ERRORS[kind];
    this.code = row.code ?? kind;
    this.status = row.status;
    this.data = options.data;
    this.detail = options.detail;
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.limit = options.limit;
    this.field = options.field;
    this.named = options.named ?? [];
    this.isExpected = options.isExpected ?? false;
  }
}

/**
 * The error for a malformed parameter: `max_results` `must be 1 to 250, not 0`. Each API spells the field its
 * own way, and also the fields that `named` says occur in the problem.
 */
export function invalidInput(field: string, problem: string, named: readonly string[] = []): AppError {
  return new AppError('INVALID_INPUT', `${field} ${problem}`, { field, named });
}

/** What is wrong with a key that an object does not take. */
export function unacceptedKey(accepted: Iterable<string>): string {
  return `is not an accepted key; accepted: ${[...accepted].join(', ') || 'none'}`;
}
