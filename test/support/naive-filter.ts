import fc from 'fast-check';

// metadata_filters as they are documented, evaluated in memory, and arbitrary filters and items for them.

type Json = Readonly<Record<string, unknown>>;

/** What a filter looks at. */
export interface FilteredItem {
  readonly metadata: Json;
  readonly additional: Json;
}

/** Texts that name moments, with the moment in milliseconds of 2024-05-01 00:00 UTC. */
const moments: ReadonlyMap<string, number> = new Map([
  ['2024-05-01', 0],
  ['2024-05-01T00:00Z', 0],
  ['2024-05-01T02:00:00+02:00', 0],
  ['2024-04-30T19:30:00.000-0430', 0],
  ['2024-05-01T00:00:00.001', 1],
  ['2024-05-01t00:00:00.0010000z', 1],
  ['2024-05-01T00:00:00.001002+00:00', 1.002],
  ['2024-04-30', -86_400_000],
  ['2024-04-30T23:59:59.999Z', -1],
]);
const noMoments = [
  '2024-02-30',
  '2024-13-01',
  '2024-05',
  '2024-05-01T25:00Z',
  '0000-01-01',
  '2024-05-01 00:00Z',
];

/** Whether an item meets a filter. */
export function meets({ metadata, additional }: FilteredItem, filter: Json): boolean {
  return Object.entries(filter).every(([key, value]) => {
    if (key === 'additional_metadata' || key === 'document_metadata')
      return meetsKeys(additional, value as Json);
    return meetsKey(metadata, key, { value, meetsInner: (inner) => meets({ metadata, additional }, inner) });
  });
}

function meetsKeys(object: Json, filter: Json): boolean {
  return Object.entries(filter).every(([key, value]) =>
    meetsKey(object, key, { value, meetsInner: (inner) => meetsKeys(object, inner) }),
  );
}

function meetsKey(
  object: Json,
  key: string,
  { value, meetsInner }: { value: unknown; meetsInner: (inner: Json) => boolean },
): boolean {
  if (key === '$and') return (value as Json[]).every(meetsInner);
  if (key === '$or') return (value as Json[]).some(meetsInner);
  if (key === '$not') return !meetsInner(value as Json);
  return meetsValue(Object.hasOwn(object, key) ? [object[key]] : [], value);
}

/** `stored` is empty for an item without the key. */
function meetsValue(stored: readonly unknown[], asked: unknown): boolean {
  if (Array.isArray(asked)) return asked.some((each) => stored.some((value) => equal(value, each)));
  if (typeof asked !== 'object' || asked === null) return stored.some((value) => equal(value, asked));
  return Object.entries(asked).every(([operator, operand]: [string, unknown]) =>
    operate(stored, operator, operand),
  );
}

function operate(stored: readonly unknown[], operator: string, operand: unknown): boolean {
  const list = operand as unknown[];
  switch (operator) {
    case '$and':
      return list.every((inner) => meetsValue(stored, inner));
    case '$or':
      return list.some((inner) => meetsValue(stored, inner));
    case '$not':
      return !meetsValue(stored, operand);
    case '$eq':
      return stored.some((value) => equal(value, operand));
    case '$ne':
      return !stored.some((value) => equal(value, operand));
    case '$in':
      return meetsValue(stored, list);
    case '$nin':
      return !meetsValue(stored, list);
    case '$exists':
      return stored.length > 0 === operand;
    case '$contains':
      return stored.some((value) => contains(value, operand));
    case '$contains_any':
      return stored.some((value) => list.some((each) => contains(value, each)));
    default:
      return stored.some((value) => inOrder(value, operator, operand));
  }
}

function equal(a: unknown, b: unknown): boolean {
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return a === b;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const [keys, others] = [Object.keys(a), Object.keys(b)];
  const [left, right] = [a as Json, b as Json];
  return (
    keys.length === others.length &&
    keys.every((key) => Object.hasOwn(b, key) && equal(left[key], right[key]))
  );
}

function contains(value: unknown, part: unknown): boolean {
  if (Array.isArray(value)) return value.some((element) => element === part);
  return typeof value === 'string' && typeof part === 'string' && value.includes(part);
}

function inOrder(value: unknown, operator: string, operand: unknown): boolean {
  const order = compare(value, operand);
  if (order === undefined) return false;
  if (operator === '$gt') return order > 0;
  if (operator === '$gte') return order >= 0;
  return operator === '$lt' ? order < 0 : order <= 0;
}

