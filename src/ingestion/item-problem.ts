import { AppError, INGESTION_ERRORS } from '../errors.js';
import type { IngestionErrorCode } from '../errors.js';
import { RefusedTextError, RefusingProviderError, UnusableVectorsError } from '../inference/embedder.js';
import { reasonOf } from '../lib/reason-of.js';
import { errorCodeOf } from '../postgres/query.js';
import { StorageFailure } from '../storage/storage-failure.js';

export type TransientCode = 'E4001' | 'E5001' | 'E6001' | 'E9001';

/** The error code for whatever failed while an item was indexed. */
export function codeOf(error: unknown): TransientCode {
  if (error instanceof StorageFailure) return 'E6001';
  if (error instanceof RefusedTextError) return 'E4001';
  if (error instanceof AppError && error.kind === 'SERVICE_UNAVAILABLE') return 'E4001';
  return errorCodeOf(error) === undefined ? 'E9001' : 'E6001';
}

const explained = [RefusedTextError, RefusingProviderError, UnusableVectorsError];

/** The message that an item shows: where the provider answers, waiting alone does not help. */
export function messageOf(error: unknown, errorCode: IngestionErrorCode): string {
  const isExplained = explained.some((kind) => error instanceof kind);
  return isExplained && error instanceof Error
    ? `${INGESTION_ERRORS[errorCode]}: ${error.message}`
    : INGESTION_ERRORS[errorCode];
}

/** The message for the log, which includes a provider's own words. */
export function loggedReason(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause === undefined ? reasonOf(error) : `${reasonOf(error)}: ${reasonOf(cause)}`;
}
