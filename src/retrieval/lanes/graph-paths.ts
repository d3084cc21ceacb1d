import type { KeptRelation } from '../../graph/item-graph.js';
import { addToList } from '../../lib/add-to-list.js';
import { analyze } from '../../text/analyzer.js';
import { withOtherForm } from '../../text/offices.js';
import type { FoundGroup } from './graph-lane.queries.js';

/** An entity that a query names. */
export interface MeantEntity {
  readonly id: string;
  /** 0 to 1: how likely it is the one that is meant. */
  readonly strength: number;
  /**
   * The first and last word of its name in the query. Entities that begin at one place are alternatives, of
   * which one is meant.
   */
  readonly first: number;
  readonly last: number;
}

/** One relation between two entities, with all places that state it. */
export interface Step {
  /** The place that states it best. */
  readonly group: FoundGroup;
  readonly relation: KeptRelation;
  /** The terms of its predicate and its ends. */
  readonly plain: ReadonlySet<string>;
  /** Those, and the terms of the raw predicate. */
  readonly said: ReadonlySet<string>;
  /** The plain terms, and those of the sentence and the entity types. */
  readonly terms: ReadonlySet<string>;
  readonly chunkIds: Set<string>;
  readonly chunkUuids: Set<string>;
}

/** One or two steps from an entity that a query names. */
export interface GraphPath {
  readonly steps: readonly Step[];
  readonly score: number;
}

/** What paths are weighed by. */
export interface PathWeighing {
  readonly named: readonly MeantEntity[];
  /** What the query asks for, apart from the names in it. */
  readonly terms: ReadonlySet<string>;
  /** How well chunks answer the query, 0 to 1, by their UUID; empty before that is known. */
  readonly hits: ReadonlyMap<string, number>;
}

// More than all else that decides which statement of a step is shown.
const askedRank = 1_000;
// Shares of a path's score: what every path gets, and what its words, the hits that state it, and its age
// add.
const baseShare = 0.4;
const termsShare = 0.35;
const hitsShare = 0.2;
const recencyShare = 0.05;
// A path of two steps has less to do with the query, and hardly anything when its second step covers nothing
// that is asked.
const secondStep = 0.8;
const unaskedStep = 0.6;
// A path from one named entity to another is what was asked for; one that leads anywhere else counts less.
const oneNamed = 0.8;
const stepsFromNamedMax = 100;
const stepsFromOthersMax = 24;

/**
 * Turns relations into steps. What several chunks state is one step, in the words that cover most of what is
 * asked: somebody may have had several posts.
 */
export function toSteps(groups: readonly FoundGroup[], asked: ReadonlySet<string>): Step[] {
  const steps = new Map<string, { readonly step: Step; readonly rank: number }>();
  for (const group of groups) {
    for (const relation of group.relations) {
      const key = `${group.sourceEntity} ${relation.predicate} ${group.targetEntity}`;
      const known = steps.get(key);
      const words = saidBy(group, relation);
      const covered = [...asked].filter((term) => words.said.has(term)).length;
      const rank = askedRank * covered + rankOf(group, relation);
      const best =
        known && known.rank >= rank
          ? known
          : {
              step: {
                group,
                relation,
                ...words,
                terms: new Set([...words.plain, ...analyze(statedBy(group, relation))]),
                chunkIds: known?.step.chunkIds ?? new Set<string>(),
                chunkUuids: known?.step.chunkUuids ?? new Set<string>(),
              },
              rank,
            };
      if (group.chunkId !== null) best.step.chunkIds.add(group.chunkId);
      if (group.chunkUuid !== null) best.step.chunkUuids.add(group.chunkUuid);
      steps.set(key, best);
    }
  }
  return [...steps.values()].map(({ step }) => step);
}

