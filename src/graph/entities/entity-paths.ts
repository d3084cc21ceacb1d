import { addToList } from '../../lib/add-to-list.js';

/**
 * Finds pairs of related entities of which `from` is among those given. In a
 * fixed order, and limited in number.
 */
type FindSteps = (entities: readonly string[]) => Promise<readonly { from: string; to: string }[]>;

export interface PathSearch {
  readonly from: string;
  readonly to: string;
  readonly lengthMax: number;
  readonly pathsMax: number;
  /** The search stops when it has reached more entities than this. */
  readonly entitiesMax: number;
}

/** One direction of the search: the entities that it has reached, and from which others. */
class Side {
  readonly parents = new Map<string, string[]>();
  frontier: readonly string[];

  constructor(start: string) {
    this.parents.set(start, []);
    this.frontier = [start];
  }

  async expand(findSteps: FindSteps): Promise<void> {
    const next = new Map<string, string[]>();
    for (const { from, to } of await findSteps(this.frontier)) {
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
 * The shortest paths between two entities, each a list of entities, and whether the search was given up. It
 * searches from both ends and extends the smaller side first. Each side then sees only about the square
 * root of what a search from one end would.
 */
export async function findPaths(
  { from, to, lengthMax, pathsMax, entitiesMax }: PathSearch,
  findSteps: FindSteps,
): Promise<{ paths: string[][]; isTruncated: boolean }> {
  if (from === to) return { paths: [], isTruncated: false };
  const [start, end] = [new Side(from), new Side(to)];
  for (let length = 1; length <= lengthMax; length += 1) {
    const [near, far] = start.frontier.length <= end.frontier.length ? [start, end] : [end, start];
    await near.expand(findSteps);
    const met = near.frontier.filter((entity) => far.parents.has(entity));
    if (met.length > 0) return { paths: join(met, start, { end, pathsMax }), isTruncated: false };
    if (near.frontier.length === 0) return { paths: [], isTruncated: false };
    if (start.parents.size + end.parents.size > entitiesMax) return { paths: [], isTruncated: true };
  }
  return { paths: [], isTruncated: false };
}

function join(
  met: readonly string[],
  start: Side,
  { end, pathsMax }: { end: Side; pathsMax: number },
): string[][] {
  const paths: string[][] = [];
  for (const entity of met) {
    for (const back of start.waysBack(entity, pathsMax)) {
      for (const [, ...onward] of end.waysBack(entity, pathsMax - paths.length)) {
        if (paths.length < pathsMax) paths.push([...[...back].reverse(), ...onward]);
      }
    }
  }
  return paths;
}
