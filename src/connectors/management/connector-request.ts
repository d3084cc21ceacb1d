import { z } from 'zod';
import { collectionName } from '../../databases/collections.service.js';
import { AppError, invalidInput, unacceptedKey } from '../../errors.js';
import { boundedText } from '../../lib/text-check.js';
import { LIMITS } from '../../limits.js';
import type { JsonObject } from '../../sources/source.types.js';
import type { AuthType, Provider } from '../provider.js';
import type { CreateConnectorInput, UpdateConnectorInput } from './connector-changes.types.js';
import { readInterval } from './provider-list.js';

/** A connector as a request asks for it; its database and credentials have not been checked. */
export interface ReadConnector {
  readonly name: string;
  readonly collection: string;
  readonly providerAccountScope: string;
  readonly authType: AuthType;
  readonly customInstructions: string;
  readonly syncIntervalSeconds: number;
}

/** @throws AppError INVALID_INPUT naming the field and the bound. */
export function readConnector(provider: Provider, input: CreateConnectorInput): ReadConnector {
  return {
    name: readName(provider, input.name),
    collection: collectionName(input.collection),
    providerAccountScope: boundedText(
      input.providerAccountScope ?? '',
      'provider_account_scope',
      LIMITS.providerAccountScopeCharactersMax,
    ),
    authType: readAuthType(provider, input.authType),
    customInstructions: readInstructions(input.customInstructions ?? ''),
    syncIntervalSeconds: readInterval(provider, input.syncIntervalSeconds),
  };
}

/** The changes to a connector; undefined leaves a setting as it is. */
export interface ReadUpdate {
  readonly name: string | undefined;
  readonly customInstructions: string | undefined;
  readonly syncIntervalSeconds: number | undefined;
  readonly credentials: JsonObject | undefined;
}

/** @throws AppError INVALID_INPUT naming the field and the bound, or when nothing is to change. */
export function readUpdate(provider: Provider | undefined, input: UpdateConnectorInput): ReadUpdate {
  const { name, customInstructions, syncIntervalSeconds, credentials } = input;
  const sent = [name, customInstructions, syncIntervalSeconds, credentials];
  if (sent.every((value) => value === undefined))
    throw invalidInput(
      'input',
      'must have at least one of name, custom_instructions, sync_interval_seconds, credentials',
      ['custom_instructions', 'sync_interval_seconds'],
    );
  if (credentials === null) throw invalidInput('credentials', 'must be an object');
  if (!provider) throw switchedOff('of this connector');
  return {
    name: name === undefined ? undefined : readName(provider, name),
    customInstructions:
      customInstructions === undefined ? undefined : readInstructions(customInstructions ?? ''),
    syncIntervalSeconds:
      syncIntervalSeconds === undefined ? undefined : readInterval(provider, syncIntervalSeconds),
    credentials,
  };
}

/**
 * Checks credentials against their provider's schema. @throws AppError UNPROCESSABLE naming the field,
 * without anything that was sent
 */
export function readCredentials(provider: Provider, given: JsonObject): JsonObject {
  const parsed = provider.credentials.safeParse(given, { reportInput: true });
  if (parsed.success) return parsed.data;
  const problem = problemOf(parsed.error, {
    root: 'credentials',
    keys: Object.keys(provider.credentials.shape),
  });
  throw new AppError('UNPROCESSABLE', `${problem.path} ${problem.text}`, { field: problem.path });
}

/** What every resource takes among its filters, beside `lookback_days`. */
const commonFilters = {
  may_be_empty: z
    .boolean()
    .optional()
    .describe(
      'True: when it shows nothing any more, or less than half of many items, those missing are deleted; otherwise that is taken for an outage for three days.',
    ),
};

/** Filters of a resource: its provider's, and those that every resource takes. @throws AppError INVALID_INPUT naming the filter. */
export function readFilters(provider: Provider, given: JsonObject, path: string): JsonObject {
  const schema = provider.filters.safeExtend(commonFilters);
  const parsed = schema.safeParse(given, { reportInput: true });
  if (parsed.success) return parsed.data;
  const problem = problemOf(parsed.error, {
    root: path,
    keys: [...Object.keys(schema.shape), 'lookback_days'],
  });
  throw invalidInput(problem.path, problem.text);
}

/** @throws AppError INVALID_INPUT naming the bound. */
export function readInstructions(given: string, path = 'custom_instructions'): string {
  return boundedText(given, path, LIMITS.customInstructionsCharactersMax);
}

/** The error for a provider that the configuration switches off. */
export function switchedOff(name: string): AppError {
  return new AppError('FORBIDDEN', `the provider ${name} is switched off on this server`);
}

function readName(provider: Provider, given: string | null | undefined): string {
  const name = boundedText(given ?? '', 'name', LIMITS.connectorNameCharactersMax).trim();
  return name === '' ? provider.name : name;
}

function readAuthType({ authTypes }: Provider, given: string | null | undefined): AuthType {
  if (given == null || given === '') return authTypes[0];
  const known = authTypes.find((type) => type === given);
  if (known === undefined) throw invalidInput('auth_type', `must be one of ${authTypes.join(', ')}`);
  return known;
}

/** The first problem that a schema finds, by names and rules, without anything that was sent. */
function problemOf(
  error: z.ZodError,
  { root, keys }: { root: string; keys: readonly string[] },
): { path: string; text: string } {
  const [issue] = error.issues;
  const path = [root, ...(issue?.path ?? []).map(String)].join('.');
  // A required key that is not there; the input is told for this alone.
  if (issue?.code === 'invalid_type' && issue.input === undefined) return { path, text: 'is required' };
  switch (issue?.code) {
    case 'invalid_type':
      return { path, text: `must be ${typeNames[issue.expected] ?? issue.expected}` };
    case 'unrecognized_keys':
      return {
        path: `${path}.${issue.keys[0]?.slice(0, keyCharactersMax)}`,
        text: unacceptedKey(keys),
      };
    case 'too_small':
      return { path, text: boundOf(issue.origin, 'at least', issue.minimum) };
    case 'too_big':
      return { path, text: boundOf(issue.origin, 'at most', issue.maximum) };
    case 'invalid_value':
      return { path, text: `must be one of ${issue.values.map(String).join(', ')}` };
    case 'invalid_format':
      return { path, text: formatOf(issue) };
    case 'custom':
      return { path, text: issue.message };
    default:
      return { path, text: 'does not fit its schema' };
  }
}

const keyCharactersMax = 100;

const typeNames: Readonly<Record<string, string>> = {
  int: 'a whole number',
  number: 'a number',
  string: 'a string',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
};

/** Schemas that ask for a pattern say in words what it matches. */
function formatOf(issue: z.core.$ZodIssueInvalidStringFormat): string {
  if (issue.message.startsWith('must ')) return issue.message;
  if (issue.format === 'datetime') return 'must be a date and time of ISO-8601, such as 2026-01-31T00:00:00Z';
  return 'prefix' in issue ? `must begin with ${String(issue.prefix)}` : `must be a valid ${issue.format}`;
}

function boundOf(origin: string, bound: 'at least' | 'at most', count: number | bigint): string {
  if (origin === 'number' || origin === 'int') return `must be ${bound} ${count}`;
  if (bound === 'at least' && Number(count) === 1) return 'must not be empty';
  return `must have ${bound} ${count} ${origin === 'string' ? 'characters' : 'entries'}`;
}
