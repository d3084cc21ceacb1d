import type { DataSource } from 'typeorm';
import { query, queryOne } from '../postgres/query.js';
import { databaseVectorsSql } from './reembedding.js';
import type { DatabaseVectors, ReembeddingState, VectorGeneration } from './reembedding.js';

type Model = Pick<VectorGeneration, 'model' | 'dimensions'>;

/** How many databases have vectors of each model but this one, and are not being moved to it. */
export function countOfOtherModels(
  { manager }: DataSource,
  { model, dimensions }: Model,
): Promise<{ storedModel: string; storedDimensions: number; databases: number }[]> {
  return query(
    manager,
    `select embedding_model as "storedModel", vector_dimensions as "storedDimensions", count(*)::int as databases
       from databases
      where status = 'ready' and (embedding_model <> $1 or vector_dimensions <> $2)
        and (reembedding ->> 'model' is distinct from $1 or (reembedding ->> 'dimensions')::int is distinct from $2)
      group by 1, 2`,
    [model, dimensions],
  );
}

/** A move to a model that has not got a generation yet. */
type NewMove = Omit<ReembeddingState, 'generation'>;

/** Begins a move to a model, unless one to that model is under way. */
export async function beginMove(
  { manager }: DataSource,
  databaseId: number,
  move: { state: NewMove; now: Date },
): Promise<void> {
  await query(manager, `${beginSql} and d.id = $5`, [...beginParameters(move), databaseId]);
}

/** Begins the move of all databases of some models; returns how many. */
export async function beginMovesFrom(
  { manager }: DataSource,
  models: readonly string[],
  move: { state: NewMove; now: Date },
): Promise<number> {
  const begun = await query(manager, `${beginSql} and d.embedding_model = any($5) returning d.id`, [
    ...beginParameters(move),
    models,
  ]);
  return begun.length;
}

// The number of a generation is never used twice: its tables may hold vectors of a model that was given up.
const beginSql = `update databases d
    set reembedding = $1::jsonb || jsonb_build_object('generation',
          greatest(d.vector_generation, coalesce((d.reembedding ->> 'generation')::int, 0)) + 1),
        reembedding_due_at = $2
  where d.status = 'ready'
    and (d.reembedding is null or d.reembedding ->> 'step' = 'cleanup'
         or d.reembedding ->> 'model' <> $3 or (d.reembedding ->> 'dimensions')::int <> $4)`;

function beginParameters({ state, now }: { state: NewMove; now: Date }): unknown[] {
  return [JSON.stringify(state), now, state.model, state.dimensions];
}

/** The vectors that a database keeps; undefined once it is gone. */
export function findVectors(
  { manager }: DataSource,
  databaseId: number,
): Promise<DatabaseVectors | undefined> {
  return queryOne<DatabaseVectors>(
    manager,
    `select v.* from databases d, jsonb_to_record(${databaseVectorsSql('d')})
       as v(model text, dimensions int, generation int, next jsonb) where d.id = $1`,
    [databaseId],
  );
}
