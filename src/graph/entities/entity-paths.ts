import { addToList } from '../../lib/add-to-list.js';

/** Two related entities. */
export interface Step {
  readonly from: string;
  readonly to: string;
}

/** Finds steps between entities, in a fixed order. */
export interface StepFinder {
  /** All steps of which `from` is among those given; undefined if they are too many to be read. */
  from(entities: readonly string[]): Promise<readonly Step[] | undefined>;
  /** Steps from one of some entities to one of others. */
  between(near: readonly string[], far: readonly string[]): Promise<readonly Step[]>;
  /** Steps from entities on either side to some entities that are related to both. */
  across(
    near: readonly string[],
    far: readonly string[],
  ): Promise<{ near: readonly Step[]; far: readonly Step[] }>;
}

export interface PathSearch {
  readonly from: string;
  readonly to: string;
  readonly lengthMax: number;
  readonly pathsMax: number;
  /** When the search has reached more entities than this, it goes on for two steps at most. */
  readonly entitiesMax: number;
}

export interface FoundPaths {
  readonly paths: string[][];
  readonly isTruncated: boolean;
}

/** One direction of the search: the entities that it has reached, and from which others. */
class Side {
  readonly parents = new Map<string, string[]>();
  frontier: readonly string[];
  /** Whether the frontier has more steps than can be read. */
  isWide = false;

  constructor(start: string) {
    this.parents.set(start, []);
    this.frontier = [start];
  }

  /** Takes all steps of the frontier; if there are too many, none of them. */
  async expand(steps: StepFinder): Promise<void> {
    const found = await steps.from(this.frontier);
    if (found) this.take(found);
    else this.isWide = true;
  }

  take(steps: readonly Step[]): void {
    const next = new Map<string, string[]>();
    for (const { from, to } of steps) {
      if (!this.parents.has(to)) addToList(next, to, from);
    }
    for (const [entity, parents] of next) this.parents.set(entity, parents);
    this.frontier = [...next.keys()].sort();
  }

  /** Up to `max` ways from an entity back to the start. */
  waysBack(entity: string, max: number): string[][] {
    const parents = this.parents.get(entity) ?? [];
    if (parents.length === 0) return [[entity]];
    const ways: string[][] = [];
    for (const parent of parents) {
      for (const way of this.waysBack(parent, max - ways.length)) ways.push([entity, ...way]);
      if (ways.length >= max) break;
    }
    return ways;
  }
}

/**
 * The shortest paths between two entities, each a list of entities, and whether some may be missing. It
 * searches from both ends and extends the smaller side first. Each side then sees only about the square
 * root of what a search from one end would. When too much is connected to go on so, the last two steps
 * are asked for at once.
 */
export async function findPaths(search: PathSearch, steps: StepFinder): Promise<FoundPaths> {
  const { from, to, lengthMax, pathsMax, entitiesMax } = search;
  if (from === to) return { paths: [], isTruncated: false };
  const [start, end] = [new Side(from), new Side(to)];
  for (let length = 1; length <= lengthMax; length += 1) {
    const isFull = start.parents.size + end.parents.size > entitiesMax;
    const near = isFull ? undefined : await expandOne(start, end, steps);
    if (!near) return lastSteps({ start, end }, { pathsMax, stepsMax: lengthMax - length + 1 }, steps);
    const paths = join(start, end, pathsMax);
    if (paths.length > 0 || near.frontier.length === 0) return { paths, isTruncated: false };
  }
  return { paths: [], isTruncated: false };
}

/** Extends the smaller side, or the other where it has too many steps; undefined if both have. */
async function expandOne(start: Side, end: Side, steps: StepFinder): Promise<Side | undefined> {
  const bySize = start.frontier.length <= end.frontier.length ? [start, end] : [end, start];
  for (const side of bySize) {
    if (!side.isWide) await side.expand(steps);
    if (!side.isWide) return side;
  }
  return undefined;
}

/** Joins two sides by one or two steps, though neither can be extended. */
async function lastSteps(
  { start, end }: { start: Side; end: Side },
  { pathsMax, stepsMax }: { pathsMax: number; stepsMax: number },
  steps: StepFinder,
): Promise<FoundPaths> {
  const [near, far] = [start.frontier, end.frontier];
  start.take(await steps.between(near, far));
  const direct = join(start, end, pathsMax);
  if (direct.length > 0 || stepsMax < 2) return { paths: direct, isTruncated: false };
  const found = await steps.across(near, far);
  start.take(found.near);
  end.take(found.far);
  const paths = join(start, end, pathsMax);
  return { paths, isTruncated: paths.length < pathsMax };
}

/** The paths that lead through where the two sides meet. */
function join(start: Side, end: Side, pathsMax: number): string[][] {
  const [near, far] = start.frontier.length <= end.frontier.length ? [start, end] : [end, start];
  const paths: string[][] = [];
  for (const entity of near.frontier) {
    if (!far.parents.has(entity)) continue;
    for (const back of start.waysBack(entity, pathsMax)) {
      for (const [, ...onward] of end.waysBack(entity, pathsMax - paths.length)) {
        if (paths.length < pathsMax) paths.push([...[...back].reverse(), ...onward]);
      }
    }
  }
  return paths;
}
