import { expect, test } from '@jest/globals';
import { checkText } from '../../src/lib/text-check.js';

const lists = (levels: number): unknown => (levels === 0 ? 'x' : [lists(levels - 1)]);

test.each<[unknown, string]>([
  [{ a: [{ b: 'c' }, { b: 'c\u0000' }] }, 'a[1].b must not contain a NUL character'],
  [{ a: { 'b\u0000': 1 } }, 'a must not contain a NUL character'],
  [{ a: { b: { '\ud800': 1 } } }, 'a.b must be well-formed Unicode'],
  [['x', '\udc00'], 'request[1] must be well-formed Unicode'],
  ['\udc00', 'request must be well-formed Unicode'],
  [{ a: [1, [2, Infinity]] }, 'a[1][1] must be a finite number'],
  [{ a: { b: lists(63) } }, 'a must nest at most 64 deep'],
])('what cannot be stored is named by its place: %j', (value, message) => {
  expect(() => checkText(value)).toThrow(message);
});

test('a place stands behind the name of its parameter, unless it is too deep', () => {
  expect(() => checkText([{ a: NaN }], 'memories')).toThrow('memories[0].a must be a finite number');
  expect(() => checkText(lists(65), 'memories[3].metadata')).toThrow('memories must nest at most 64 deep');
  expect(() => checkText(lists(64), 'memories')).not.toThrow();
});
