import type { LayoutBlock } from '@llamaindex/liteparse';
import { isFigure } from '../tables/figures.js';
import type { Segment } from './segments.js';

type Row = NonNullable<LayoutBlock['rows']>[number];
type Place = NonNullable<Row[number]['bbox']>;

/** In points: a text that reaches less far into a cell only touches it. */
const reachMin = 2;

/**
 * A table whose rows of one text over several columns are a single cell. The library cuts it where the columns meet:
 * `All programmes end | at 60 °C.`
 */
export function withMergedRows(block: LayoutBlock, segments: readonly Segment[]): LayoutBlock {
  const [first, ...others] = block.rows ?? [];
  if (!first) return block;
  const merged = (row: Row) => mergedRow(row, segments) ?? row;
  return { ...block, rows: [block.header?.length ? merged(first) : first, ...others.map(merged)] };
}

function mergedRow(row: Row, segments: readonly Segment[]): Row | undefined {
  const places = row.flatMap(({ bbox }) => bbox ?? []);
  const texts = row.map(({ text }) => text).filter((text) => text !== '');
  const [cell] = row;
  if (!cell || places.length < row.length || texts.length < 2 || texts.some(isFigure)) return undefined;
  const inside = segments.filter((segment) => places.some((each) => reaches(segment, each)));
  const [whole, ...more] = inside;
  if (!whole || more.length > 0 || reached(whole, places) < texts.length) return undefined;
  return [{ ...cell, text: whole.text }];
}

function reached(segment: Segment, places: readonly Place[]): number {
  return places.filter((place) => reaches(segment, place)).length;
}

function reaches({ x, y, width, height }: Segment, place: Place): boolean {
  const middle = y + height / 2;
  if (middle < place.y || middle > place.y + place.height) return false;
  return Math.min(x + width, place.x + place.width) - Math.max(x, place.x) > reachMin;
}
