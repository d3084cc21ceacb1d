import { expect, test } from '@jest/globals';
import { isWrittenKey } from '../../src/sources/app-items/written-key.js';

test.each(['OPS-105', 'ops-1', 'A2B-17', 'acme/shop#12', 'a.b/c_d-e#7'])(
  '%s is a key that people write',
  (key) => expect(isWrittenKey(key)).toBe(true),
);

test.each([
  ...['18446744073709551', '1700000000.000100', 'b7f1c3de-5b1c-4b56-8a50-2f1f3f0c9a11', '<a1@mail.acme.com>'],
  ...['PVTI_lADOBk', 'page-', 'OPS', 'acme/shop', '#12', 'C024BE91L/1700000000', null, undefined],
])('%s is none', (key) => expect(isWrittenKey(key)).toBe(false));
