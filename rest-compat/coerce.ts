import {
  GraphQLBoolean,
  GraphQLFloat,
  GraphQLInt,
  GraphQLString,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
} from 'graphql';
import type { GraphQLInputField, GraphQLInputObjectType, GraphQLInputType, GraphQLLeafType } from 'graphql';
import { AppError, invalidInput, unacceptedKey } from '../src/errors.js';
import { jsonOf, parseJson } from '../src/lib/parse-json.js';
import { checkText } from '../src/lib/text-check.js';
import { LIMITS } from '../src/limits.js';
import {
  ITEM_ALIASES,
  ITEM_ID_LISTS,
  ITEM_KEYS_AS_TEXT,
  ITEM_KEYS_OF_GRAPHQL,
  NAME_LISTS,
} from './aliases.js';
import { resolveFilterAliases } from './filter-aliases.js';
import { resolveAliases } from './resolve-aliases.js';
import type { DeprecatedUse } from './resolve-aliases.js';

/** A value as it was sent: texts from a query string or form, or a value from a JSON body. */
export type RawValue = { readonly text: readonly string[] } | { readonly json: unknown };

/** Where a value stands in the request. */
interface Place {
  readonly path: string;
  readonly uses: DeprecatedUse[];
  /** Whether the operation changes something. */
  readonly writes: boolean;
}

/**
 * Turns a documented parameter into a variable of the operation's type; names inside items become camelCase.
 * @throws AppError INVALID_INPUT naming the parameter and what it must be
 */
export function coerce(raw: RawValue, type: GraphQLInputType, place: Place): unknown {
  const value = 'json' in raw ? fromJson(raw.json, type, place) : fromText(raw.text, type, place);
  refuseTooMany(value, type, place.path);
  checkText(value, place.path);
  const shaped = shape(value, type, place);
  return place.path === 'metadata_filters' ? resolveFilterAliases(shaped, place) : shaped;
}

/**
 * Refuses a list that has more items than any request may have, before they are read: a million of empty ones
 * took half a minute. Most lists may have fewer, which their services say. @throws AppError INVALID_INPUT
 */
function refuseTooMany(value: unknown, type: GraphQLInputType, path: string): void {
  const list = getNullableType(type);
  if (!Array.isArray(value) || !isListType(list) || !isInputObjectType(getNullableType(list.ofType))) return;
  const max = LIMITS.itemsPerRequestMax;
  if (value.length > max) throw invalidInput(path, `has ${value.length} items; at most ${max} a request`);
}

/**
 * A single text in place of a list of plain values is read as in a query string; not so for access lists,
 * which are never guessed.
 */
function fromJson(value: unknown, type: GraphQLInputType, place: Place): unknown {
  if (typeof value === 'string' && NAME_LISTS.includes(place.path)) return fromText([value], type, place);
  const list = isNonNullType(type) ? type.ofType : type;
  const isText = typeof value === 'string' && isListType(list) && !(place.writes && place.path === 'acl');
  if (!isText) return value;
  const item = isNonNullType(list.ofType) ? list.ofType.ofType : list.ofType;
  return isInputObjectType(item) ? value : listFromText([value], list.ofType, place.path);
}

function fromText(texts: readonly string[], type: GraphQLInputType, { path, writes }: Place): unknown {
  const inner = isNonNullType(type) ? type.ofType : type;
  if (isListType(inner)) {
    // Null as an acl would lift the scoping of a read, so there it is a value like any other.
    const readsNull = writes && !isNonNullType(type);
    if (readsNull && texts.length === 1 && texts[0]?.trim() === 'null') return null;
    return listFromText(texts, inner.ofType, path);
  }
  if (NAME_LISTS.includes(path) && !texts[0]?.trimStart().startsWith('{'))
    return listFromText(texts, GraphQLString, path);
  if (texts.length > 1 && new Set(texts).size > 1) throw invalidInput(path, 'was sent more than once');
  return leafFromText(texts[0] ?? '', inner, path);
}

// A list of items is JSON text, in one or several parts; a list of plain values is repeated, comma-separated
// or a JSON array.
function listFromText(texts: readonly string[], itemType: GraphQLInputType, path: string): unknown {
  const item = isNonNullType(itemType) ? itemType.ofType : itemType;
  const [first = ''] = texts;
  // An id may begin with a bracket, too.
  const isId = ITEM_ID_LISTS.includes(path) && !isListOfTexts(jsonOf(first));
  if (texts.length === 1 && !isId && (isInputObjectType(item) || first.trimStart().startsWith('[')))
    return parseJson(first, path);
  if (isInputObjectType(item)) return texts.flatMap((text) => parseJson(text, path));
  const values = texts.flatMap(valuesOf).filter((text) => text.trim() !== '');
  if (path === 'acl' && values.some((text) => otherJson.test(text)))
    throw invalidInput(path, 'must be principals: repeated, separated by commas or a JSON array of strings');
  return values;
}

/**
 * The beginning of JSON that is not a list of principals. Taken for a principal's name it would hide an item
 * from its readers.
 */
