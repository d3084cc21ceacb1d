/**
 * Orders texts by how well they answer a query. One file per provider in
 * rerankers/, one line in rerankers.ts.
 */
export interface Reranker {
  /**
   * The scores by the index of the text, higher for better, on any scale. A provider may leave texts out.
   * @throws Error when the provider does not answer, or not with scores
   */
  rank(query: string, texts: readonly string[], options: RankOptions): Promise<ReadonlyMap<number, number>>;
  /** Ends open connections. */
  close(): Promise<void>;
}

export interface RankOptions {
  /** For the whole call, retries included. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}
