/** How well a ranking answers a query; each measure lies between 0 and 1. */
export interface RankingMetrics {
  readonly ndcg10: number;
  readonly recall10: number;
  readonly recall100: number;
  /** 1 / rank of the first right document; 0 when there is none. */
  readonly reciprocalRank: number;
}

/** Measures a ranking, best first, by the grades of the right documents. */
export function measureRanking(
  ranking: readonly string[],
  right: ReadonlyMap<string, number>,
): RankingMetrics {
  const found = (depth: number) => ranking.slice(0, depth).filter((id) => right.has(id)).length / right.size;
  const best = [...right.values()].sort((a, b) => b - a);
  const first = ranking.findIndex((id) => right.has(id));
  return {
    ndcg10: discountedGain(ranking.map((id) => right.get(id) ?? 0)) / discountedGain(best),
    recall10: found(10),
    recall100: found(100),
    reciprocalRank: first < 0 ? 0 : 1 / (first + 1),
  };
}

/** The mean of each measure over queries. */
export function meanMetrics(measured: readonly RankingMetrics[]): RankingMetrics {
  const mean = (of: (metrics: RankingMetrics) => number) =>
    measured.reduce((sum, metrics) => sum + of(metrics), 0) / Math.max(measured.length, 1);
  return {
    ndcg10: mean(({ ndcg10 }) => ndcg10),
    recall10: mean(({ recall10 }) => recall10),
    recall100: mean(({ recall100 }) => recall100),
    reciprocalRank: mean(({ reciprocalRank }) => reciprocalRank),
  };
}

// The gain of a document is its grade, as in trec_eval.
function discountedGain(grades: readonly number[]): number {
  return grades.slice(0, 10).reduce((sum, grade, index) => sum + grade / Math.log2(index + 2), 0);
}
