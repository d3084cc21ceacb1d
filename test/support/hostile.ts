import fc from 'fast-check';

// Values that break careless servers: what they cannot store, cannot parse, or take for something else.

const texts = [
  '',
  ' ',
  '\u0000',
  'a\u0000b',
  '\ud800',
  '\udc00x',
  '🙂',
  'e\u0301\u202e\u200b',
  "'; drop table databases; --",
  '$1',
  '%',
  '%s%n',
  '%00',
  '../../../../etc/passwd',
  '{{7*7}}',
  '<script>alert(1)</script>',
  '__proto__',
  'constructor',
  'toString',
  'null',
  'undefined',
  'NaN',
  '1e999',
  '-0',
  '9'.repeat(400),
  '[1,2',
  '{"a":',
  '"',
  '\\',
  '\r\n',
  'a,b',
  'x'.repeat(40_000),
  '\u{10ffff}'.repeat(300),
  '['.repeat(5000),
];
const numbers = [0, -0, -1, 1, 1.5, 2 ** 31, -(2 ** 31) - 1, 2 ** 53, 1e308, -1e308, Number.MIN_VALUE];

const nested = (depth: number): unknown => {
  let value: unknown = 'x';
  for (let n = 0; n < depth; n += 1) value = n % 2 ? { a: value } : [value];
  return value;
};

export const hostileText: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(...texts),
  fc.string({ unit: 'binary', maxLength: 40 }),
);

const leaf: fc.Arbitrary<unknown> = fc.oneof(
  hostileText,
  fc.constantFrom(...numbers),
  fc.constantFrom(null, true, false),
);

/** Any JSON value, more often a bad one than a good one. */
export const hostileJson: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 4, arbitrary: leaf },
  { weight: 2, arbitrary: fc.array(leaf, { maxLength: 4 }) },
  { weight: 2, arbitrary: fc.dictionary(hostileText, leaf, { maxKeys: 4 }) },
  { weight: 1, arbitrary: fc.constantFrom(50, 63, 64, 65, 1000, 20_000).map(nested) },
  { weight: 1, arbitrary: fc.array(fc.dictionary(hostileText, leaf, { maxKeys: 3 }), { maxLength: 3 }) },
);
