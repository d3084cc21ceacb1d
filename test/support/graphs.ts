import { expect } from '@jest/globals';
import { AppItems } from './app-items.js';
import type { TestServer } from './server.js';

/** A graph as it is sent: entities by name, relations as `source predicate target`. */
export function suppliedGraph(
  relations: readonly (readonly [string, string, string])[],
  more: Record<string, unknown> = {},
): Record<string, unknown> {
  const names = [...new Set(relations.flatMap(([source, , target]) => [source, target]))];
  return {
    entities: Object.fromEntries(names.map((name) => [name, { name, type: 'THING' }])),
    relations: relations.map(([source, predicate, target]) => ({ source, predicate, target, ...more })),
  };
}

/** Relations of groups as `source predicate target`. */
export function triplets(groups: readonly any[]): string[] {
  return groups.flatMap(({ source, target, relations }) =>
    relations.map((relation: any) => `${source.name} ${relation.canonical_predicate} ${target.name}`),
  );
}

/** Groups as `source > target: predicates`. */
export function groupsOf(groups: readonly any[]): string[] {
  return groups.map(({ source, target, relations }) => {
    const predicates = relations.map((relation: any) => relation.canonical_predicate);
    return `${source.name} > ${target.name}: ${predicates.sort().join()}`;
  });
}

/** A server with a database, and what tests of its graph ask. */
export class Graphs {
  private constructor(
    readonly items: AppItems,
    readonly server: TestServer,
    readonly database: string,
  ) {}

  static async start(): Promise<Graphs> {
    const items = await AppItems.start();
    return new Graphs(items, items.server, items.database);
  }

  /** Stores files with their graphs, in one request. */
  async store(
    files: Readonly<Record<string, { text?: string; graph?: unknown; relations?: unknown }>>,
    more: Readonly<Record<string, string>> = {},
  ): Promise<void> {
    const metadata = Object.entries(files).map(([id, { relations }]) => ({
      id,
      ...(relations ? { relations } : {}),
    }));
    const graphs = Object.entries(files).flatMap(([id, { graph }]) => (graph ? [[id, graph]] : []));
    const answer = await this.server.upload(
      this.database,
      Object.fromEntries(
        Object.entries(files).map(([id, { text }]) => [`${id}.txt`, text ?? `text of ${id}`]),
      ),
      {
        document_metadata: JSON.stringify(metadata),
        graph_payload: JSON.stringify(Object.fromEntries(graphs)),
        ...more,
      },
    );
    expect([answer.status, answer.body.error]).toEqual([202, null]);
    await this.server.settle();
  }

  /** The data of a GET, which must succeed. */
  async get(path: string, parameters: Readonly<Record<string, unknown>> = {}): Promise<any> {
    const answer = await this.ask(path, parameters);
    expect([answer.status, answer.body.error]).toEqual([200, null]);
    return answer.body.data;
  }

  ask(path: string, parameters: Readonly<Record<string, unknown>> = {}): Promise<any> {
    const all = Object.entries({ database: this.database, ...parameters });
    const query = new URLSearchParams(all.map(([name, value]): [string, string] => [name, String(value)]));
    return this.server.rest('GET', `${path}?${query.toString()}`);
  }

  relations(parameters: Readonly<Record<string, unknown>> = {}): Promise<any> {
    return this.get('/context/relations', parameters);
  }

  subgraph(id: string, parameters: Readonly<Record<string, unknown>> = {}): Promise<any> {
    return this.get('/context/subgraph', { id, ...parameters });
  }
}
