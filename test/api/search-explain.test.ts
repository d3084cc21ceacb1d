import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import pg from 'pg';
import { TestServer } from '../support/server.js';

// What goes to Postgres, from the outside: a search that explains nothing may not ask for plans.
const statements: string[] = [];
const client = pg.Client.prototype as unknown as { query: (...parameters: unknown[]) => unknown };
const { query } = client;
client.query = function note(this: unknown, ...parameters) {
  const [first] = parameters as [string | { text?: string }];
  statements.push(typeof first === 'string' ? first : (first.text ?? ''));
  return query.apply(this, parameters);
};
const plansAsked = () => statements.filter((sql) => sql.startsWith('explain')).length;

const explain = `explain { looks fusion { alpha auto weights { dense sparse graph metadata } }
  lanes { name candidates milliseconds statements planCost } timings { stage milliseconds }
  chunks { chunkUuid dense sparse graph metadata } }`;

let server: TestServer;
let database: string;
beforeAll(async () => {
  server = await TestServer.start();
  database = await server.database({
    database_metadata_schema: [{ name: 'topic', data_type: 'VARCHAR', enable_sparse_embedding: true }],
  });
  await server.remember(database, [
    { id: 'deploy', text: 'Deploys happen on Tuesdays.', metadata: { topic: 'release' } },
    { id: 'lunch', text: 'Lunch is served at noon.', metadata: { topic: 'food' } },
    { id: 'ship', text: 'We release the software every week.', metadata: { topic: 'release' } },
  ]);
});
afterAll(async () => server.stop());
beforeEach(() => {
  statements.length = 0;
});

async function search(argument: string, selection: string, key?: string) {
  const asked = `{ search(database: "${database}", type: memory, ${argument}) { ${selection} } }`;
  const { body } = await server.graphql(asked, {}, key);
  expect(body.errors).toBeUndefined();
  return body.data.search;
}

const laneNamed = (lanes: { name: string }[], name: string) =>
  lanes.find((lane) => lane.name === name) as unknown as Record<string, number>;

test('explains every lane that was run: what it found, how long it took, what Postgres expects of it', async () => {
  const found = await search('query: "release deploys"', `chunks { chunkUuid } ${explain}`);
  const { lanes, looks } = found.explain;
  expect(looks).toBe(1);
  expect(lanes.map((lane: { name: string }) => lane.name)).toEqual(['dense', 'sparse', 'graph', 'metadata']);
  expect(laneNamed(lanes, 'dense')['candidates']).toBe(3);
  expect(laneNamed(lanes, 'sparse')['candidates']).toBe(2);
  expect(laneNamed(lanes, 'metadata')['candidates']).toBe(2);
  for (const lane of lanes) {
    expect(lane.milliseconds).toBeGreaterThan(0);
    expect(lane.statements).toBeGreaterThan(0);
    expect(lane.planCost).toBeGreaterThan(0);
  }
  expect(plansAsked()).toBe(lanes.reduce((sum: number, lane: any) => sum + lane.statements, 0));
});

test('the plan cost of a lane is the sum of what Postgres says of its statements', async () => {
  const { explain: explained } = await search('query: "release", alpha: 0, graphContext: false', explain);
  const [sparse] = explained.lanes;
  const own = statements.filter((sql) => sql.startsWith('explain (format json) '));
  expect(own.some((sql) => sql.includes('keyword <#>'))).toBe(true);
  expect(sparse.statements).toBe(2);
  // A scan of one page is the least that planning can come to.
  expect(sparse.planCost).toBeGreaterThan(1);
});

test('gives the score of each chunk in each lane, in the order of the answer', async () => {
  const found = await search(
    'query: "release deploys"',
    `chunks { chunkUuid lanes { dense sparse graph metadata } } ${explain}`,
  );
  const { chunks } = found.explain;
  expect(chunks).toHaveLength(3);
  chunks.forEach((scores: Record<string, unknown>, place: number) => {
    const { chunkUuid, lanes } = found.chunks[place];
    expect(scores['chunkUuid']).toBe(chunkUuid);
    for (const lane of ['dense', 'sparse', 'graph', 'metadata'])
      expect(scores[lane] === null).toBe(lanes[lane] === null);
  });
  const bySparse = [...chunks].filter(({ sparse }) => sparse !== null).sort((a, b) => b.sparse - a.sparse);
  const sparseRank = (uuid: string) =>
    found.chunks.find(({ chunkUuid }: { chunkUuid: string }) => chunkUuid === uuid).lanes.sparse;
  expect(bySparse.map(({ chunkUuid }) => sparseRank(chunkUuid))).toEqual([1, 2]);
});

