import type { AppError } from '../src/errors.js';
import { LEGACY_ROUTE_CODES } from './endpoints.js';
import type { Deprecation, Meta } from './response.js';

export interface ErrorBody {
  readonly success: false;
  readonly data: unknown;
  readonly error: { readonly code: string; readonly message: string };
  readonly meta: Meta;
  readonly detail: Record<string, unknown>;
}

/** The envelope of a failure; a deprecated route decides the code, never the status. */
export function errorBody(error: AppError, meta: Meta, { legacyRoute }: { legacyRoute: boolean }): ErrorBody {
  const code = (legacyRoute ? LEGACY_ROUTE_CODES[error.kind] : undefined) ?? error.code;
  return {
    success: false,
    data: error.data ?? null,
    error: { code, message: error.message },
    meta,
    detail: { success: false, error_code: code, message: error.message, ...fieldHint(meta.deprecation) },
  };
}

function fieldHint(deprecation: readonly Deprecation[] | undefined): Record<string, unknown> {
  const field = deprecation?.find((entry) => entry.deprecated_field !== undefined);
  if (!field) return {};
  return {
    deprecated: true,
    deprecated_field: field.deprecated_field,
    preferred_field: field.preferred_field,
  };
}
