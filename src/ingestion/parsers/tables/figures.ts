/** A range from `left` up to, not including, `right`: in points of a page, or in columns. */
export interface Span {
  readonly left: number;
  readonly right: number;
}

const number = /^[-+(–—−\s]*[$€£¥]?[-+(–—−\s]*\d[\d.,'’\s]*[)\s]*(?:%|x|bps|pts?)?\)?$/;
const missing = /^(?:[-–—−*]{1,3}|n\.?[/.]?[am]\.?)$/i;
const year = /^(?:FY\s?)?(?:19|20)\d\d\s?[AEFPR*]?$/;
const signBefore = /^[$€£¥]$/;
const signBehind = /^[)%]{1,2}$/;

/** Whether a text is a number as accounts write it, such as `(1,204)`, or a sign for a missing one. */
export function isFigure(text: string): boolean {
  return number.test(text) || missing.test(text);
}

/** Whether a text names a column of figures by its year: `2024`, `FY 2025E`. */
export function isYear(text: string): boolean {
  return year.test(text);
}

/** Whether a text alone in its cell continues the number in the cell before: `$` and `12`, `(4` and `)`. */
export function continuesFigure(before: string, text: string): boolean {
  return (signBefore.test(before) && isFigure(text)) || (isFigure(before) && signBehind.test(text));
}

/** Whether two spans have any place in common; to touch is not enough. */
export function overlaps(one: Span, other: Span): boolean {
  return one.left < other.right && other.left < one.right;
}

/** Merges spans that overlap; the result is ordered from left to right. */
export function joinSpans(spans: readonly Span[]): Span[] {
  const joined: Span[] = [];
  for (const span of [...spans].sort((a, b) => a.left - b.left)) {
    const before = joined.at(-1);
    if (before && overlaps(before, span))
      joined[joined.length - 1] = { left: before.left, right: Math.max(before.right, span.right) };
    else joined.push(span);
  }
  return joined;
}
