import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { askGraph } from '../support/graph-context.js';
import { Graphs, suppliedGraph } from '../support/graphs.js';
import { Random } from '../support/random.js';

// An item that may not be found adds nothing to what a query answers: no path, not even as a bridge, and no relation.

let graphs: Graphs;
beforeAll(async () => {
  graphs = await Graphs.start();
});
afterAll(async () => graphs.server.stop());

const first = {
  id: 'first',
  content: { text: 'Alpha Beta text' },
  acl: ['public'],
  metadata: { team: 'blue' },
};
const bridge = (more: Record<string, unknown> = {}) => ({
  id: 'bridge',
  content: { text: 'Beta Gamma text' },
  acl: ['public'],
  ...more,
});
const graph_payload = {
  first: suppliedGraph([['Alpha', 'is_near', 'Beta']]),
  bridge: suppliedGraph([['Beta', 'leads_to', 'Gamma']]),
};
const whole = {
  paths: ['Alpha is_near Beta > Beta leads_to Gamma', 'Alpha is_near Beta'],
  groups: ['Alpha is_near Beta', 'Beta leads_to Gamma'],
};
const halved = { paths: ['Alpha is_near Beta'], groups: ['Alpha is_near Beta'] };

const store = (collection: string, more?: Record<string, unknown>) =>
  graphs.items.store([first, bridge(more)], { collection, graph_payload });
const ask = (collection: string, more: Record<string, unknown> = {}) =>
  askGraph(graphs, 'Alpha text leads', { collection, ...more });

describe('not by', () => {
  test('who is not on its access list', async () => {
    await store('acl', { acl: ['ann'] });
    expect(await ask('acl', { acl: ['ann'] })).toEqual(whole);
    expect(await ask('acl', { acl: ['bob'] })).toEqual(halved);
    expect(await ask('acl', { acl: [] })).toEqual({ paths: [], groups: [] });
    const { body } = await graphs.server.rest('PATCH', '/context/bridge/metadata', {
      json: { database: graphs.database, collection: 'acl', acl: [] },
    });
    expect(body.error).toBeNull();
    expect(await ask('acl')).toEqual(halved);
  });

  test('a query that is limited to other items', async () => {
    await store('limited', { metadata: { team: 'red' } });
    expect(await ask('limited')).toEqual(whole);
    expect(await ask('limited', { ids: ['first'] })).toEqual(halved);
    expect(await ask('limited', { ids: ['bridge'] })).toEqual({ paths: [], groups: ['Beta leads_to Gamma'] });
    expect(await ask('limited', { metadata_filters: { team: 'red' } })).toEqual({
      paths: [],
      groups: ['Beta leads_to Gamma'],
    });
  });

  test('another collection, corpus or database', async () => {
    await store('place');
    expect(await ask('elsewhere')).toEqual({ paths: [], groups: [] });
    expect(await ask('place', { type: 'memory' })).toEqual({ paths: [], groups: [] });
    expect(await ask('place', { type: 'all' })).toEqual(whole);
    await store('place-2');
    expect(await askGraph(graphs, 'Alpha leads', { collections: ['place', 'elsewhere'] })).toMatchObject({
      paths: whole.paths,
    });
    const other = await graphs.server.database();
    const { body } = await graphs.server.rest('POST', '/query', {
      json: { database: other, query: 'Alpha leads' },
    });
    expect(body.data.graph_context.query_paths).toEqual([]);
  });
});

test('not when it has been replaced or deleted', async () => {
  const collection = 'replaced';
  await store(collection);
  await graphs.items.send([bridge({ content: { text: 'Other text' } })], {
    collection,
    graph_payload: { bridge: suppliedGraph([['Beta', 'leads_to', 'Delta']]) },
  });
  expect(await ask(collection)).toEqual(whole);
  await graphs.server.idle();
  expect((await ask(collection)).paths).toEqual([
    'Alpha is_near Beta > Beta leads_to Delta',
    'Alpha is_near Beta',
  ]);
  const { database, server } = graphs;
  await server.rest('DELETE', '/context', { json: { database, collection, ids: ['bridge'] } });
  expect(await ask(collection)).toEqual(halved);
});

test('not when its time is over', async () => {
  const { database, server } = graphs;
  const place = { collection: 'expired', type: 'memory' };
  await server.rest('POST', '/context/ingest', {
    json: {
      database,
      ...place,
      memories: [
        { id: 'first', text: 'Alpha Beta text' },
        { id: 'bridge', text: 'Beta Gamma text', expiry_time: 60 },
      ],
      graph_payload,
    },
  });
  await server.idle();
  expect(await askGraph(graphs, 'Alpha text leads', place)).toEqual(whole);
  server.clock.advance(61);
  expect(await askGraph(graphs, 'Alpha text leads', place)).toEqual(halved);
});

