import { expect, test } from '@jest/globals';
import { filled, personOf } from '../../src/connectors/providers/item-fields.js';

test('a person is a name and an address, and a name holds no address of its own', () => {
  expect(personOf('Ada', 'ada@acme.test')).toBe('Ada <ada@acme.test>');
  expect(personOf('Boss <boss@acme.test>', 'eve@acme.test')).toBe('Boss boss@acme.test <eve@acme.test>');
  expect([personOf(' ', 'ada@acme.test'), personOf('Ada', '')]).toEqual(['ada@acme.test', 'Ada']);
  expect([personOf(null, undefined), personOf('<>', null)]).toEqual([undefined, undefined]);
});

test('what is missing or empty is left out', () => {
  const given = { a: 'x', b: '', c: null, d: undefined, e: [], f: 0, g: false, h: ['y'] };
  expect(filled<unknown>(given)).toEqual({ a: 'x', f: 0, g: false, h: ['y'] });
});
