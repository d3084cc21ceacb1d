import { z } from 'zod';
import { ProviderError } from '../../provider.js';
import { failureOf, readRetryAfterSeconds } from '../../provider-http.js';

const retryAfterSecondsDefault = 30;
/** Answers of 403 that mean too many requests. */
const limitReasons = new Set([
  'rateLimitExceeded',
  'userRateLimitExceeded',
  'dailyLimitExceeded',
  'quotaExceeded',
  'RATE_LIMIT_EXCEEDED',
]);

/** Answers of 403 that concern the whole account, whatever was asked for. */
const accountReasons = new Set([
  'accessNotConfigured',
  'SERVICE_DISABLED',
  'domainPolicy',
  'insufficientPermissions',
  'ACCESS_TOKEN_SCOPE_INSUFFICIENT',
]);

/** The reasons in an error answer: in `errors`, or as newer interfaces give them, in `details`. */
const reasons = z.array(z.object({ reason: z.string().catch('') }).catch({ reason: '' })).catch([]);

/** The body of an error answer; bodies of another shape give empty texts. */
const failedBody = z
  .object({
    error: z.object({
      message: z.string().catch(''),
      errors: reasons,
      details: reasons,
    }),
  })
  .transform(({ error: { message, errors, details } }) => ({
    said: message,
    reason: [...errors, ...details].find(({ reason }) => reason !== '')?.reason ?? '',
  }))
  .catch({ said: '', reason: '' });

/** The body of an error answer from the token endpoint. */
const refusedToken = z.object({ error: z.string().catch('') }).catch({ error: '' });

/**
 * A failure of a Google API. Unlike the errors of Google's library, it contains no request, and so no token.
 */
export class GoogleError extends ProviderError {
  constructor(
    cause: ProviderError,
    /** Google's own code, such as `exportSizeLimitExceeded`; may be empty. */
    readonly reason: string,
  ) {
    const { httpStatus, retryAfterSeconds } = cause;
    super(cause.kind, cause.message, { httpStatus, retryAfterSeconds });
  }
}

/** Turns an unsuccessful answer of a Google API into a failure. */
export async function failureOfAnswer(provider: string, answer: Response): Promise<GoogleError> {
  const { said, reason } = failedBody.parse(await jsonOf(answer));
  const retryAfter = answer.headers.get('retry-after') ?? /Retry after (\S+)/i.exec(said)?.[1];
  // An account of Google Workspace without Gmail or Drive.
  if (answer.status === 400 && reason === 'failedPrecondition')
    return new GoogleError(failureOf(provider, { status: 403, reason: said }), reason);
  if (answer.status !== 403 || !limitReasons.has(reason))
    return new GoogleError(failureOf(provider, { status: answer.status, retryAfter, reason: said }), reason);
  const limited = new ProviderError('limited', `${provider} asks for fewer requests: ${said.slice(0, 300)}`, {
    httpStatus: answer.status,
    retryAfterSeconds: readRetryAfterSeconds(retryAfter) ?? retryAfterSecondsDefault,
  });
  return new GoogleError(limited, reason);
}

/** The same for the endpoint that issues access tokens. */
export async function failureOfToken(provider: string, answer: Response): Promise<ProviderError> {
  const { error } = refusedToken.parse(await jsonOf(answer));
  const options = { httpStatus: answer.status };
  if (error === 'invalid_grant')
    return new ProviderError('reauth', `${provider} rejected the refresh token: sign in again`, options);
  if (error === 'invalid_client' || error === 'unauthorized_client')
    return new ProviderError(
      'credentials',
      `${provider} rejected the client id or the client secret`,
      options,
    );
  const retryAfter = answer.headers.get('retry-after');
  const { status } = answer;
  if (status !== 403 || error === '') return failureOf(provider, { status, retryAfter, reason: error });
  // It concerns the account: taken for a refusal of what was asked for, that would be gone.
  if (/rate_?limit/i.test(error)) return failureOf(provider, { status: 429, retryAfter, reason: error });
  return new ProviderError(
    'credentials',
    `${provider} gives no access token: ${error.slice(0, 300)}`,
    options,
  );
}

/**
 * For `catch`: returns undefined for what is missing or hidden from this account, and throws other errors.
 */
export function ifGone(error: unknown): undefined {
  const isOfAccount = error instanceof GoogleError && accountReasons.has(error.reason);
  const isGone = error instanceof ProviderError && (error.kind === 'missing' || error.kind === 'refused');
  if (!isGone || isOfAccount) throw error;
}

/**
 * For `catch`: turns answers with these statuses into the failure `expired`. Google keeps page tokens only
 * for a while, and then calls the request wrong.
 */
export function expiredOf(error: unknown, statuses: readonly number[]): unknown {
  if (!(error instanceof ProviderError) || !statuses.includes(error.httpStatus ?? 0)) return error;
  const { httpStatus } = error;
  return new ProviderError('expired', 'Google does not know any more where reading was to go on', {
    httpStatus,
  });
}

/** The JSON of an answer; undefined when it is none. */
export async function jsonOf(answer: Response): Promise<unknown> {
  return answer.json().catch(() => undefined);
}
