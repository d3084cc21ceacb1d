import { LIMITS } from '../../limits.js';
import type { GraphPath, PathWeighing, Step } from '../lanes/graph-paths.js';
import { AskedDirection } from './asked-direction.js';
import { isAskedBy, isAskedType } from './asked-predicates.js';

// How many direct relations are shown when the query does not say what it wants to know of an entity
// (directMax), and how many beside those that answer it.
const directMax = 8;
const besideMax = 3;

/** What is left of the score of a path that says the opposite of what is asked. */
const opposedShare = 0.5;

/**
 * Chooses the paths that are shown for a query, best first. Paths that connect entities which it names, or
 * that cover most of what it asks for, come first; a few direct relations follow. A path of two steps is
 * shown only where no direct relation covers as much.
 */
export function choosePaths(
  found: readonly GraphPath[],
  weighing: PathWeighing & { readonly words: readonly string[] },
): GraphPath[] {
  const direction = new AskedDirection(weighing.words, weighing.named);
  const named = new Set(weighing.named.map(({ id }) => id));
  const asked = [...weighing.terms];
  const weighed = found.map((path) => {
    const [near = [], far = near] = path.steps.map((step) => coveredBy(step, asked, direction));
    const isOpposed = path.steps.some((step) => asked.some((term) => direction.isAgainst(step, term)));
    // The post that somebody has at a partner of Acme is no post at Acme.
    const behind = near.length > 0 ? far : far.filter((term) => path.steps.at(-1)?.plain.has(term));
    const isDirect = path.steps.length === 1;
    return {
      path: isOpposed ? { ...path, score: path.score * opposedShare } : path,
      isDirect,
      connects: connects(path, named),
      covered: new Set([...near, ...(isDirect ? [] : behind)]).size,
    };
  });
  weighed.sort((a, b) => b.path.score - a.path.score);
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
 * Which of the asked terms a relation covers, by its predicate, ends and what these are, not by the sentence
 * that states it.
 */
function coveredBy(step: Step, asked: readonly string[], direction: AskedDirection): string[] {
  const { said, relation, group } = step;
  return asked.filter(
    (term) =>
      (said.has(term) && !direction.isAgainst(step, term)) ||
      isAskedBy(term, relation.predicate) ||
      [group.source, group.target].some(({ type }) => isAskedType(term, type)),
  );
}
