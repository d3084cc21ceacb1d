import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { anyFilter, anyMetadata, declaredKeys, freeKey, freeKeys, meets } from '../support/naive-filter.js';
import type { FilteredItem } from '../support/naive-filter.js';
import { TestServer } from '../support/server.js';
import { ToyEmbedder } from '../support/toy-embedder.js';

// Whatever metadata items have and whatever a filter asks: those are found of which a naive evaluation says so.

const items = 120;
const filters = Number(process.env['MODEL_SEQUENCES'] ?? 100);
const seed = Number(process.env['MODEL_SEED'] ?? 20_261_121);

let server: TestServer;
beforeAll(async () => {
  server = await TestServer.start({ embedder: new ToyEmbedder() });
});
afterAll(async () => server.stop());

const undeclared = freeKeys.map(freeKey);
const schema = [
  { name: 'name' },
  { name: 'level', data_type: 'INT8' },
  { name: 'score', data_type: 'DOUBLE' },
  { name: 'done', data_type: 'BOOL' },
  { name: 'attrs', data_type: 'JSON' },
];

describe.each([
  ['declared', declaredKeys, { database_metadata_schema: schema }],
  ['undeclared', undeclared, {}],
])('filters on %s metadata', (_kind, keys, options) => {
  const stored = new Map<string, FilteredItem>();
  let database: string;
  beforeAll(async () => {
    database = await server.database(options);
    const item = fc.record({ metadata: anyMetadata(keys), additional: anyMetadata(undeclared) });
    fc.sample(item, { numRuns: items, seed }).forEach((each, n) => stored.set(`i${n}`, each));
    const memories = [...stored].map(([id, { metadata, additional }]) => ({
      id,
      text: `whale ${id}`,
      metadata,
      additional_metadata: additional,
    }));
    const answer = await server.remember(database, memories);
    expect(answer.body.data.results.map(({ status }: { status: string }) => status)).toEqual(
      memories.map(() => 'queued'),
    );
  });

  const found = async (filter: object, lane: object) => {
    const json = {
      database,
      type: 'memory',
      query: 'whale',
      max_results: 250,
      metadata_filters: filter,
      ...lane,
    };
    const answer = await server.rest('POST', '/query', { json });
    if (answer.status !== 200) throw new Error(answer.body.error.message);
    return answer.body.data.chunks.map(({ id }: { id: string }) => id).sort();
  };

  test(
    'find what a naive evaluation finds, by words and by meaning',
    async () => {
      const tried = { some: 0, none: 0 };
      await fc.assert(
        fc.asyncProperty(anyFilter(keys, undeclared), fc.boolean(), async (filter, byWords) => {
          const expected = [...stored].filter(([, item]) => meets(item, filter)).map(([id]) => id);
          tried[expected.length > 0 ? 'some' : 'none'] += 1;
          expect(await found(filter, byWords ? { query_by: 'text' } : { alpha: 1 })).toEqual(expected.sort());
        }),
        { numRuns: filters, seed },
      );
      expect(Math.min(tried.some, tried.none)).toBeGreaterThan(filters / 20);
    },
    60_000 + filters * 100,
  );
});