test('an item that may not be found is not named by one that is linked to it', async () => {
  const collection = 'linked';
  const items = [
    { id: 'open', content: { text: 'Open text' }, acl: ['public'], relations: { ids: ['secret'] } },
    { id: 'secret', title: 'Secret title', content: { text: 'Hidden' }, acl: ['ann'] },
    {
      id: 'keyed',
      content: { text: 'Keyed text' },
      acl: ['public'],
      relations: [{ target: { provider: 'jira', external_id: 'J-1' } }],
    },
    {
      id: 'ticket',
      title: 'Ticket title',
      provider: 'jira',
      external_id: 'J-1',
      content: { text: 'Hidden' },
      acl: ['ann'],
    },
  ];
  await graphs.items.store(items, { collection });
  const shown = async (more: Record<string, unknown>) =>
    (await askGraph(graphs, 'Open keyed text', { collection, ...more })).groups.join('; ');
  const ofAnn = await shown({ acl: ['ann'] });
  for (const title of ['Secret title', 'Ticket title']) expect(ofAnn).toContain(title);
  expect(await shown({ acl: ['bob'] })).toBe('');
  expect(await shown({ acl: ['ann'], ids: ['open', 'keyed'] })).toBe('');
});

test('paths are those of a naive model, whoever asks', async () => {
  const seed = Number(process.env['GRAPH_CONTEXT_SEED'] ?? 20_261_121);
  const random = new Random(seed);
  const names = ['Ada', 'Bo', 'Cy', 'Dee', 'Eli', 'Fay', 'Gus', 'Hal'];
  const pick = <Value>(values: readonly Value[]): Value => values[random.below(values.length)] as Value;
  const items = Array.from({ length: 14 }, (_, n) => {
    const source = pick(names);
    const target = pick(names.filter((name) => name !== source));
    return {
      id: `i${n}`,
      acl: pick([['ann'], ['bob'], ['ann', 'bob'], []]),
      said: [source, 'likes', target] as const,
    };
  });
  const collection = 'model';
  await graphs.items.store(
    items.map(({ id, acl }) => ({ id, acl, content: { text: `text ${id}` } })),
    {
      collection,
      graph_payload: Object.fromEntries(items.map(({ id, said }) => [id, suppliedGraph([said])])),
    },
  );
  for (const acl of [['ann'], ['bob'], ['cat'], undefined]) {
    const seen = items.filter((item) =>
      acl ? item.acl.some((each) => acl.includes(each)) : item.acl.length > 0,
    );
    for (const name of names) {
      const said = [...new Set(seen.map((item) => item.said.join(' ')))];
      const hint = `seed ${seed}, ${name} as ${acl?.join() ?? 'anyone'}`;
      const shown = async (query: string) =>
        (await askGraph(graphs, query, { collection, ...(acl ? { acl } : {}) })).paths;
      const direct = said.filter((one) => ends(one).includes(name));
      const alone = await shown(`tell of ${name}`);
      expect([hint, alone.length]).toEqual([hint, Math.min(8, direct.length)]);
      expect([hint, alone.filter((path) => !direct.includes(path))]).toEqual([hint, []]);
      const other = pick(names.filter((each) => each !== name));
      const between = pathsBetween(name, other, said);
      const both = await shown(`tell of ${name} and ${other}`);
      expect([hint, both.slice(0, between.length).sort()]).toEqual([hint, between]);
      expect([hint, both.slice(between.length).filter((path) => path.includes('>'))]).toEqual([hint, []]);
    }
  }
});

const ends = (one: string) => [one.split(' ')[0], one.split(' ')[2]] as string[];

/** Every way of one or two steps between two names, each relation as `A likes B`. */
function pathsBetween(name: string, goal: string, said: readonly string[]): string[] {
  const other = (one: string, from: string) => ends(one).find((end) => end !== from) ?? '';
  const around = (from: string) => said.filter((one) => ends(one).includes(from));
  const ways = around(name).flatMap((near) => {
    const middle = other(near, name);
    if (middle === goal) return [near];
    return around(middle).flatMap((far) => (other(far, middle) === goal ? [near, far].join(' > ') : []));
  });
  return ways.sort();
}
