import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Graphs } from '../support/graphs.js';

// An abbreviation that an item defines finds what says its long form there, and the other way round.

let graphs: Graphs;
beforeAll(async () => {
  graphs = await Graphs.start();
});
afterAll(async () => graphs.server.stop());

const filling = 'Plain words fill the page without any sense. '.repeat(28);
const section = (text: string) => `${filling}\n\n${text} ${filling}`;

test.each([
  ['SLA ends', 'long', 'The service level agreement ends with the lease.'],
  ['service level agreement renewed', 'short', 'The SLA is renewed in March.'],
])('%s finds the section that has the %s form', async (query, _form, said) => {
  const collection = query.slice(0, 3);
  const intro = 'We signed a Service Level Agreement (the "SLA").';
  await graphs.store(
    {
      contract: {
        text: [intro, section('Pears are ripe.'), section(said), section('Apples too.')].join('\n\n'),
      },
      // The same without the definition.
      other: { text: [section('Pears are ripe.'), section(said)].join('\n\n') },
    },
    { collection },
  );
  const json = { database: graphs.database, collection, query, query_by: 'text', max_results: 20 };
  const { body } = await graphs.server.rest('POST', '/query', { json });
  const [first] = body.data.chunks;
  expect([first.id, first.chunk_content.includes(said)]).toEqual(['contract', true]);
});
