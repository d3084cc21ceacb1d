import type { DataSource } from 'typeorm';
import { nextGenerationSql } from '../databases/reembedding.js';
import type { Embedder } from '../inference/embedder.js';
import type { Embedders } from '../inference/embedders.js';
import { batchesOf } from '../lib/batches-of.js';
import { retryOnDeadlock } from '../postgres/deadlock.js';
import { query } from '../postgres/query.js';
import { vectorText } from '../postgres/vector-parameters.js';
import type { MetadataVectors } from '../sources/metadata/source-metadata.service.js';
import { analyze, termIdMax, termVector } from '../text/analyzer.js';
import { documentWeights } from '../text/bm25.js';
import { chunkRowsMax } from './chunks.queries.js';
import type { EmbeddingCache } from './embedding-cache.js';

interface MetadataVectorsOptions {
  readonly postgres: DataSource;
  readonly embeddings: EmbeddingCache;
  readonly embedders: Embedders;
}

/** A version by its key. */
interface Version {
  readonly databaseId: number;
  readonly uid: string;
}

/** A value of a field with a lane whose vectors in some generation are missing or outdated. */
interface StaleValue extends Version {
  readonly generation: number;
  /** Whether searches use that generation. */
  readonly live: boolean;
  readonly model: string;
  readonly dimensions: number;
  readonly field: string;
  readonly dense: boolean;
  readonly sparse: boolean;
  readonly value: string;
}

// As long as a chunk may be, which every model accepts.
const embeddedCharactersMax = 2000;
// Values are short and of similar length, so their weights use one constant average.
const averageTerms = 8;
// More than one round is needed only after an edit at the same moment, and that edit fills in what the last
// round missed.
const roundsMax = 5;

/**
 * Keeps the vectors of metadata fields with a dense or sparse lane: one row per version, field and
 * generation.
 */
export class StoredMetadataVectors implements MetadataVectors {
  constructor(private readonly options: MetadataVectorsOptions) {}

  /**
   * Values of these fields, or of all with a lane, that differ from what their stored vectors were made of.
   */
  findStale(versions: readonly Version[], fields: readonly string[] | null): Promise<StaleValue[]> {
    return query<StaleValue>(
      this.options.postgres.manager,
      `select s.database_id as "databaseId", s.uid, f.name as field, f.dense, f.sparse, s.metadata ->> f.name as value,
              g.generation, g.generation = d.vector_generation as live, g.model, g.dimensions
         from unnest($1::int[], $2::bigint[]) as w(database_id, uid)
         join sources s on s.database_id = w.database_id and s.uid = w.uid and (s.latest or s.visible)
         join databases d on d.id = s.database_id and d.status = 'ready'
         cross join lateral (
           select e ->> 'name' as name, (e -> 'enableDenseEmbedding')::boolean as dense,
                  (e -> 'enableSparseEmbedding')::boolean as sparse
             from jsonb_array_elements(d.metadata_schema) e) f
         join lateral (values (d.vector_generation, d.embedding_model, d.vector_dimensions),
           (${nextGenerationSql('d')}, d.reembedding ->> 'model', (d.reembedding ->> 'dimensions')::int))
           as g(generation, model, dimensions) on g.generation is not null
         left join metadata_vectors v on v.database_id = s.database_id and v.source_uid = s.uid and v.field = f.name
          and v.generation = g.generation
        where (f.dense or f.sparse) and ($3::text[] is null or f.name = any($3))
          and jsonb_typeof(s.metadata -> f.name) = 'string'
          and v.digest is distinct from sha256(convert_to(s.metadata ->> f.name, 'UTF8'))`,
      [versions.map((version) => version.databaseId), versions.map((version) => version.uid), fields],
    );
  }

