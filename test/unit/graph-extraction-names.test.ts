import { expect, test } from '@jest/globals';
import { extractGraph } from '../../src/graph/extraction/extract-graph.js';

test.each<[string, ...string[]]>([
  [
    'Chief Technology Officer Mira Patel met Head of Engineering Sofia Marin.',
    'Mira Patel PERSON',
    'Sofia Marin PERSON',
  ],
  [
    'Senior Product Manager Dana Whitfield met Former IBM lawyer Tom Reed.',
    'Dana Whitfield PERSON',
    'IBM ORGANIZATION',
    'Tom Reed PERSON',
  ],
  ['The app OpenRadar was built by Initech.', 'OpenRadar PRODUCT', 'Initech ORGANIZATION'],
  ['Ex-Uber engineer Tom Reed left.', 'Tom Reed PERSON'],
  [
    'April Jones met June Jones, and May Chen was there.',
    'April Jones PERSON',
    'June Jones PERSON',
    'May Chen PERSON',
  ],
  ['In April Jones sold the June Jones memo.', 'Jones PERSON'],
])('a name ends where its post does: %s', (text, ...names) => {
  const { entities } = extractGraph({ title: '', chunks: [{ text }] });
  expect(entities.map(({ name, type }) => `${name} ${type}`)).toEqual(names);
});
