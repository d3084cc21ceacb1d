import type { ErrorName } from '../src/errors.js';
import { CONNECTOR_ENDPOINTS } from './connector-endpoints.js';
import { WEBHOOK_ENDPOINTS } from './webhook-endpoints.js';

/** One documented endpoint: a route, and the operation that answers it. */
export interface Endpoint {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** `{name}` is a parameter. */
  readonly path: string;
  /** Deprecated paths to the same operation. */
  readonly legacyPaths: readonly string[];
  /** The file operations/<name>.graphql; the value of its only root field is answered as `data`. */
  readonly operation: string;
  readonly summary: string;
  readonly status: number;
  /** What the body may be: JSON only, or also a form with files. */
  readonly body: 'none' | 'json' | 'form';
  /** What meta says about the scope that served the request; `given`: whatever the request itself said. */
  readonly scope: 'none' | 'given' | 'database' | 'collection' | 'source';
  /** Parameters that it refuses (with any value but null), and what to do instead. */
  readonly refused?: Readonly<Record<string, string>>;
  /** Whether success is answered without the envelope. */
  readonly bare?: true;
  /** The values of `type` that it serves, unless it serves all. */
  readonly types?: readonly string[];
  /** Whether its database need not exist. */
  readonly makesDatabase?: true;
  /** Whether it reads Idempotency-Key. */
  readonly idempotent?: true;
  /** Codes of failures by status, where the documented interface has special ones for this endpoint. */
  readonly codes?: Readonly<Record<number, string>>;
}

