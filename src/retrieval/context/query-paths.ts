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
  // A step is in many paths.
  const steps = new Set(found.flatMap((path) => path.steps));
  const answers = new Map([...steps].map((step) => [step, answerOf(step, asked, direction)]));
  const weighed = found.map((path) => {
    const [first = nothingAnswered, last = first] = path.steps.map((step) => answers.get(step));
    const [near, far] = [first.covered, last.covered];
    const isOpposed = first.isOpposed || last.isOpposed;
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

/** What a relation says of what is asked. */
interface Answer {
  readonly covered: readonly string[];
  /** Whether it says the opposite of something. */
  readonly isOpposed: boolean;
}

const nothingAnswered: Answer = { covered: [], isOpposed: false };

/**
 * Which of the asked terms a relation covers, by its predicate, ends and what these are, not by the sentence
 * that states it.
 */
function answerOf(step: Step, asked: readonly string[], direction: AskedDirection): Answer {
  const { said, relation, group } = step;
  const opposed = new Set(asked.filter((term) => direction.isAgainst(step, term)));
  const covered = asked.filter(
    (term) =>
      (said.has(term) && !opposed.has(term)) ||
      isAskedBy(term, relation.predicate) ||
      [group.source, group.target].some(({ type }) => isAskedType(term, type)),
  );
  return { covered, isOpposed: opposed.size > 0 };
}
