import { termId } from '../../text/analyzer.js';
import type { AnalyzedQuery } from '../../text/analyzer.js';
import type { ItemHit } from './keyword-lane.queries.js';
import type { TermStatistics } from './lanes.queries.js';

// Letters before digits (E15, ERR-4042 without its hyphen), digits on both sides of letters (3f2a9), or so many digits that they count nothing.
const codePattern = /^(?:\p{L}[\p{L}_]*\d[\p{L}\d_.:/#]*|\d+\p{L}+\d[\p{L}\d]*|\d{5,})$/u;
// Quarters, halves, years and weeks say when.
const period = /^(?:q[1-4]|[1-4]q|h[12]|w\d{1,2}|(?:[qh][1-4])?(?:fy|cy)?(?:\d{2}|\d{4})e?)$/;
// What more chunks hold is a name of what all of them are about.
const rareChunksMax = 10;
const rareShareMax = 0.02;
const rareInFewMax = 2;
// So far ahead no other lane brings what lacks a code before what holds it.
const liftShare = 2;

/** The codes and numbers of a query that few chunks hold: who writes one asks for these. */
export function rareCodes({ written }: AnalyzedQuery, { chunks, frequencies }: TermStatistics): number[] {
  const most = Math.max(rareInFewMax, Math.min(rareChunksMax, chunks * rareShareMax));
  return [...written]
    .filter(([, word]) => codePattern.test(word) && !period.test(word))
    .map(([term]) => termId(term))
    .filter((id) => (frequencies.get(id) ?? 0) > 0 && (frequencies.get(id) ?? 0) <= most);
}

/** Hits with those first that hold more of these codes, whatever the length of their texts makes of their scores. */
export function codesFirst<Hit extends Pick<ItemHit, 'score' | 'terms'>>(
  hits: readonly Hit[],
  codes: ReadonlySet<number>,
): Hit[] {
  if (codes.size === 0) return [...hits];
  const held = hits.map(({ terms }) => terms.filter((term) => codes.has(term)).length);
  const lift = liftShare * Math.max(0, ...hits.map(({ score }) => score));
  return hits.map((hit, index) => ({ ...hit, score: hit.score + lift * (held[index] ?? 0) }));
}
