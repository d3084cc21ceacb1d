import type { LayoutBlock } from '@llamaindex/liteparse';
import { isFigure } from '../tables/figures.js';
import { rowsOfBlock } from './block-rows.js';
import type { BlockRow, CellPlace } from './block-rows.js';
import type { Segment } from './segments.js';

/** In points: a text that reaches less far into a cell only touches it. */
const reachMin = 2;
/** A share of a table's width: titles are not further from its middle. */
const offCentreMax = 0.1;

/**
 * A table whose rows of one text over several columns are a single cell. The library cuts it where the columns meet:
 * `All programmes end | at 60 °C.`
 */
export function withMergedRows(block: LayoutBlock, segments: readonly Segment[]): LayoutBlock {
  const whole = withoutTitleRow(block, segments);
  const [first, ...others] = whole.rows ?? [];
  if (!first) return whole;
  const merged = (row: BlockRow): BlockRow => {
    const [cell, text] = [row[0], textOver(row, segments)?.text];
    return cell && text !== undefined ? [{ ...cell, text }] : row;
  };
  return { ...whole, rows: [whole.header?.length ? merged(first) : first, ...others.map(merged)] };
}

/**
 * A table without a first row of one text over all columns, which says what the table is about and stays text above it.
 * What names a group of columns is not in the middle of the table.
 */
function withoutTitleRow(block: LayoutBlock, segments: readonly Segment[]): LayoutBlock {
  const [first, ...rows] = rowsOfBlock(block);
  const title = first && textOver(first, segments);
  const y = rows[0]?.[0]?.bbox?.y;
  if (!title || !block.bbox || y === undefined || rows.length < 2) return block;
  const offCentre = title.x + title.width / 2 - block.bbox.x - block.bbox.width / 2;
  if (Math.abs(offCentre) > offCentreMax * block.bbox.width) return block;
  const bbox = { ...block.bbox, y, height: block.bbox.y + block.bbox.height - y };
  return { ...block, bbox, header: [], rows };
}

/** The one text that stands over all filled cells of a row. */
function textOver(row: BlockRow, segments: readonly Segment[]): Segment | undefined {
  const texts = row.map(({ text }) => text).filter((text) => text !== '');
  if (texts.length < 2 || texts.some(isFigure)) return undefined;
  const [whole, ...more] = wholeTexts(row, segments);
  return whole && more.length === 0 && reached(whole, placesOf(row)) >= texts.length ? whole : undefined;
}

/** The texts in the place of a row, as they are written; none when the place of a cell is not known. */
function wholeTexts(row: BlockRow, segments: readonly Segment[]): Segment[] {
  const places = placesOf(row);
  const [first] = places;
  if (!first || places.length < row.length) return [];
  const beside = segments.filter((segment) => isBeside(segment, first));
  return beside.filter((segment) => reached(segment, places) > 0);
}

function placesOf(row: BlockRow): CellPlace[] {
  return row.flatMap(({ bbox }) => bbox ?? []);
}

function reached(segment: Segment, places: readonly CellPlace[]): number {
  return places.filter((place) => reaches(segment, place)).length;
}

function isBeside({ y, height }: Segment, place: CellPlace): boolean {
  const middle = y + height / 2;
  return middle >= place.y && middle <= place.y + place.height;
}

function reaches({ x, width }: Segment, place: CellPlace): boolean {
  return Math.min(x + width, place.x + place.width) - Math.max(x, place.x) > reachMin;
}
