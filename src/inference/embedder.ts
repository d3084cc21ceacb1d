import { AppError } from '../errors.js';

/** Turns texts into unit-length vectors. One file per provider in embedders/, one line in embedders.ts. */
export interface Embedder {
  /** Stored with each database: vectors of two models are never compared. */
  readonly model: string;
  /** Length of every vector that it returns. */
  readonly dimensions: number;
  /** The numbers that a database may ask for and show; what is stored has `dimensions`. */
  readonly dimensionsShown: { readonly default: number; readonly min: number; readonly max: number };
  /** What its lane deserves beside the keyword lane when alpha is "auto", 0 to 1. */
  readonly denseWeight: number;
  /** Whether looking up a vector made before is cheaper than making it again. */
  readonly cached: boolean;
  /** One unit-length vector per text, in the order given; an empty text gives a zero vector. */
  embedDocuments(texts: readonly string[], signal?: AbortSignal): Promise<Float32Array[]>;
  /** The vector of a query, comparable by inner product with those of documents. */
  embedQuery(text: string, signal?: AbortSignal): Promise<Float32Array>;
  /** Ends worker threads and open connections. */
  close(): Promise<void>;
}

const refusedAgainAfterSeconds = 5;

/** A provider that answers and does nothing for this server, as with a key that it does not take: for who waits it is an outage. */
export class RefusingProviderError extends AppError {
  constructor(status: number, cause: unknown) {
    super(
      'SERVICE_UNAVAILABLE',
      `the embedding provider refuses the requests of this server (status ${status})`,
      {
        cause,
        retryAfterSeconds: refusedAgainAfterSeconds,
      },
    );
  }
}

/** A text that the provider refuses although it answers: trying other texts makes sense, trying this one hardly. */
export class RefusedTextError extends Error {
  override name = 'RefusedTextError';
}
