import { reasonOf } from '../../lib/reason-of.js';

/**
 * Runs parts of the work on a graph; one that fails is left out, and the others stay. Whatever a text does to
 * a rule, its item is found.
 */
export class Guard {
  /** Why something was left out: the first failure. */
  problem: string | undefined;

  run<Result>(work: () => Result, otherwise: Result): Result {
    try {
      return work();
    } catch (error) {
      this.problem ??= reasonOf(error);
      return otherwise;
    }
  }
}
