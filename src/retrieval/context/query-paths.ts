import { LIMITS } from '../../limits.js';
import { analyze } from '../../text/analyzer.js';
import type { GraphPath, PathWeighing, Step } from '../lanes/graph-paths.js';

// How many direct relations are shown when the query does not say what it wants to know of an entity
// (directMax), and how many beside those that answer it.
const directMax = 8;
const besideMax = 3;

/** Words by which people ask for a predicate, beside its own name. */
const askedBy: Readonly<Record<string, string>> = {
  works_for: 'employer employed employee job position role company',
  leads: 'head boss chief ceo director chair run manage',
  manages: 'boss manager supervisor team',
  reports_to: 'boss manager supervisor superior',
  founded: 'founder start create establish',
  acquired: 'buy purchase takeover acquisition owner own',
  owns: 'owner belong parent subsidiary',
  part_of: 'belong parent subsidiary division owner',
  subsidiary_of: 'belong parent owner',
  based_in: 'headquarters seat located city country office',
  located_in: 'based city country',
  lives_in: 'home reside residence address',
  born_in: 'birthplace birth',
  died_in: 'death',
  married_to: 'wife husband spouse marriage',
  child_of: 'parent father mother son daughter children family',
  parent_of: 'father mother son daughter children family',
  sibling_of: 'brother sister family',
  studied_at: 'school university college education degree graduate',
  created: 'author write invent develop design make',
  makes: 'maker manufacturer produce product',
  uses: 'stack technology tool',
  depends_on: 'dependency need require',
  runs_on: 'platform host infrastructure deploy',
  succeeded: 'successor predecessor replace before after',
  replaces: 'successor predecessor replacement',
  supplies: 'supplier vendor provider',
  customer_of: 'client buyer',
  assigned_to: 'assignee owner responsible',
};
const terms = new Map(Object.entries(askedBy).map(([name, words]) => [name, new Set(analyze(words))]));

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
 * How many of the asked terms the relations of a path cover, by their predicate and ends, not by the sentence
 * that states them.
 */
function covered(steps: readonly Step[], asked: ReadonlySet<string>): number {
  const isSaid = (term: string) =>
    steps.some(({ said, relation }) => said.has(term) || terms.get(relation.predicate)?.has(term) === true);
  return [...asked].filter(isSaid).length;
}
