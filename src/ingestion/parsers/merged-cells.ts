const fillsMax = 1_000_000;

/** From a row and column to a row and column, all counted from 0 and included. */
export interface MergedCells {
  readonly s: { readonly r: number; readonly c: number };
  readonly e: { readonly r: number; readonly c: number };
}

/** A cell merged over several rows counts for each of them, so that no row is understood wrongly by itself. */
export function fillMerged(
  merges: readonly MergedCells[],
  rows: ReadonlyMap<number, (string | undefined)[]>,
): void {
  let fills = 0;
  for (const { s, e } of merges) {
    const text = rows.get(s.r)?.[s.c];
    if (text === undefined) continue;
    for (let row = s.r + 1; row <= e.r && fills < fillsMax; row += 1, fills += 1) {
      const cells = rows.get(row);
      if (cells && cells[s.c] === undefined) cells[s.c] = text;
    }
  }
}
