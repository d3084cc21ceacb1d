import { termId } from '../../text/analyzer.js';
import type { AnalyzedQuery } from '../../text/analyzer.js';
import type { ItemHit } from './keyword-lane.queries.js';
import type { TermStatistics } from './lanes.queries.js';

// Letters before digits (E15, ERR-4042 without its hyphen), digits on both sides of letters (3f2a9), or so
// many digits that they cannot be a count.
const codePattern = /^(?:\p{L}[\p{L}_]*\d[\p{L}\d_.:/#]*|\d+\p{L}+\d[\p{L}\d]*|\d{5,})$/u;
// Quarters, halves, years and weeks say when; they are no codes.
const period = /^(?:q[1-4]|[1-4]q|h[12]|w\d{1,2}|(?:[qh][1-4])?(?:fy|cy)?(?:\d{2}|\d{4})e?)$/;
// A code that more chunks hold is the name of something that all of them are about.
const rareChunksMax = 10;
const rareShareMax = 0.02;
const rareInFewMax = 2;
// This factor is so large that no other lane can put a chunk without the code before one that holds it.
const liftShare = 2;

/**
 * The codes and numbers of a query that only few chunks hold, as term ids: whoever writes one asks for these
 * chunks.
 */
export function rareCodes({ written }: AnalyzedQuery, { chunks, frequencies }: TermStatistics): number[] {
  const most = Math.max(rareInFewMax, Math.min(rareChunksMax, chunks * rareShareMax));
  return [...written]
    .filter(([, word]) => codePattern.test(word) && !period.test(word))
    .map(([term]) => termId(term))
    .filter((id) => (frequencies.get(id) ?? 0) > 0 && (frequencies.get(id) ?? 0) <= most);
}

/**
 * Raises the scores of hits by the number of these codes that they hold, so that hits with more codes win,
 * whatever the length of their texts. Returns new hits in the same order.
 */
export function codesFirst<Hit extends Pick<ItemHit, 'score' | 'terms'>>(
  hits: readonly Hit[],
  codes: ReadonlySet<number>,
): Hit[] {
  if (codes.size === 0) return [...hits];
  const held = hits.map(({ terms }) => terms.filter((term) => codes.has(term)).length);
  const lift = liftShare * Math.max(0, ...hits.map(({ score }) => score));
  return hits.map((hit, index) => ({ ...hit, score: hit.score + lift * (held[index] ?? 0) }));
}