  /** Makes the missing vectors. @throws whatever the embedder throws */
  async fill(versions: readonly Version[], fields: readonly string[] | null = null): Promise<void> {
    for (let round = 0; round < roundsMax; round += 1) {
      const found = await this.findStale(versions, fields);
      // Without the model, a value that is searched is found by words alone; a generation not searched yet is
      // left to a server with its model.
      const stale = found.filter((value) => value.live || this.embedderOf(value));
      if (stale.length === 0) return;
      for (const some of batchesOf(stale, chunkRowsMax)) await retryOnDeadlock(() => this.store(some));
    }
  }

  private async store(values: readonly StaleValue[]): Promise<void> {
    const embeddings = await this.embed(values);
    const analyzed = values.map(({ value, sparse }) =>
      sparse ? termVector(analyze(value, 'vector')) : undefined,
    );
    await query(
      this.options.postgres.manager,
      // Of a value that was edited meanwhile nothing is stored. The lock keeps the version and its value while this runs;
      // a version that is removed later takes its rows along.
      `with given as (
         select * from unnest($1::int[], $2::bigint[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[],
                              $8::int[])
           as g(database_id, uid, field, value, embedding, terms, keyword, generation)),
       held as materialized (
         select s.database_id, s.uid, s.metadata, d.vector_generation as live, ${nextGenerationSql('d')} as next
           from sources s join databases d on d.id = s.database_id
          where (s.database_id, s.uid) in (select database_id, uid from given)
            and (s.latest or s.visible) and d.status = 'ready'
          order by s.uid desc for share)
       insert into metadata_vectors (database_id, source_uid, generation, field, digest, embedding, terms, keyword)
       select g.database_id, g.uid, g.generation, g.field, sha256(convert_to(g.value, 'UTF8')), g.embedding::vector,
              g.terms::int[], g.keyword::sparsevec
         from given g join held h using (database_id, uid)
        where h.metadata ->> g.field = g.value and (g.generation = h.live or g.generation = h.next)
       on conflict (database_id, source_uid, generation, field) do update
          set digest = excluded.digest, embedding = excluded.embedding, terms = excluded.terms,
              keyword = excluded.keyword`,
      [
        values.map((value) => value.databaseId),
        values.map((value) => value.uid),
        values.map((value) => value.field),
        values.map((value) => value.value),
        embeddings.map((vector) => (vector ? vectorText(vector) : null)),
        analyzed.map((vector) => (vector ? `{${vector.ids.join(',')}}` : null)),
        analyzed.map((vector) => (vector ? keywordText(vector) : null)),
        values.map((value) => value.generation),
      ],
    );
  }

  /** One vector per value; undefined for a field without a dense lane, for blank text, and where the model is missing. */
  private async embed(values: readonly StaleValue[]): Promise<(Float32Array | undefined)[]> {
    const wanted = values.filter(({ dense, value }) => dense && value.trim() !== '');
    const made = new Map<StaleValue, Float32Array | undefined>();
    for (const embedder of new Set(wanted.map((value) => this.embedderOf(value)))) {
      if (!embedder) continue;
      const own = wanted.filter((value) => this.embedderOf(value) === embedder);
      const texts = own.map(({ databaseId, value }) => ({
        databaseId,
        text: value.slice(0, embeddedCharactersMax).toWellFormed(),
      }));
      const vectors = await this.options.embeddings.embed(texts, embedder);
      own.forEach((value, index) => made.set(value, vectors[index]));
    }
    return values.map((value) => made.get(value));
  }

  private embedderOf({ model, dimensions }: StaleValue): Embedder | undefined {
    return this.options.embedders.find(model, dimensions);
  }
}

/** The BM25 weights of a value as SQL text; term ids count from 1, as the elements of a sparsevec do in Postgres. */
function keywordText({ ids, counts, length }: ReturnType<typeof termVector>): string {
  const weights = documentWeights(counts, length, averageTerms);
  const elements = Array.from(ids, (term, index) => `${term}:${weights[index] ?? 0}`);
  return `{${elements.join(',')}}/${termIdMax}`;
}
