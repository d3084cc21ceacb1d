import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { GraphModel } from '../support/graph-model.js';
import type { ModelItem } from '../support/graph-model.js';
import { Graphs, suppliedGraph, triplets } from '../support/graphs.js';
import { Random } from '../support/random.js';

// Random items, links, threads, access lists, replacements and deletions, beside a model that walks through all of them.
// Each sequence has a collection of its own; the steps of all of them are indexed together.

const sequences = Number(process.env['GRAPH_SEQUENCES'] ?? 30);
const steps = 3;
const random = new Random(Number(process.env['GRAPH_SEED'] ?? 7));
const ids = Array.from({ length: 9 }, (_, n) => `i${n}`);
const companies = [
  'Vega Robotics',
  'Vega Robotics',
  'Vega Robotics SA',
  'Vega Robotics S.A',
  'Vega Robotics GmbH',
];
const people = [...'ABCDEFG'];
const acls = [['public'], ['public'], ['public'], ['ann'], ['bob'], ['ann', 'bob'], []];

let graphs: Graphs;
beforeAll(async () => {
  graphs = await Graphs.start();
});
afterAll(async () => graphs.server.stop());

const pick = <Value>(values: readonly Value[]): Value => values[random.below(values.length)] as Value;
const some = <Value>(max: number, make: () => Value): Value[] =>
  Array.from({ length: random.below(max + 1) }, make);

let sent = 0;

function randomItem(id: string, moments: Set<number>): ModelItem {
  let at: number;
  do at = random.below(1_000_000);
  while (moments.has(at));
  moments.add(at);
  const targets = [...ids.map((_, n) => `x${n}`), ...ids];
  return {
    id,
    provider: pick(['slack', 'slack', 'jira']),
    // Of no two items of an application: which of them is linked to would be anyone's guess.
    externalId: random.chance(0.6) ? id.replace('i', 'x') : null,
    threadId: random.chance(0.5) ? pick(['t1', 't2']) : null,
    parentId: random.chance(0.4) ? pick(targets) : null,
    linkedIds: [...new Set(some(2, () => pick(targets)))],
    declared: some(2, () => ({
      predicate: pick(['cites', 'blocks', 'linked_to']),
      id: pick([...ids, 'nowhere']),
    })),
    acl: pick(acls),
    at,
    sent: (sent += 1),
    says: random.chance(0.5) ? `${id} says ${at}` : null,
    meetings: [...new Set(some(3, () => pick(people) + pick(people)))],
    companies: random.chance(0.4) ? [...new Set([pick(companies), ...some(1, () => pick(companies))])] : [],
  };
}

function toKnowledge(item: ModelItem): Record<string, unknown> {
  return {
    id: item.id,
    title: item.id,
    kind: 'ticket',
    provider: item.provider,
    timestamp: new Date(item.at * 1000).toISOString(),
    ...(item.externalId ? { external_id: item.externalId } : {}),
    fields: {
      description: `ticket ${item.id}`,
      ...(item.threadId ? { thread_id: item.threadId } : {}),
      ...(item.parentId ? { parent_id: item.parentId } : {}),
      linked_issue_ids: item.linkedIds,
    },
    relations: item.declared.map(({ predicate, id }) => ({ predicate, target: { id } })),
    acl: item.acl,
  };
}

/** The graph that an item brings. */
function graphOf({ id, says, at, companies, meetings }: ModelItem): Record<string, any> {
  const met = meetings.map(([a, b]): [string, string, string] => [`Person ${a}`, 'meets', `Person ${b}`]);
  const { entities, relations } = suppliedGraph([
    ...(says ? [[id, 'says', String(at)] as [string, string, string]] : []),
    ...met,
  ]) as any;
  const named = companies.map((name) => [
    name,
    { name, type: pick(['ORGANIZATION', 'organisation', 'thing']) },
  ]);
  return { entities: { ...entities, ...Object.fromEntries(named) }, relations };
}

/** One sequence: what is in its collection, and how it changes. */
class Sequence {
  readonly items = new Map<string, ModelItem>();
  private readonly moments = new Set<number>();

  constructor(readonly collection: string) {}

  async change(): Promise<void> {
    const { database, server } = graphs;
    const scope = { database, collection: this.collection };
    const doomed = [...this.items.keys()].filter(() => random.chance(0.15));
    if (doomed.length > 0) {
      const json = { ...scope, ids: doomed };
      expect((await server.rest('DELETE', '/context', { json })).status).toBe(200);
      for (const id of doomed) this.items.delete(id);
    }
    for (const [id, item] of this.items) {
      if (!random.chance(0.2)) continue;
      const acl = pick(acls);
      const json = { ...scope, acl };
      expect((await server.rest('PATCH', `/context/${id}/metadata`, { json })).status).toBe(200);
      this.items.set(id, { ...item, acl });
    }
    const chosen = ids.filter(() => random.chance(0.5));
    if (chosen.length === 0) return;
    const stored = chosen.map((id) => randomItem(id, this.moments));
    // A graph stands until another replaces it: here each version brings its own.
    const graph_payload = Object.fromEntries(stored.map((item) => [item.id, graphOf(item)]));
    const json = { ...scope, app_knowledge: stored.map(toKnowledge), graph_payload };
    expect((await server.rest('POST', '/context/ingest', { json })).status).toBe(202);
    for (const item of stored) this.items.set(item.id, item);
  }

