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
/** In place of a share, for what is called like the whole query: it comes first from any place. */
const whole = 1e6;

/**
 * Puts first the best chunk of each item whose title, or first heading, is the query itself, and lifts that of
 * each item that the query names whole by its title, first heading, or the line that it begins with: the more,
 * the more of the query's words are that name. A text that only mentions the title has as many of its words,
 * and may be nearer in meaning. Only hits whose rows have been read are considered. With `wholeOnly` what is
 * called like a part of the query stays where it is.
 */
export function askedByTitle(
  hits: readonly FusedHit[],
  rows: ReadonlyMap<string, ChunkRow>,
  { query, wholeOnly }: { query: string; wholeOnly: boolean },
): readonly FusedHit[] {
  const asked = query.length <= queryCharactersMax ? wordsOf(query) : '';
  if (asked === '') return hits;
  const items = new Set<string>();
  const placed = hits.map((hit, place) => {
    const row = rows.get(hit.id);
    const namesPart = !wholeOnly && place < comparedMax;
    const share = row && !items.has(row.sourceUid) ? askedShare(asked, row, namesPart) : 0;
    if (row && share > 0) items.add(row.sourceUid);
    return { hit, worth: (1 + namedFactor * share) / (place + placesBefore) };
  });
  if (items.size === 0) return hits;
  // Each place keeps its score, so that scores fall in the order of the hits.
  return placed
    .sort((a, b) => b.worth - a.worth)
    .map(({ hit }, place) => ({ ...hit, score: hits[place]?.score ?? hit.score }));
}

/** How much of a query is a name of an item: `whole`, or the greatest share of its telling words, 0 to 1. */
function askedShare(asked: string, row: ChunkRow, namesPart: boolean): number {
  const [heading = ''] = headingsOf(row);
  const [title = '', file = ''] = [row.title, row.title.replace(fileExtension, '')].map(wordsOf);
  if ([title, file, wordsOf(heading)].includes(asked)) return whole;
  // What app items are called is the matter of their own lane.
  if (!namesPart || row.appKind !== null) return 0;
  // A file's name of one word is a label ("hall.txt") rather than what people call it.
  const label = title === file || file.includes(' ') ? file : '';
  const lines = [heading, titleLineOf(row)].flatMap((line) => [line, line.replace(qualifier, '')]);
  return Math.max(...[title, label, ...lines.map(wordsOf)].map((name) => partOf(asked, name)));
}

/** The line above a text that has no other title. */
function titleLineOf({ content, layout }: ChunkRow): string {
  const end = content.indexOf('\n');
  return layout['position'] === 0 && end <= titleLineCharactersMax ? content.slice(0, Math.max(0, end)) : '';
}

/** The share of the telling words of a query that a name has, if the query says all of the name in a row. */
function partOf(asked: string, name: string): number {
  if (name === '' || !` ${asked} `.includes(` ${name} `)) return 0;
  return tellingWords(name) / Math.max(1, tellingWords(asked));
}

function tellingWords(text: string): number {
  return new Set(text.split(' ').filter((word) => !stopWords.has(word))).size;
}

function wordsOf(text: string): string {
  return fold(text).replace(betweenWords, ' ').trim();
}
