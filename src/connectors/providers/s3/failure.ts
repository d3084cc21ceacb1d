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
/** Codes of zlib's failures, and of those that it takes over from Brotli. */
const unpackingCode = /^(?:Z_|ERR_(?:BROTLI|_))/;
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

/** Whether the server has refused a request because of the time that it names. */
export function isSkewed(error: unknown): boolean {
  return (error as Error).name === 'RequestTimeTooSkewed';
}

/** The failure that an error of the SDK, or of reading an object, stands for. */
export function failureOfS3(error: unknown): ProviderError {
  if (error instanceof ProviderError) return error;
  if (unpackingCode.test(String((error as { code?: unknown }).code)))
    return new ProviderError('refused', 'it is not packed as its Content-Encoding says');
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
