import { ProviderError } from '../../provider.js';
import type { ProviderFailure } from '../../provider.js';
import { failureOf, noAnswerOf, readRetryAfterSeconds } from '../../provider-http.js';

const provider = 'Amazon S3';

/** The failures for codes whose HTTP status means something else. */
const kindsByCode: Readonly<Record<string, ProviderFailure>> = {
  InvalidAccessKeyId: 'credentials',
  SignatureDoesNotMatch: 'credentials',
  InvalidToken: 'credentials',
  ExpiredToken: 'credentials',
  NotSignedUp: 'credentials',
  InvalidBucketName: 'missing',
  NoSuchBucket: 'missing',
  NoSuchKey: 'missing',
  SlowDown: 'limited',
  RequestTimeTooSkewed: 'unavailable',
};
const slowDownSeconds = 30;
/** Codes for a region that is not the bucket's. */
const wrongRegion = new Set([
  'AuthorizationHeaderMalformed',
  'PermanentRedirect',
  'IllegalLocationConstraintException',
]);

/** The parts of an SDK error that are read. */
interface SdkError extends Error {
  /** The server's own code; missing when the answer was not in the form of its errors. */
  readonly Code?: string;
  readonly $metadata?: { readonly httpStatusCode?: number };
  readonly $response?: { readonly headers?: Readonly<Record<string, string>> };
}

/** The failure that an error of the SDK stands for. */
export function failureOfS3(error: unknown): ProviderError {
  if (error instanceof ProviderError) return error;
  const { name, message, Code: code, $metadata, $response } = error as SdkError;
  const status = $metadata?.httpStatusCode;
  if (status === undefined) return noAnswerOf(provider, error);
  const retryAfter = $response?.headers?.['retry-after'];
  if (code === undefined && status < 300)
    return new ProviderError('unavailable', `${provider} answered something that is not its XML`);
  if (code === undefined) return failureOf(provider, { status, retryAfter });
  const reason = name === message ? name : `${name} (${message})`;
  if (wrongRegion.has(name))
    return new ProviderError(
      'credentials',
      `${provider} has the bucket in another region: ${message.slice(0, 300)}`,
      {
        httpStatus: status,
      },
    );
  const kind = kindsByCode[name];
  if (!kind) return failureOf(provider, { status, retryAfter, reason });
  return new ProviderError(kind, `${provider}: ${reason.slice(0, 300)}`, {
    httpStatus: status,
    ...(kind === 'limited' && { retryAfterSeconds: readRetryAfterSeconds(retryAfter) ?? slowDownSeconds }),
  });
}
