/** By how many degrees, clockwise, a page is turned. */
export type Angle = 0 | 90 | 180 | 270;

/** A sheet lies on its side more often than on its head. */
const likeliestFirst: readonly Angle[] = [90, 270, 180];
const inVainMax = 3;

/**
 * Decides how to turn pages of a file that have no text as they lie: first in the way of the last one that
 * was turned.
 */
export class Turns {
  private last: Angle | undefined;
  private inVain = 0;

  /** Nothing any more after a few pages that gave no text however they were turned: drawings, or writing by hand. */
  worthTrying(): readonly Angle[] {
    if (this.inVain >= inVainMax) return [];
    const { last } = this;
    return last === undefined ? likeliestFirst : [last, ...likeliestFirst.filter((angle) => angle !== last)];
  }

  /** How a page lay in the end that had to be tried. */
  note(angle: Angle): void {
    if (angle === 0) {
      this.inVain += 1;
      return;
    }
    this.last = angle;
    this.inVain = 0;
  }
}
