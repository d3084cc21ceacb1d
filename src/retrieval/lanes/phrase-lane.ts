import type { DataSource } from 'typeorm';
import { LIMITS } from '../../limits.js';
import type { Phrase } from '../question/text-match.js';
import type { SearchScope } from '../search-scope.js';
import { searchKeywords } from './keyword-lane.queries.js';
import type { ItemHit } from './keyword-lane.queries.js';
import { findPhraseTexts } from './phrase-lane.queries.js';

interface PhraseSearch {
  readonly phrase: Phrase;
  readonly required: readonly (readonly number[])[];
  readonly weights: ReadonlyMap<number, number>;
  readonly limit: number;
}

// The first page usually contains enough. Every further page costs a statement and some 12 ms of this thread,
// so pages are larger then.
const firstPage = 100;
const laterPages = 250;

/**
 * The chunks with the best BM25 scores that contain a phrase. Candidates come from the index, by all words of
 * the phrase, or from the word codes for a phrase of stop words alone. The best of them are read until enough
 * contain the words in a row.
 */
export async function searchPhrase(
  postgres: DataSource,
  scope: SearchScope,
  { phrase, required, weights, limit }: PhraseSearch,
): Promise<ItemHit[]> {
  if (phrase.isEmpty) return [];
  const candidates = await searchKeywords(postgres, scope, {
    weights,
    required,
    row: phrase.bareCodes,
    bare: true,
    limit: LIMITS.phraseCandidatesMax,
  });
  const found: ItemHit[] = [];
  for (let start = 0, end = firstPage; start < candidates.length && found.length < limit;) {
    const page = candidates.slice(start, end);
    const texts = await findPhraseTexts(
      postgres,
      scope.store,
      page.map(({ id }) => id),
    );
    found.push(...page.filter(({ id }) => phrase.standsIn(texts.get(id) ?? [])));
    start = end;
    end += laterPages;
  }
  return found.slice(0, limit);
}
