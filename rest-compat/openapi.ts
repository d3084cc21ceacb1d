import type { GraphQLSchema } from 'graphql';
import { servedApiMajor } from '../src/api/api-version.js';
import { LIMITS } from '../src/limits.js';
import { ENDPOINTS } from './endpoints.js';
import type { Endpoint } from './endpoints.js';
import { requestDescription } from './openapi-requests.js';
import {
  envelopeSchemas,
  failureReferences,
  failureResponses,
  responseHeaders,
  successResponse,
} from './openapi-responses.js';
import { describe, outputSchema, reference } from './openapi-schemas.js';
import type { JsonSchema, NamedSchemas } from './openapi-schemas.js';
import { eventSchemas, webhookDescriptions } from './openapi-webhooks.js';
import { loadOperation } from './operations.js';
import type { Operation } from './operations.js';
import { apiVersion } from './response.js';

interface Route {
  readonly endpoint: Endpoint;
  readonly operation: Operation;
  readonly path: string;
  /** 0 for the documented path, else the position among the deprecated ones. */
  readonly legacyNumber: number;
}

/** What the operations of a group are for. */
const tagDescriptions: Readonly<Record<string, string>> = {
  databases: 'Databases, which are isolated from each other, and their collections and metadata schemas.',
  context:
    'What is stored: ingesting files, app items and memories, their status, content, metadata and relations.',
  query: 'Finding what a model should know for a question.',
  feedback: 'How good the answers to queries were.',
  connectors: 'Keeping databases in step with other services.',
  webhooks: 'Being told when the indexing status of an item changes.',
};

const description = `Press **Authorize** and enter an API key: the server prints its first one when it starts for the first time. Then:

1. Create a database with \`POST /databases\`, and ask \`GET /databases/status\` until \`infra.ready_for_ingestion\` is true.
2. Send files, app items or memories with \`POST /context/ingest\`, and ask \`GET /context/status\` with their ids until each \
\`indexing_status\` is \`completed\` (or \`errored\`, and \`error_message\` says why).
3. Ask with \`POST /query\`.
4. Delete items with \`DELETE /context\`, or everything with \`DELETE /databases\`.

Answers are wrapped in an envelope: \`data\` on success, \`error\` on failure, and \`meta\`. Successful answers \
of connector endpoints, and of a change of a metadata schema, are the data alone. A parameter may also be sent under its \
deprecated name, even if it is required; \`meta.deprecation\` and the header \`Deprecation\` then say so. Parameters of a \
body may also be sent in the query string, and those of a DELETE in a JSON body.`;

/**
 * The REST interface in OpenAPI 3.1, made from ENDPOINTS, their operations, the GraphQL types and the table
 * of errors.
 */
export function openApiDocument(schema: GraphQLSchema): JsonSchema {
  const named: NamedSchemas = new Map(Object.entries({ ...envelopeSchemas, ...eventSchemas }));
  const paths: Record<string, Record<string, JsonSchema>> = {};
  for (const route of routes(schema)) {
    const path = (paths[route.path] ??= {});
    path[route.endpoint.method.toLowerCase()] = describeRoute(route, schema, named);
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Contexture',
      version: apiVersion,
      description,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    security: [{ apiKey: [] }],
    tags: [...new Set(ENDPOINTS.map(tagOf))].map((name) => ({
      name,
      description: tagDescriptions[name],
    })),
    paths,
    webhooks: webhookDescriptions(),
    components: {
      securitySchemes: {
        apiKey: { type: 'http', scheme: 'bearer', description: 'An API key, sent as Authorization: Bearer.' },
      },
      parameters: {
        ApiVersion: {
          name: 'API-Version',
          in: 'header',
          description:
            'The major version of the interface that the caller was written for; any other version is refused.',
          required: false,
          schema: { type: 'string', enum: [servedApiMajor] },
        },
        IdempotencyKey: {
          name: 'Idempotency-Key',
          in: 'header',
          description:
            'A key of your choice that makes retries safe: a request repeated with the same key is executed once and gets the same answer for 24 hours.',
          required: false,
          schema: { type: 'string', minLength: 1, maxLength: LIMITS.idempotencyKeyCharactersMax },
        },
      },
      headers: responseHeaders,
      schemas: Object.fromEntries([...named].sort(([a], [b]) => (a < b ? -1 : 1))),
      responses: failureResponses(),
    },
  };
}

// Deprecated paths come last, so that the ones to use are seen first.
function routes(schema: GraphQLSchema): Route[] {
  const all = ENDPOINTS.flatMap((endpoint): Route[] => {
    const operation = loadOperation(schema, endpoint);
    return [endpoint.path, ...endpoint.legacyPaths].map((path, legacyNumber) => ({
      endpoint,
      operation,
      path,
      legacyNumber,
    }));
  });
  return [
    ...all.filter((route) => route.legacyNumber === 0),
    ...all.filter((route) => route.legacyNumber > 0),
  ];
}

function describeRoute(route: Route, schema: GraphQLSchema, named: NamedSchemas): JsonSchema {
  const { endpoint, operation, legacyNumber } = route;
  const { root, rootField, rootType } = operation;
  const data = reference(`${pascalCase(endpoint.operation)}Data`, named, () =>
    outputSchema(rootType, root.selectionSet, named),
  );
  const legacy = { description: `Use ${endpoint.method} ${endpoint.path}.`, deprecated: true };
  return {
    operationId: operationId(endpoint, legacyNumber),
    tags: [tagOf(endpoint)],
    summary: endpoint.summary,
    ...(legacyNumber > 0 ? legacy : describe({}, rootField.description)),
    ...requestDescription(route, schema, named),
    responses: {
      [endpoint.status]: successResponse(data, endpoint),
      ...failureReferences(endpoint),
    },
  };
}

/** Operations are grouped by the first part of their documented path. */
function tagOf({ path }: Endpoint): string {
  return path.split('/').find((part) => part !== '') ?? path;
}

function operationId(endpoint: Endpoint, legacyNumber: number): string {
  const { operation, method } = endpoint;
  const isFirst = ENDPOINTS.find((other) => other.operation === operation) === endpoint;
  const name = pascalCase(isFirst ? operation : `${operation}-by-${method.toLowerCase()}`);
  if (legacyNumber === 0) return name.charAt(0).toLowerCase() + name.slice(1);
  return `legacy${name}${legacyNumber === 1 ? '' : legacyNumber}`;
}

function pascalCase(kebab: string): string {
  return kebab.replace(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase());
}
