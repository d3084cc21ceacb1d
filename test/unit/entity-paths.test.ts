import { expect, test } from '@jest/globals';
import { findPaths } from '../../src/graph/entities/entity-paths.js';
import type { StepFinder } from '../../src/graph/entities/entity-paths.js';
import { Random } from '../support/random.js';

const search = { from: 'a', to: 'z', lengthMax: 4, pathsMax: 10, entitiesMax: 100 };

/** Steps along edges such as `ab`; of more than `stepsMax` from some entities nobody tells. */
function stepsAlong(edges: readonly string[], stepsMax = Infinity): StepFinder {
  const steps = edges.flatMap(([a = '', b = '']) => [
    { from: a, to: b },
    { from: b, to: a },
  ]);
  const from = (entities: readonly string[]) => steps.filter((step) => entities.includes(step.from));
  return {
    from: async (entities) => (from(entities).length > stepsMax ? undefined : from(entities)),
    between: async (near, far) => from(near).filter(({ to }) => far.includes(to)),
    across: async (near, far) => {
      const isShared = ({ to }: { to: string }) =>
        [near, far].every((ends) => from(ends).some((step) => step.to === to));
      return { near: from(near).filter(isShared), far: from(far).filter(isShared) };
    },
  };
}

/** The shortest ways between two entities, by trying all that there are. */
function allShortest(
  edges: readonly string[],
  { from, to, lengthMax }: { from: string; to: string; lengthMax: number },
): string[] {
  let ways = [from];
  for (let length = 1; length <= lengthMax; length += 1) {
    ways = ways.flatMap((way) =>
      edges.flatMap((edge) => {
        const [a = '', b = ''] = edge;
        return [a + b, b + a].flatMap(([here, next = '']) =>
          here === way.at(-1) && !way.includes(next) ? [way + next] : [],
        );
      }),
    );
    const arrived = [...new Set(ways.filter((way) => way.endsWith(to)))];
    if (arrived.length > 0) return arrived.sort();
  }
  return [];
}

test('paths are all of the shortest, up to as many as are wanted', async () => {
  const steps = stepsAlong(['ab', 'ac', 'bd', 'cd', 'dz', 'ae', 'ef', 'fg', 'gz']);
  const { paths } = await findPaths(search, steps);
  expect(paths.map((path) => path.join('')).sort()).toEqual(['abdz', 'acdz']);
  expect((await findPaths({ ...search, pathsMax: 1 }, steps)).paths).toHaveLength(1);
  expect((await findPaths({ ...search, lengthMax: 2 }, steps)).paths).toEqual([]);
});

test('paths are given up where too much is connected, which is said', async () => {
  const edges = Array.from({ length: 200 }, (_, n) => `a${String.fromCharCode(1000 + n)}`);
  const others = Array.from({ length: 200 }, (_, n) => `z${String.fromCharCode(2000 + n)}`);
  const answer = await findPaths(search, stepsAlong([...edges, ...others]));
  expect(answer).toEqual({ paths: [], isTruncated: true });
});

test('paths are the shortest, complete unless they are said not to be, and never missed within two steps', async () => {
  const random = new Random(11);
  const letters = 'abcdefgz';
  const letter = () => letters.charAt(random.below(letters.length));
  for (let round = 0; round < 3000; round += 1) {
    const pairs = Array.from({ length: random.below(16) }, () => [letter(), letter()].sort().join(''));
    const edges = [...new Set(pairs)].filter(([a, b]) => a !== b);
    const [lengthMax, pathsMax] = [1 + random.below(5), 1 + random.below(5)];
    const wanted = { ...search, lengthMax, pathsMax, entitiesMax: 2 + random.below(12) };
    const found = await findPaths(wanted, stepsAlong(edges, 1 + random.below(10)));
    const paths = found.paths.map((path) => path.join(''));
    const expected = allShortest(edges, wanted);
    const [nearest = ''] = expected;
    expect({ edges, wanted, odd: paths.filter((path) => !expected.includes(path)) }).toMatchObject({
      odd: [],
    });
    expect(new Set(paths).size).toBe(paths.length);
    const isWhole = paths.length === Math.min(pathsMax, expected.length);
    expect({ edges, wanted, isAsSaid: isWhole || found.isTruncated }).toMatchObject({ isAsSaid: true });
    if (nearest.length > 0 && nearest.length <= 3) expect(paths.length).toBeGreaterThan(0);
  }
});
