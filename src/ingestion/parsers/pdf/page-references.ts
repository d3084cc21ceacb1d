import { rowsOf, type Segment } from './segments.js';

/** `capstan, 18, 22-24` */
const indexEntry = /\p{L}.*[,\s]\d{1,4}(?:[-–]\d{1,4})?(?:, \d{1,4}(?:[-–]\d{1,4})?)*$/u;
const indexShareMin = 0.5;
/** Dots that lead from a title to its page number. */
const leader = /(?:[.·…_] ?){6,}$/;
const pageNumber = /^(?:\d{1,4}|[ivxlc]{1,7}|[A-Z]-?\d{1,3})$/;
/** `2`, `2.1.`, `A.3` */
const titleNumber = /^(?:\d{1,3}|\p{Lu})(?:\.\d{1,3})*\.?$/u;
/** A multiple of the type size: the number of a title does not stand further from it. */
const numberGapMax = 6;

/** Whether lines are mostly entries of an index: columns of these are no table. */
export function areOfIndex(lines: readonly { readonly text: string }[]): boolean {
  const entries = lines.filter(({ text }) => indexEntry.test(text));
  return entries.length > 1 && entries.length >= lines.length * indexShareMin;
}

/**
 * The pieces of a page, in which each line of a table of contents with dots is one piece: its number, its title and its
 * page are no columns.
 */
export function withContents(segments: readonly Segment[]): Segment[] {
  if (!segments.some(({ text }) => leader.test(text))) return [...segments];
  return rowsOf(segments).flatMap((row) => {
    const at = row.findIndex(({ text }) => leader.test(text));
    const [page, ...others] = at < 0 ? [] : row.slice(at + 1);
    if (!page || others.length > 0 || !pageNumber.test(page.text)) return row;
    const start = startOf(row, at);
    return [...row.slice(0, start), joined(row.slice(start))];
  });
}

/** Where the line begins whose dots are in the piece at an index. */
function startOf(row: readonly Segment[], at: number): number {
  let start = at;
  if (!/\p{L}/u.test(row[at]?.text ?? '')) start = Math.max(0, at - 1);
  const [before, first] = [row[start - 1], row[start]];
  const isNumber = before !== undefined && titleNumber.test(before.text);
  return isNumber && first && first.x - before.x - before.width < numberGapMax * first.size
    ? start - 1
    : start;
}

function joined(pieces: readonly Segment[]): Segment {
  const main = pieces.reduce((best, each) => (each.text.length > best.text.length ? each : best));
  const x = Math.min(...pieces.map((each) => each.x));
  const right = Math.max(...pieces.map((each) => each.x + each.width));
  const text = pieces.map((each) => each.text).join(' ');
  return { ...main, x, width: right - x, text: text.replace(/\s*(?:[.·…_] ?){6,}\s*/, ' '), isEntry: true };
}
