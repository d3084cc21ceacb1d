import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { statementsOf } from '../support/asked-statements.js';
import { Graphs, suppliedGraph } from '../support/graphs.js';

// What a second pass adds, and where there is none.

let graphs: Graphs;
beforeAll(async () => {
  graphs = await Graphs.start();
});
afterAll(async () => graphs.server.stop());

const rest = async (collection: string, query: string, more: Record<string, unknown> = {}) => {
  const json = { database: graphs.database, query, collection, ...more };
  return graphs.server.rest('POST', '/query', { json });
};
/** The items of an answer, best first. */
const idsOf = async (collection: string, query: string, more: Record<string, unknown> = {}) => {
  const { status, body } = await rest(collection, query, more);
  expect([status, body.error]).toEqual([200, null]);
  return body.data.chunks.map((chunk: any) => chunk.id) as string[];
};
const several = (count: number, name: string, text: (n: number) => string) =>
  Object.fromEntries(Array.from({ length: count }, (_, n) => [`${name}${n}`, { text: text(n) }]));
/** Enough of other things for the words of a question to be rare. */
const others = several(30, 'other', (n) => `Some plain paper of no use, number ${n}.`);

describe('a question that two texts answer', () => {
  const collection = 'two-texts';
  const question = 'In what city was the director of Lost Harbor born?';
  beforeAll(async () => {
    await graphs.store(
      {
        film: { text: 'Lost Harbor is a silent film. Its director was Otto Brandt.' },
        person: { text: 'Otto Brandt grew up as the son of a baker and was born near Quito.' },
        // Nearer to the words of the question than what answers it.
        ...several(
          6,
          'register',
          (n) => `The register of the city lists who was born in the city, part ${n}.`,
        ),
        ...others,
        wide: { text: 'The director of the harbor was born in a city, it is said.' },
      },
      { collection },
    );
  });

  test('is answered by what shares a name with the first of them', async () => {
    const fast = await idsOf(collection, question, { mode: 'fast', max_results: 50 });
    expect(fast.indexOf('person')).toBeGreaterThan(2);
    for (const mode of ['thinking', 'auto']) {
      const found = await idsOf(collection, question, { mode, max_results: 3 });
      expect(found).toEqual(expect.arrayContaining(['film', 'person']));
    }
    expect(await idsOf(collection, question)).toEqual(await idsOf(collection, question, { mode: 'auto' }));
  });

  test('is left to one pass where one lane alone was asked for, unless that pass is asked for too', async () => {
    for (const lane of [{ query_by: 'text' }, { alpha: 0 }, { alpha: 1 }]) {
      const fast = await idsOf(collection, question, { mode: 'fast', ...lane });
      expect(await idsOf(collection, question, lane)).toEqual(fast);
    }
    const found = await idsOf(collection, question, { mode: 'thinking', query_by: 'text', max_results: 3 });
    expect(found).toContain('person');
  });

  test('has scores from 0 to 1, best first, and every chunk once', async () => {
    const { body } = await rest(collection, question, { mode: 'thinking', max_results: 50 });
    const scores = body.data.chunks.map((chunk: any) => chunk.relevancy_score);
    expect(scores.length).toBeGreaterThan(1);
    expect(scores).toEqual(scores.toSorted((a: number, b: number) => b - a));
    expect(scores.every((score: number) => score > 0 && score <= 1)).toBe(true);
    const ids = body.data.chunks.map((chunk: any) => chunk.chunk_uuid);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test('is not touched by a second pass where one text answers all of it', async () => {
    const query = 'the son of a baker who was born near Quito';
    const thinking = await idsOf(collection, query, { mode: 'thinking', query_by: 'text' });
    expect(thinking[0]).toBe('person');
    expect(
      await idsOf(collection, 'Lost Harbor silent film Brandt', { mode: 'thinking', query_by: 'text' }),
    ).toEqual(await idsOf(collection, 'Lost Harbor silent film Brandt', { mode: 'fast', query_by: 'text' }));
  });
});

test('where all words are asked for, nothing without them is added', async () => {
  const collection = 'all-words';
  await graphs.store(
    {
      film: { text: 'Lost Harbor is a silent film of the city. Its director was Otto Brandt, born abroad.' },
      person: { text: 'Otto Brandt grew up as the son of a baker and was born near Quito.' },
      ...others,
    },
    { collection },
  );
  const question = 'In what city was the director of Lost Harbor born?';
  const asked = { mode: 'thinking', query_by: 'text' };
  expect(await idsOf(collection, question, asked)).toEqual(['film', 'person']);
  expect(await idsOf(collection, question, { ...asked, operator: 'and' })).toEqual(['film']);
});

test('a name leads only to what may be found: access lists, filters, ids and collections', async () => {
  const collection = 'bounds';
  const question = 'In what city was the director of Lost Harbor born?';
  const person = 'Otto Brandt was born near Quito';
  await graphs.items.store(
    [
      {
        id: 'film',
        content: { text: 'Lost Harbor, a film. Its director was Otto Brandt.' },
        acl: ['public'],
      },
      { id: 'secret', content: { text: `${person}, a secret.` }, acl: ['ann'], metadata: { kind: 'a' } },
      { id: 'open', content: { text: `${person}, of course.` }, acl: ['public'], metadata: { kind: 'b' } },
      { id: 'bob-film', content: { text: 'Grey Harbor, a film by Ida Falk.' }, acl: ['ann'] },
      { id: 'falk', content: { text: 'Ida Falk, unasked.' }, acl: ['public'] },
    ],
    { collection },
  );
  await graphs.items.store([{ id: 'elsewhere', content: { text: `${person}, elsewhere.` } }], {
    collection: 'other',
  });
  const found = (more: Record<string, unknown>) =>
    idsOf(collection, question, { mode: 'thinking', query_by: 'text', ...more });
  expect(await found({ acl: ['ann'] })).toEqual(expect.arrayContaining(['secret', 'open']));
  expect(await found({ acl: ['bob'] })).not.toContain('secret');
  expect(await found({ metadata_filters: { kind: 'b' } })).toEqual(['open']);
  expect(await found({ ids: ['film', 'open'] })).toEqual(expect.arrayContaining(['film', 'open']));
  expect(await found({ ids: ['film', 'open'] })).toHaveLength(2);
  expect(await found({})).not.toContain('elsewhere');
  // What a hidden item names leads nowhere: nobody learns of it by what is found.
  const harbor = (acl: string[]) =>
    idsOf(collection, 'director of Grey Harbor', { mode: 'thinking', query_by: 'text', acl });
  expect(await harbor(['ann'])).toContain('falk');
  expect(await harbor(['bob'])).not.toContain('falk');
});

test('what stands beside a good chunk is lifted by what it adds', async () => {
  const collection = 'neighbours';
  const filling = (times: number) => 'Plain words fill the page without any sense. '.repeat(times);
  await graphs.store(
    {
      manual: {
        text: `Heron pump, the manual.\n\n${filling(28)}\n\nThe warranty ends after nine years. ${filling(28)}`,
      },
      ...several(4, 'product', (n) => `The warranty of product ${n} ends soon, the warranty ends.`),
      ...others,
    },
    { collection },
  );
  // Without a capital: as a name it would count for all chunks of the manual.
  const query = 'warranty of the heron pump';
  const at = async (mode: string) => {
    const { body } = await rest(collection, query, { mode, query_by: 'text', max_results: 30 });
    return body.data.chunks.findIndex((chunk: any) => chunk.chunk_content.includes('nine years'));
  };
  const [fast, thinking] = [await at('fast'), await at('thinking')];
  expect(fast).toBeGreaterThan(3);
  expect(thinking).toBeGreaterThan(-1);
  expect(thinking).toBeLessThan(3);
});

test('each part of a query brings what answers it', async () => {
  const collection = 'parts';
  await graphs.store(
    {
      heron: { text: 'The heron eats small fish.' },
      mole: { text: 'A mole digs.' },
      ...several(8, 'report', (n) => `Report ${n}: which small fish a heron eats at the pond in summer.`),
      ...others,
    },
    { collection },
  );
  const query = 'which small fish a heron eats at the pond in summer, and the mole';
  const place = async (mode: string, more: Record<string, unknown>) =>
    (await idsOf(collection, query, { mode, max_results: 20, ...more })).indexOf('mole');
  const byText = { query_by: 'text' };
  expect(await place('thinking', byText)).toBeLessThan(await place('fast', byText));
  // Words and meaning, a query that looks as if one text hardly answered it.
  expect(await place('auto', {})).toBeLessThan(await place('fast', {}));
});

test('what one text may answer is not taken apart', async () => {
  const collection = 'statements';
  await graphs.store(
    {
      mole: { text: 'A mole digs.' },
      ...several(8, 'report', (n) => `Report ${n}: small fish and herons by the pond in summer.`),
      ...others,
    },
    { collection },
  );
  const query = 'small fish and herons by the pond in summer, and the mole.';
  const place = async (mode: string) =>
    (await idsOf(collection, query, { mode, graph_context: false, max_results: 20 })).indexOf('mole');
  expect(await place('fast')).toBe(8);
  expect(await place('thinking')).toBe(8);
});

test('in a conversation names lead to one text at most, behind the first three, if that is asked for', async () => {
  const collection = 'conversation';
  const question = 'In what city was the director of Lost Harbor born?';
  await graphs.store(
    {
      film: { text: 'Ann: I saw Lost Harbor, you know, the silent film. Its director was Otto Brandt.' },
      person: { text: 'Bo: I once met Otto Brandt, the son of a baker like me, who was born near Quito.' },
      ...several(5, 'talk', (n) => `Bo: My boss was born in the city, I told you${' truly'.repeat(n)}.`),
      ...others,
    },
    { collection },
  );
  const ask = (mode: string, more: Record<string, unknown> = {}) =>
    idsOf(collection, question, { mode, graph_context: false, max_results: 50, ...more });
  expect(await ask('auto')).toEqual(await ask('fast'));
  const byText = { query_by: 'text' };
  const [fast, thinking] = [await ask('fast', byText), await ask('thinking', byText)];
  expect(fast.indexOf('person')).toBeGreaterThan(3);
  expect(thinking.slice(0, 4)).toEqual([...fast.slice(0, 3), 'person']);
  // One turn answers it.
  const short = 'director of Lost Harbor born in the city';
  const shortly = (mode: string) => idsOf(collection, short, { mode, graph_context: false, max_results: 50 });
  expect(await shortly('thinking')).toEqual(await shortly('fast'));
});

test('a report that says "we" is no conversation', async () => {
  const collection = 'report';
  const question = 'In what city was the director of Lost Harbor born?';
  await graphs.store(
    {
      film: { text: 'We released Lost Harbor, our silent film. Its director was Otto Brandt.' },
      person: { text: 'We hired Otto Brandt, the son of a baker, who was born near Quito.' },
      ...several(3, 'talk', (n) => `Our staff was born in the city, we told investors ${n} times.`),
      ...others,
    },
    { collection },
  );
  const place = async (mode: string) =>
    (await idsOf(collection, question, { mode, graph_context: false, max_results: 50 })).indexOf('person');
  expect(await place('auto')).toBeLessThan(await place('fast'));
});

test('of reports that are alike, pages are not lifted in pairs that hold no more of the question than one page', async () => {
  const collection = 'reports';
  const paged = (company: string, year: number, text: string) => ({ text: `${company} ${year}. ${text}` });
  const pages = ['Alder Mills', 'Birch Foods', 'Cedar Lines', 'Dover Foods', 'Elder Foods'].flatMap(
    (company) =>
      [2020, 2021, 2022].flatMap((year) => {
        const key = `${company.slice(0, 5)}-${year}`;
        const drawn = `A revolving facility of First Harbour Bank; at the end of ${year}, ${year - 1900} million.`;
        const plan = `The plan of ${company} at the end of ${year}: First Harbour Bank keeps it for ${company}, end of ${year}.`;
        return [
          [`${key}-credit`, paged(company, year, drawn)],
          [`${key}-plan`, paged(company, year, plan)],
          [`${key}-lease`, paged(company, year, `First Harbour Bank leases halls to ${company} in ${year}.`)],
        ] as const;
      }),
  );
  const owing = several(2, 'owing', (n) => `What is drawn is paid, as rule ${n} says.`);
  await graphs.store({ ...Object.fromEntries(pages), ...owing, ...others }, { collection });
  const question = 'How much of the revolving facility of Birch Foods was drawn at the end of 2021?';
  const found = (mode: string) =>
    idsOf(collection, question, { mode, graph_context: false, max_results: 50 });
  const [fast, auto] = [await found('fast'), await found('auto')];
  expect(auto[0]).toBe('Birch-2021-credit');
  for (const page of ['Birch-2020-plan', 'Birch-2022-plan'])
    expect([page, auto.indexOf(page) >= fast.indexOf(page)]).toEqual([page, true]);
});

test('of a few words what one pass finds first stays before pairs of texts', async () => {
  const collection = 'few-words';
  await graphs.store(
    {
      answer: { text: 'Pilots get a bonus.' },
      harbor: { text: 'The harbor is run by Otto Brandt.' },
      brandt: { text: 'At sea in winter Otto Brandt, it is said by many, owes pilots a bonus and a coat.' },
      ...others,
    },
    { collection },
  );
  for (const mode of ['fast', 'auto', 'thinking'])
    expect((await idsOf(collection, 'harbor pilots bonus', { mode }))[0]).toBe('answer');
});

describe('the graph', () => {
  const collection = 'connected';
  beforeAll(async () => {
    await graphs.store(
      {
        deal: {
          text: `Signed at last by Mira Stone, for Blue Lumen. ${'Then the usual words of such a note. '.repeat(20)}`,
          graph: suppliedGraph([['Mira Stone', 'owns', 'Blue Lumen']]),
        },
        ...several(
          12,
          'paper',
          (n) => `What has Mira Stone to do with Blue Lumen and Otto, asks paper ${n}.`,
        ),
      },
      { collection },
    );
  });
  const query = 'What has Mira Stone to do with Blue Lumen?';

  test('is not searched in mode fast', async () => {
    const { body } = await rest(collection, query, { mode: 'fast', max_results: 20 });
    expect(body.data.graph_context.query_paths).toEqual([]);
    expect(body.data.chunks.map((chunk: any) => chunk.lanes.graph)).toEqual(body.data.chunks.map(() => null));
    const { body: other } = await rest(collection, query, { max_results: 20 });
    expect(other.data.graph_context.query_paths.length).toBeGreaterThan(0);
  });

  test('forces what connects two entities of the query among the best, unless it is not to', async () => {
    const ask = (more: Record<string, unknown>) =>
      idsOf(collection, query, { mode: 'thinking', max_results: 8, ...more });
    expect(await ask({})).toContain('deal');
    expect(await ask({ query_forceful_relations: true })).toContain('deal');
    expect(await ask({ query_forceful_relations: false })).not.toContain('deal');
    for (const mode of ['fast', 'auto']) expect(await ask({ mode })).not.toContain('deal');
    expect(await ask({ graph_context: false })).not.toContain('deal');
  });

  test('forces nothing in a second pass that nobody asked for', async () => {
    const question = 'What has Mira Stone to do with the company that made Blue Lumen?';
    const asked = `query ($mode: QueryMode!) {
      search(database: "${graphs.database}", collections: ["${collection}"], query: "${question}", mode: $mode) {
        chunks { id lanes { forced } }
      }
    }`;
    const forced = async (mode: string): Promise<string[]> => {
      const { chunks } = (await graphs.server.graphql(asked, { mode })).body.data.search;
      return chunks.flatMap(({ id, lanes }: any) => (lanes.forced === null ? [] : [id]));
    };
    expect(await forced('thinking')).toEqual(['deal']);
    expect(await forced('auto')).toEqual([]);
  });
});

test('a plain query makes the statements that it made without a second pass', async () => {
  const collection = 'plain';
  await graphs.store(
    { one: { text: 'Roll back a broken release. Ask Otto Brandt.' }, two: { text: 'Otto Brandt is away.' } },
    { collection },
  );
  const ofSearch = /(?:chunks|term_frequencies|entity_mentions|relation_groups)_\d/;
  const count = async (query: string, more: Record<string, unknown>) => {
    const asked = await statementsOf(graphs.server, () => idsOf(collection, query, more));
    return asked.filter((sql) => ofSearch.test(sql)).length;
  };
  const plain = 'how to roll back a release';
  await count(plain, {});
  const fast = await count(plain, { mode: 'fast' });
  // One for what might be names.
  expect(await count(plain, { mode: 'auto' })).toBe(fast + 1);
  expect(await count(plain, { mode: 'auto', graph_context: false })).toBe(fast);
  const further = async (query: string) =>
    (await count(query, { graph_context: false })) -
    (await count(query, { mode: 'fast', graph_context: false }));
  // Two for each part, seeds and statistics: one text answers it.
  expect(await further('who can roll back the release that is not broken?')).toBe(6);
  // And one for every way on.
  expect(await further('who can roll back the release of the man who is away?')).toBe(7);
});

test.each([
  ['another mode', { mode: 'deep' }, /mode/],
  [
    'relations that are no flag',
    { mode: 'thinking', query_forceful_relations: 'maybe' },
    /query_forceful_relations/,
  ],
])('refuses %s with 400', async (_case, more, reason) => {
  const answer = await rest('two-texts', 'x', more);
  expect([answer.status, answer.body.error.code]).toEqual([400, 'INVALID_INPUT']);
  expect(answer.body.error.message).toMatch(reason);
});
