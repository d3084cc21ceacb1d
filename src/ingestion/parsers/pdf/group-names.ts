import type { LayoutBlock } from '@llamaindex/liteparse';
import { isFigure } from '../tables/figures.js';
import { rowsOfBlock } from './block-rows.js';
import type { CellPlace } from './block-rows.js';
import type { Segment } from './segments.js';

/** A share of the narrower of a text and a column: what reaches into a column with less only touches it. */
const coveredMin = 0.2;

/**
 * A table whose columns are named in two rows, the first of which has names over several columns, with one row of
 * names: `Flow min | Flow max`. The library cuts such a name where the columns meet.
 */
export function withGroupNames(block: LayoutBlock, segments: readonly Segment[]): LayoutBlock {
  const [first, second, ...others] = rowsOfBlock(block);
  const places = first?.flatMap(({ bbox }) => bbox ?? []) ?? [];
  if (!first || !second || others.length === 0 || places.length < first.length) return block;
  const groups = new Map<number, string>();
  for (const segment of segments) {
    const columns = places.flatMap((place, column) => (covers(segment, place) ? [column] : []));
    if (columns.length > 1) for (const column of columns) groups.set(column, segment.text);
  }
  if (groups.size === 0) return block;
  const names = second.map((cell, column) => {
    const [above, own] = [first[column]?.text ?? '', cell.text];
    const group = groups.get(column);
    if (group !== undefined) return isName(own) ? `${group} ${own}` : undefined;
    // A name beside the groups stands in one of the rows.
    return above === '' || own === '' ? above || own : undefined;
  });
  if (names.length < first.length || !names.every((name) => name !== undefined && name !== '')) return block;
  const header = second.map((cell, column) => ({ ...cell, text: names[column] ?? '' }));
  return { ...block, header, rows: others };
}

function covers({ x, y, width, height }: Segment, place: CellPlace): boolean {
  const middle = y + height / 2;
  if (middle < place.y || middle > place.y + place.height) return false;
  const shared = Math.min(x + width, place.x + place.width) - Math.max(x, place.x);
  return shared > coveredMin * Math.min(width, place.width);
}

function isName(text: string): boolean {
  return /\p{L}/u.test(text) && !isFigure(text);
}