  async check(): Promise<void> {
    const { collection } = this;
    const principals = pick([null, ['ann'], ['bob'], []]);
    const readers = principals && (principals.length > 0 ? [...principals, 'public'] : []);
    const model = new GraphModel(this.items.values(), readers);
    const acl = principals && { acl: JSON.stringify(principals) };
    const id = pick(ids);
    const [depth, most] = [1 + random.below(4), pick([1, 2, 3, 5, 200])];
    const found = await graphs.subgraph(id, { collection, depth, max_sources: most, ...acl });
    const expected = model.subgraph(id, depth, most);
    expect(
      found.sources.map((member: any) => ({
        id: member.source_id,
        depth: member.depth,
        via: member.discovered_via,
        relation: member.discovered_relation,
      })),
    ).toEqual(expected.members.map(({ id, depth, via, relation }) => ({ id, depth, via, relation })));
    expect([found.is_truncated, found.max_depth_reached]).toEqual([
      expected.isTruncated,
      expected.members.at(-1)?.depth ?? 0,
    ]);
    const item = model.find(id);
    const { auxiliary_relations: auxiliary } = await graphs.relations({ collection, id, ...acl });
    expect(byId(auxiliary).sort()).toEqual(item ? model.auxiliary(item) : []);
    expect(new Set(auxiliary.map(pairOf)).size).toBe(auxiliary.length);
    const { relations } = await graphs.relations({ collection, ...acl });
    expect(triplets(relations).filter((each) => each.includes(' says '))).toEqual(model.said());
    await this.checkCompanies(model, principals);
    await this.checkPaths(model, principals);
  }

  private async checkCompanies(model: GraphModel, acl: string[] | null): Promise<void> {
    const { body } = await graphs.server.graphql(
      `query ($database: String!, $collection: String, $acl: [String!]) {
        entities(database: $database, collection: $collection, acl: $acl, name: "vega") {
          totalCount nodes { name aliases sourceCount sourceIds } } }`,
      { database: graphs.database, collection: this.collection, acl },
    );
    expect(body.errors).toBeUndefined();
    const { nodes, totalCount } = body.data.entities;
    const found = nodes.map(({ name, aliases, sourceIds }: any) => ({
      names: [name, ...aliases].sort(),
      items: [...sourceIds].sort(),
    }));
    const byNames = (all: any[]) => all.sort((a, b) => (String(a.names) < String(b.names) ? -1 : 1));
    expect(byNames(found)).toEqual(byNames(model.companies()));
    expect([totalCount, nodes.map(({ sourceCount }: any) => sourceCount)]).toEqual([
      nodes.length,
      nodes.map(({ sourceIds }: any) => sourceIds.length),
    ]);
  }

  private async checkPaths(model: GraphModel, acl: string[] | null): Promise<void> {
    const scope = { database: graphs.database, collection: this.collection, acl };
    const [from, to] = [pick(people), pick(people)];
    const ids = await Promise.all(
      [from, to].map(async (letter) => {
        const query = `query ($database: String!, $collection: String, $acl: [String!], $name: String!) {
          entities(database: $database, collection: $collection, acl: $acl, name: $name) { nodes { id } } }`;
        const { body } = await graphs.server.graphql(query, { ...scope, name: `Person ${letter}` });
        return body.data.entities.nodes[0]?.id ?? '';
      }),
    );
    const lengthMax = 1 + random.below(6);
    const query = `query ($database: String!, $collection: String, $acl: [String!], $from: String!, $to: String!, $lengthMax: Int) {
      entityPaths(database: $database, collection: $collection, acl: $acl, from: $from, to: $to, lengthMax: $lengthMax, pathsMax: 20) {
        isTruncated paths { triplets { source { name } target { name } } } } }`;
    const { body } = await graphs.server.graphql(query, { ...scope, from: ids[0], to: ids[1], lengthMax });
    const { paths, isTruncated } = body.data.entityPaths;
    const expected = model.shortestWays(from, to, lengthMax);
    const ways = new Set(paths.map((path: any) => wayOf(from, path)));
    expect([ways.size, isTruncated]).toEqual([Math.min(20, expected.length), false]);
    expect(new Set([...expected, ...ways])).toEqual(new Set(expected));
  }
}

/** Whom a way leads to, each by a letter; a relation may be stated in either direction. */
function wayOf(from: string, { triplets: steps }: any): string {
  let way = from;
  for (const { source, target } of steps) {
    const [a, b] = [source.name.at(-1), target.name.at(-1)];
    way += way.endsWith(a) ? b : a;
  }
  return way;
}

function byId(groups: readonly any[]): string[] {
  return groups.flatMap(({ source, target, relations }) =>
    relations.map(
      (relation: any) => `${source.entity_id} ${relation.canonical_predicate} ${target.entity_id}`,
    ),
  );
}

function pairOf({ source, target }: any): string {
  return `${source.entity_id} ${target.entity_id}`;
}

test('random graphs are walked and read as by a model that knows no index', async () => {
  const all = Array.from({ length: sequences }, (_, n) => new Sequence(`sequence-${n}`));
  for (let step = 0; step < steps; step += 1) {
    for (const sequence of all) await sequence.change();
    await graphs.server.idle();
    for (const sequence of all) await sequence.check();
  }
}, 600_000);