test('says how the lanes were weighed, and runs no lane that has no say', async () => {
  const both = (await search('query: "release deploys", alpha: 0.3', explain)).explain.fusion;
  expect(both).toMatchObject({ alpha: 0.3, auto: false });
  expect(both.weights.dense + both.weights.sparse).toBeCloseTo(1, 9);
  expect((await search('query: "release deploys"', explain)).explain.fusion.auto).toBe(true);
  const words = (await search('query: "release", queryBy: text', explain)).explain;
  expect(words.fusion.weights).toMatchObject({ dense: 0, sparse: 1, graph: 0 });
  expect(words.lanes.map((lane: { name: string }) => lane.name)).not.toContain('dense');
  const dense = words.chunks.map((chunk: { dense: number | null }) => chunk.dense);
  expect(new Set(dense)).toEqual(new Set([null]));
});

test('the stages of a search take no longer than all of it', async () => {
  const { timings } = (await search('query: "release deploys"', explain)).explain;
  const times = new Map<string, number>(
    timings.map(({ stage, milliseconds }: { stage: string; milliseconds: number }) => [stage, milliseconds]),
  );
  expect([...times.keys()]).toEqual(['total', 'lanes', 'embedding', 'chunks', 'graph_context']);
  const parts = ['lanes', 'chunks', 'graph_context'].map((stage) => times.get(stage) ?? NaN);
  expect(parts.reduce((sum, part) => sum + part, 0)).toBeLessThanOrEqual(times.get('total') ?? 0);
  expect(times.get('embedding')).toBeLessThanOrEqual(times.get('lanes') ?? 0);
});

test('is worked out only when it is selected, by a fragment as well, and never for REST', async () => {
  await search('query: "release"', 'chunks { id }');
  await server.rest('POST', '/query', { json: { database, type: 'memory', query: 'release' } });
  expect(plansAsked()).toBe(0);
  const query = `query { search(database: "${database}", type: memory, query: "release") { ...Why } }
    fragment Why on SearchResult { why: explain { looks } }`;
  expect((await server.graphql(query)).body.data.search).toEqual({ why: { looks: 1 } });
  expect(plansAsked()).toBeGreaterThan(0);
});

test('a key that may only read sees it, without SQL in it', async () => {
  const made = await server.graphql(
    'mutation { createApiKey(input: { name: "reader", scopes: [read] }) { key } }',
  );
  const found = await search('query: "release deploys"', explain, made.body.data.createApiKey.key);
  expect(found.explain.lanes).toHaveLength(4);
  expect(JSON.stringify(found)).not.toMatch(/select|chunks_\d|sources/i);
});

test('a search in a collection that does not exist ran nothing', async () => {
  const found = await search('query: "release", collection: "nowhere"', `chunks { id } ${explain}`);
  expect(found.chunks).toEqual([]);
  expect(found.explain).toMatchObject({ lanes: [], fusion: null, chunks: [], looks: 0 });
});

test('a second pass is a stage, and its statements are those of the keyword lane', async () => {
  const once = (await search('query: "release deploys", mode: fast', explain)).explain;
  const twice = (await search('query: "release deploys", mode: thinking', explain)).explain;
  const stagesOf = ({ timings }: any) => timings.map(({ stage }: { stage: string }) => stage);
  expect(stagesOf(once)).not.toContain('second_pass');
  expect(stagesOf(twice)).toContain('second_pass');
  const statementsOf = ({ lanes }: any) =>
    lanes.find(({ name }: { name: string }) => name === 'sparse').statements;
  expect(statementsOf(twice)).toBeGreaterThan(statementsOf(once));
});

test('a query whose words stand in several chunks of one item is no query in other words', async () => {
  const other = await server.database();
  const filler = (word: string) => `${word} is written here and goes on and on. `.repeat(120);
  await server.remember(other, [
    {
      id: 'contract',
      text: ['quillon ostrava', 'glaciers turbines', 'falcons walnuts', 'lanterns violins']
        .map((words) => `${filler('Paper')} ${words} ${filler('More')}`)
        .join('\n\n'),
    },
    { id: 'plain', text: filler('Nothing') },
  ]);
  const weightOf = async (query: string) => {
    const asked = `{ search(database: "${other}", type: memory, query: "${query}", mode: fast) { ${explain} } }`;
    const { body } = await server.graphql(asked, {});
    return body.data.search.explain.fusion.weights.dense as number;
  };
  const covered = await weightOf('quillon ostrava glaciers turbines falcons walnuts lanterns violins');
  const uncovered = await weightOf('quillon zebra glaciers walrus falcons marmot lanterns sextant');
  expect([covered, uncovered]).toEqual([expect.closeTo(0.16, 9), expect.closeTo(0.4, 9)]);
});
