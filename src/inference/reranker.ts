/** Puts texts in order by how well they answer a query. One file per provider in rerankers/, one line in rerankers.ts. */
export interface Reranker {
  /**
   * Scores by the place of the text, for as many as the provider scores; higher is better, on whatever scale.
   * @throws Error when the provider does not answer, or not with scores.
   */
  rank(query: string, texts: readonly string[], options: RankOptions): Promise<ReadonlyMap<number, number>>;
  /** Ends open connections. */
  close(): Promise<void>;
}

export interface RankOptions {
  /** For everything, repetitions included. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}
