import type { DataSource } from 'typeorm';
import type { ScopedDatabase } from '../databases/collections.service.js';
import { hasLane } from '../databases/metadata-schema.js';
import type { Embedder } from '../inference/embedder.js';
import { currentSignal } from '../lib/cancellation.js';
import { denseShare, fuse } from './fusion.js';
import type { FusedHit } from './fusion.js';
import { nothingExplored } from './graph-lane.js';
import type { GraphExploration } from './graph-lane.js';
import { searchIndexed } from './indexed-dense.queries.js';
import { creditItems } from './item-credit.js';
import { buildKeywordQuery } from './keyword-query.js';
import { findTermStatistics, isFiltered, searchDense, searchKeywords } from './lanes.queries.js';
import type { LaneHit, SearchScope } from './lanes.queries.js';
import { searchMetadata } from './metadata-lane.js';
import type { ResidentVectors } from './resident-vectors.js';
import type { SearchRequest } from './search-request.js';
import { currentTrace, traceLane, traceStage } from './search-trace.js';

interface LanesOptions {
  readonly postgres: DataSource;
  readonly embedder: Embedder;
  readonly residentVectors: ResidentVectors;
  readonly exactRowsMax: number;
}

/** Where to look, and how deep. */
interface Look {
  readonly scopes: readonly SearchScope[];
  readonly depth: number;
  readonly explore: () => Promise<GraphExploration>;
}

interface LanesFound {
  readonly hits: FusedHit[];
  /** No lane would find more if it looked deeper. */
  readonly exhausted: boolean;
  readonly exploration: GraphExploration;
}

/** Runs the lanes of a search side by side. */
export class SearchLanes {
  constructor(private readonly options: LanesOptions) {}

  /** What the lanes find, fused, best first. */
  async find(
    { metadataSchema }: ScopedDatabase,
    request: SearchRequest,
    { scopes, depth, explore }: Look,
  ): Promise<LanesFound> {
    const { postgres, embedder } = this.options;
    const { alpha, query } = request;
    const weighing = { alpha, query, denseWeight: embedder.denseWeight };
    let embedding: Promise<Float32Array> | undefined;
    const vector = () =>
      (embedding ??= traceStage('embedding', () => embedder.embedQuery(query, currentSignal())));
    const fields = metadataSchema?.filter(hasLane) ?? [];
    // Keywords first: while the dense lane scans, the statistics that they begin with are on their way back.
    const [sparse, dense, exploration, metadata] = await Promise.all([
      alpha === 1 ? [] : traceLane('sparse', () => this.keywordLane(query, scopes, depth)),
      alpha === 0 ? [] : traceLane('dense', () => this.denseLane(vector, scopes, depth)),
      request.graphContext ? traceLane('graph', explore) : nothingExplored,
      fields.length === 0
        ? []
        : traceLane('metadata', () =>
            searchMetadata(postgres, scopes, {
              fields,
              query,
              denseShare: denseShare(weighing),
              vector,
              limit: depth,
            }),
          ),
    ]);
    const found = { dense, sparse, graph: exploration.hits, metadata };
    const hits = fuse({ ...found, ...weighing });
    currentTrace()?.noteFusion(weighing, found);
    // The graph nominates as many however deep the others look.
    const exhausted = [dense, sparse, metadata].every((lane) => lane.length < depth);
    return { hits, exhausted, exploration };
  }

  private async denseLane(
    embedding: () => Promise<Float32Array>,
    scopes: readonly SearchScope[],
    limit: number,
  ): Promise<LaneHit[]> {
    const vector = await embedding();
    if (vector.every((value) => value === 0)) return [];
    const { postgres, exactRowsMax } = this.options;
    const found = await Promise.all(
      scopes.map((scope) =>
        scope.vectorIndex
          ? searchIndexed(postgres, scope, { index: scope.vectorIndex, vector, limit, exactRowsMax })
          : this.scan(scope, vector, limit),
      ),
    );
    return best(found.flat(), limit);
  }

  /** Without a filter the chunks that are in memory are scanned there. */
  private async scan(scope: SearchScope, vector: Float32Array, limit: number): Promise<LaneHit[]> {
    const { postgres, residentVectors } = this.options;
    const { store, collectionIds } = scope;
    const upTo = isFiltered(scope) ? 0 : residentVectors.upTo(store);
    if (upTo === 0) return searchDense(postgres, scope, { vector, limit, after: 0 });
    const [earlier, later] = await Promise.all([
      residentVectors.nearest(store, { upTo, collectionIds, vector, limit }),
      searchDense(postgres, scope, { vector, limit, after: upTo }),
    ]);
    if (!earlier) return searchDense(postgres, scope, { vector, limit, after: 0 });
    if (later.length > 0) residentVectors.noteOutdated(store, { hasGone: false });
    const known = new Set(earlier.map(({ id }) => id));
    return [...earlier, ...later.filter(({ id }) => !known.has(id))];
  }

  private async keywordLane(
    query: string,
    scopes: readonly SearchScope[],
    limit: number,
  ): Promise<LaneHit[]> {
    const { postgres } = this.options;
    const found = await Promise.all(
      scopes.map(async (scope) => {
        const lookUp = (terms: readonly number[]) => findTermStatistics(postgres, scope.store, terms);
        const keywords = await buildKeywordQuery(query, lookUp);
        return keywords ? searchKeywords(postgres, scope, { ...keywords, limit }) : [];
      }),
    );
    return best(creditItems(best(found.flat(), limit)), limit);
  }
}

function best<Hit extends LaneHit>(hits: Hit[], limit: number): Hit[] {
  return hits.sort((a, b) => b.score - a.score || (BigInt(a.id) < BigInt(b.id) ? -1 : 1)).slice(0, limit);
}
