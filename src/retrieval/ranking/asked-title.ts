import { headingsOf } from '../../ingestion/chunking/chunk-headings.js';
import { fold } from '../../text/fold.js';
import { stopWords } from '../../text/stop-words.js';
import type { ChunkRow } from '../found-chunks.queries.js';
import type { FusedHit } from './fusion.js';
import { comparedMax } from './standing.js';

const betweenWords = /[^\p{L}\p{M}\p{N}]+/gu;
const fileExtension = /\.[a-z]\w{1,4}$/i;
// "Mercury (planet)": it tells a title from others, and queries leave it out.
const qualifier = /(?<=\S)\s*\([^()]*\)\s*$/;
const queryCharactersMax = 300;
const titleLineCharactersMax = 80;
// A name that makes up a third of the query's words brings the seventh hit to the first place. nDCG@10 of hotpotqa is
// .912 (.871 without, .905 with 4), of musique .747 (.722, .743), of claims about entries of a dictionary .543
// (.524, .542); of 14 sets where hardly any text is named, the most that one loses is .002. A factor of 8 gains
// .005 more where titles are names, and less elsewhere.
const namedFactor = 6;
const placesBefore = 3;

/**
 * Lifts the best chunk of each item that the query names by its title, its first heading, or the line that it
 * begins with: the more, the more of the query's words are that name. What is called like the whole query
 * comes first. A text that only mentions a title has as many of its words, and may be nearer in meaning. Only
 * hits whose rows have been read are considered.
 */
export function askedByTitle(
  hits: readonly FusedHit[],
  rows: ReadonlyMap<string, ChunkRow>,
  query: string,
): readonly FusedHit[] {
  const asked = query.length <= queryCharactersMax ? wordsOf(query) : '';
  if (asked === '') return hits;
  const items = new Set<string>();
  const placed = hits.map((hit, place) => {
    const row = rows.get(hit.id);
    const share = row && !items.has(row.sourceUid) ? nameShare(asked, row) : 0;
    if (row && share > 0) items.add(row.sourceUid);
    const factor = place < comparedMax ? 1 + namedFactor * share : 1;
    return { hit, worth: share === 1 ? Number.MAX_VALUE : factor / (place + placesBefore) };
  });
  if (items.size === 0) return hits;
  // Each place keeps its score, so that scores fall in the order of the hits.
  return placed
    .sort((a, b) => b.worth - a.worth)
    .map(({ hit }, place) => ({ ...hit, score: hits[place]?.score ?? hit.score }));
}

/** The greatest share of the words of a query that a name of an item makes up in it, 0 to 1. */
function nameShare(asked: string, row: ChunkRow): number {
  const titles = [
    row.title,
    row.title.replace(fileExtension, ''),
    ...headingsOf(row).slice(0, 1),
    titleLineOf(row),
  ];
  const names = new Set(titles.flatMap((title) => [title, title.replace(qualifier, '')]));
  return Math.max(...[...names].map((name) => shareOf(asked, wordsOf(name))));
}

/** The line above a text that has no other title. */
function titleLineOf({ content, layout }: ChunkRow): string {
  const end = content.indexOf('\n');
  return layout['position'] === 0 && end <= titleLineCharactersMax ? content.slice(0, Math.max(0, end)) : '';
}

function shareOf(asked: string, name: string): number {
  if (name === asked) return 1;
  if (name === '' || !` ${asked} `.includes(` ${name} `)) return 0;
  return tellingWords(name) / Math.max(1, tellingWords(asked));
}

function tellingWords(text: string): number {
  return new Set(text.split(' ').filter((word) => !stopWords.has(word))).size;
}

function wordsOf(text: string): string {
  return fold(text).replace(betweenWords, ' ').trim();
}
