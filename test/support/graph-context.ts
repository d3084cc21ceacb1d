import type { Graphs } from './graphs.js';

/** What a query answers about the graph, as short texts. */
export interface ShownGraph {
  /** `A is B > B is C`, best first. */
  readonly paths: string[];
  /** `A is B`, in their order. */
  readonly groups: string[];
}

const said = (source: any, relation: any, target: any) =>
  `${source.name} ${relation.canonical_predicate} ${target.name}`;

/** A path as its steps. */
export function stepsOf({ triplets }: any): string {
  return triplets.map(({ source, relation, target }: any) => said(source, relation, target)).join(' > ');
}

/** Asks for the graph of a query. */
export async function askGraph(
  graphs: Graphs,
  query: string,
  more: Record<string, unknown> = {},
): Promise<ShownGraph> {
  const { graph_context: context } = await graphs.items.ask(query, more);
  return {
    paths: context.query_paths.map(stepsOf),
    groups: context.chunk_relations.flatMap(({ source, target, relations }: any) =>
      relations.map((relation: any) => said(source, relation, target)),
    ),
  };
}
