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
