import { misfit } from '../../databases/metadata-schema.js';
import type { MetadataField } from '../../databases/metadata-schema.js';
import { AppError, invalidInput } from '../../errors.js';
import { LIMITS } from '../../limits.js';
import { isScalar } from '../../sources/metadata-condition.js';
import type {
  JsonScalar,
  MetadataColumn,
  MetadataCondition,
  Order,
} from '../../sources/metadata-condition.js';

/** A key that a filter speaks about. */
export interface FilteredKey {
  readonly column: MetadataColumn;
  readonly key: string;
  /** Its declaration; undefined for a key that is matched as the JSON that is stored. */
  readonly field: MetadataField | undefined;
}

/** Where an operand stands and which key it is about. */
interface Operand {
  readonly key: FilteredKey;
  readonly path: string;
}

type ReadOperand = (operand: unknown, at: Operand) => MetadataCondition;

// $ne, $nin, $not and $exists false also hold of items without the key: each is the opposite of another.
const operators = {
  $eq: (operand, { key, path }) => readEqual(operand, key, path),
  $ne: (operand, { key, path }) => not(readEqual(operand, key, path)),
  $in: (operand, { key, path }) => readAnyOf(readList(operand, path), key, path),
  $nin: (operand, { key, path }) => not(readAnyOf(readList(operand, path), key, path)),
  $gt: compares('>'),
  $gte: compares('>='),
  $lt: compares('<'),
  $lte: compares('<='),
  $exists: (operand, { key: { column, key }, path }) => {
    if (typeof operand !== 'boolean') throw invalidInput(path, 'must be true or false');
    const exists: MetadataCondition = { kind: 'exists', column, key };
    return operand ? exists : not(exists);
  },
  $contains: (operand, at) => readContains([operand], at),
  $contains_any: (operand, at) => readContains(readList(operand, at.path), at),
} satisfies Record<string, ReadOperand>;

/** An operator that asks something of one key. */
type Operator = keyof typeof operators;

export function isOperator(name: string): name is Operator {
  return Object.hasOwn(operators, name);
}

/** @throws AppError VALIDATION_ERROR when the operand does not fit the declared type, INVALID_INPUT for its form. */
export function readOperator(operator: Operator, operand: unknown, at: Operand): MetadataCondition {
  return operators[operator](operand, at);
}

/** The value of a key is this one, an array or object as a whole. */
export function readEqual(value: unknown, key: FilteredKey, path: string): MetadataCondition {
  return { kind: 'holds', column: key.column, wanted: { [key.key]: readComparable(value, key, path) } };
}

/** The value of a key is one of these. */
export function readAnyOf(values: readonly unknown[], key: FilteredKey, path: string): MetadataCondition {
  checkLength(values, path);
  const { column, key: name } = key;
  return {
    kind: 'oneOf',
    column,
    key: name,
    values: values.map((value, index) => readComparable(value, key, `${path}[${index}]`)),
  };
}

function not(condition: MetadataCondition): MetadataCondition {
  return { kind: 'not', condition };
}

function compares(operator: Order): ReadOperand {
  return (operand, { key, path }) => {
    const { column, key: name, field } = key;
    if (field && (field.dataType === 'BOOL' || field.dataType === 'JSON'))
      throw misfits(path, `is no operator for ${field.dataType}`);
    checkFit(operand, key, path);
    if (typeof operand !== 'number' && typeof operand !== 'string')
      throw invalidInput(path, 'must be a number or a string');
    return { kind: 'compares', column, key: name, operator, value: operand };
  };
}

// Arrays contain elements, texts substrings. A declared type says which of the two is meant.
function readContains(values: readonly unknown[], { key, path }: Operand): MetadataCondition {
  const { column, key: name, field } = key;
  checkLength(values, path);
  if (field && field.dataType !== 'VARCHAR' && field.dataType !== 'JSON')
    throw misfits(path, `is no operator for ${field.dataType}`);
  const scalars = values.map((value): JsonScalar => {
    if (!isScalar(value))
      throw invalidInput(path, 'must be a scalar, or a list of scalars for $contains_any');
    return value;
  });
  const texts = scalars.filter((value) => typeof value === 'string');
  if (field?.dataType === 'VARCHAR' && texts.length < scalars.length) throw misfits(path, 'must be a string');
  return {
    kind: 'contains',
    column,
    key: name,
    elements: field?.dataType === 'VARCHAR' ? [] : scalars,
    substrings: field?.dataType === 'JSON' ? [] : texts,
  };
}

function readList(operand: unknown, path: string): readonly unknown[] {
  if (!Array.isArray(operand)) throw invalidInput(path, 'must be a list');
  return operand;
}

function checkLength(values: readonly unknown[], path: string): void {
  if (values.length > LIMITS.filterListValuesMax)
    throw invalidInput(path, `has ${values.length} values; at most ${LIMITS.filterListValuesMax}`);
}

function readComparable(value: unknown, key: FilteredKey, path: string): unknown {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  if (isObject && Object.keys(value).some((inner) => inner.startsWith('$')))
    throw invalidInput(path, 'must be a value, not operators');
  checkFit(value, key, path);
  return value;
}

function checkFit(value: unknown, { field }: FilteredKey, path: string): void {
  const problem = field && misfit(field, value);
  if (problem) throw misfits(path, problem);
}

function misfits(path: string, problem: string): AppError {
  return new AppError('VALIDATION_ERROR', `${path} ${problem}`, { field: path });
}
