import { BSON, ObjectId } from 'mongodb';

/** The documents of the test MongoDB (mongo-server.ts): values, filters, updates. What it does not know, it refuses. */

export type Doc = Record<string, unknown>;
export interface Collection {
  docs: Doc[];
  indexes: Doc[];
}

export class CommandError extends Error {
  constructor(
    readonly code: number,
    readonly codeName: string,
    message: string,
  ) {
    super(message);
  }
}
export const failedToParse = (message: string): CommandError => new CommandError(9, 'FailedToParse', message);
export const badValue = (message: string): CommandError => new CommandError(2, 'BadValue', message);

const isDate = (value: unknown): value is Date => Object.prototype.toString.call(value) === '[object Date]';
/** A document proper: not an array, date, regular expression or BSON type. */
export const isDoc = (value: unknown): value is Doc =>
  Object.prototype.toString.call(value) === '[object Object]' && !('_bsontype' in Object(value));
export const asDoc = (value: unknown): Doc => (isDoc(value) ? value : {});
export const asDocs = (value: unknown): Doc[] => (Array.isArray(value) ? value.map(asDoc) : []);
export const asNumber = (value: unknown): number => (typeof value === 'number' ? value : 0);
const hasOperators = (value: unknown): value is Doc =>
  isDoc(value) && Object.keys(value).some((key) => key.startsWith('$'));
export const clone = (doc: Doc): Doc => BSON.deserialize(BSON.serialize(doc));
export const bytes = (doc: Doc): Buffer => Buffer.from(BSON.serialize(doc));

// ---- values: MongoDB's order over types, then within one type

function typeRank(value: unknown): number {
  if (value === null || value === undefined) return 1;
  if (typeof value === 'number' || typeof value === 'bigint') return 2;
  if (typeof value === 'string') return 3;
  if (Array.isArray(value)) return 5;
  if (value instanceof ObjectId) return 7;
  if (typeof value === 'boolean') return 8;
  if (isDate(value)) return 9;
  if (isDoc(value)) return 4;
  throw badValue('values of this type cannot be compared here');
}

function compare(left: unknown, right: unknown): number {
  const byType = typeRank(left) - typeRank(right);
  if (byType !== 0 || left === null || left === undefined) return byType;
  if (isDate(left) && isDate(right)) return left.getTime() - right.getTime();
  if (left instanceof ObjectId)
    return left.toHexString() < String(right) ? -1 : left.equals(String(right)) ? 0 : 1;
  if (typeof left === 'object') return Buffer.compare(bytes({ left }), bytes({ left: right }));
  const [a, b] = [left as string | number, right as string | number];
  return a < b ? -1 : a > b ? 1 : 0;
}

/** All values a dotted path reaches, through arrays as well; empty when it reaches none. */
function valuesAt(value: unknown, path: readonly string[]): unknown[] {
  const [head, ...rest] = path;
  if (head === undefined) return [value];
  if (Array.isArray(value)) {
    const inElements = value.filter(isDoc).flatMap((element) => valuesAt(element, path));
    return Object.hasOwn(value, head) ? [...valuesAt(value[Number(head)], rest), ...inElements] : inElements;
  }
  return isDoc(value) && Object.hasOwn(value, head) ? valuesAt(value[head], rest) : [];
}

export const readPath = (doc: Doc, path: string): unknown => valuesAt(doc, path.split('.'))[0];

function parentOf(doc: Doc, keys: readonly string[]): Doc {
  return keys.reduce<Doc>((parent, key) => {
    if (parent[key] === undefined) parent[key] = {};
    const child = parent[key];
    if (!isDoc(child)) throw new CommandError(28, 'PathNotViable', `cannot create a field in '${key}'`);
    return child;
  }, doc);
}

function writePath(doc: Doc, path: string, value: unknown): void {
  const keys = path.split('.');
  parentOf(doc, keys.slice(0, -1))[keys.at(-1) ?? path] = value;
}

// ---- filters

function testOperator(values: readonly unknown[], operator: string, operand: unknown): boolean {
  // A missing field counts as null; an array matches as a whole or by an element.
  const present = values.length > 0 ? values : [null];
  const candidates = present.flatMap((value) =>
    Array.isArray(value) ? [value, ...(value as unknown[])] : [value],
  );
  const some = (test: (order: number) => boolean): boolean =>
    candidates.some((value) => typeRank(value) === typeRank(operand) && test(compare(value, operand)));
  switch (operator) {
    case '$eq':
      return some((order) => order === 0);
    case '$ne':
      return !some((order) => order === 0);
    case '$lt':
      return some((order) => order < 0);
    case '$lte':
      return some((order) => order <= 0);
    case '$gt':
      return some((order) => order > 0);
    case '$gte':
      return some((order) => order >= 0);
    case '$in':
    case '$nin': {
      if (!Array.isArray(operand)) throw badValue(`${operator} needs an array`);
      return operand.some((item: unknown) => testOperator(values, '$eq', item)) === (operator === '$in');
    }
    case '$exists':
      return values.length > 0 === Boolean(operand);
    default:
      throw badValue(`unknown operator: ${operator}`);
  }
}

