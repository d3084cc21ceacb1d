import { isDeepStrictEqual } from 'node:util';
import { GraphQLString, getNamedType, isNonNullType } from 'graphql';
import type { GraphQLInputType } from 'graphql';
import { AppError, invalidInput } from '../src/errors.js';
import { jsonOf } from '../src/lib/parse-json.js';
import { checkDepth } from '../src/lib/text-check.js';
import type { IncomingFile } from '../src/storage/incoming-file.js';
import { PARAMETER_ALIASES } from './aliases.js';
import type { Alias } from './aliases.js';
import { coerce } from './coerce.js';
import type { RawValue } from './coerce.js';
import type { Endpoint } from './endpoints.js';
import type { Operation } from './operations.js';
import { resolveAliases } from './resolve-aliases.js';
import type { DeprecatedUse } from './resolve-aliases.js';

/** The parts of an HTTP request that hold parameters. */
export interface RequestParts {
  readonly path: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string | string[]>>;
  readonly json: unknown;
  readonly form: ReadonlyMap<string, readonly string[]> | undefined;
  readonly files: readonly IncomingFile[];
  /** The name of a part of the form with a file that no parameter has. */
  readonly strayFile: string | undefined;
}

/** How to read a request, and where to put what is known of it, even if it turns out to be bad. */
export interface ReadContext {
  readonly endpoint: Endpoint;
  readonly operation: Operation;
  /** Collects the deprecated names that it used. */
  readonly uses: DeprecatedUse[];
  /** Collects the operation's variables. */
  readonly variables: Record<string, unknown>;
}

/**
 * Reads an operation's variables from path, query string, form and JSON body together. @throws AppError
 * INVALID_INPUT naming the parameter and its rule
 */
export function readVariables(
  parts: RequestParts,
  { endpoint, operation, uses, variables }: ReadContext,
): void {
  const aliases = aliasesOf(endpoint, operation);
  const merged = mergeParts(parts, endpoint, parameterNames(endpoint, operation));
  const raw = resolveAliases(merged, aliases, { path: '', uses, equal: sameValue });
  for (const [name, type] of inOrderOfChecks(operation.variables)) {
    const value = parts.form && isUnfilled(raw[name], type) ? undefined : raw[name];
    if (name === 'documents') {
      if (isSent(value)) throw invalidInput(name, 'must be files, each a part of a multipart form');
      if (parts.files.length > 0) variables[name] = parts.files;
      else if (parts.strayFile !== undefined && !isSent(raw['app_knowledge']) && !isSent(raw['memories']))
        throw invalidInput(name, `must be the name of every part with a file, not "${parts.strayFile}"`);
      continue;
    }
    if (name === 'type' && value !== undefined)
      checkType(endpoint, 'json' in value ? value.json : value.text[0]);
    if (value !== undefined)
      variables[name] = coerce(value, type, { path: name, uses, writes: operation.writes });
    else if (isNonNullType(type)) throw invalidInput(name, 'is required');
  }
  for (const [name, instead] of Object.entries(endpoint.refused ?? {})) {
    const value = raw[name];
    if (value && !('json' in value && value.json === null))
      throw invalidInput(name, `is not accepted here; ${instead}`);
  }
}

function checkType({ types }: Endpoint, type: unknown): void {
  if (!types || type === null || types.some((served) => served === type)) return;
  throw new AppError('CORPUS_TYPE_UNSUPPORTED', `type must be one of ${types.join(', ')}`, { field: 'type' });
}

const checkedFirst = ['type', 'database'];

/** When several parameters are bad, the type is reported first, then the database. */
function inOrderOfChecks(variables: Operation['variables']): [string, GraphQLInputType][] {
  const rank = (name: string) => {
    const place = checkedFirst.indexOf(name);
    return place < 0 ? checkedFirst.length : place;
  };
  return [...variables].sort(([a], [b]) => rank(a) - rank(b));
}

/** All names that an endpoint's parameters may be sent under. */
export function parameterNames(endpoint: Endpoint, operation: Operation): ReadonlySet<string> {
  const aliases = aliasesOf(endpoint, operation).map(({ alias }) => alias);
  return new Set([...operation.variables.keys(), ...Object.keys(endpoint.refused ?? {}), ...aliases]);
}

/** The other names of an endpoint's parameters. */
export function aliasesOf(endpoint: Endpoint, operation: Operation): readonly Alias[] {
  return PARAMETER_ALIASES.filter(
    ({ name, operations }) =>
      operation.variables.has(name) && (operations === undefined || operations.includes(endpoint.operation)),
  );
}

/** What was sent under each of these names. */
function mergeParts(
  { path, query, form, json }: RequestParts,
  { body }: Endpoint,
  names: ReadonlySet<string>,
): Record<string, RawValue> {
  // Where forms are accepted, clients also send the texts of a form as JSON strings.
  const fromJson = (value: unknown): RawValue =>
    body === 'form' && typeof value === 'string' ? { text: [value] } : { json: value };
  const merged = Object.create(null) as Record<string, RawValue>;
  const add = (name: string, value: RawValue) => {
    const before = merged[name];
    if (before && !sameValue(before, value)) throw invalidInput(name, 'was sent twice with different values');
    merged[name] = value;
  };
  for (const [name, text] of Object.entries(path)) add(name, { text: [text] });
  for (const [name, text] of Object.entries(query)) add(name, { text: Array.isArray(text) ? text : [text] });
  for (const [name, text] of form ?? []) add(name, { text });
  for (const [name, value] of namedIn(json, names)) add(name, fromJson(value));
  return merged;
}

/** Whether two values mean the same, in whatever form they were sent. */
function sameValue(a: RawValue, b: RawValue): boolean {
  if ('text' in a) return 'text' in b ? plainText(a.text) === plainText(b.text) : saysJson(a.text, b.json);
  return 'text' in b ? saysJson(b.text, a.json) : sameJson(a.json, b.json);
}

function saysJson(texts: readonly string[], json: unknown): boolean {
  const text = plainText(texts);
  if (json === text || (Array.isArray(json) && json.join(',') === text)) return true;
  return sameJson(json, jsonOf(text));
}

/** @throws AppError INVALID_INPUT for values that nest too deep to be compared */
function sameJson(a: unknown, b: unknown): boolean {
  for (const value of [a, b]) checkDepth(value, 'body');
  return isDeepStrictEqual(a, b);
}

function plainText(texts: readonly string[]): string {
  return [...new Set(texts)].join(',');
}

/** Whether it is a field that a form was sent without filling it in: only texts, and lists of them, may be empty. */
function isUnfilled(value: RawValue | undefined, type: GraphQLInputType): boolean {
  if (!value || !('text' in value) || value.text.some((text) => text !== '')) return false;
  return getNamedType(type) !== GraphQLString;
}

/** Whether a parameter was sent with any value. */
function isSent(value: RawValue | undefined): boolean {
  if (!value) return false;
  if ('text' in value) return value.text.some((text) => text !== '');
  return value.json !== null && !(Array.isArray(value.json) && value.json.length === 0);
}

/** The values of a JSON body that have one of these names; any others, be they a million, are passed over. */
function namedIn(json: unknown, names: ReadonlySet<string>): [string, unknown][] {
  if (json === undefined || json === null) return [];
  if (typeof json !== 'object' || Array.isArray(json)) throw invalidInput('body', 'must be a JSON object');
  const body = json as Readonly<Record<string, unknown>>;
  return [...names].filter((name) => Object.hasOwn(body, name)).map((name) => [name, body[name]]);
}
