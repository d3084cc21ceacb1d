import { describe, expect, test } from '@jest/globals';
import { joinNamesakes } from '../../src/graph/entities/same-entities.js';
import type { NamesakeRow } from '../../src/graph/entities/same-entities.js';
import { splitLegalForm } from '../../src/graph/legal-forms.js';

test.each([
  ['Vega Robotics SA', 'Vega Robotics', 'sa'],
  ['Acme, Inc.', 'Acme', 'inc'],
  ['acme incorporated', 'acme', 'inc'],
  ['Helio S.A.', 'Helio', 'sa'],
  ['Ford Motor Co.', 'Ford Motor', 'co'],
  ['Kolben Pty Ltd', 'Kolben', 'pty ltd'],
  ['Kestrel S.L.', 'Kestrel', 'sl'],
  ['Vltava s.r.o.', 'Vltava', 'sro'],
  ['Kruna d.o.o.', 'Kruna', 'doo'],
  ['Brandt GmbH & Co. KG', 'Brandt', 'gmbh & co kg'],
])('%s is %s with a form', (name, base, form) => {
  expect(splitLegalForm(name)).toEqual({ base, form });
});

test.each(['Vega Robotics', 'Tiffany & Co.', 'Inc.', 'Lisa', 'Costco'])('%s has no form', (name) => {
  expect(splitLegalForm(name)).toBeUndefined();
});

describe('companies of one name', () => {
  const row = (nameKey: string, more: Partial<NamesakeRow> = {}): NamesakeRow => ({
    collectionId: 1,
    base: splitLegalForm(nameKey)?.base ?? nameKey,
    entityId: nameKey,
    nameKey,
    type: 'ORGANIZATION',
    sourceUid: nameKey,
    ...more,
  });
  const joined = (...rows: NamesakeRow[]) => [...joinNamesakes(rows)].map((pair) => pair.join(' = ')).sort();

  test('are one where only one legal form is known', () => {
    expect(joined(row('vega robotics', { type: 'OTHER' }), row('vega robotics sa'))).toEqual([
      'vega robotics sa = vega robotics',
    ]);
    expect(joined(row('vega'), row('vega ltd'), row('vega limited'))).toEqual([
      'vega limited = vega',
      'vega ltd = vega',
    ]);
  });

  test.each([
    ['there are two of them', [row('vega'), row('vega sa'), row('vega gmbh')]],
    ['one item tells them apart', [row('vega', { sourceUid: '7' }), row('vega sa', { sourceUid: '7' })]],
    ['the short name may be any thing', [row('target', { type: 'OTHER' }), row('target corp')]],
    ['they are in two collections', [row('vega'), row('vega sa', { collectionId: 2 })]],
    [
      'the name is of two entities',
      [row('vega'), row('vega', { entityId: 'apart', type: 'PRODUCT' }), row('vega sa')],
    ],
  ])('stay apart where %s', (_case, rows) => {
    expect(joined(...rows)).toEqual([]);
  });
});