/** All paths of one or two steps from the named entities, best first. */
export function rankPaths(steps: readonly Step[], weighing: PathWeighing): GraphPath[] {
  const ends = new Map<string, Step[]>();
  for (const step of steps) {
    const { sourceEntity, targetEntity } = step.group;
    for (const end of new Set([sourceEntity, targetEntity])) addToList(ends, end, step);
  }
  const scoreOf = pathScorer(steps, weighing);
  const placeOf = new Map(weighing.named.map(({ id, first }) => [id, first]));
  const paths = new Map<string, GraphPath>();
  const add = (found: readonly Step[], from: MeantEntity, to: string) => {
    const key = found
      .map(({ relation }) => relation.id)
      .sort()
      .join();
    const score = scoreOf(found, from, to);
    if (score > (paths.get(key)?.score ?? 0)) paths.set(key, { steps: found, score });
  };
  for (const from of weighing.named) {
    for (const step of (ends.get(from.id) ?? []).slice(0, stepsFromNamedMax)) {
      const middle = otherEnd(step, from.id);
      add([step], from, middle);
      for (const next of (ends.get(middle) ?? []).slice(0, stepsFromOthersMax)) {
        const to = otherEnd(next, middle);
        const isElsewhere = to !== from.id && to !== middle && placeOf.get(to) !== from.first;
        if (next !== step && middle !== from.id && isElsewhere) add([step, next], from, to);
      }
    }
  }
  return [...paths.values()].sort((a, b) => b.score - a.score || (keyOf(a) < keyOf(b) ? -1 : 1));
}

/** The entity that a step leads to. */
function otherEnd({ group }: Step, from: string): string {
  return group.sourceEntity === from ? group.targetEntity : group.sourceEntity;
}

/** Makes the function that scores a path from one entity to another, from 0 to 1. */
function pathScorer(
  steps: readonly Step[],
  { named, terms, hits }: PathWeighing,
): (path: readonly Step[], from: MeantEntity, to: string) => number {
  const strengths = new Map(named.map(({ id, strength }) => [id, strength]));
  const times = steps.map(({ group }) => group.statedAt.getTime());
  const earliest = Math.min(...times);
  const span = Math.max(...times) - earliest;
  const answered = (path: readonly Step[]) =>
    terms.size === 0
      ? 0
      : [...terms].filter((term) => path.some((step) => step.terms.has(term))).length / terms.size;
  const bestHit = (step: Step) => Math.max(0, ...[...step.chunkUuids].map((id) => hits.get(id) ?? 0));
  return (path, from, to) => {
    const [first] = path;
    if (!first) return 0;
    const words = answered(path);
    const recency = mean(path, ({ group }) =>
      span === 0 ? 1 : (group.statedAt.getTime() - earliest) / span,
    );
    const share = baseShare + termsShare * words + hitsShare * mean(path, bestHit) + recencyShare * recency;
    const sure = Math.sqrt(path.reduce((product, { relation }) => product * relation.confidence, 1));
    const target = strengths.get(to);
    const meant = target === undefined ? oneNamed * from.strength : (from.strength + target) / 2;
    const further = path.length === 1 ? 1 : secondStep;
    const unasked = path.length > 1 && target === undefined && words <= answered([first]) ? unaskedStep : 1;
    return Math.min(1, meant * sure * share * further * unasked);
  };
}

function mean(path: readonly Step[], of: (step: Step) => number): number {
  return path.reduce((sum, step) => sum + of(step), 0) / path.length;
}

function rankOf(
  { statedAt, chunkUuid }: FoundGroup,
  { confidence, context, anchored }: KeptRelation,
): number {
  const shown = (chunkUuid === null || anchored ? 0 : 2) + (context === '' ? 0 : 1);
  return 10 * confidence + shown + statedAt.getTime() / 1e15;
}

function saidBy(
  { source, target }: FoundGroup,
  { predicate, raw }: KeptRelation,
): Pick<Step, 'plain' | 'said'> {
  const plain = new Set(analyze(`${predicate.replaceAll('_', ' ')} ${source.name} ${target.name}`));
  return { plain, said: new Set([...plain, ...analyze(withOtherForm(raw))]) };
}

/** The sentence that states a relation, and what its ends are. */
function statedBy({ source, target }: FoundGroup, { context }: KeptRelation): string {
  return `${source.type} ${target.type} ${context}`;
}

function keyOf({ steps }: GraphPath): string {
  return steps.map(({ relation }) => relation.id).join();
}
