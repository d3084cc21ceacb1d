import { expect, test } from '@jest/globals';
import { contextOf } from '../../src/retrieval/graph-paths.js';

test.each([
  ['Anna lives in Oslo', 'Anna lives in Oslo.'],
  ['Anna lives in Oslo with Tom.', 'Anna lives in Oslo. Anna lives in Oslo with Tom.'],
  ['', 'Anna lives in Oslo.'],
])('a path says nothing twice: %s', (context, text) => {
  const relation = { canonicalPredicate: 'lives_in', context, temporalDetails: null };
  expect(contextOf([{ source: { name: 'Anna' }, relation, target: { name: 'Oslo' } }])).toBe(text);
});
