import { expect, test } from '@jest/globals';
import { roundedNumber } from '../../src/lib/exact-json.js';

test.each([
  ['{"id": 9007199254740993}', '9007199254740993'],
  ['[1, -9223372036854775807]', '-9223372036854775807'],
  ['{"a": "x\\\\", "b": 1234567890123456789}', '1234567890123456789'],
  // Doubles hold these.
  ['{"id": 9007199254740992, "much": 100000000000000000000}', undefined],
  // No numbers, or none that was meant to be exact.
  ['{"id": "9007199254740993"}', undefined],
  ['{"text": "a \\" 9007199254740993 \\\\\\" 9007199254740993"}', undefined],
  ['[0.12345678901234567891, 1e-00000000000000000005, 12345678901234567.5, 9007199254740993e0]', undefined],
  ['{"never": "closed 9007199254740993', undefined],
])('%s has the number that reading rounds: %s', (json, number) => {
  expect(roundedNumber(json)).toBe(number);
});
