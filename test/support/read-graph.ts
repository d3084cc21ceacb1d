import { extractGraph } from '../../src/graph/extraction/extract-graph.js';

/** The graph that rules find in a text without a title. */
export function readGraph(text: string): ReturnType<typeof extractGraph> {
  return extractGraph({ title: '', chunks: [{ text }] });
}

/** Its entities but for dates, as `name TYPE`. */
export function namedIn(text: string): string[] {
  return readGraph(text)
    .entities.filter(({ type }) => type !== 'DATE')
    .map(({ name, type }) => `${name} ${type}`);
}

/** Its relations as `source predicate target`, followed by when they hold, if the text says so. */
export function saidIn(text: string): string[] {
  const { entities, relations } = readGraph(text);
  return relations.map(
    ({ source, target, predicate, temporalDetails }) =>
      `${entities[source]?.name} ${predicate} ${entities[target]?.name}${temporalDetails === null ? '' : `, ${temporalDetails}`}`,
  );
}
