import { LIMITS } from '../../limits.js';
import type { GraphPath, PathWeighing, Step } from '../lanes/graph-paths.js';
import { isAskedBy, isAskedType } from './asked-predicates.js';

// How many direct relations are shown when the query does not say what it wants to know of an entity
// (directMax), and how many beside those that answer it.
const directMax = 8;
const besideMax = 3;

/**
 * Chooses the paths that are shown for a query, best first. Paths that connect entities which it names, or
 * that cover most of what it asks for, come first; a few direct relations follow. A path of two steps is
 * shown only where no direct relation covers as much.
 */
export function choosePaths(found: readonly GraphPath[], weighing: PathWeighing): GraphPath[] {
  const named = new Set(weighing.named.map(({ id }) => id));
  const weighed = found.map((path) => ({
    path,
    isDirect: path.steps.length === 1,
    connects: connects(path, named),
    covered: covered(path.steps, weighing.terms),
  }));
  const best = Math.max(0, ...weighed.map((each) => each.covered));
  const isShort = weighed.some(({ isDirect, covered: own }) => isDirect && own === best);
  const leads = weighed.filter(
    ({ isDirect, connects: isBetween, covered: own }) =>
      isBetween || (best > 0 && own === best && (isDirect || !isShort)),
  );
  const beside = weighed.filter((each) => each.isDirect && !leads.includes(each));
  if (leads.length === 0) return beside.slice(0, directMax).map(({ path }) => path);
  // Scores lie between 0 and 1: paths that come first get the upper half.
  return [
    ...leads.map(({ path }) => ({ ...path, score: (1 + path.score) / 2 })),
    ...beside.slice(0, besideMax).map(({ path }) => ({ ...path, score: path.score / 2 })),
  ].slice(0, LIMITS.queryPathsMax);
}

/** Whether a path leads from one entity that the query names to another. */
function connects({ steps }: GraphPath, named: ReadonlySet<string>): boolean {
  const passed = steps.flatMap(({ group }) => [group.sourceEntity, group.targetEntity]);
  const ends = passed.filter((id) => passed.indexOf(id) === passed.lastIndexOf(id));
  return ends.length === 2 && ends.every((id) => named.has(id));
}

/**
 * How many of the asked terms the relations of a path cover, by their predicate, ends and what these are, not by
 * the sentence that states them.
 */
function covered(steps: readonly Step[], asked: ReadonlySet<string>): number {
  const isSaid = (term: string) =>
    steps.some(
      ({ said, relation, group }) =>
        said.has(term) ||
        isAskedBy(term, relation.predicate) ||
        [group.source, group.target].some(({ type }) => isAskedType(term, type)),
    );
  return [...asked].filter(isSaid).length;
}
