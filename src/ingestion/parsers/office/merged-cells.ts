const fillsMax = 1_000_000;

/** A range of cells, its ends included; rows and columns count from 0. */
export interface MergedCells {
  readonly s: { readonly r: number; readonly c: number };
  readonly e: { readonly r: number; readonly c: number };
}

/**
 * Repeats a cell that is merged over several rows in each of them, so that every row can be understood alone.
 * Returns, by row, how many columns its widest cell covers, if more than one.
 */
export function fillMerged(
  merges: readonly MergedCells[],
  rows: ReadonlyMap<number, (string | undefined)[]>,
): ReadonlyMap<number, number> {
  const widths = new Map<number, number>();
  let fills = 0;
  for (const { s, e } of merges) {
    const text = rows.get(s.r)?.[s.c];
    if (text === undefined) continue;
    if (e.c > s.c) widths.set(s.r, Math.max(widths.get(s.r) ?? 1, e.c - s.c + 1));
    for (let row = s.r + 1; row <= e.r && fills < fillsMax; row += 1, fills += 1) {
      const cells = rows.get(row);
      if (cells && cells[s.c] === undefined) cells[s.c] = text;
    }
  }
  return widths;
}
