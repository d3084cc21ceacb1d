import type { Embedder } from '../inference/embedder.js';
import type { Embedders } from '../inference/embedders.js';
import type { Corpus } from '../postgres/partitions.js';

/** A model, and the generation of vectors that it makes for a database. */
export interface VectorGeneration {
  readonly model: string;
  readonly dimensions: number;
  readonly generation: number;
}

/** How far the vectors of another model have come: a column of the database's row. */
export interface ReembeddingState extends VectorGeneration {
  /** `tables`: to be made; `vectors`: being filled; `cleanup`: live, the earlier ones are to be removed. */
  readonly step: 'tables' | 'vectors' | 'cleanup';
  /** Chunks, when it began. */
  readonly total: number;
  readonly done: number;
  /** By corpus: up to which chunk all are done, and up to which there is none that could still turn up. */
  readonly progress: Readonly<Record<Corpus, CorpusProgress>>;
  /** The last version whose metadata has its vectors; null when all have. */
  readonly valuesUpTo: string | null;
  readonly startedAt: string;
  readonly switchedAt: string | null;
  /** What it waits for. */
  readonly error: string;
}

export interface CorpusProgress {
  readonly upTo: number;
  readonly bound: number;
  /** Later ones, to be done when the transactions that had begun by then have ended. */
  readonly newest: { readonly chunkId: number; readonly begunBefore: string } | null;
}

/** The vectors that a database has, and those that are being made. */
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
 * Which vectors new content of a database gets: those of its model, and those of the model that it is being brought over
 * to. None when this server has neither.
 */
export function vectorTargets({ next, ...live }: DatabaseVectors, embedders: Embedders): VectorTarget[] {
  return [live, next].flatMap((wanted) => {
    const embedder = wanted && embedders.find(wanted.model, wanted.dimensions);
    return embedder ? [{ generation: wanted.generation, embedder }] : [];
  });
}

/** Why the vectors of a database are of no use to a server. */
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
