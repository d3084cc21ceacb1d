import { registerEnumType } from 'type-graphql';
import { invalidInput } from '../errors.js';
import { characterCount } from '../lib/characters.js';
import { LIMITS } from '../limits.js';

/** The types that values of a field may have. */
export enum DataType {
  BOOL = 'BOOL',
  INT8 = 'INT8',
  INT16 = 'INT16',
  INT32 = 'INT32',
  INT64 = 'INT64',
  FLOAT = 'FLOAT',
  DOUBLE = 'DOUBLE',
  VARCHAR = 'VARCHAR',
  JSON = 'JSON',
}
registerEnumType(DataType, {
  name: 'MetadataDataType',
  description: 'The type of the values of a metadata field.',
  valuesConfig: {
    BOOL: { description: 'true or false.' },
    INT8: { description: 'A whole number, -128 to 127.' },
    INT16: { description: 'A whole number, -32768 to 32767.' },
    INT32: { description: 'A whole number, -2147483648 to 2147483647.' },
    INT64: { description: 'A whole number of at most 53 bits, as JSON can state exactly.' },
    FLOAT: { description: 'A number in the range of 32-bit floats; all its digits are kept.' },
    DOUBLE: { description: 'A number.' },
    VARCHAR: { description: 'A text of at most maxLength characters.' },
    JSON: { description: 'An object or array.' },
  },
});
/** The same, as rows and code spell it. */
export type MetadataDataType = `${DataType}`;
const dataTypes: readonly MetadataDataType[] = Object.values(DataType);

const friendlyNames: ReadonlyMap<string, MetadataDataType> = new Map([
  ['string', 'VARCHAR'],
  ['integer', 'INT64'],
  ['float', 'DOUBLE'],
  ['boolean', 'BOOL'],
  ['object', 'JSON'],
]);

const reservedNames: ReadonlySet<string> = new Set(
  `id source_id chunk_id chunk_uuid database collection tenant_id sub_tenant_id metadata additional_metadata
   database_metadata tenant_metadata document_metadata acl embedding content title type`.split(/\s+/),
);

/** A field as it was asked for; absent flags are false. */
export interface MetadataFieldRequest {
  readonly name: string;
  readonly dataType?: string | null;
  readonly maxLength?: number | null;
  readonly enableDenseEmbedding?: boolean | null;
  readonly enableSparseEmbedding?: boolean | null;
  readonly enableMatch?: boolean | null;
  readonly filterable?: boolean | null;
  readonly searchable?: boolean | null;
  readonly enableAnalyzer?: boolean | null;
}

/** A field of a database's metadata schema as stored and shown. */
export interface MetadataField {
  readonly name: string;
  readonly dataType: MetadataDataType;
  readonly maxLength: number | null;
  readonly enableDenseEmbedding: boolean;
  readonly enableSparseEmbedding: boolean;
  readonly enableMatch: boolean;
  readonly filterable: boolean;
  readonly searchable: boolean;
  readonly enableAnalyzer: boolean;
}

/** Whether the service itself uses this name, in any letter case. */
export function isReservedName(name: string): boolean {
  return reservedNames.has(name.toLowerCase());
}

/** Whether a field has a dense or sparse lane. */
export function hasLane(field: MetadataField): boolean {
  return field.enableDenseEmbedding || field.enableSparseEmbedding;
}

/**
 * Checks and completes a whole schema that was sent as the parameter `path`. @throws AppError INVALID_INPUT
 * naming the field and the limit
 */
export function readMetadataSchema(
  fields: readonly MetadataFieldRequest[],
  path = 'database_metadata_schema',
): MetadataField[] {
  if (fields.length > LIMITS.schemaFieldsMax) {
    throw invalidInput(path, `makes ${fields.length} fields; at most ${LIMITS.schemaFieldsMax}`);
  }
  const seen = new Set<string>();
  const schema = fields.map((field, index) => {
    const read = readField(field, `${path}[${index}]`);
    const folded = read.name.toLowerCase();
    if (seen.has(folded)) throw invalidInput(`${path}[${index}].name`, `"${read.name}" is declared twice`);
    seen.add(folded);
    return read;
  });
  const vectorFields = schema.reduce(
    (sum, field) => sum + Number(field.enableDenseEmbedding) + Number(field.enableSparseEmbedding),
    0,
  );
  if (vectorFields > LIMITS.schemaVectorFieldsMax) {
    throw invalidInput(
      path,
      `declares ${vectorFields} vector fields (each dense or sparse flag is one); at most ${LIMITS.schemaVectorFieldsMax}`,
    );
  }
  return schema;
}

