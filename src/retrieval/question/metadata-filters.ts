import type { MetadataField } from '../../databases/metadata-schema.js';
import { invalidInput } from '../../errors.js';
import { LIMITS } from '../../limits.js';
import type { MetadataColumn, MetadataCondition } from '../../sources/metadata/metadata-condition.js';
import type { JsonObject } from '../../sources/source.types.js';
import { isOperator, readAnyOf, readEqual, readOperator } from './filter-operators.js';
import type { FilteredKey } from './filter-operators.js';

/**
 * Reads metadata_filters. Keys are ANDed. A scalar means equal, a list any of its values, and an object
 * operators that all have to hold; $and, $or and $not combine at any level. A dot is part of a key.
 * @throws AppError VALIDATION_ERROR when a value does not fit the declared type, INVALID_INPUT when the form
 * is wrong
 */
export function readMetadataFilters(
  filters: JsonObject | null | undefined,
  schema: readonly MetadataField[] | null,
): MetadataCondition[] {
  if (!filters) return [];
  const bytes = Buffer.byteLength(JSON.stringify(filters));
  if (bytes > LIMITS.filterBytesMax)
    throw invalidInput('metadata_filters', `has ${bytes} bytes; at most ${LIMITS.filterBytesMax}`);
  const reader = new FilterReader(schema);
  return reader.readKeys(filters, { path: 'metadata_filters', column: 'metadata', depth: 0 });
}

/** A place in a filter. */
interface Level {
  readonly path: string;
  readonly column: MetadataColumn;
  /** How many of $and, $or and $not are around it. */
  readonly depth: number;
}

class FilterReader {
  private conditions = 0;

  constructor(private readonly schema: readonly MetadataField[] | null) {}

  /** Reads conditions on several keys. */
  readKeys(filter: JsonObject, level: Level): MetadataCondition[] {
    return Object.entries(filter).flatMap(([key, value]): MetadataCondition[] => {
      const path = `${level.path}.${key}`;
      if (key.startsWith('$')) {
        const combined = this.readCombined(key, value, {
          level: { ...level, path },
          read: (inner, at) => this.readKeys(inner, at),
        });
        if (!combined) throw invalidInput(path, 'is none of $and, $or and $not');
        return [combined];
      }
      if (level.column === 'metadata' && key === 'additional_metadata') {
        if (!isObject(value)) throw invalidInput(path, 'must be an object of keys and values');
        return this.readKeys(value, { ...level, path, column: 'additional_metadata' });
      }
      const field =
        level.column === 'metadata' ? this.schema?.find((candidate) => candidate.name === key) : undefined;
      return this.readValue(value, { ...level, path }, { column: level.column, key, field });
    });
  }

  /** Reads the conditions on one key. */
  private readValue(value: unknown, level: Level, key: FilteredKey): MetadataCondition[] {
    const { path } = level;
    if (isObject(value)) return this.readOperators(value, level, key);
    this.count(path);
    return [Array.isArray(value) ? readAnyOf(value, key, path) : readEqual(value, key, path)];
  }

  private readOperators(operators: JsonObject, level: Level, key: FilteredKey): MetadataCondition[] {
    const entries = Object.entries(operators);
    if (entries.length === 0) throw invalidInput(level.path, 'must hold an operator, for example $eq');
    return entries.map(([operator, operand]) => {
      const path = `${level.path}.${operator}`;
      const combined = this.readCombined(operator, operand, {
        level: { ...level, path },
        read: (inner, at) => this.readOperators(inner, at, key),
      });
      if (combined) return combined;
      if (!isOperator(operator))
        throw invalidInput(path, 'is no operator; objects are compared as a whole, by $eq');
      this.count(path);
      return readOperator(operator, operand, { key, path });
    });
  }

  /** Reads $and, $or and $not; undefined for any other key. */
  private readCombined(
    operator: string,
    operand: unknown,
    { level, read }: { level: Level; read: (inner: JsonObject, at: Level) => MetadataCondition[] },
  ): MetadataCondition | undefined {
    if (operator !== '$and' && operator !== '$or' && operator !== '$not') return undefined;
    const { path } = level;
    const depth = level.depth + 1;
    if (depth > LIMITS.filterDepthMax)
      throw invalidInput(path, `stands in more than ${LIMITS.filterDepthMax} of $and, $or and $not`);
    const readOne = (inner: unknown, at: string): MetadataCondition => {
      if (!isObject(inner)) throw invalidInput(at, 'must be an object');
      return { kind: 'all', conditions: read(inner, { ...level, path: at, depth }) };
    };
    if (operator === '$not') return { kind: 'not', condition: readOne(operand, path) };
    if (!Array.isArray(operand) || operand.length === 0)
      throw invalidInput(path, 'must be a list of at least one object');
    this.count(path, operand.length);
    const conditions = operand.map((inner: unknown, index) => readOne(inner, `${path}[${index}]`));
    return { kind: operator === '$and' ? 'all' : 'any', conditions };
  }

  private count(path: string, amount = 1): void {
    this.conditions += amount;
    if (this.conditions > LIMITS.filterConditionsMax)
      throw invalidInput(
        path,
        `makes more than ${LIMITS.filterConditionsMax} conditions in metadata_filters; at most so many are read`,
        ['metadata_filters'],
      );
  }
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
