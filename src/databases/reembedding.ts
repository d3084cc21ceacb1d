import type { Embedder } from '../inference/embedder.js';
import type { Embedders } from '../inference/embedders.js';
import type { Corpus } from '../postgres/stores.js';

/** A model, and the number of the set of vectors that it makes for a database. */
export interface VectorGeneration {
  readonly model: string;
  readonly dimensions: number;
  readonly generation: number;
}

/** How far a database's move to another model has come; stored in a column of its row. */
export interface ReembeddingState extends VectorGeneration {
  /** `tables`: to be made; `vectors`: being filled; `cleanup`: live, the earlier ones are to be removed. */
  readonly step: 'tables' | 'vectors' | 'cleanup';
  /** The number of chunks when it began. */
  readonly total: number;
  readonly done: number;
  /** By corpus: up to which chunk all have vectors, and up to which no new one can appear any more. */
  readonly progress: Readonly<Record<Corpus, CorpusProgress>>;
  /** The metadata of versions up to this one has its vectors; null when that of all has. */
  readonly valuesUpTo: string | null;
  readonly startedAt: string;
  readonly switchedAt: string | null;
  /** What it waits for; empty while it goes on. */
  readonly error: string;
}

export interface CorpusProgress {
  readonly upTo: number;
  readonly bound: number;
  /** Later chunks, whose turn comes when the transactions that had begun by then have ended. */
  readonly newest: { readonly chunkId: number; readonly begunBefore: string } | null;
}

/** The vectors that a database has, and those that are being made for it. */
export interface DatabaseVectors extends VectorGeneration {
  readonly next: VectorGeneration | null;
}

/** SQL: the number of the generation that is being filled, null while there is none. */
export function nextGenerationSql(alias: string): string {
  return `case when ${alias}.reembedding ->> 'step' = 'vectors' then (${alias}.reembedding ->> 'generation')::int end`;
}

/** SQL: a database's DatabaseVectors as JSON. */
export function databaseVectorsSql(alias: string): string {
  return `jsonb_build_object('model', ${alias}.embedding_model, 'dimensions', ${alias}.vector_dimensions,
    'generation', ${alias}.vector_generation,
    'next', case when ${alias}.reembedding ->> 'step' = 'vectors' then ${alias}.reembedding end)`;
}

/** A generation of vectors and the embedder that makes them. */
export interface VectorTarget {
  readonly generation: number;
  readonly embedder: Embedder;
}

/**
 * Which vectors new content of a database gets: those of its own model, and those of the model that it is
 * moving to; none of models that this server does not run.
 */
export function vectorTargets({ next, ...live }: DatabaseVectors, embedders: Embedders): VectorTarget[] {
  return [live, next].flatMap((wanted) => {
    const embedder = wanted && embedders.find(wanted.model, wanted.dimensions);
    return embedder ? [{ generation: wanted.generation, embedder }] : [];
  });
}

/** Says why a server cannot use the vectors of a database. */
export function modelMismatch(
  subject: string,
  stored: Pick<VectorGeneration, 'model' | 'dimensions'>,
  running: Pick<Embedder, 'model' | 'dimensions'>,
): string {
  return `${subject} was embedded with the model ${named(stored)}, this server runs ${named(running)}; reembedDatabase brings it over`;
}

function named({ model, dimensions }: Pick<VectorGeneration, 'model' | 'dimensions'>): string {
  return `${model} (${dimensions} dimensions)`;
}
