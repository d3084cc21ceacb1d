/** The terms of a query by which chunks are chosen for scoring. */
export interface Nominators {
  /** A chunk must contain one of these to be scored. */
  readonly nominators: readonly number[];
  /** Terms that may nominate, rarest first, each with the number of the store's chunks that contain it. */
  readonly rarestFirst: readonly (readonly [term: number, chunks: number])[];
}

// How many chunks the rarer terms of a query may nominate for scoring.
const nominatedChunksMin = 2000;
const nominatedShareMax = 0.05;
// Scoring takes some 2 µs a chunk: with a share alone, a million chunks would take ten times as long as 100,000.
const nominatedChunksMax = 10_000;
// How many times more chunks the next terms may nominate.
const widening = 4;

/**
 * Chooses among terms that may nominate. `here` says how many chunks of the store contain each, `chunks` how
 * many are searched.
 */
export function nominatorsOf(
  nominating: readonly number[],
  here: ReadonlyMap<number, number>,
  chunks: number,
): Nominators {
  const rarestFirst = nominating
    .map((term) => [term, here.get(term) ?? 0] as const)
    .filter(([, frequency]) => frequency > 0)
    .sort(([, a], [, b]) => a - b);
  const budget = Math.min(Math.max(nominatedChunksMin, chunks * nominatedShareMax), nominatedChunksMax);
  return { nominators: chooseNominators(rarestFirst, budget), rarestFirst };
}

/** The rarest terms that together nominate few enough chunks; at least one. All terms take part in scoring. */
function chooseNominators(rarestFirst: Nominators['rarestFirst'], budget: number): number[] {
  let nominated = 0;
  return rarestFirst
    .filter(([, frequency], index) => {
      nominated += frequency;
      return index === 0 || nominated <= budget;
    })
    .map(([term]) => term);
}

/** The query with at least one more nominator, and others that nominate few. Undefined when all nominate. */
export function withMoreNominators<Query extends Nominators>(query: Query): Query | undefined {
  const { rarestFirst, nominators } = query;
  if (nominators.length >= rarestFirst.length) return undefined;
  const nominated = (count: number) =>
    rarestFirst.slice(0, count).reduce((sum, [, chunks]) => sum + chunks, 0);
  const wider = chooseNominators(rarestFirst, nominated(nominators.length + 1) * widening);
  return { ...query, nominators: wider };
}
