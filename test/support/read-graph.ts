import { extractGraph } from '../../src/graph/extraction/extract-graph.js';
import type { ExtractedGraph, ExtractionInput } from '../../src/graph/extraction/extracted-graph.js';

/** What a text stands in: a title, who speaks in it, when it was written. */
type Around = Partial<Omit<ExtractionInput, 'chunks'>> & { readonly headings?: readonly string[] };

/** The graph that rules find in a text; without a title, unless one is given. */
export function readGraph(text: string, { headings = [], ...around }: Around = {}): ExtractedGraph {
  return extractGraph({ title: '', ...around, chunks: [{ text, headings }] });
}

/** The names of its entities. */
export function namesIn(text: string): string[] {
  return readGraph(text).entities.map(({ name }) => name);
}

/** Its entities but for dates, as `name TYPE`. */
export function namedIn(text: string): string[] {
  return readGraph(text)
    .entities.filter(({ type }) => type !== 'DATE')
    .map(({ name, type }) => `${name} ${type}`);
}

/** The relations of a graph as `source predicate target`. */
export function statementsOf({ entities, relations }: ExtractedGraph): string[] {
  return relations.map(
    ({ source, predicate, target }) => `${entities[source]?.name} ${predicate} ${entities[target]?.name}`,
  );
}

/** The relations of a text as `source predicate (its words) target`. */
export function wordedIn(text: string, around: Around = {}): string[] {
  const { relations, ...graph } = readGraph(text, around);
  const worded = relations.map((each) => ({
    ...each,
    predicate: `${each.predicate} (${each.rawPredicate})`,
  }));
  return statementsOf({ ...graph, relations: worded });
}

/** The relations of a text as `source predicate target`, followed by when they hold, if the text says so. */
export function saidIn(
  text: string,
  around: Around = {},
  timeAs = (time: string): string => `, ${time}`,
): string[] {
  const graph = readGraph(text, around);
  const times = graph.relations.map(({ temporalDetails }) => temporalDetails);
  return statementsOf(graph).map((statement, index) => {
    const time = times[index] ?? null;
    return time === null ? statement : `${statement}${timeAs(time)}`;
  });
}
