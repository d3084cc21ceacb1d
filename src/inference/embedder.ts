import { AppError } from '../errors.js';

/** How near texts come to one word of a query. */
export interface WordNearness {
  /** The id of the word's term, as the keyword lane has it. */
  readonly term: number;
  /** One per text: 1 if it has the word itself, else what its nearest word is, from 0 up to less than 1. */
  readonly byText: readonly number[];
}

/** One entry per word of a query. */
export type CompareWords = (texts: readonly string[]) => readonly WordNearness[];

/** Turns texts into unit-length vectors. One file per provider in embedders/, one line in embedders.ts. */
export interface Embedder {
  /** Stored with each database, since vectors of different models are never compared. */
  readonly model: string;
  /** Earlier models that it takes the place of: databases of theirs are moved to it without being asked. */
  readonly replaces?: readonly string[];
  /** The length of its vectors. */
  readonly dimensions: number;
  /** The dimensions that a database may ask for and is shown; stored vectors have `dimensions`. */
  readonly dimensionsShown: { readonly default: number; readonly min: number; readonly max: number };
  /** The weight of its lane beside the keyword lane when alpha is "auto", from 0 to 1. */
  readonly denseWeight: number;
  /**
   * Whether differences between its scores say how much nearer one text is than another, so that its lane is fused with
   * the keyword lane by scores; otherwise that is done only where texts hold the words of a plain question.
   */
  readonly fusesByScore?: boolean;
  /** Whether looking up a vector that was made before is cheaper than making it again. */
  readonly cached: boolean;
  /** One unit-length vector per text, in the order given; an empty text gives a zero vector. */
  embedDocuments(texts: readonly string[], signal?: AbortSignal): Promise<Float32Array[]>;
  /** A query's vector, to be compared with documents' by inner product. */
  embedQuery(text: string, signal?: AbortSignal): Promise<Float32Array>;
  /**
   * What compares the words of a query with those of texts, at once; undefined for a query of which it knows too little.
   * Not there where a model knows texts only as a whole.
   */
  readonly wordComparer?: (query: string) => CompareWords | undefined;
  /** Ends worker threads and open connections. */
  close(): Promise<void>;
}

const refusedAgainAfterSeconds = 5;

/**
 * The provider answers but does nothing for this server, for example because it rejects the key; indexing
 * treats that as an outage.
 */
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

/** The provider answers with vectors that nothing here can be compared with; indexing treats that as an outage. */
export class UnusableVectorsError extends AppError {
  constructor(problem: string, retryAfterSeconds: number) {
    super('SERVICE_UNAVAILABLE', `the embedding provider answered with ${problem}`, { retryAfterSeconds });
  }
}

/** The provider refuses this text, though it answers: other texts may succeed, this one hardly will. */
export class RefusedTextError extends Error {
  override name = 'RefusedTextError';
}