function readField(field: MetadataFieldRequest, path: string): MetadataField {
  const dataType = readDataType(field.dataType ?? 'VARCHAR', path);
  checkName(field.name, path);
  if (dataType !== 'VARCHAR') {
    if (field.maxLength != null) throw invalidInput(`${path}.max_length`, 'is only for VARCHAR');
    if (field.enableDenseEmbedding || field.enableSparseEmbedding) {
      throw invalidInput(path, 'dense and sparse embeddings are only for VARCHAR');
    }
  }
  const maxLength = field.maxLength ?? LIMITS.varcharLengthDefault;
  if (maxLength < 1 || maxLength > LIMITS.varcharLengthMax) {
    throw invalidInput(`${path}.max_length`, `is ${maxLength}; it must be 1 to ${LIMITS.varcharLengthMax}`);
  }
  return {
    name: field.name,
    dataType,
    maxLength: dataType === 'VARCHAR' ? maxLength : null,
    enableDenseEmbedding: field.enableDenseEmbedding ?? false,
    enableSparseEmbedding: field.enableSparseEmbedding ?? false,
    enableMatch: field.enableMatch ?? false,
    filterable: field.filterable ?? false,
    searchable: field.searchable ?? false,
    enableAnalyzer: field.enableAnalyzer ?? false,
  };
}

/** In any letter case, but "float" is the friendly name of a type that is wider than FLOAT. */
function readDataType(name: string, path: string): MetadataDataType {
  const found =
    friendlyNames.get(name) ??
    dataTypes.find((type) => type === name.toUpperCase()) ??
    friendlyNames.get(name.toLowerCase());
  if (!found) throw invalidInput(`${path}.data_type`, `"${name}" is not one of ${dataTypes.join(', ')}`);
  return found;
}

function checkName(name: string, path: string): void {
  if (name.length > LIMITS.schemaFieldNameCharactersMax) {
    throw invalidInput(
      `${path}.name`,
      `has ${name.length} characters; at most ${LIMITS.schemaFieldNameCharactersMax}`,
    );
  }
  if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) {
    throw invalidInput(
      `${path}.name`,
      `"${name}" must begin with a letter or _ and hold only letters, digits and _`,
    );
  }
  if (isReservedName(name)) throw invalidInput(`${path}.name`, `"${name}" is reserved`);
}

const integerBits: Partial<Record<MetadataDataType, number>> = { INT8: 8, INT16: 16, INT32: 32 };

/** Says why a value does not fit a field's type, or undefined when it does; null always fits. */
export function valueProblem(field: MetadataField, value: unknown): string | undefined {
  if (value === null) return undefined;
  switch (field.dataType) {
    case 'BOOL':
      return typeof value === 'boolean' ? undefined : 'must be true or false';
    case 'VARCHAR':
      return textProblem(field, value);
    case 'FLOAT':
      return floatProblem(value);
    case 'DOUBLE':
      return typeof value === 'number' ? undefined : 'must be a number';
    case 'JSON':
      return typeof value === 'object' ? undefined : 'must be an object or array';
    default:
      return integerProblem(field.dataType, value);
  }
}

function textProblem(field: MetadataField, value: unknown): string | undefined {
  if (typeof value !== 'string') return 'must be a string';
  const lengthMax = field.maxLength ?? LIMITS.varcharLengthDefault;
  const characters = characterCount(value);
  return characters > lengthMax ? `has ${characters} characters; at most ${lengthMax}` : undefined;
}

const floatMax = 2 ** 128 - 2 ** 104;

/** Only the range is that of 32 bits; all digits are kept. */
function floatProblem(value: unknown): string | undefined {
  if (typeof value !== 'number') return 'must be a number';
  return Math.abs(value) <= floatMax ? undefined : `must be ${-floatMax} to ${floatMax}`;
}

function integerProblem(dataType: MetadataDataType, value: unknown): string | undefined {
  if (!Number.isInteger(value)) return 'must be a whole number';
  // JSON is read into doubles, which hold no more.
  if (!Number.isSafeInteger(value)) return `must be ${Number.MIN_SAFE_INTEGER} to ${Number.MAX_SAFE_INTEGER}`;
  const bits = integerBits[dataType];
  if (bits === undefined) return undefined;
  const bound = 2 ** (bits - 1);
  const fits = (value as number) >= -bound && (value as number) < bound;
  return fits ? undefined : `must be ${-bound} to ${bound - 1}`;
}
