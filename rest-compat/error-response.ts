import type { AppError } from '../src/errors.js';
import { LEGACY_ROUTE_CODES } from './endpoints.js';
import type { Endpoint } from './endpoints.js';
import type { Deprecation, Meta } from './response.js';

export interface ErrorBody {
  readonly success: false;
  readonly data: unknown;
  readonly error: { readonly code: string; readonly message: string };
  readonly meta: Meta;
  readonly detail: Record<string, unknown>;
}

/** What of a route decides the codes of its failures, but never their status. */
export interface CodeRules {
  readonly legacy: boolean;
  readonly codes: Endpoint['codes'];
}

/** The envelope of a failure. */
export function errorBody(error: AppError, meta: Meta, { legacy, codes }: CodeRules): ErrorBody {
  const code = codes?.[error.status] ?? (legacy ? LEGACY_ROUTE_CODES[error.kind] : undefined) ?? error.code;
  return {
    success: false,
    data: error.data ?? null,
    error: { code, message: error.message },
    meta,
    detail: {
      success: false,
      error_code: code,
      message: error.message,
      ...fieldHint(meta.deprecation),
      ...error.detail,
    },
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
