import { ERRORS } from '../src/errors.js';
import type { ErrorName } from '../src/errors.js';
import { LEGACY_ROUTE_CODES } from './endpoints.js';
import type { Endpoint } from './endpoints.js';
import { hasDocumentedBody } from './openapi-requests.js';
import type { JsonSchema } from './openapi-schemas.js';
import { apiVersion } from './response.js';
import type { Deprecation, Meta } from './response.js';

const text: JsonSchema = { type: 'string' };
const deprecated_field: JsonSchema = {
  ...text,
  description: 'The deprecated name that the request used; absent where it used a deprecated path.',
};
const preferred_field: JsonSchema = { ...text, description: 'The name to use instead of deprecated_field.' };
const requestIdHeader = { 'X-Request-Id': { $ref: '#/components/headers/RequestId' } };

/** The statuses in the table of errors, each with its codes and their meanings. */
const codesByStatus = groupCodes();

/** The response of a successful call: the envelope around its data, or the data alone. */
export function successResponse(data: JsonSchema, { summary, bare }: Endpoint): JsonSchema {
  const envelope = {
    type: 'object',
    required: ['success', 'data', 'error', 'meta'],
    properties: {
      success: { type: 'boolean', const: true },
      data,
      error: { type: 'null' },
      meta: { $ref: '#/components/schemas/Meta' },
    },
  };
  const schema = bare ? data : envelope;
  return { description: summary, headers: requestIdHeader, content: { 'application/json': { schema } } };
}

/** The failures that an endpoint may answer, by status, as references to shared responses. */
export function failureReferences(endpoint: Endpoint): Record<string, JsonSchema> {
  const statuses = [...codesByStatus.keys()].filter((status) => {
    if (status === 409) return endpoint.method !== 'GET';
    if (status === 413 || status === 415) return hasDocumentedBody(endpoint);
    return true;
  });
  return Object.fromEntries(
    statuses.map((status) => {
      const ownCode = endpoint.codes?.[status];
      const meanings = [...(codesByStatus.get(status)?.values() ?? [])].flat();
      return [
        status,
        ownCode === undefined
          ? { $ref: `#/components/responses/Error${status}` }
          : failureResponse(status, new Map([[ownCode, meanings]])),
      ];
    }),
  );
}

/** components/responses: one for each status in the table of errors. */
export function failureResponses(): Record<string, JsonSchema> {
  return Object.fromEntries(
    [...codesByStatus].map(([status, codes]) => [`Error${status}`, failureResponse(status, codes)]),
  );
}

function failureResponse(status: number, codes: ReadonlyMap<string, readonly string[]>): JsonSchema {
  const narrowed = { properties: { error: { properties: { code: { enum: [...codes.keys()] } } } } };
  const schema = { allOf: [{ $ref: '#/components/schemas/Failure' }, narrowed] };
  const retryAfter = { 'Retry-After': { $ref: '#/components/headers/RetryAfter' } };
  return {
    description: [...codes].map(([code, meanings]) => `- \`${code}\`: ${meanings.join('; ')}`).join('\n'),
    headers: { ...requestIdHeader, ...([409, 429, 503].includes(status) ? retryAfter : {}) },
    content: { 'application/json': { schema } },
  };
}

/** components/headers of responses. */
export const responseHeaders: Readonly<Record<string, JsonSchema>> = {
  RequestId: {
    description: 'The id that the server gave to the request; the same as meta.request_id.',
    schema: text,
  },
  RetryAfter: {
    description: 'How many seconds to wait before trying again; absent when the server cannot tell.',
    schema: { type: 'integer' },
  },
};

/** components/schemas that all answers share. */
export const envelopeSchemas: Readonly<Record<string, JsonSchema>> = {
  Meta: metaSchema(),
  Failure: {
    type: 'object',
    required: ['success', 'data', 'error', 'meta', 'detail'],
    properties: {
      success: { type: 'boolean', const: false },
      data: {
        type: ['object', 'null'],
        description:
          'Details beyond the message, such as the results per id of a failed deletion; usually null.',
      },
      error: {
        type: 'object',
        description: 'What went wrong.',
        required: ['code', 'message'],
        properties: {
          code: { ...text, description: 'What went wrong, for programs: branch on this.' },
          message: {
            ...text,
            description: 'What went wrong, for people to read; names the parameter at fault and its bound.',
          },
        },
      },
      meta: { $ref: '#/components/schemas/Meta' },
      detail: {
        type: 'object',
        description: 'Deprecated copy of error.',
        deprecated: true,
        required: ['success', 'error_code', 'message'],
        properties: {
          success: { type: 'boolean', const: false },
          error_code: { ...text, description: 'The same as error.code.' },
          message: { ...text, description: 'The same as error.message.' },
          deprecated: { type: 'boolean', const: true },
          deprecated_field,
          preferred_field,
          upgrade_url: {
            ...text,
            description: 'Address for changing to another plan when the current one has been withdrawn.',
          },
        },
      },
    },
  },
};

function metaSchema(): JsonSchema {
  const deprecation = {
    deprecated: { type: 'boolean', const: true },
    message: { ...text, description: 'What is deprecated, and what to use instead.' },
    deprecated_since: { ...text, description: 'The version of the interface since which it is deprecated.' },
    deprecated_field,
    preferred_field,
  } satisfies Record<keyof Deprecation, JsonSchema>;
  const properties = {
    request_id: {
      ...text,
      format: 'uuid',
      description: 'The id of this request, as in the header X-Request-Id; feedback on a query refers to it.',
    },
    latency_ms: { type: 'number', description: 'How long the server took, in milliseconds.' },
    api_version: {
      ...text,
      description: 'The version of the interface that served the request.',
      examples: [apiVersion],
    },
    database: { ...text, description: 'The database that served the request, if the endpoint has one.' },
    tenant_id: { ...text, description: 'Deprecated name of database.', deprecated: true },
    collection: {
      ...text,
      description: 'The collection that served the request, if it was one; the default one reads default.',
    },
    sub_tenant_id: { ...text, description: 'Deprecated name of collection.', deprecated: true },
    source_type: {
      ...text,
      description: 'What the request was about: knowledge or memory; absent when both or neither.',
    },
    deprecation: {
      type: 'array',
      description: 'Deprecated paths and names that the request used.',
      items: {
        type: 'object',
        required: ['deprecated', 'message', 'deprecated_since'],
        properties: deprecation,
      },
    },
  } satisfies Record<keyof Meta, JsonSchema>;
  return { type: 'object', required: ['request_id', 'latency_ms', 'api_version'], properties };
}

function groupCodes(): ReadonlyMap<number, ReadonlyMap<string, readonly string[]>> {
  const statuses = new Map<number, Map<string, string[]>>();
  const add = (status: number, code: string, meaning: string) => {
    const codes = statuses.get(status) ?? new Map<string, string[]>();
    codes.set(code, [...(codes.get(code) ?? []), meaning]);
    statuses.set(status, codes);
  };
  for (const [name, row] of Object.entries(ERRORS)) {
    // Every method in the document is served, so none leads to this error.
    if (name === 'METHOD_NOT_ALLOWED') continue;
    add(row.status, 'code' in row ? row.code : name, row.meaning);
  }
  for (const [name, code] of Object.entries(LEGACY_ROUTE_CODES)) {
    add(ERRORS[name as ErrorName].status, code, `on a deprecated path, instead of ${name}`);
  }
  return new Map([...statuses].sort(([a], [b]) => a - b));
}
