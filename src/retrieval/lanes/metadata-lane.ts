import type { DataSource } from 'typeorm';
import type { MetadataField } from '../../databases/metadata-schema.js';
import { analyze, termId } from '../../text/analyzer.js';
import { inverseDocumentFrequencies } from '../../text/bm25.js';
import { inEach } from '../collection-scopes.js';
import { fuseLanes } from '../ranking/rank-fusion.js';
import type { SearchScope } from '../search-scope.js';
import type { LaneHit } from './lanes.queries.js';
import {
  countValues,
  findNominated,
  searchValuesDense,
  searchValuesSparse,
} from './metadata-lane.queries.js';

/** What the metadata lane needs to know of a search. */
interface MetadataSearch {
  readonly fields: readonly MetadataField[];
  readonly query: string;
  /** The weight of meaning against words, 0 to 1. */
  readonly denseShare: number;
  /**
   * Makes the vector of the query; called only when a field needs it. Undefined when that is not possible.
   */
  readonly vector: () => Promise<Float32Array | undefined>;
  readonly limit: number;
}

/** What the metadata lane finds. */
export interface MetadataFound {
  readonly hits: readonly LaneHit[];
  /** The ids of hits whose items have values with words of the query. */
  readonly ofWords: ReadonlySet<string>;
  /** The terms of the query that occur in values. */
  readonly terms: ReadonlySet<number>;
}

/** The result of a lane that found nothing. */
export const nothingValued: MetadataFound = { hits: [], ofWords: new Set(), terms: new Set() };

/**
 * The lane of metadata fields that are declared with a dense or a sparse lane. Their values rank items by
 * meaning and by words, and the best items nominate their first chunks. Equal scores mean equal values, so
 * such items share a rank.
 */
export async function searchMetadata(
  postgres: DataSource,
  scopes: readonly SearchScope[],
  search: MetadataSearch,
): Promise<MetadataFound> {
  const terms = new Set<number>();
  const { fields, denseShare, limit } = search;
  const [dense, sparse] = await Promise.all([
    denseShare > 0 && fields.some((field) => field.enableDenseEmbedding) ? byMeaning() : [],
    denseShare < 1 && fields.some((field) => field.enableSparseEmbedding) ? byWords() : [],
  ]);
  const items = fuseLanes([
    { name: 'dense', weight: denseShare, hits: dense, tied: true },
    { name: 'sparse', weight: 1 - denseShare, hits: sparse, tied: true },
  ]).slice(0, limit);
  if (items.length === 0) return nothingValued;
  const uids = items.map(({ id }) => id);
  const scores = new Map(items.map(({ id, score }) => [id, score]));
  const found = await inEach(scopes, (scope) => findNominated(postgres, scope, uids));
  const hits = found.map(({ id, sourceUid }) => ({ id, score: scores.get(sourceUid) ?? 0 }));
  const worded = new Set(sparse.map(({ id }) => id));
  const ofWords = new Set(found.flatMap(({ id, sourceUid }) => (worded.has(sourceUid) ? [id] : [])));
  return { hits: ranked(hits).slice(0, limit), ofWords, terms };

  async function byMeaning(): Promise<LaneHit[]> {
    const vector = await search.vector();
    if (!vector?.some((value) => value !== 0)) return [];
    const hits = await inEach(scopes, (scope) => searchValuesDense(postgres, scope, { vector, limit }));
    return ranked(hits).slice(0, limit);
  }

  async function byWords(): Promise<LaneHit[]> {
    const asked = [...new Set(analyze(search.query).map(termId))];
    if (asked.length === 0) return [];
    const hits = await inEach(scopes, async (scope) => {
      const weights = await weightsByField(postgres, scope, asked);
      for (const ofField of weights.values()) for (const term of ofField.keys()) terms.add(term);
      return weights.size > 0 ? searchValuesSparse(postgres, scope, { weights, limit }) : [];
    });
    return ranked(hits).slice(0, limit);
  }
}

/** The query's terms that occur in each field, with their inverse document frequency among its values. */
async function weightsByField(
  postgres: DataSource,
  scope: SearchScope,
  terms: readonly number[],
): Promise<Map<string, Map<number, number>>> {
  const weights = new Map<string, Map<number, number>>();
  for (const [field, { values, frequencies }] of await countValues(postgres, scope, terms)) {
    if (frequencies.size === 0) continue;
    weights.set(field, inverseDocumentFrequencies(frequencies.keys(), frequencies, values));
  }
  return weights;
}

/** Hits by descending score; equals stay in the order in which their scope returned them. */
function ranked(hits: readonly LaneHit[]): LaneHit[] {
  return hits.toSorted((a, b) => b.score - a.score);
}
