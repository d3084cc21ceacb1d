import { misfit } from '../databases/metadata-schema.js';
import type { MetadataField } from '../databases/metadata-schema.js';
import { AppError, invalidInput } from '../errors.js';
import { LIMITS } from '../limits.js';
import type { JsonObject } from '../sources/source.types.js';

/** One condition: the value of a metadata key is one of these. */
export interface MetadataCondition {
  readonly column: 'metadata' | 'additional_metadata';
  readonly key: string;
  readonly values: readonly unknown[];
}

const freeFormKeys = new Set(['additional_metadata', 'document_metadata']);

/**
 * Reads metadata_filters: keys ANDed, a scalar must be equal, a list any of.
 * @throws AppError VALIDATION_ERROR when a value does not fit the declared type, INVALID_INPUT when the form is wrong.
 */
export function readMetadataFilters(
  filters: JsonObject | null | undefined,
  schema: readonly MetadataField[] | null,
): MetadataCondition[] {
  if (!filters) return [];
  const bytes = Buffer.byteLength(JSON.stringify(filters));
  if (bytes > LIMITS.filterBytesMax)
    throw invalidInput('metadata_filters', `has ${bytes} bytes; at most ${LIMITS.filterBytesMax}`);
  return Object.entries(filters).flatMap(([key, value]) => {
    const path = `metadata_filters.${key}`;
    if (!freeFormKeys.has(key)) return [readDeclared(key, value, schema)];
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      throw invalidInput(path, 'must be an object of keys and values');
    }
    return Object.entries(value).map(([inner, innerValue]): MetadataCondition => ({
      column: 'additional_metadata',
      key: inner,
      values: readValues(innerValue, `${path}.${inner}`),
    }));
  });
}

function readDeclared(
  key: string,
  value: unknown,
  schema: readonly MetadataField[] | null,
): MetadataCondition {
  const path = `metadata_filters.${key}`;
  const values = readValues(value, path);
  const field = schema?.find((candidate) => candidate.name === key);
  if (field) {
    for (const candidate of values) {
      const problem = misfit(field, candidate);
      if (problem) throw new AppError('VALIDATION_ERROR', `${path} ${problem}`, { field: path });
    }
  }
  return { column: 'metadata', key, values };
}

function readValues(value: unknown, path: string): readonly unknown[] {
  if (path.split('.').at(-1)?.startsWith('$')) throw invalidInput(path, 'operators are not served yet');
  if (Array.isArray(value)) {
    if (value.length > LIMITS.filterListValuesMax) {
      throw invalidInput(path, `has ${value.length} values; at most ${LIMITS.filterListValuesMax}`);
    }
    return value.map((entry: unknown) => readScalar(entry, path));
  }
  return [readScalar(value, path)];
}

function readScalar(value: unknown, path: string): unknown {
  if (typeof value === 'object' && value !== null) {
    throw invalidInput(path, 'must be a scalar or a list of scalars; operators are not served yet');
  }
  return value;
}
