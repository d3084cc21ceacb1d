import { expect, test } from '@jest/globals';
import { extractGraph } from '../../src/graph/extraction/extract-graph.js';

test.each<[string, string, string]>([
  [
    'Clara Jensen studied physics. Her brother Mads Jensen founded Solix. She works for Vestas.',
    'Clara Jensen',
    'Vestas',
  ],
  [
    'Robert Reed directed the film. His uncle Otto Reed worked for Paramount. He lives in Oslo.',
    'Robert Reed',
    'Oslo',
  ],
  [
    'Kate Bell works for Lidl. Her husband, Tom Bell, works for Aldi. She lives in Bern.',
    'Kate Bell',
    'Bern',
  ],
])('a relative who is named beside whom the text is about is not she or he: %s', (text, source, target) => {
  const { entities, relations } = extractGraph({ title: '', chunks: [{ text }] });
  const last = relations.filter((relation) => entities[relation.target]?.name === target);
  expect(last.map((relation) => entities[relation.source]?.name)).toEqual([source]);
});

test.each<[string, string, string | undefined]>([
  ['Anna Berg was taught by Dora Hill. In 1970 she moved to Canada.', 'Canada', 'Anna Berg'],
  [
    'Anna Berg studied at Lund University. The company was acquired by Zeiss.',
    'Lund University',
    'Anna Berg',
  ],
  ['Zentra GmbH hired Initech Ltd. It is based in Oslo.', 'Oslo', undefined],
])('what a word stands for fits it and is the only one: %s', (text, target, source) => {
  const { entities, relations } = extractGraph({ title: '', chunks: [{ text }] });
  const found = relations.filter((relation) => entities[relation.target]?.name === target);
  expect(found.map((relation) => entities[relation.source]?.name)).toEqual(
    source === undefined ? [] : [source],
  );
});
