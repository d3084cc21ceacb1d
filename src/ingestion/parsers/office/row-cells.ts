import type { DocumentCell, DocumentRow } from './document-table.js';

/** A cell as the definition of its row has it. */
export interface RowCell {
  /** Where it ends, in twips. */
  readonly right: number;
  /** Whether the cell above reaches down into it. */
  readonly isContinued: boolean;
}

/** A row of cells with one column each, and their definitions. */
export interface PlacedRow {
  readonly cells: readonly DocumentCell[];
  readonly isHeader: boolean;
  readonly places: readonly RowCell[];
}

/** In twips: cells that end less far from each other end together. */
const edgeTolerance = 40;

/**
 * Rows whose cells have the columns that they cover, as their ends tell. Rows of equally many cells have one
 * column for each, however they end.
 */
export function columnsByEdges(rows: readonly PlacedRow[]): DocumentRow[] {
  const isGrid = rows.every(({ cells }) => cells.length === rows[0]?.cells.length);
  const isPlaced = rows.every(({ cells, places }) => places.length >= cells.length);
  const edges = isGrid || !isPlaced ? [] : edgesOf(rows);
  return rows.map(({ cells, isHeader, places }) => {
    let before = 0;
    const spanning = cells.map((cell, index) => {
      const right = places[index]?.right ?? 0;
      const until = edges.findLastIndex((edge) => edge <= right + edgeTolerance) + 1;
      const columns = Math.max(1, until - before);
      before = until;
      return { ...cell, columns, isContinued: places[index]?.isContinued === true };
    });
    return { cells: spanning, isHeader };
  });
}

function edgesOf(rows: readonly PlacedRow[]): number[] {
  const ends = rows.flatMap(({ cells, places }) => places.slice(0, cells.length).map(({ right }) => right));
  const sorted = [...new Set(ends)].sort((one, other) => one - other);
  return sorted.filter((edge, index) => edge - (sorted[index - 1] ?? -Infinity) > edgeTolerance);
}
