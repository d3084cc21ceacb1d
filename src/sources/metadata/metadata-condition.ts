import { readIsoTime } from '../../lib/iso-time.js';
import type { AddParameter } from '../../postgres/sql-parameters.js';
import type { JsonObject } from '../source.types.js';

/** Where a key is looked for: in the declared metadata of an item, or in the free-form one. */
export type MetadataColumn = 'metadata' | 'additional_metadata';

interface KeyedCondition {
  readonly column: MetadataColumn;
  readonly key: string;
}

/** The values that arrays may hold and that can be compared as a whole. */
export type JsonScalar = string | number | boolean | null;

/**
 * A condition on an item's metadata, which holds or does not (there is no unknown): on a key that the item
 * lacks it does not hold.
 */
export type MetadataCondition =
  | { readonly kind: 'all' | 'any'; readonly conditions: readonly MetadataCondition[] }
  | { readonly kind: 'not'; readonly condition: MetadataCondition }
  /** Every key has exactly the given value. */
  | { readonly kind: 'holds'; readonly column: MetadataColumn; readonly wanted: JsonObject }
  | (KeyedCondition & { readonly kind: 'oneOf'; readonly values: readonly unknown[] })
  | (KeyedCondition & {
      readonly kind: 'compares';
      readonly operator: Order;
      readonly value: string | number;
    })
  /** An array with one of the values, or a text with one of the substrings. */
  | (KeyedCondition & {
      readonly kind: 'contains';
      readonly elements: readonly JsonScalar[];
      readonly substrings: readonly string[];
    })
  | (KeyedCondition & { readonly kind: 'exists' });

export type Order = '<' | '<=' | '>' | '>=';

/** Whether a JSON value is neither object nor array. */
export function isScalar(value: unknown): value is JsonScalar {
  return typeof value !== 'object' || value === null;
}

/**
 * SQL for a condition on a row of sources, true or false. Comparisons with whole values are written so that
 * an index serves them.
 */
export function metadataSql(condition: MetadataCondition, alias: string, add: AddParameter): string {
  switch (condition.kind) {
    case 'all':
      return joined(condition.conditions, ' and ', 'true');
    case 'any':
      return joined(condition.conditions, ' or ', 'false');
    case 'not':
      return `(${metadataSql(condition.condition, alias, add)}) is not true`;
    case 'holds':
      return holdsSql(`${alias}.${condition.column}`, condition.wanted, add);
    case 'oneOf':
      return oneOfSql(`${alias}.${condition.column}`, condition, add);
    case 'compares':
      return comparesSql(`${alias}.${condition.column}`, condition, add);
    case 'contains':
      return containsSql(`${alias}.${condition.column}`, condition, add);
    case 'exists':
      return `${alias}.${condition.column} ? ${add(condition.key)}::text`;
  }

  function joined(conditions: readonly MetadataCondition[], word: string, none: string): string {
    return conditions.length === 0
      ? none
      : `(${conditions.map((each) => metadataSql(each, alias, add)).join(word)})`;
  }
}

/** Whether only items with metadata can meet a condition. */
export function needsMetadata(condition: MetadataCondition): boolean {
  switch (condition.kind) {
    case 'all':
      return condition.conditions.some(needsMetadata);
    case 'any':
      return condition.conditions.every(needsMetadata);
    case 'not':
      return false;
    case 'holds':
      return Object.keys(condition.wanted).length > 0;
    default:
      return true;
  }
}

/** SQL: an item has metadata, as the index on it says. */
export function hasMetadataSql(alias: string): string {
  return `(${alias}.metadata <> '{}' or ${alias}.additional_metadata <> '{}')`;
}

// Containment means equality for scalars only; arrays and objects may hold more than what they contain.
function holdsSql(column: string, wanted: JsonObject, add: AddParameter): string {
  const given = `${add(JSON.stringify(wanted))}::jsonb`;
  const contains = `${column} @> ${given}`;
  if (Object.values(wanted).every(isScalar)) return contains;
  return `(${contains} and not exists
    (select from jsonb_each(${given}) w where ${column} -> w.key is distinct from w.value))`;
}

type ConditionOf<Kind extends MetadataCondition['kind']> = Extract<
  MetadataCondition,
  { readonly kind: Kind }
>;

// A path tries its values one by one. More than this many are looked up in a hash table, and the index is
// asked with several paths: an OR of them looks dearer to the planner, so that rows are tested by the look-up
// first.
const valuesPerPathMax = 32;
const pathsOfMany = 8;