/** Evaluates every condition before it answers, so that an unknown operator is an error whatever the data. */
function matches(doc: Doc, filter: Doc): boolean {
  const results = Object.entries(filter).map(([key, condition]) => {
    if (key === '$and')
      return asDocs(condition)
        .map((part) => matches(doc, part))
        .every(Boolean);
    if (key === '$or')
      return asDocs(condition)
        .map((part) => matches(doc, part))
        .some(Boolean);
    if (key.startsWith('$')) throw badValue(`unknown top level operator: ${key}`);
    const values = valuesAt(doc, key.split('.'));
    const tests = hasOperators(condition) ? Object.entries(condition) : [['$eq', condition] as const];
    return tests.map(([operator, operand]) => testOperator(values, operator, operand)).every(Boolean);
  });
  return results.every(Boolean);
}

export function select(collection: Collection, filter: Doc, sort?: Doc): Doc[] {
  matches({}, filter);
  const found = collection.docs.filter((doc) => matches(doc, filter));
  const keys = Object.entries(sort ?? {});
  return found.sort((a, b) => {
    for (const [path, direction] of keys) {
      const order = compare(readPath(a, path), readPath(b, path)) * asNumber(direction);
      if (order !== 0) return order;
    }
    return 0;
  });
}

export function project(doc: Doc, projection: Doc): Doc {
  const { _id, ...fields } = projection;
  const flags = Object.values(fields).map((flag) => flag === 1 || flag === true);
  if (Object.values(projection).some((flag) => ![0, 1, true, false].includes(flag as number))) {
    throw badValue('unsupported projection');
  }
  if (flags.includes(true) && flags.includes(false))
    throw badValue('projection cannot mix inclusion and exclusion');
  const copy = clone(doc);
  const withId = _id === undefined || Boolean(_id);
  if (flags.includes(true) || (flags.length === 0 && _id !== undefined && withId)) {
    const kept: Doc = withId ? { _id: copy._id } : {};
    for (const path of Object.keys(fields)) {
      if (valuesAt(copy, path.split('.')).length > 0) writePath(kept, path, readPath(copy, path));
    }
    return kept;
  }
  for (const path of [...Object.keys(fields), ...(withId ? [] : ['_id'])]) unsetPath(copy, path);
  return copy;
}

// ---- updates

function unsetPath(doc: Doc, path: string): void {
  const keys = path.split('.');
  const parent = readPath({ doc }, ['doc', ...keys.slice(0, -1)].join('.'));
  if (isDoc(parent)) delete parent[keys.at(-1) ?? path];
}

export function checkUpdate(update: unknown): Doc {
  if (!isDoc(update)) throw failedToParse('pipeline updates are not supported');
  if (!hasOperators(update)) return update;
  const paths: string[] = [];
  for (const [operator, fields] of Object.entries(update)) {
    if (!['$set', '$setOnInsert', '$unset', '$inc'].includes(operator)) {
      throw failedToParse(`Unknown modifier: ${operator}`);
    }
    paths.push(...Object.keys(asDoc(fields)));
  }
  const conflict = paths.find((path, at) =>
    paths.some((other, index) => index !== at && (other === path || other.startsWith(`${path}.`))),
  );
  if (conflict) throw new CommandError(40, 'ConflictingUpdateOperators', `conflict at '${conflict}'`);
  return update;
}

/** Changes the document in place; returns whether anything changed. */
export function applyUpdate(doc: Doc, update: Doc, inserting: boolean): boolean {
  const before = bytes(doc);
  const id = doc._id;
  if (!hasOperators(update)) {
    for (const key of Object.keys(doc)) if (key !== '_id') delete doc[key];
    Object.assign(doc, update);
  } else {
    const sets = { ...asDoc(update.$set), ...(inserting ? asDoc(update.$setOnInsert) : {}) };
    for (const [path, value] of Object.entries(sets)) writePath(doc, path, value);
    for (const path of Object.keys(asDoc(update.$unset))) unsetPath(doc, path);
    for (const [path, by] of Object.entries(asDoc(update.$inc))) {
      writePath(doc, path, asNumber(readPath(doc, path)) + asNumber(by));
    }
  }
  if (id !== undefined && compare(id, doc._id) !== 0) {
    doc._id = id;
    throw new CommandError(66, 'ImmutableField', "the field '_id' is immutable");
  }
  return !before.equals(bytes(doc));
}

function equalitiesOf(filter: Doc): [string, unknown][] {
  return Object.entries(filter).flatMap(([key, condition]): [string, unknown][] => {
    if (key === '$and') return asDocs(condition).flatMap(equalitiesOf);
    if (key.startsWith('$')) return [];
    if (!hasOperators(condition)) return [[key, condition]];
    return '$eq' in condition ? [[key, condition.$eq]] : [];
  });
}

export function insert(collection: Collection, doc: Doc): Doc {
  const stored = { _id: doc._id ?? new ObjectId(), ...doc };
  if (collection.docs.some((other) => compare(other._id, stored._id) === 0)) {
    throw new CommandError(11000, 'DuplicateKey', 'E11000 duplicate key error: _id');
  }
  collection.docs.push(stored);
  return stored;
}

export function upsert(collection: Collection, filter: Doc, update: Doc): Doc {
  const doc: Doc = {};
  for (const [path, value] of equalitiesOf(filter)) writePath(doc, path, value);
  applyUpdate(doc, update, true);
  return insert(collection, doc);
}

export function remove(collection: Collection, doomed: readonly Doc[]): void {
  const gone = new Set(doomed);
  collection.docs = collection.docs.filter((doc) => !gone.has(doc));
}
