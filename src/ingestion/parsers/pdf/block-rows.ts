import type { LayoutBlock } from '@llamaindex/liteparse';

export type BlockRow = NonNullable<LayoutBlock['rows']>[number];
export type CellPlace = NonNullable<BlockRow[number]['bbox']>;

/** The rows of a table that the library has found, its header first. */
export function rowsOfBlock({ header, rows = [] }: LayoutBlock): readonly BlockRow[] {
  return header?.length ? [header, ...rows] : rows;
}