/** All documented endpoints. */
export const ENDPOINTS: readonly Endpoint[] = [
  {
    method: 'POST',
    path: '/databases',
    legacyPaths: ['/tenants'],
    operation: 'create-database',
    summary: 'Create a database in the background',
    status: 202,
    body: 'json',
    scope: 'database',
    makesDatabase: true,
    idempotent: true,
  },
  {
    method: 'GET',
    path: '/databases',
    legacyPaths: ['/tenants'],
    operation: 'list-databases',
    summary: 'List the databases of the account',
    status: 200,
    body: 'none',
    scope: 'none',
  },
  {
    method: 'DELETE',
    path: '/databases',
    legacyPaths: ['/tenants'],
    operation: 'delete-database',
    summary: 'Delete a database in the background',
    status: 202,
    body: 'json',
    scope: 'database',
  },
  {
    method: 'GET',
    path: '/databases/status',
    legacyPaths: ['/tenants/status'],
    operation: 'database-status',
    summary: 'Show whether a database is ready',
    status: 200,
    body: 'none',
    scope: 'database',
  },
  {
    method: 'GET',
    path: '/databases/stats',
    legacyPaths: ['/tenants/stats'],
    operation: 'database-stats',
    summary: 'Count the chunks of a database',
    status: 200,
    body: 'none',
    scope: 'database',
  },
  {
    method: 'GET',
    path: '/databases/collections',
    legacyPaths: ['/tenants/sub-tenants'],
    operation: 'list-collections',
    summary: 'List the collections of a database',
    status: 200,
    body: 'none',
    scope: 'database',
  },
  {
    method: 'DELETE',
    path: '/databases/collections',
    legacyPaths: ['/tenants/sub-tenants'],
    operation: 'delete-collection',
    summary: 'Delete a collection in the background',
    status: 202,
    body: 'json',
    scope: 'collection',
  },
  {
    method: 'GET',
    path: '/databases/{database}/metadata-schema',
    legacyPaths: ['/tenants/{database}/metadata-schema'],
    operation: 'metadata-schema',
    summary: 'Show the metadata schema of a database',
    status: 200,
    body: 'none',
    scope: 'database',
  },
  {
    method: 'PATCH',
    path: '/databases/{database}/metadata-schema',
    legacyPaths: ['/tenants/{database}/metadata-schema'],
    operation: 'add-metadata-fields',
    summary: 'Add fields to the metadata schema of a database',
    status: 200,
    body: 'json',
    scope: 'database',
    bare: true,
    codes: { 400: 'INTERNAL_ERROR', 409: 'INTERNAL_ERROR' },
  },
  {
    method: 'POST',
    path: '/context/ingest',
    legacyPaths: [],
    operation: 'ingest',
    summary: 'Ingest documents, app items or memories, which are indexed in the background',
    status: 202,
    body: 'form',
    scope: 'source',
    types: ['knowledge', 'memory'],
    idempotent: true,
  },
  {
    method: 'GET',
    path: '/context/status',
    legacyPaths: [],
    operation: 'indexing-status',
    summary: 'Show how far the indexing of items has come',
    status: 200,
    body: 'none',
    scope: 'collection',
  },
  {
    method: 'PATCH',
    path: '/context/{id}/metadata',
    legacyPaths: ['/context/sources/{id}/metadata'],
    operation: 'update-source-metadata',
    summary: 'Change metadata values of an item, or replace its access list',
    status: 200,
    body: 'json',
    scope: 'source',
    refused: { metadata: 'send database_metadata', document_metadata: 'send additional_metadata' },
    types: ['knowledge', 'memory'],
  },
  {
    method: 'GET',
    path: '/context/list',
    legacyPaths: [],
    operation: 'list-sources',
    summary: 'List files and app items, or memories, newest first',
    status: 200,
    body: 'none',
    scope: 'source',
    types: ['knowledge', 'memory'],
  },
  {
    method: 'POST',
    path: '/context/list',
    legacyPaths: [],
    operation: 'list-sources',
    summary: 'List files and app items, or memories, newest first',
    status: 200,
    body: 'json',
    scope: 'source',
    types: ['knowledge', 'memory'],
  },
  {
    method: 'DELETE',
    path: '/context',
    legacyPaths: [],
    operation: 'delete-sources',
    summary: 'Delete files, app items or memories by id',
    status: 200,
    body: 'json',
    scope: 'source',
    types: ['knowledge', 'memory'],
  },
  {
    method: 'GET',
    path: '/context/inspect',
    legacyPaths: [],
    operation: 'inspect-source',
    summary: 'Fetch the content of an item',
    status: 200,
    body: 'none',
    scope: 'collection',
    types: ['knowledge', 'memory'],
  },
  {
    method: 'GET',
    path: '/context/chunks',
    legacyPaths: [],
    operation: 'source-chunks',
    summary: 'Show the chunks of an item',
    status: 200,
    body: 'none',
    scope: 'collection',
    types: ['knowledge', 'memory'],
  },
  {
    method: 'GET',
    path: '/context/relations',
    legacyPaths: [],
    operation: 'relations',
    summary: 'Read the relations between the entities of an item or a collection, newest first',
    status: 200,
    body: 'none',
    scope: 'source',
    types: ['knowledge', 'memory'],
  },
  {
    method: 'GET',
    path: '/context/{id}/subgraph',
    legacyPaths: [],
    operation: 'subgraph',
    summary: 'Find the items that are connected with an item, nearest first',
    status: 200,
    body: 'none',
    scope: 'source',
    types: ['knowledge', 'memory'],
  },
  {
    method: 'GET',
    path: '/context/subgraph',
    legacyPaths: [],
    operation: 'subgraph',
    summary: 'Find the items that are connected with an item, nearest first',
    status: 200,
    body: 'none',
    scope: 'source',
    types: ['knowledge', 'memory'],
  },
  {
    method: 'POST',
    path: '/query',
    legacyPaths: [],
    operation: 'query',
    summary: 'Search for what a language model should know to answer a query',
    status: 200,
    body: 'json',
    scope: 'source',
  },
  {
    method: 'POST',
    path: '/feedback',
    legacyPaths: [],
    operation: 'send-feedback',
    summary: 'Give feedback on the answer to a query',
    status: 201,
    body: 'json',
    scope: 'given',
  },
  ...CONNECTOR_ENDPOINTS,
  ...WEBHOOK_ENDPOINTS,
];

/** The codes that the deprecated /tenants routes answer instead of the canonical ones; the status is the same. */
export const LEGACY_ROUTE_CODES: Partial<Record<ErrorName, string>> = {
  DATABASE_NOT_FOUND: 'NOT_FOUND',
  DATABASE_ALREADY_EXISTS: 'INVALID_INPUT',
};
