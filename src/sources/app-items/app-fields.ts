import { isDeepStrictEqual } from 'node:util';
import { invalidInput } from '../../errors.js';
import { checkCount } from '../../lib/bounded-number.js';
import { readIsoTime } from '../../lib/iso-time.js';
import { boundedText } from '../../lib/text-check.js';
import { LIMITS } from '../../limits.js';
import { checkJsonBytes } from '../ingest/json-size.js';
import { appKinds } from '../source.types.js';
import type { AppKind, JsonObject } from '../source.types.js';
import type { AppKnowledgeInput } from './app-item.types.js';
import { FIELDS_BY_KIND, PLACING_FIELDS } from './fields-by-kind.js';
import type { FieldRule } from './fields-by-kind.js';

const FIELD_ALIASES: Partial<Record<AppKind, Readonly<Record<string, string>>>> = {
  email: { in_reply_to: 'reply_to_id' },
};

/** The kind of an item, sent with it or among its fields. @throws AppError INVALID_INPUT listing the kinds */
export function readKind(
  item: Pick<AppKnowledgeInput, 'kind' | 'fields' | 'content'>,
  path: string,
): AppKind {
  const inFields = item.fields?.['kind'] ?? undefined;
  const own = item.kind ? checkKind(item.kind, `${path}.kind`) : undefined;
  const repeated = inFields === undefined ? undefined : checkKind(inFields, `${path}.fields.kind`);
  if (own && repeated && own !== repeated)
    throw invalidInput(`${path}.fields.kind`, `"${repeated}" is not the item's kind "${own}"`);
  if (!own && !repeated && !item.content && !item.fields?.['data'])
    refuseTextOfKinds(item.fields ?? {}, path);
  return own ?? repeated ?? 'custom';
}

/** An item of the kind `custom` would store these fields but not make them searchable. */
function refuseTextOfKinds(fields: JsonObject, path: string): void {
  const isText = (name: string) =>
    appKinds.some((kind) => ['title', 'text'].includes(FIELDS_BY_KIND[kind][name] ?? ''));
  const text = Object.keys(fields).find(isText);
  if (text !== undefined)
    throw invalidInput(
      `${path}.kind`,
      `must be one of ${appKinds.join(', ')}: fields.${text} is text of some of them only`,
    );
}

function checkKind(value: unknown, path: string): AppKind {
  const kind = appKinds.find((known) => known === value);
  if (kind) return kind;
  const given = typeof value === 'string' ? `, not "${value.slice(0, 100)}"` : '';
  throw invalidInput(path, `must be one of ${appKinds.join(', ')}${given}`);
}

/**
 * Reads the fields of an item: known ones are checked, blank ones left out and aliases resolved; other keys
 * stay as they were sent. @throws AppError INVALID_INPUT naming the field and what it must be
 */
export function readFields(given: JsonObject, kind: AppKind, path: string): JsonObject {
  const rules = new Map(Object.entries({ ...PLACING_FIELDS, ...FIELDS_BY_KIND[kind] }));
  const known: [string, unknown][] = [];
  const others: [string, unknown][] = [];
  for (const [key, value] of Object.entries(resolveFieldAliases(given, kind, path))) {
    if (key === 'kind') continue;
    const rule = rules.get(key);
    if (!rule) {
      others.push([key, value]);
      continue;
    }
    const read = value === null ? undefined : readers[rule](value, `${path}.${key}`);
    if (read !== undefined) known.push([key, read]);
  }
  // Object.fromEntries and no assignments, of which one to the key __proto__ would set something else.
  checkJsonBytes(
    Object.fromEntries(others),
    `${path}, without those of kind ${kind},`,
    LIMITS.appObjectBytesMax,
  );
  return Object.fromEntries([...known, ...others]);
}

function resolveFieldAliases(given: JsonObject, kind: AppKind, path: string): JsonObject {
  const fields = new Map(Object.entries(given));
  for (const [alias, name] of Object.entries(FIELD_ALIASES[kind] ?? {})) {
    const value = fields.get(alias);
    if (value == null) continue;
    const canonical = fields.get(name) ?? value;
    if (!isDeepStrictEqual(canonical, value))
      throw invalidInput(`${path}.${name}`, `and its other name ${alias} were sent with different values`);
    fields.delete(alias);
    fields.set(name, value);
  }
  return Object.fromEntries(fields);
}

const readers: Readonly<Record<FieldRule, (value: unknown, path: string) => unknown>> = {
  text: (value, path) => readText(requireString(value, path)),
  title: (value, path) => readBounded(value, path, LIMITS.titleCharactersMax),
  value: (value, path) => readBounded(value, path, LIMITS.appValueCharactersMax),
  values: (value, path) =>
    readList(value, path, (entry, at) => readBounded(entry, at, LIMITS.appValueCharactersMax)),
  id: readExternalId,
  ids: (value, path) => readList(value, path, readExternalId),
  time: readTime,
  url: (value, path) => readBounded(value, path, LIMITS.urlCharactersMax),
  object: readObject,
};

/** A string that is shown or compared, trimmed; undefined when it is blank. */
export function readBounded(value: unknown, path: string, charactersMax: number): string | undefined {
  const text = boundedText(requireString(value, path).trim(), path, charactersMax);
  return text === '' ? undefined : text;
}

/** An id of another application, as it was sent; undefined when it is empty. */
export function readExternalId(value: unknown, path: string): string | undefined {
  const id = requireString(value, path);
  const bytes = Buffer.byteLength(id);
  if (bytes > LIMITS.appIdBytesMax)
    throw invalidInput(path, `has ${bytes} bytes; at most ${LIMITS.appIdBytesMax}`);
  return id === '' ? undefined : id;
}

/**
 * The name of an application in the form that is compared: lower case, trimmed; undefined when it is blank.
 */
export function readProvider(value: unknown, path: string): string | undefined {
  return readExternalId(value, path)?.trim().toLowerCase() || undefined;
}

/** An ISO-8601 time as it was sent; undefined when it is empty. */
export function readTime(value: unknown, path: string): string | undefined {
  const text = requireString(value, path).trim();
  if (text === '') return undefined;
  if (!readIsoTime(text))
    throw invalidInput(
      path,
      `must be an ISO-8601 time such as 2026-01-31T09:30:00Z, not "${text.slice(0, 100)}"`,
    );
  return text;
}

/** A free-form object that is stored as it is. */
export function readObject(value: unknown, path: string): JsonObject {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw invalidInput(path, 'must be an object');
  checkJsonBytes(value as JsonObject, path, LIMITS.appObjectBytesMax);
  return value as JsonObject;
}

function readText(text: string): string | undefined {
  return /\S/.test(text) ? text : undefined;
}

function readList(
  value: unknown,
  path: string,
  read: (entry: string, path: string) => string | undefined,
): string[] | undefined {
  const entries: unknown[] = typeof value === 'string' ? [value] : Array.isArray(value) ? value : [null];
  if (!entries.every((entry) => typeof entry === 'string'))
    throw invalidInput(path, 'must be a list of strings');
  checkCount(entries.length, path, { noun: 'values', max: LIMITS.appFieldValuesMax });
  const kept = entries.flatMap((entry, index) => read(entry, `${path}[${index}]`) ?? []);
  return kept.length > 0 ? kept : undefined;
}

function requireString(value: unknown, path: string): string {
  if (typeof value !== 'string') throw invalidInput(path, 'must be a string');
  return value;
}
