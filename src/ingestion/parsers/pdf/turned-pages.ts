import type { PageOrientationCorrection, ParsedPage, TextItem } from '@llamaindex/liteparse';
import { lettersOf } from './tables.js';

const angles = [0, 90, 180, 270] as const;
/** In degrees, because scans are slightly askew. */
const slantMax = 10;
/** A page with fewer letters is a drawing whose axes are named. */
const lettersMin = 40;

/**
 * Pages most of whose text lies on its side or upside down, each with how it has to be turned: for tables that are too
 * wide for a page, for example. The library parts the words of such text at random, and finds no tables in it.
 */
export function turnedPages(pages: readonly ParsedPage[]): PageOrientationCorrection[] {
  return pages.flatMap(({ pageNum, textItems }) => {
    const angle = mainAngle(textItems);
    return angle === 0 ? [] : [{ page: pageNum, angle }];
  });
}

function mainAngle(items: readonly TextItem[]): PageOrientationCorrection['angle'] {
  const letters = { 0: 0, 90: 0, 180: 0, 270: 0 };
  let all = 0;
  for (const { text, rotation = 0 } of items) {
    const count = lettersOf(text).length;
    const quarter = Math.round(rotation / 90);
    all += count;
    if (Math.abs(rotation - quarter * 90) <= slantMax) letters[angles[quarter & 3] ?? 0] += count;
  }
  if (all < lettersMin) return 0;
  return angles.find((angle) => letters[angle] * 2 > all) ?? 0;
}
