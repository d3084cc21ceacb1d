/** By how many degrees, clockwise, a page is turned. */
export type Angle = 0 | 90 | 180 | 270;

/** A sheet more often lies on its side than upside down. */
const likeliestFirst: readonly Angle[] = [90, 270, 180];
const inVainMax = 3;

/**
 * Decides how to turn pages of a file that have no text as they lie: first in the way of the last one that
 * was turned.
 */
export class Turns {
  private last: Angle | undefined;
  private inVain = 0;

  /**
   * The angles to try, likeliest first. None after three pages in a row that gave no better text in any
   * direction: drawings, or handwriting.
   */
  worthTrying(): readonly Angle[] {
    if (this.inVain >= inVainMax) return [];
    const { last } = this;
    return last === undefined ? likeliestFirst : [last, ...likeliestFirst.filter((angle) => angle !== last)];
  }

  /** Notes the angle that a page turned out to need; 0 when turning did not help. */
  note(angle: Angle): void {
    if (angle === 0) {
      this.inVain += 1;
      return;
    }
    this.last = angle;
    this.inVain = 0;
  }
}
