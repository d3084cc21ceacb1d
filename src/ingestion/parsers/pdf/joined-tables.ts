import type { LayoutBlock } from '@llamaindex/liteparse';
import { rowsOfBlock } from './block-rows.js';
import type { BlockRow } from './block-rows.js';

/** In points: how far the cells of a column may be from a common edge. */
const edgeTolerance = 2;
/** A share of the step from row to row. */
const stepTolerance = 0.15;

/**
 * Joins tables that continue each other: where rows stand far apart, the library takes each two of them for a table.
 * The next begins one step below the last row, in the same columns.
 */
export function withJoinedTables(blocks: readonly LayoutBlock[]): LayoutBlock[] {
  const joined: LayoutBlock[] = [];
  for (const block of blocks) {
    const above = joined.at(-1);
    if (above && continues(above, block)) joined[joined.length - 1] = joinedTable(above, block);
    else joined.push(block);
  }
  return joined;
}

function continues(above: LayoutBlock, below: LayoutBlock): boolean {
  if (above.kind !== 'table' || below.kind !== 'table' || below.header?.length) return false;
  const [rows, others] = [rowsOfBlock(above), rowsOfBlock(below)];
  const [last, next] = [rows.at(-1), others[0]];
  if (!last || !next || last.length !== next.length || last.length < 2) return false;
  const step = stepBetween(rows.at(-2), last) ?? stepBetween(next, others[1]);
  const between = stepBetween(last, next);
  if (step === undefined || between === undefined) return false;
  return (
    Math.abs(between - step) <= stepTolerance * step && last.every((cell, at) => isBelow(cell, next[at]))
  );
}

function stepBetween(row: BlockRow | undefined, next: BlockRow | undefined): number | undefined {
  const [one, other] = [row?.[0]?.bbox, next?.[0]?.bbox];
  return one && other ? other.y + other.height / 2 - one.y - one.height / 2 : undefined;
}

function isBelow({ bbox: one }: BlockRow[number], cell: BlockRow[number] | undefined): boolean {
  const other = cell?.bbox;
  if (!one || !other) return false;
  const edges = [one.x - other.x, one.x + one.width - other.x - other.width];
  return edges.some((distance) => Math.abs(distance) <= edgeTolerance);
}

function joinedTable(above: LayoutBlock, below: LayoutBlock): LayoutBlock {
  const rows = [...(above.rows ?? []), ...(below.rows ?? [])];
  const [one, other] = [above.bbox, below.bbox];
  if (!one || !other) return { ...above, rows };
  const x = Math.min(one.x, other.x);
  const right = Math.max(one.x + one.width, other.x + other.width);
  const bbox = { x, y: one.y, width: right - x, height: other.y + other.height - one.y };
  return { ...above, rows, bbox };
}
