import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { TestServer } from '../support/server.js';

let server: TestServer;
let database: string;
const filler =
  'amber birch cedar delta ember flint grove haven iris jade kelp lotus maple nectar olive pearl';
// Too long to share a chunk.
const section = (name: string, words: string) => `# ${name}\n\n${words} ${`${filler} `.repeat(12)}`;
beforeAll(async () => {
  server = await TestServer.start();
  database = await server.database();
  const files = {
    'once.md': section('Tides', 'penguin'),
    'throughout.md': ['North', 'South', 'East', 'West']
      .map((name) => section(name, `penguin ${filler}`))
      .join('\n\n'),
    'elsewhere.md': section('Rivers', 'otter'),
    ...Object.fromEntries(
      Object.entries({ first: 'Halden', second: 'Quillon', third: 'Ostara' }).map(([id, party]) => [
        `${id}.md`,
        [
          section('Parties', `This contract is made with ${party}.`),
          section(
            'Liability',
            `Liability shall not exceed the fees of ${id === 'second' ? 'twelve' : 'six'} months.`,
          ),
          section('Notice', 'Notice of ninety days ends it.'),
        ].join('\n\n'),
      ]),
    ),
  };
  await server.upload(database, files, {
    document_metadata: JSON.stringify(
      Object.keys(files).map((name) => ({
        id: name.replace('.md', ''),
        additional_metadata: { kind: 'contract' },
      })),
    ),
  });
  await server.idle();
});
afterAll(async () => server.stop());

test('an item that speaks of a thing throughout goes before one that mentions it, and fills no answer', async () => {
  const { body } = await server.rest('POST', '/query', {
    json: { database, query: 'penguin', query_by: 'text', max_results: 10 },
  });
  const ids: string[] = body.data.chunks.map(({ id }: { id: string }) => id);
  expect(ids).toEqual(['throughout', 'once', 'throughout', 'throughout', 'throughout']);
});

test.each([{}, { metadata_filters: { additional_metadata: { kind: 'contract' } } }])(
  'a clause is found by the party that only the beginning of its contract names, %j',
  async (filter) => {
    for (const party of ['Halden', 'Quillon', 'Ostara']) {
      const { body } = await server.rest('POST', '/query', {
        json: { database, query: `liability under the contract with ${party}`, query_by: 'text', ...filter },
      });
      const found = body.data.chunks.map(
        ({ id, layout }: { id: string; layout: { headings: string[] } }) => `${id} ${layout.headings[0]}`,
      );
      const id = { Halden: 'first', Quillon: 'second', Ostara: 'third' }[party];
      expect(found.slice(0, 2).sort()).toEqual([`${id} Liability`, `${id} Parties`]);
    }
  },
);
