import { headingsOf } from '../../ingestion/chunking/chunk-headings.js';
import { fold } from '../../text/fold.js';
import type { ChunkRow } from '../found-chunks.queries.js';
import type { FusedHit } from './fusion.js';

const betweenWords = /[^\p{L}\p{M}\p{N}]+/gu;
const fileExtension = /\.[a-z]\w{1,4}$/i;
const titleCharactersMax = 300;

/**
 * Puts first the best chunk of each item whose title, or first heading, is the query itself. A text that only
 * mentions the title has as many of its words, and may be nearer in meaning. Only hits whose rows have been
 * read are considered.
 */
export function askedByTitle(
  hits: readonly FusedHit[],
  rows: ReadonlyMap<string, ChunkRow>,
  query: string,
): readonly FusedHit[] {
  const [first] = hits;
  const asked = query.length <= titleCharactersMax ? wordsOf(query) : '';
  if (!first || asked === '') return hits;
  const items = new Set<string>();
  const isAsked = ({ id }: FusedHit) => {
    const row = rows.get(id);
    if (!row || items.has(row.sourceUid) || !isTitle(asked, row)) return false;
    items.add(row.sourceUid);
    return true;
  };
  const titled = new Set(hits.filter(isAsked));
  if (titled.size === 0) return hits;
  const lifted = [...titled].map((hit) => ({ ...hit, score: first.score }));
  return [...lifted, ...hits.filter((hit) => !titled.has(hit))];
}

function isTitle(asked: string, row: ChunkRow): boolean {
  const names = [row.title, row.title.replace(fileExtension, ''), ...headingsOf(row).slice(0, 1)];
  return names.some((name) => wordsOf(name) === asked);
}

function wordsOf(text: string): string {
  return fold(text).replace(betweenWords, ' ').trim();
}
