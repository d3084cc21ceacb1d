import { valueProblem } from '../../databases/metadata-schema.js';
import type { MetadataField } from '../../databases/metadata-schema.js';
import { AppError, invalidInput } from '../../errors.js';
import { checkCount } from '../../lib/bounded-number.js';
import { LIMITS } from '../../limits.js';
import { isScalar } from '../../sources/metadata/metadata-condition.js';
import type {
  JsonScalar,
  MetadataColumn,
  MetadataCondition,
  Order,
} from '../../sources/metadata/metadata-condition.js';

/** A key of metadata, as a filter names it. */
export interface FilteredKey {
  readonly column: MetadataColumn;
  readonly key: string;
  /** Its declaration; undefined for a key without one, whose values are compared as stored JSON. */
  readonly field: MetadataField | undefined;
}

/** The key that an operand belongs to, and its place in the filter, for messages. */
interface Operand {
  readonly key: FilteredKey;
  readonly path: string;
}

type ReadOperand = (operand: unknown, at: Operand) => MetadataCondition;

// $ne, $nin, $not and $exists false also match items without the key: each is the negation of another
// operator.
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

/** An operator on one key. */
type Operator = keyof typeof operators;

/** Whether a name is one of the operators above. */
export function isOperator(name: string): name is Operator {
  return Object.hasOwn(operators, name);
}

/**
 * Reads an operator with its operand. @throws AppError VALIDATION_ERROR when the operand does not fit the
 * declared type, INVALID_INPUT when its form is wrong
 */
export function readOperator(operator: Operator, operand: unknown, at: Operand): MetadataCondition {
  return operators[operator](operand, at);
}

/** The condition that a key has this value; arrays and objects are compared as a whole. */
export function readEqual(value: unknown, key: FilteredKey, path: string): MetadataCondition {
  return { kind: 'holds', column: key.column, wanted: { [key.key]: readComparable(value, key, path) } };
}

/** The condition that a key has one of these values. */
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

// An array contains elements, a text substrings. The declared type of the key, if there is one, says which of
// the two is meant.
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
  checkCount(values.length, path, { noun: 'values', max: LIMITS.filterListValuesMax });
}

function readComparable(value: unknown, key: FilteredKey, path: string): unknown {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  if (isObject && Object.keys(value).some((inner) => inner.startsWith('$')))
    throw invalidInput(path, 'must be a value, not operators');
  checkFit(value, key, path);
  return value;
}

function checkFit(value: unknown, { field }: FilteredKey, path: string): void {
  const problem = field && valueProblem(field, value);
  if (problem) throw misfits(path, problem);
}

function misfits(path: string, problem: string): AppError {
  return new AppError('VALIDATION_ERROR', `${path} ${problem}`, { field: path });
}