function compare(a: unknown, b: unknown): number | undefined {
  if (typeof a === 'number' && typeof b === 'number') return a < b ? -1 : Number(a > b);
  if (typeof a !== 'string' || typeof b !== 'string') return undefined;
  const [left, right] = [moments.get(a), moments.get(b)];
  if (left !== undefined && right !== undefined) return left - right;
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

/** Keys without a declaration, some of them hard to quote. */
export const freeKeys = ['plain', 'a.b', 'a$b', 'ключ', "it's", '"k"', 'back\\slash', '', '__proto__', '{,}'];

const texts = [
  '',
  'a',
  'b',
  'abc',
  'a b',
  "'; drop table sources; --",
  '"',
  '\\',
  '$.a',
  '%',
  '🙂',
  'ｚ',
  '\n\u0001',
];
const text = fc.constantFrom(...texts, ...moments.keys(), ...noMoments);
const number = fc.constantFrom(0, -0, 1, -1, 1.5, 2 ** 53 - 1, 1e21, 1e308, -1e308, 5e-324, 0.1);
const scalar: fc.Arbitrary<unknown> = fc.oneof(text, number, fc.constantFrom(true, false, null));
const list = fc.array(fc.oneof({ weight: 5, arbitrary: scalar }, fc.array(scalar, { maxLength: 2 })), {
  maxLength: 3,
});
const object = fc.dictionary(fc.constantFrom('a', 'b', '"'), fc.oneof(scalar, list), { maxKeys: 2 });

/** Any value of free metadata. */
const anyValue = fc.oneof({ weight: 4, arbitrary: scalar }, { weight: 2, arbitrary: list }, object);

/** The kinds of operands that a key takes. */
interface KeyOperands {
  readonly name: string;
  readonly value: fc.Arbitrary<unknown>;
  /** Undefined for a type without order. */
  readonly ordered?: fc.Arbitrary<unknown>;
  /** Undefined for a type that contains nothing. */
  readonly contained?: fc.Arbitrary<unknown>;
}

/** A key of any values. */
export const freeKey = (name: string): KeyOperands => ({
  name,
  value: anyValue,
  ordered: fc.oneof(text, number),
  contained: scalar,
});

/** Keys of a schema: name VARCHAR, level INT8, score DOUBLE, done BOOL, attrs JSON. */
export const declaredKeys: readonly KeyOperands[] = [
  { name: 'name', value: fc.option(text), ordered: text, contained: text },
  {
    name: 'level',
    value: fc.option(fc.integer({ min: -2, max: 3 })),
    ordered: fc.integer({ min: -3, max: 4 }),
  },
  { name: 'score', value: fc.option(number), ordered: number },
  { name: 'done', value: fc.option(fc.boolean()) },
  { name: 'attrs', value: fc.option(fc.oneof(list, object)), contained: scalar },
];

/** Metadata of some of the keys. */
export function anyMetadata(keys: readonly KeyOperands[]): fc.Arbitrary<Json> {
  return fc
    .uniqueArray(fc.constantFrom(...keys), { maxLength: 6 })
    .chain((some) => fc.tuple(...some.map(({ name, value }) => value.map((each) => [name, each] as const))))
    .map((entries) => Object.fromEntries(entries));
}

/** A filter on some of the keys, and on free ones of the additional metadata. */
export function anyFilter(
  keys: readonly KeyOperands[],
  additional: readonly KeyOperands[],
): fc.Arbitrary<Json> {
  return withCombined(
    fc.oneof(
      { weight: 3, arbitrary: onKeys(keys) },
      { weight: 2, arbitrary: inner('additional_metadata', withCombined(onKeys(additional), 1)) },
      { weight: 1, arbitrary: inner('document_metadata', onKeys(additional)) },
    ),
    2,
  );
}

const inner = (name: string, filter: fc.Arbitrary<Json>) => filter.map((value): Json => ({ [name]: value }));

function withCombined(filter: fc.Arbitrary<Json>, depth: number): fc.Arbitrary<Json> {
  if (depth === 0) return filter;
  const deeper = withCombined(filter, depth - 1);
  const several = fc.array(deeper, { minLength: 1, maxLength: 3 });
  return fc.oneof(
    { weight: 3, arbitrary: filter },
    {
      weight: 1,
      arbitrary: fc.oneof(
        inner('$not', deeper),
        several.map(($or): Json => ({ $or })),
        several.map(($and): Json => ({ $and })),
      ),
    },
    { weight: 1, arbitrary: fc.tuple(filter, several).map(([first, $or]): Json => ({ ...first, $or })) },
  );
}

function onKeys(keys: readonly KeyOperands[]): fc.Arbitrary<Json> {
  return fc
    .array(fc.constantFrom(...keys), { minLength: 1, maxLength: 2 })
    .chain((some) => fc.tuple(...some.map((key) => asked(key).map((each) => [key.name, each] as const))))
    .map((entries) => Object.fromEntries(entries));
}

/** What may be asked of one key. */
function asked(key: KeyOperands): fc.Arbitrary<unknown> {
  const plain = key.value.filter((value) => typeof value !== 'object' || value === null);
  return fc.oneof(plain, fc.array(key.value, { maxLength: 3 }), withCombined(operators(key), 1));
}

function operators({ value, ordered, contained }: KeyOperands): fc.Arbitrary<Json> {
  const values = fc.oneof(
    { weight: 4, arbitrary: fc.array(value, { maxLength: 4 }) },
    fc.array(value, { minLength: 40, maxLength: 80 }),
  );
  const all: fc.Arbitrary<Json>[] = [
    inner('$eq', value as fc.Arbitrary<Json>),
    inner('$ne', value as fc.Arbitrary<Json>),
    values.map(($in) => ({ $in })),
    values.map(($nin) => ({ $nin })),
    fc.boolean().map(($exists) => ({ $exists })),
  ];
  if (ordered)
    all.push(
      fc
        .tuple(fc.constantFrom('$gt', '$gte', '$lt', '$lte'), ordered)
        .map(([operator, operand]) => ({ [operator]: operand })),
      fc.tuple(ordered, ordered).map(([$gte, $lt]) => ({ $gte, $lt })),
    );
  if (contained)
    all.push(
      contained.map(($contains) => ({ $contains })),
      fc.array(contained, { maxLength: 4 }).map(($contains_any) => ({ $contains_any })),
    );
  return fc.oneof(...all);
}
