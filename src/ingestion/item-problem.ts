import { AppError, INGESTION_ERRORS } from '../errors.js';
import type { IngestionErrorCode } from '../errors.js';
import { RefusedTextError, RefusingProviderError } from '../inference/embedder.js';
import { reasonOf } from '../lib/reason-of.js';
import { errorCodeOf } from '../postgres/query.js';
import { StorageFailure } from '../storage/storage-failure.js';

export type TransientCode = 'E4001' | 'E5001' | 'E6001' | 'E9001';

/** The code of whatever failed while an item was indexed. */
export function codeOf(error: unknown): TransientCode {
  if (error instanceof StorageFailure) return 'E6001';
  if (error instanceof RefusedTextError) return 'E4001';
  if (error instanceof AppError && error.kind === 'SERVICE_UNAVAILABLE') return 'E4001';
  return errorCodeOf(error) === undefined ? 'E9001' : 'E6001';
}

/** What an item shows of it: a refusal is no outage, and waiting does not mend it. */
export function messageOf(error: unknown, errorCode: IngestionErrorCode): string {
  const isRefused = error instanceof RefusedTextError || error instanceof RefusingProviderError;
  return isRefused ? `${INGESTION_ERRORS[errorCode]}: ${error.message}` : INGESTION_ERRORS[errorCode];
}

/** What the log says of it: a provider's own words too. */
export function loggedReason(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause === undefined ? reasonOf(error) : `${reasonOf(error)}: ${reasonOf(cause)}`;
}
