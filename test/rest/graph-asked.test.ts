import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { askGraph } from '../support/graph-context.js';
import { Graphs } from '../support/graphs.js';

// What the words of a question ask for, and in which direction; and organizations under their abbreviations.

let graphs: Graphs;
beforeAll(async () => {
  graphs = await Graphs.start();
});
afterAll(async () => graphs.server.stop());

describe('questions about posts and directions', () => {
  const collection = 'posts';
  beforeAll(async () => {
    await graphs.store(
      {
        company: {
          text: 'Ann Hill is the chair of Kolben AG. Bo Lund is the chief financial officer of Kolben AG. Wei Zhang is the chief executive officer of Kolben AG. Kolben AG supplies Rivo Ltd. Mia Berg is an account manager at Rivo Ltd.',
        },
        people: {
          text: 'Bo Lund reports to Wei Zhang. Tom Larsen reports to Bo Lund. Ida Moe reports to Tom Larsen.',
        },
        posts: { text: 'Eva Roth was the treasurer of Rivo Ltd.' },
        later: { text: 'Eva Roth is the CEO of Rivo Ltd.' },
        tickets: { text: 'PUMP-101 is blocked by PUMP-99. PUMP-99 was assigned to Tom Larsen.' },
      },
      { collection },
    );
  });
  const first = async (query: string) => (await askGraph(graphs, query, { collection })).paths[0];

  test.each([
    ['Who is the CEO of Kolben AG?', 'Wei Zhang works_for Kolben AG'],
    ['Who is the chief executive of Kolben AG?', 'Wei Zhang works_for Kolben AG'],
    ['Who is the CFO of Kolben AG?', 'Bo Lund works_for Kolben AG'],
    ['Who reports to Bo Lund?', 'Tom Larsen reports_to Bo Lund'],
    ['Who does Bo Lund report to?', 'Bo Lund reports_to Wei Zhang'],
    ['Who does Tom Larsen report to?', 'Tom Larsen reports_to Bo Lund'],
    ['Who is assigned to PUMP-99?', 'PUMP-99 assigned_to Tom Larsen'],
    ['What is assigned to Tom Larsen?', 'PUMP-99 assigned_to Tom Larsen'],
  ])('%s', async (query, answer) => {
    expect(await first(query)).toBe(answer);
  });

  test('a post is shown in the words that are asked for', async () => {
    const { graph_context: context } = await graphs.items.ask('Who is the chief executive of Rivo Ltd?', {
      collection,
    });
    expect(context.query_paths[0].triplets[0]).toMatchObject({
      source: { name: 'Eva Roth' },
      relation: { raw_predicate: expect.stringMatching(/^ceo/i) },
    });
  });

  test('what is asked of one company is not answered with people of another', async () => {
    const { paths } = await askGraph(graphs, 'Who is the account manager at Kolben AG?', { collection });
    expect(paths.filter((path) => path.includes('Mia Berg'))).toEqual([]);
  });
});

describe('an organization that one item names in full, and another by its abbreviation', () => {
  const defined = { text: 'The World Health Organization (WHO) met.' };
  const bare = { text: 'The WHO is based in Geneva.' };
  const asked = async (name: string, more: Record<string, unknown>) =>
    (await askGraph(graphs, `Where is the ${name} based?`, more)).paths;
  const found = ['WHO based_in Geneva'];

  test('is one, as far as the reader sees who says so', async () => {
    const collection = 'one';
    await graphs.store({ defined, bare }, { collection });
    expect(await asked('World Health Organization', { collection })).toEqual(found);
    expect(await asked('World Health Organization', { collection, ids: ['bare'] })).toEqual([]);
    const { body } = await graphs.server.graphql(
      `query ($database: String!) { entities(database: $database, collection: "one", name: "WHO") {
        totalCount nodes { name aliases sourceIds } } }`,
      { database: graphs.database },
    );
    expect(body.data.entities.totalCount).toBe(1);
    expect(body.data.entities.nodes[0].sourceIds.sort()).toEqual(['bare', 'defined']);
    const json = { database: graphs.database, collection, ids: ['defined'] };
    await graphs.server.rest('DELETE', '/context', { json });
    expect(await asked('World Health Organization', { collection })).toEqual([]);
    expect(await asked('WHO', { collection })).toEqual(found);
  });

  test('is not one where two go by the same letters', async () => {
    const collection = 'two';
    const other = { text: 'The Western Harbour Office (WHO) closed.' };
    await graphs.store({ defined, other, bare }, { collection });
    expect(await asked('World Health Organization', { collection })).toEqual([]);
    expect(await asked('Western Harbour Office', { collection })).toEqual([]);
    expect(await asked('WHO', { collection })).toEqual(found);
  });

  test('is not a band', async () => {
    const collection = 'band';
    await graphs.store({ defined, band: { text: 'The Who is based in Geneva.' } }, { collection });
    expect(await asked('World Health Organization', { collection })).toEqual([]);
  });
});

describe('a mail', () => {
  const collection = 'mails';
  beforeAll(async () => {
    const body =
      'Hi Mia, Bernd Falk left Kolben AG last month. Ruben Dietz will look after the rollout. Ruben Dietz manages Ida Moe.';
    const fields = { subject: 'Rollout', body, from: 'Ingo Marx <ingo@kolben.example>' };
    const to = ['Mia Berg <mia@kolben.example>', 'Ruben Dietz <ruben@kolben.example>'];
    const mail = { id: 'mail', kind: 'email', provider: 'gmail', external_id: 'mail' };
    await graphs.items.store([{ ...mail, fields: { ...fields, to, created_at: '2025-06-12T09:30:00Z' } }], {
      collection,
    });
  });
  const groupsFor = async (query: string): Promise<any[]> =>
    (await graphs.items.ask(query, { collection })).graph_context.chunk_relations;
  const predicatesFor = async (query: string) =>
    (await groupsFor(query)).map(({ relations }) => relations[0].canonical_predicate);

  test('who got it comes behind what it says of him, unless that is asked', async () => {
    expect((await predicatesFor('Whom does Ruben Dietz manage?'))[0]).toBe('manages');
    expect((await predicatesFor('Who received the rollout mail?'))[0]).toBe('sent_to');
  });

  test('says "last month" of the month before it was sent', async () => {
    const left = (await groupsFor('When did Bernd Falk leave Kolben AG?')).find(
      ({ relations }) => relations[0].canonical_predicate === 'left',
    );
    expect(left.relations[0].temporal_details).toBe('last month (2025-05)');
  });
});