function oneOfSql(column: string, { key, values }: ConditionOf<'oneOf'>, add: AddParameter): string {
  const [only] = values;
  if (values.length === 1) return holdsSql(column, { [key]: only }, add);
  const scalars = values.filter(isScalar);
  const few = values.length <= valuesPerPathMax;
  if (few && values.length > 0 && scalars.length === values.length)
    return hasAmong(column, { sequence: `$.${JSON.stringify(key)}`, values: scalars }, add);
  const given = `${add(values.map((value) => JSON.stringify(value)))}::jsonb[]`;
  const equals = `${column} -> ${add(key)}::text = any(${given})`;
  if (few || scalars.length < values.length) return equals;
  const size = Math.ceil(values.length / pathsOfMany);
  const paths = Array.from({ length: Math.ceil(values.length / size) }, (_, nth) =>
    hasAmong(
      column,
      { sequence: `$.${JSON.stringify(key)}`, values: scalars.slice(nth * size, (nth + 1) * size) },
      add,
    ),
  );
  return `(${equals} and (${paths.join(' or ')}))`;
}

/**
 * SQL: a path leads to one of some scalars. `strict`, so that an array does not stand for its elements; a
 * missing key is null. JSON strings are also valid strings in paths.
 */
function hasAmong(
  column: string,
  { sequence, values }: { sequence: string; values: readonly JsonScalar[] },
  add: AddParameter,
): string {
  const path = `strict ${sequence} ? (${values.map((value) => `@ == ${JSON.stringify(value)}`).join(' || ')})`;
  return `${column} @? ${add(path)}::jsonpath`;
}

function comparesSql(
  column: string,
  { key, operator, value }: ConditionOf<'compares'>,
  add: AddParameter,
): string {
  const moment = typeof value === 'string' ? momentText(value) : undefined;
  if (moment === undefined) {
    // The function and not the operator, which the planner would expect an index to serve.
    const path = `strict $ ? (@.${JSON.stringify(key)} ${operator} ${JSON.stringify(value)})`;
    return `jsonb_path_exists(${column}, ${add(path)}::jsonpath)`;
  }
  const name = `${add(key)}::text`;
  const text = `${column} ->> ${name}`;
  return `case when jsonb_typeof(${column} -> ${name}) is distinct from 'string' then false
    else coalesce(${momentSql(text)} ${operator} ${add(moment)}::timestamptz,
      (${text}) collate "C" ${operator} ${add(value)}::text) end`;
}

function containsSql(
  column: string,
  { key, elements, substrings }: ConditionOf<'contains'>,
  add: AddParameter,
): string {
  const alternatives = [
    ...(elements.length > 0 ? [hasElement()] : []),
    ...(substrings.length > 0 ? [hasSubstring()] : []),
  ];
  return alternatives.length === 0 ? 'false' : `(${alternatives.join(' or ')})`;

  function hasElement(): string {
    if (elements.length === 1) return `${column} @> ${add(JSON.stringify({ [key]: elements }))}::jsonb`;
    return hasAmong(column, { sequence: `$.${JSON.stringify(key)}[*]`, values: elements }, add);
  }

  function hasSubstring(): string {
    const name = `${add(key)}::text`;
    const isText = `jsonb_typeof(${column} -> ${name}) = 'string'`;
    const [only] = substrings;
    if (substrings.length === 1) return `(${isText} and strpos(${column} ->> ${name}, ${add(only)}) > 0)`;
    return `(${isText} and exists (
      select from unnest(${add(substrings)}::text[]) w where strpos(${column} ->> ${name}, w) > 0))`;
  }
}

/** A moment in UTC with microseconds, which is all that Postgres keeps; undefined for a text that names none. */
function momentText(text: string): string | undefined {
  const moment = readIsoTime(text);
  if (!moment) return undefined;
  const [, fraction = ''] = /\.(\d{1,6})/.exec(text) ?? [];
  return `${moment.toISOString().slice(0, 19)}.${fraction.padEnd(6, '0')}Z`;
}

const isoPattern = `^(?!0000)\\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])([Tt]([01]\\d|2[0-3]):[0-5]\\d(:[0-5]\\d(\\.\\d{1,9})?)?([Zz]|[+-](0\\d|1[0-5]):?[0-5]\\d)?)?$`;

/**
 * SQL: the moment that a text names, read as readIsoTime does; null for any other text, of which a bare cast
 * would fail.
 */
function momentSql(text: string): string {
  const part = (from: number, length: number) => `substr(${text}, ${from}, ${length})::int`;
  const lastDay = `extract(day from make_date(${part(1, 4)}, ${part(6, 2)}, 1) + interval '1 month - 1 day')`;
  const complete = `case when length(${text}) = 10 then ${text} || 'T00:00Z'
    when ${text} ~ '([Zz]|[+-]\\d\\d:?\\d\\d)$' then ${text} else ${text} || 'Z' end`;
  const inMicroseconds = `regexp_replace(upper(${complete}), '(\\.\\d{6})\\d+', '\\1')`;
  return `case when ${text} ~ '${isoPattern}' then
    case when ${part(9, 2)} <= ${lastDay} then (${inMicroseconds})::timestamptz end end`;
}
