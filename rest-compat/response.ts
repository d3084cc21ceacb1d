import { deprecatedSince } from './aliases.js';
import type { Endpoint } from './endpoints.js';
import type { Operation } from './operations.js';
import type { DeprecatedUse } from './resolve-aliases.js';

/** The served version of the documented interface. */
export const apiVersion = '2.0.1';

export interface Deprecation {
  readonly deprecated: true;
  readonly message: string;
  readonly deprecated_since: string;
  readonly deprecated_field?: string;
  readonly preferred_field?: string;
}

export interface Meta {
  readonly request_id: string;
  readonly latency_ms: number;
  readonly api_version: string;
  readonly database?: string;
  readonly tenant_id?: string;
  readonly collection?: string;
  readonly sub_tenant_id?: string;
  readonly source_type?: string;
  readonly deprecation?: readonly Deprecation[];
}

/** What was deprecated about a request: its route, and names of parameters. */
export function deprecations(
  uses: readonly DeprecatedUse[],
  legacyRoute: { path: string; preferred: string } | undefined,
): Deprecation[] {
  const entries: Deprecation[] = [];
  if (legacyRoute) {
    entries.push({
      deprecated: true,
      message: `The route ${legacyRoute.path} is deprecated; use ${legacyRoute.preferred}`,
      deprecated_since: deprecatedSince,
    });
  }
  const seen = new Set<string>();
  for (const { field, preferred } of uses) {
    if (seen.has(field)) continue;
    seen.add(field);
    entries.push({
      deprecated: true,
      message: `The field ${field} is deprecated; use ${preferred}`,
      deprecated_since: deprecatedSince,
      deprecated_field: field,
      preferred_field: preferred,
    });
  }
  return entries;
}

/** The scope that served a request, under its documented names and their deprecated twins. */
export function scopeMeta(endpoint: Endpoint, variables: Readonly<Record<string, unknown>>): Partial<Meta> {
  const { database: given, collection: named } = variables;
  if (endpoint.scope === 'none') return {};
  if (endpoint.scope === 'given') return typeof given === 'string' ? scopeNames(given, named) : {};
  const database = String(given);
  if (endpoint.scope === 'database') return scopeNames(database);
  const names = collectionNames(variables['collections']) ?? [variables['collection'] as string | undefined];
  const collection = names[0] || 'default';
  const scoped = scopeNames(database, names.length === 1 ? collection : undefined);
  const type =
    (variables['type'] as string | undefined) ?? (endpoint.scope === 'source' ? 'knowledge' : 'all');
  return type === 'all' ? scoped : { ...scoped, source_type: type };
}

function scopeNames(database: string, collection?: unknown): Partial<Meta> {
  const names = { database, tenant_id: database };
  return typeof collection === 'string' ? { ...names, collection, sub_tenant_id: collection } : names;
}

/** The collections of a search, sent as a list or as an object of weights by name. */
function collectionNames(collections: unknown): readonly string[] | undefined {
  if (collections == null) return undefined;
  return Array.isArray(collections) ? (collections as string[]) : Object.keys(collections);
}

/** Parts the keys that the operation marks with @inMeta from the rest of the data. */
export function splitMeta(data: unknown, { inMeta }: Operation): { data: unknown; meta: Partial<Meta> } {
  if (inMeta.length === 0 || !isRecord(data)) return { data, meta: {} };
  return { data: without(data, inMeta), meta: Object.fromEntries(inMeta.map((key) => [key, data[key]])) };
}

/** The data without the keys that the operation marks with @omitNull, @omitFalse or @omitEmpty. */
export function omitMarked(data: unknown, { omitted }: Operation): unknown {
  return omitted.reduce((kept, { path, when }) => omitAt(kept, path, when), data);
}

/** The data with objects in the place of the lists that the operation marks with @keyedBy. */
export function keyMarked(data: unknown, { keyed }: Operation): unknown {
  if (keyed.size === 0 || !isRecord(data)) return data;
  const objects = Array.from(keyed, ([key, by]) => {
    const entries = data[key] as readonly Record<string, unknown>[];
    return [key, Object.fromEntries(entries.map((entry) => [String(entry[by]), entry]))] as const;
  });
  return { ...data, ...Object.fromEntries(objects) };
}

function omitAt(value: unknown, path: readonly string[], omits: (value: unknown) => boolean): unknown {
  if (Array.isArray(value)) return value.map((entry) => omitAt(entry, path, omits));
  const [key, ...rest] = path;
  if (key === undefined || !isRecord(value) || !(key in value)) return value;
  if (rest.length > 0) return { ...value, [key]: omitAt(value[key], rest, omits) };
  return omits(value[key]) ? without(value, [key]) : value;
}

function without(
  record: Readonly<Record<string, unknown>>,
  keys: readonly string[],
): Record<string, unknown> {
  return Object.fromEntries(Object.entries(record).filter(([key]) => !keys.includes(key)));
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
