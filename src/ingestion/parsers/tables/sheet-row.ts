/** A row of a sheet. */
export interface SheetRow {
  /** Counted from 1 in the sheet. */
  readonly row: number;
  /** By column from 0; an array with holes. */
  readonly cells: readonly (string | undefined)[];
  /** How many columns the widest of its cells covers, if it is merged. */
  readonly widest?: number | undefined;
}

/** The columns in which a row has text. A wide row consists mostly of holes, so only what is there is visited. */
export function filledColumns(cells: SheetRow['cells']): number[] {
  return Object.keys(cells)
    .map(Number)
    .filter((column) => cells[column] !== undefined && cells[column] !== '');
}