const otherJson = /^\s*(?:[[{"]|(?:true|false)\s*$)/;

/** Splits at commas and trims; a single value is taken as it is. */
function valuesOf(text: string): string[] {
  const values = text.split(',');
  return values.length > 1 ? values.map((value) => value.trim()) : values;
}

function isListOfTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((entry) => typeof entry === 'string');
}

function leafFromText(text: string, type: GraphQLInputType, path: string): unknown {
  if (type === GraphQLBoolean) {
    // Python's clients write True and False.
    if (/^(?:true|1)$/i.test(text)) return true;
    if (/^(?:false|0)$/i.test(text)) return false;
    throw invalidInput(path, `must be true, false, 1 or 0, not "${text}"`);
  }
  if (type === GraphQLInt || type === GraphQLFloat) {
    const number = /^-?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(text.trim()) ? Number(text) : Number.NaN;
    if (Number.isNaN(number)) throw invalidInput(path, `must be a number, not "${text}"`);
    return number;
  }
  const isJson = 'name' in type && type.name === 'JSON';
  // Where any JSON is allowed, a bare word that is no JSON is a text.
  if (isJson && /^\p{L}+$/u.test(text)) return jsonOf(text) ?? text;
  if (isJson || isInputObjectType(type) || ('name' in type && type.name === 'JSONObject'))
    return parseJson(text, path);
  return text;
}

function shape(value: unknown, type: GraphQLInputType, place: Place): unknown {
  const { path, writes } = place;
  if (isNonNullType(type)) {
    if (value == null) throw invalidInput(path, 'is required');
    return shape(value, type.ofType, place);
  }
  if (value === null) return null;
  if (isListType(type)) {
    // Access lists are never guessed.
    if (writes && /(^|\.)acl$/.test(path) && !Array.isArray(value))
      throw invalidInput(path, 'must be a list of principals, or null');
    // A single object is accepted in place of a list of one, as GraphQL itself does.
    const items = Array.isArray(value) ? (value as unknown[]) : [value];
    return items.map((item, index) =>
      isTextAsAsked(item, type.ofType)
        ? item
        : shape(item, type.ofType, { ...place, path: `${path}[${index}]` }),
    );
  }
  if (isInputObjectType(type)) return shapeItem(value, type, place);
  return checkLeaf(value, type, path);
}

/** Whether a value is a text where one is asked for, so that its place needs no name; there may be a million. */
function isTextAsAsked(value: unknown, type: GraphQLInputType): boolean {
  return typeof value === 'string' && getNullableType(type) === GraphQLString;
}

function shapeItem(value: unknown, type: GraphQLInputObjectType, place: Place): Record<string, unknown> {
  const { path, uses } = place;
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw invalidInput(path, 'must be an object');
  const item = resolveAliases(value as Record<string, unknown>, ITEM_ALIASES[type.name] ?? [], {
    path,
    uses,
  });
  for (const key of ITEM_KEYS_AS_TEXT[type.name] ?? []) {
    const text = item[key];
    if (typeof text !== 'string') continue;
    item[key] = parseJson(text, `${path}.${key}`);
    uses.push({ field: `${key} as JSON text`, preferred: `${key} as an object` });
  }
  const fields = fieldsOf(type);
  if (type.extensions['closed']) {
    const unknown = Object.keys(item).find((key) => !fields.has(key));
    if (unknown !== undefined) throw invalidInput(`${path}.${unknown}`, unacceptedKey(fields.keys()));
  }
  const shaped: Record<string, unknown> = {};
  for (const [key, field] of fields) {
    if (!Object.hasOwn(item, key) && !isNonNullType(field.type)) continue;
    const value = item[key];
    shaped[field.name] = isTextAsAsked(value, field.type)
      ? value
      : shape(value, field.type, { ...place, path: `${path}.${key}` });
  }
  return shaped;
}

type ItemFields = ReadonlyMap<string, GraphQLInputField>;
// Spelling the names anew for each of many small items took half of the time of reading a request.
const fieldsOfTypes = new WeakMap<GraphQLInputObjectType, ItemFields>();

/** The fields of an item by their keys in REST's spelling. */
export function fieldsOf(type: GraphQLInputObjectType): ItemFields {
  const known = fieldsOfTypes.get(type) ?? readFields(type);
  fieldsOfTypes.set(type, known);
  return known;
}

function readFields(type: GraphQLInputObjectType): ItemFields {
  const hidden = ITEM_KEYS_OF_GRAPHQL[type.name] ?? [];
  const fields = Object.values(type.getFields()).map((field) => [toSnakeCase(field.name), field] as const);
  return new Map(fields.filter(([key]) => !hidden.includes(key)));
}

function checkLeaf(value: unknown, type: GraphQLLeafType, path: string): unknown {
  if (isEnumType(type)) {
    const names = type.getValues().map((entry) => entry.name);
    if (typeof value === 'string' && names.includes(value)) return value;
    const problem = `${path} must be one of ${names.join(', ')}`;
    throw new AppError(path === 'type' ? 'CORPUS_TYPE_UNSUPPORTED' : 'INVALID_INPUT', problem, {
      field: path,
    });
  }
  try {
    type.parseValue(value);
  } catch {
    throw invalidInput(
      path,
      type === GraphQLInt ? intProblem(value) : (leafProblems[type.name] ?? 'has the wrong type'),
    );
  }
  return value;
}

/** Each parameter has its own limits, checked and reported elsewhere; all lie within 32 bits and above -1. */
function intProblem(value: unknown): string {
  if (typeof value !== 'number')
    return `must be a whole number${typeof value === 'string' ? ', not a string' : ''}`;
  if (!Number.isInteger(value)) return `must be a whole number, not ${value}`;
  return value < 0 ? `must not be negative, but is ${value}` : `is too large: ${value}`;
}

const leafProblems: Readonly<Record<string, string>> = {
  String: 'must be a string',
  Float: 'must be a number',
  Boolean: 'must be true or false',
  JSONObject: 'must be an object',
  Upload: 'must be a file',
};

/** The documented spelling of a GraphQL name. */
export function toSnakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
